import { type ReceiptContent, receiptBody } from '../../engines/state-reports/receipt-of-sale.ts';
import type { WriteOutcome } from '../../engines/state-reports/state-answer.ts';
import {
  isSameSale,
  readStateReceipt,
  type StateReceipt,
} from '../../engines/state-reports/state-receipt.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { openPatientNumber } from '../customers/customers.ts';
import type { LaneParts } from './lane-parts.ts';
import { keepStatement } from './read-receipts.ts';
import {
  type LiveReceiptRow,
  type ReportRow,
  selectLiveReceiptsOfOrders,
  selectReportsOfOrders,
} from './state-report-queries.ts';

/* Receipts at the state. Before anything is changed there, it is looked at; what may be there is looked for. */

const receiptsPath = '/sales/v2/receipts';
/** Around the moment of sending, lists are searched from so long before. */
const searchedBeforeMs = 5 * 60_000;
const dayMs = 24 * 3_600_000;

/** What the state has to do for a report. */
type Task =
  | { readonly kind: 'nothing' }
  /** `isKnown`: a receipt under our number was read, so it is looked at before another one is made. */
  | { readonly kind: 'create'; readonly isKnown: boolean }
  | { readonly kind: 'change' | 'remove'; readonly recordId: number; readonly number: string };

/** What the state has to do for reports of sales, by their ids. */
export type ReceiptTasks = ReadonlyMap<number, Task>;

/**
 * By what the state has of the order: one receipt, or none. A service that was restored from a backup knows less than what was sent;
 * then what was read of the state counts. No two reports are of one order, so that sending one does not change the task of another.
 */
export async function receiptTasks(
  { context, organization, connection }: LaneParts,
  reports: readonly ReportRow[],
): Promise<ReceiptTasks> {
  if (reports.length === 0) return new Map();
  const of = { connectionId: connection.id, orderIds: reports.map(({ order_id: id }) => id!) };
  const [all, read] = await context.database.read(
    organization,
    selectReportsOfOrders(of),
    selectLiveReceiptsOfOrders(of),
  );
  const reportsOf = groupBy(all, (it) => it.order_id);
  const readOf = groupBy(read, (it) => it.order_id);
  return new Map(
    reports.map((report) => [
      report.id,
      taskOf(report, reportsOf.get(report.order_id) ?? [], readOf.get(report.order_id!) ?? []),
    ]),
  );
}

function taskOf(report: ReportRow, reports: readonly ReportRow[], read: readonly LiveReceiptRow[]): Task {
  const accepted = reports.filter((it) => it.state === 'accepted' && it.id !== report.id);
  const latest = accepted.at(-1);
  const isThere =
    latest !== undefined && latest.state_record_id !== null && contentOf(latest).lines.length > 0;
  const { lines, soldAt } = contentOf(report);
  const isEmpty = lines.length === 0;
  const create: Task = {
    kind: 'create',
    isKnown: read.some((it) => it.external_number === report.external_number),
  };
  // A person has it made anew, in place of one that was voided.
  if (report.kind === 'sale' && !isEmpty) return create;
  if (!isThere) {
    const recordId = latest?.state_record_id;
    const kept = read.find((it) => it.state_record_id === recordId);
    // It was voided, and is there all the same.
    if (isEmpty && kept !== undefined) {
      return { kind: 'remove', recordId: kept.state_record_id, number: kept.external_number! };
    }
    // Another sale can stand under a number of ours: not of the same second.
    const former = read.find(
      (it) =>
        latest === undefined &&
        it.external_number !== report.external_number &&
        it.sold_at?.slice(0, 19) === soldAt.slice(0, 19),
    );
    if (former !== undefined) {
      const { state_record_id: recordId, external_number: number } = former;
      return { kind: isEmpty ? 'remove' : 'change', recordId, number: number! };
    }
    return isEmpty ? { kind: 'nothing' } : create;
  }
  const recordId = latest.state_record_id!;
  const number = accepted.find((it) => it.state_record_id === recordId)!.external_number;
  return { kind: isEmpty ? 'remove' : 'change', recordId, number };
}

/** What a report tells of a sale. */
export function contentOf({ payload }: Pick<ReportRow, 'payload'>): ReceiptContent {
  return JSON.parse(payload) as ReceiptContent;
}

/** What sending a report takes: one call; or none, where it is known without one what becomes of the report. */
export type Prepared =
  | { readonly kind: 'call'; readonly call: () => Promise<WriteOutcome> }
  | { readonly kind: 'known'; readonly outcome: WriteOutcome };

/** Prepares a report of a sale. Nothing is called that changes something, but a final receipt is opened. */
export async function preparedReceipt(
  parts: LaneParts,
  report: ReportRow,
  tasks: ReceiptTasks,
): Promise<Prepared> {
  const task = tasks.get(report.id)!;
  if (task.kind === 'nothing') return { kind: 'known', outcome: { kind: 'done', ids: [] } };
  const hindered =
    task.kind === 'create'
      ? task.isKnown && (await whatStands(parts, report))
      : await whatHinders(parts, task.recordId, task.kind === 'remove');
  if (hindered) return { kind: 'known', outcome: hindered };
  const patientNumber = await patientNumberOf(parts, report);
  if (patientNumber === undefined && task.kind !== 'remove') {
    const words =
      "The state wants the patient's number: enter it at the customer, and send the report again.";
    return { kind: 'known', outcome: { kind: 'refused', words } };
  }
  return { kind: 'call', call: () => called(parts, report, task, patientNumber ?? null) };
}

/** What becomes of a report under whose number a receipt was read. Null: it is not there after all. */
async function whatStands(parts: LaneParts, report: ReportRow): Promise<WriteOutcome | null> {
  const seen = await seenByNumber(parts, report);
  switch (seen.kind) {
    case 'there':
      return { kind: 'done', ids: seen.recordId === null ? [] : [seen.recordId] };
    case 'contradiction':
      return { kind: 'refused', words: seen.words };
    case 'unclear':
      return { kind: 'unsure', words: seen.words };
    case 'not-there':
      return null;
  }
}

/** The number of the patient of a sale; null: none is needed. Undefined: the state demands one, and none is on file. */
export async function patientNumberOf(
  { context, organization, connection }: LaneParts,
  report: ReportRow,
): Promise<string | null | undefined> {
  const { customerType, patientId = null } = contentOf(report);
  if (customerType !== 'Patient') return null;
  const number = patientId === null ? null : await openPatientNumber(context, organization, patientId);
  return number ?? (connection.flags.SalesRequirePatientNumber === true ? undefined : null);
}

async function called(
  { client }: LaneParts,
  report: ReportRow,
  task: Exclude<Task, { readonly kind: 'nothing' }>,
  patientNumber: string | null,
): Promise<WriteOutcome> {
  const content = contentOf(report);
  if (task.kind === 'create') {
    const body = receiptBody(content, report.external_number, null, patientNumber);
    const outcome = await client.write('POST', receiptsPath, body);
    const isSure = outcome.kind !== 'done' || outcome.ids.length === 1;
    return isSure ? outcome : { kind: 'unsure', words: 'The state did not say which receipt it is.' };
  }
  const { recordId, number } = task;
  const outcome = await (task.kind === 'remove'
    ? client.write('DELETE', `${receiptsPath}/${recordId}`)
    : client.write('PUT', receiptsPath, receiptBody(content, number, recordId, patientNumber)));
  return outcome.kind === 'done' ? { kind: 'done', ids: [recordId] } : outcome;
}

/**
 * Makes a receipt ready to be changed: a final one is opened again. Null: it is ready. Otherwise what becomes of the report: a receipt
 * that a person voided is not changed behind their back, and does not have to be removed.
 */
export async function whatHinders(
  parts: LaneParts,
  recordId: number,
  isRemoval: boolean,
): Promise<WriteOutcome | null> {
  const receipt = await receiptAt(parts, recordId);
  if (typeof receipt === 'string') return { kind: 'unsure', words: receipt };
  if (receipt.isVoid) {
    if (isRemoval) return { kind: 'done', ids: [recordId] };
    return { kind: 'refused', words: `Receipt ${recordId} was voided on the state's website.` };
  }
  if (!receipt.isFinal) return null;
  const opened = await parts.client.write(
    'PUT',
    `${receiptsPath}/unfinalize`,
    JSON.stringify([{ Id: recordId }]),
  );
  return opened.kind === 'done' ? null : opened;
}

/** A receipt of the state; a void one is kept as such. Text: why it could not be read. */
async function receiptAt(
  { client, context, organization, connection }: LaneParts,
  recordId: number,
): Promise<StateReceipt | string> {
  const read = await client.read(`${receiptsPath}/${recordId}`);
  if (read.kind !== 'found') return read.words;
  const receipt = readStateReceipt(read.body);
  if (receipt === null) return 'The state sent no receipt.';
  if (receipt.isVoid) {
    const nowMs = context.clock.now();
    await context.database.write(
      organization,
      async (tx) => tx.queue(keepStatement(connection.id, [receipt], nowMs)),
      { countsAsChange: false },
    );
  }
  return receipt;
}

/** Where a report is that may be at the state. */
export type Seen =
  | { readonly kind: 'there'; readonly recordId: number | null }
  | { readonly kind: 'not-there' }
  /** Something else stands in its place, and a person decides. */
  | { readonly kind: 'contradiction'; readonly words: string }
  /** It could not be found out. */
  | { readonly kind: 'unclear'; readonly words: string };

/** Looks for a report of a sale. */
export async function seenReceipt(parts: LaneParts, report: ReportRow): Promise<Seen> {
  const task = (await receiptTasks(parts, [report])).get(report.id)!;
  if (task.kind === 'nothing') return { kind: 'not-there' };
  if (task.kind === 'create') return seenByNumber(parts, report);
  const receipt = await receiptAt(parts, task.recordId);
  if (typeof receipt === 'string') return { kind: 'unclear', words: receipt };
  if (task.kind === 'remove') {
    return receipt.isVoid ? { kind: 'there', recordId: receipt.id } : { kind: 'not-there' };
  }
  if (receipt.isVoid) {
    return { kind: 'contradiction', words: `Receipt ${receipt.id} was voided on the state's website.` };
  }
  return isSameSale(contentOf(report), receipt)
    ? { kind: 'there', recordId: receipt.id }
    : { kind: 'not-there' };
}

/**
 * By our number first, then in both lists around the time of sending. The lists are also the control: only where they
 * can be read does "absent" mean that it is not there, because the state says the same to who may not look.
 */
async function seenByNumber(parts: LaneParts, report: ReportRow): Promise<Seen> {
  const { client } = parts;
  const number = report.external_number;
  const direct = await client.read(`${receiptsPath}/external/${encodeURIComponent(number)}`);
  const ids = new Set<number>();
  if (direct.kind === 'found') for (const { id } of receiptsIn(direct.body, number)) ids.add(id);
  if (ids.size === 0) {
    const nowMs = parts.context.clock.now();
    const startMs = Math.max((report.sent_at ?? nowMs) - searchedBeforeMs, nowMs - dayMs);
    const window = { lastModifiedStart: isoTimestamp(startMs), lastModifiedEnd: isoTimestamp(nowMs) };
    for (const list of ['active', 'inactive']) {
      const listed = await client.list(`${receiptsPath}/${list}`, window);
      if (listed.kind !== 'rows') return { kind: 'unclear', words: listed.words };
      for (const { id } of receiptsIn(listed.rows, number)) ids.add(id);
    }
    if (direct.kind === 'failed' && ids.size === 0) return { kind: 'unclear', words: direct.words };
  }
  return ids.size === 0
    ? { kind: 'not-there' }
    : amongFound(
        parts,
        report,
        [...ids].toSorted((a, b) => a - b),
      );
}

/** The first receipt that is live and says the same. */
async function amongFound({ client }: LaneParts, report: ReportRow, ids: readonly number[]): Promise<Seen> {
  let other: Seen = { kind: 'not-there' };
  for (const id of ids) {
    const read = await client.read(`${receiptsPath}/${id}`);
    const receipt = read.kind === 'found' ? readStateReceipt(read.body) : null;
    if (receipt === null) return { kind: 'unclear', words: 'A receipt under our number could not be read.' };
    if (!receipt.isVoid && isSameSale(contentOf(report), receipt)) return { kind: 'there', recordId: id };
    const words = receipt.isVoid
      ? `Receipt ${id} was voided on the state's website.`
      : `Receipt ${id} stands under our number ${report.external_number} and says something else. If it is this sale, void it there before you send this again.`;
    other = { kind: 'contradiction', words };
  }
  return other;
}

/** The receipts with our number in a reply: an object, an array of some, or rows of a list. */
function receiptsIn(body: unknown, number: string): StateReceipt[] {
  const all = Array.isArray(body) ? body : [body];
  return all
    .map(readStateReceipt)
    .filter((it): it is StateReceipt => it !== null && it.externalNumber === number);
}
