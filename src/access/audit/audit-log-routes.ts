import Type from 'typebox';
import { subjectTypes } from '../../kernel/event-catalog.ts';
import { failure } from '../../kernel/failure.ts';
import { totalOf } from '../../kernel/list-count.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, replyFile, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import {
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import { shownAuditEntry } from './audit-entry.ts';
import {
  auditEntriesPerPage,
  auditSorts,
  countAuditEntries,
  listAuditPage,
  selectAuditCursor,
} from './audit-log-queries.ts';
import { auditFormats, exportAudit, exportedEntriesMax } from './export-audit.ts';

const filters = {
  subjectType: Type.Optional(OneOf(subjectTypes)),
  subjectId: Type.Optional(Text({ min: 1, max: 100, description: 'Requires subjectType' })),
  actor: Type.Optional(Text({ min: 1, max: 200, description: 'An actor such as `staff:2003`' })),
  from: Type.Optional(Timestamp({ description: 'The first moment' })),
  to: Type.Optional(Timestamp({ description: 'The first moment that is left out' })),
};

/** Throws INVALID_PARAMS for an id without its type. */
function refuseUnclearFilter(query: { readonly subjectType?: string; readonly subjectId?: string }): void {
  if (query.subjectId !== undefined && query.subjectType === undefined) {
    throw failure('INVALID_PARAMS', 'subjectType must be sent with subjectId.');
  }
}

const Details = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'Depends on the action. For a change: each field with its old and new value, `{from, to}`; for a list of rows the ' +
    'rows `added`, `removed` and `changed`, and a new `sequence`; for personal data only the field names, in `fields`',
});

const AuditEntry = Named(
  'AuditEntry',
  Type.Object({
    id: Id(),
    at: Timestamp(),
    actor: Text({
      max: 200,
      description: '`staff:<id>`, `key:<id>`, `job:<name>` or `visitor:not-signed-in`',
    }),
    actorName: Text({
      max: 402,
      description: 'The current name: of the person, of the integrator with its key, or of the program',
    }),
    action: Text({ max: 100, description: 'The type of the event of the same write' }),
    subjectType: OneOf(subjectTypes),
    subjectId: Text({ max: 100 }),
    details: Details,
    requestId: Nullable(Text({ max: 100 })),
  }),
);

const mediaTypes = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

/** The audit log (D58). */
export function auditLogRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'listAuditEntries',
      method: 'GET',
      path: '/staff/v1/audit-log',
      roles: ['owner', 'manager'],
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List audit entries',
      description:
        'Every change and every view of a document, newest first unless turned, 50 a page: all, or those of one actor, one type of subject, ' +
        'one subject or some time.',
      tag: 'Staff',
      query: Type.Object({
        ...filters,
        ...sortFields(auditSorts),
        startingAfter: Type.Optional(
          withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
        ),
      }),
      success: {
        status: 200,
        data: List(AuditEntry, { max: auditEntriesPerPage }),
        meta: ListTotal,
        description: 'Entries',
        example: [
          {
            id: 9001,
            at: '2026-03-01T17:05:09.123Z',
            actor: 'staff:2003',
            actorName: 'Ines Marchetti',
            action: 'staff.updated',
            subjectType: 'staff',
            subjectId: '2004',
            details: { staffId: 2004, role: { from: 'budtender', to: 'manager' }, fields: ['firstName'] },
            requestId: 'console-42',
          },
        ],
        metaExample: listTotalExample,
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ staff, query }) => {
        refuseUnclearFilter(query);
        const { startingAfter = null, sortBy: _, sortDirection, ...filter } = query;
        const isOldestFirst = sortDirection === 'ascending';
        const [rows, cursor, [counted]] = await context.database.read(
          staff.organizationId,
          listAuditPage({ ...filter, isOldestFirst, startingAfter }),
          startingAfter === null ? null : selectAuditCursor({ id: startingAfter }),
          countAuditEntries({ ...filter, startingAfter }),
        );
        if (startingAfter !== null && cursor.length === 0) {
          throw failure('INVALID_CURSOR', 'startingAfter must be the id of an entry on the previous page.');
        }
        return reply(rows.map(shownAuditEntry), { meta: totalOf(counted!.count) });
      },
    }),
    staffEndpoint({
      id: 'exportAuditLog',
      method: 'GET',
      path: '/staff/v1/audit-log/export',
      roles: ['owner'],
      // The export is audited.
      kind: 'write',
      recentProof: 'always',
      summary: 'Export the audit log',
      description: `All entries, oldest first, or those of a filter, as a file: at most ${exportedEntriesMax.toLocaleString('en-US')}. Each export is audited.`,
      tag: 'Staff',
      query: Type.Object({
        ...filters,
        format: Type.Optional(
          OneOf(auditFormats, {
            description: 'csv, with `details` as JSON; or ndjson, an entry as JSON on each line, the default',
          }),
        ),
      }),
      success: { status: 200, file: ['text/csv', mediaTypes.ndjson], description: 'The file' },
      failures: [],
      handle: async ({ staff, query, requestId }) => {
        refuseUnclearFilter(query);
        const { format = 'ndjson', ...exported } = query;
        const origin = staffOrigin(staff, requestId);
        const bytes = await exportAudit(context, origin, staff.organizationId, format, exported);
        return replyFile(bytes, mediaTypes[format], {
          headers: { 'content-disposition': `attachment; filename="audit-log.${format}"` },
        });
      },
    }),
  ];
}
