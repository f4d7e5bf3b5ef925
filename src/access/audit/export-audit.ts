import { csvText } from '../../kernel/csv-text.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { shownAuditEntry } from './audit-entry.ts';
import {
  type AuditEntryRow,
  type AuditFilter,
  type ExportedAuditRow,
  selectAuditEntriesBetween,
} from './audit-log-queries.ts';

export const auditFormats = ['csv', 'ndjson'] as const;
export type AuditFormat = (typeof auditFormats)[number];

/** Entries of one reply: some 15 MB. */
export const exportedEntriesMax = 50_000;
/** Entries that one statement of a command reads. */
const entriesPerRead = 1_000;

type ExportedAudit = Omit<AuditFilter, 'startingAfter'>;

function entriesBetween(
  { from, to, subjectType, subjectId, actor }: ExportedAudit,
  limit: number,
  after?: ExportedAuditRow,
) {
  return selectAuditEntriesBetween({
    after: after?.exact_time ?? from ?? '-infinity',
    afterId: after?.id ?? 0,
    to: to ?? 'infinity',
    subjectType: subjectType ?? null,
    subjectId: subjectId ?? null,
    actor: actor ?? null,
    limit,
  });
}

/** The entries, oldest first, in parts of up to a thousand. */
export async function* exportAuditEntries(
  database: Pick<Database, 'read'>,
  organization: OrganizationId,
  exported: ExportedAudit,
): AsyncGenerator<readonly AuditEntryRow[]> {
  for (let last: ExportedAuditRow | undefined; ; ) {
    const [rows] = await database.read(organization, entriesBetween(exported, entriesPerRead, last));
    if (rows.length > 0) yield rows;
    if (rows.length < entriesPerRead) return;
    last = rows.at(-1);
  }
}

/** Records that the log was exported, in the log. */
export function announceAuditExport(
  context: Pick<Context, 'database' | 'ids' | 'clock'>,
  origin: Origin,
  organization: OrganizationId,
): Promise<void> {
  return context.database.write(organization, (tx) =>
    announce(tx, context, origin, context.clock.now(), {
      event: 'organization.exported',
      subjectType: 'organization',
      subjectId: organization,
      payload: { resources: ['audit-log'] },
    }),
  );
}

/** The file of a reply. Fails with INVALID_PARAMS if it would have more than 50,000 entries. The export is audited. */
export async function exportAudit(
  context: Pick<Context, 'database' | 'ids' | 'clock'>,
  origin: Origin,
  organization: OrganizationId,
  format: AuditFormat,
  exported: ExportedAudit,
): Promise<Buffer> {
  const [rows] = await context.database.read(organization, entriesBetween(exported, exportedEntriesMax + 1));
  if (rows.length > exportedEntriesMax) {
    throw failure(
      'INVALID_PARAMS',
      `from and to must be so near that at most ${exportedEntriesMax.toLocaleString('en-US')} entries are between them.`,
    );
  }
  await announceAuditExport(context, origin, organization);
  return Buffer.from(auditExportLines(format, rows, true));
}

const columns = [
  'id',
  'at',
  'actor',
  'actorName',
  'action',
  'subjectType',
  'subjectId',
  'details',
  'requestId',
] as const;

/** Entries as lines of a file; `isFirst` puts the names of the columns before them, in CSV. */
export function auditExportLines(
  format: AuditFormat,
  entries: readonly AuditEntryRow[],
  isFirst: boolean,
): string {
  const shown = entries.map(shownAuditEntry);
  if (format === 'ndjson') return shown.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  const rows = shown.map((entry) => ({
    ...entry,
    details: JSON.stringify(entry.details),
    requestId: entry.requestId ?? '',
  }));
  const text = csvText(columns, rows);
  return isFirst ? text : text.slice(text.indexOf('\n') + 1);
}
