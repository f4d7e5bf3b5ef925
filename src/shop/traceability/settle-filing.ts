import { parse } from 'csv-parse/sync';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { type CcrsFileType, ccrsFileTypes, ccrsKeys } from '../../engines/state-reports/ccrs-columns.ts';
import { momentOf } from '../../engines/state-reports/ccrs-files.ts';
import {
  type CcrsRefusal,
  isFiledAlready,
  momentIn,
  readCcrsReply,
} from '../../engines/state-reports/ccrs-replies.ts';
import type { ReportState } from '../../engines/state-reports/report-lifecycle.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, wallTimeAt } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { TextArray } from '../../platform/statements/statement.ts';
import { announceReports } from './announce-report.ts';
import {
  acceptFiledRows,
  keepFiledRows,
  refuseFiledRows,
  selectUploads,
  turnReports,
} from './filing-queries.ts';
import { type Filing, makeFiling } from './make-filing.ts';
import { insertSteps, type ReportRow } from './state-report-queries.ts';

interface FilingTurn {
  readonly from: ReportState;
  readonly to: ReportState;
  readonly problem: string | null;
  readonly words: string;
  readonly staffId: number | null;
}

/**
 * A person has uploaded the files, or entered the book: what they tell is no longer to be filed. Fails with STATE_CONNECTION_NOT_FOUND, and
 * with INVALID_PARAMS when the files would be others by now, or have faults.
 */
export async function noteUpload(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  connectionId: number,
  by: { readonly until: string; readonly digest: string; readonly staffId: number },
): Promise<void> {
  const filing = await makeFiling(context, organization, connectionId, by.until);
  if (filing.digest !== by.digest) {
    throw failure('INVALID_PARAMS', 'digest must be that of the files as they are now: download them again.');
  }
  if (filing.files.some(({ faults }) => faults.length > 0)) {
    throw failure('INVALID_PARAMS', 'digest must be of files without faults.');
  }
  const isBook = filing.rows === null;
  await context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    tell(filing, tx, isoTimestamp(nowMs));
    const turned = await turn(tx, context, filing.waiting, nowMs, {
      ...{ from: 'waiting', to: isBook ? 'done-by-hand' : 'unknown', staffId: isBook ? by.staffId : null },
      problem: isBook ? null : 'It was uploaded; the answer of the state is awaited.',
      words: isBook ? "It was entered in the state's forms." : 'It was uploaded in a file.',
    });
    // What no row tells, such as a sale that was voided before it was filed, has no answer to wait for.
    for (const file of filing.rows === null ? [] : (['Sale', 'InventoryAdjustment'] as const)) {
      if (filing.rows![file].length > 0) continue;
      await turn(tx, context, reportsOf({ uploaded: filing.waiting }, file), nowMs, {
        ...{
          from: 'unknown',
          to: 'accepted',
          staffId: null,
          problem: null,
          words: 'There is nothing to file.',
        },
      });
    }
    await announceFiled(tx, context, origin, nowMs, filing, { how: 'uploaded', reports: turned.length });
  });
}

/** What the state said. */
export interface FilingReply {
  readonly file: CcrsFileType;
  readonly isAccepted: boolean;
  readonly problems: readonly CcrsRefusal[];
}

/**
 * Takes over a mail of the state, or the file that came with it. An accepted file settles its reports; a refused one is made again with
 * the next files, except what the state has already. Fails with STATE_CONNECTION_NOT_FOUND, and with INVALID_PARAMS for a text that is
 * no answer of the state.
 */
export async function takeReply(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  connectionId: number,
  { text, fileName }: { readonly text: string; readonly fileName: string },
): Promise<FilingReply> {
  const reply = readCcrsReply(text, cellsOf(text), fileName);
  if (reply === null) {
    throw failure(
      'INVALID_PARAMS',
      'text must be a mail of the state about a file, or the file that came with it.',
    );
  }
  const filing = await makeFiling(context, organization, connectionId, undefined);
  const names = `${fileName}\n${text}`;
  const uploadedMs = await uploadOf(context, organization, filing, { file: reply.file, names });
  const problems = (reply.refused ?? []).filter((it) => !isFiledAlready(it));
  const isAccepted = problems.length === 0;
  await context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const at = isoTimestamp(nowMs);
    const { file } = reply;
    const known = (reply.refused ?? []).flatMap((it) => (isFiledAlready(it) ? (it.id ?? []) : []));
    const uploadedAt = uploadedMs === null ? null : isoTimestamp(uploadedMs);
    const of = { connectionId, file, uploadedAt, at };
    tx.queue(
      acceptFiledRows({ ...of, ids: isAccepted ? null : new TextArray(known) }),
      ...(isAccepted ? [] : [refuseFiledRows(of)]),
    );
    const words = [...new Set(problems.flatMap((it) => it.words))].join(' ').slice(0, 1_000);
    const answered = reportsOf(filing, file).filter(
      ({ sent_at: sentMs }) => uploadedMs === null || sentMs === uploadedMs,
    );
    await turn(tx, context, answered, nowMs, {
      ...{ from: 'unknown', to: isAccepted ? 'accepted' : 'waiting', staffId: null },
      problem: isAccepted ? null : words,
      words: isAccepted ? 'The state has taken the file.' : `The state has refused the file. ${words}`,
    });
    await announceFiled(tx, context, origin, nowMs, filing, {
      how: isAccepted ? 'accepted' : 'refused',
      file,
    });
  });
  return { file: reply.file, isAccepted, problems };
}

/**
 * The upload that an answer is about: the first that was noted after the file which it names was made. Null: none waits for an answer
 * since then, and it is about all that do.
 */
async function uploadOf(
  context: Context,
  organization: OrganizationId,
  filing: Filing,
  { file, names }: { readonly file: CcrsFileType; readonly names: string },
): Promise<number | null> {
  const madeAt = momentIn(names, file) ?? '';
  const [[shop], uploads] = await context.database.read(
    organization,
    selectOrganization({}),
    selectUploads({ connectionId: filing.connection.id, file }),
  );
  return (
    [
      ...uploads.map(({ uploaded_at: atMs }) => atMs),
      ...reportsOf(filing, file).flatMap(({ sent_at: atMs }) => atMs ?? []),
    ]
      .toSorted((a, b) => a - b)
      .find((atMs) => momentOf(wallTimeAt(atMs, shop!.tz).text) >= madeAt) ?? null
  );
}

/** The reports that a file tells. */
function reportsOf({ uploaded }: Pick<Filing, 'uploaded'>, file: CcrsFileType): ReportRow[] {
  if (file === 'Sale') return uploaded.filter(({ order_id: orderId }) => orderId !== null);
  return file === 'InventoryAdjustment' ? uploaded.filter(({ order_id: orderId }) => orderId === null) : [];
}

/** Notes each row of the files as uploaded. */
function tell({ rows, connection }: Filing, tx: TenantTransaction, at: string): void {
  if (rows === null) return;
  const all = ccrsFileTypes.flatMap((file) => rows[file].map((row) => ({ file, row })));
  tx.queue(
    keepFiledRows({
      ...{ connectionId: connection.id, at },
      files: new TextArray(all.map(({ file }) => file)),
      ids: new TextArray(all.map(({ file, row }) => row[ccrsKeys[file]] ?? '')),
      contents: new TextArray(all.map(({ row }) => JSON.stringify(row))),
    }),
  );
}

async function turn(
  tx: TenantTransaction,
  context: Context,
  reports: readonly ReportRow[],
  nowMs: number,
  { words, ...to }: FilingTurn,
): Promise<readonly unknown[]> {
  const at = isoTimestamp(nowMs);
  const isSettled = to.to === 'accepted' || to.to === 'done-by-hand';
  const ids = reports.map(({ id }) => id);
  const [turned] = await tx.run(turnReports({ ...to, ids, settledAt: isSettled ? at : null, at }));
  const stepIds = await context.ids.take(turned.length);
  const steps = turned.map(({ id: reportId }, index) => ({
    ...{ reportId, id: stepIds[index]!, state: to.to, words, createdAt: at },
  }));
  tx.queue(...insertSteps(steps));
  if (!isSettled) return turned;
  await announceReports(
    tx,
    context,
    nowMs,
    turned.map((report) => ({ event: 'order.reported', report })),
  );
  return turned;
}

function announceFiled(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  { connection, until }: Filing,
  details: { readonly how: string; readonly file?: string; readonly reports?: number },
): Promise<void> {
  return announce(tx, context, origin, nowMs, {
    event: 'state_connection.filed',
    subjectType: 'state_connection',
    subjectId: connection.id,
    payload: { stateConnectionId: connection.id },
    details: { until, ...details },
  });
}

/** The cells of a file of the state, whose rows have different lengths; none: the text is a mail. */
function cellsOf(text: string): string[][] {
  try {
    return parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  } catch {
    return [];
  }
}
