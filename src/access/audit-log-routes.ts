import Type from 'typebox';
import type { Context } from '../database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../http/endpoint.ts';
import { ListTotal, listTotalExample } from '../http/list-total.ts';
import { Id, List, Named, Nullable, OneOf, Text, Timestamp, withErrorCode } from '../http/schemas.ts';
import { subjectTypes } from '../kernel/event-catalogue.ts';
import { failure } from '../kernel/failure.ts';
import { totalOf } from '../kernel/list-count.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import {
  auditEntriesPerPage,
  countAuditEntries,
  listAuditPage,
  selectAuditCursor,
} from './audit-log-queries.ts';

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
        'Every change and every view of a document, newest first, 50 a page: all, or those of one actor, one type of subject or ' +
        'one subject.',
      source: ['D14', 'D58'],
      tag: 'Staff',
      query: Type.Object({
        subjectType: Type.Optional(OneOf(subjectTypes)),
        subjectId: Type.Optional(Text({ min: 1, max: 100, description: 'Requires subjectType' })),
        actor: Type.Optional(Text({ min: 1, max: 200, description: 'An actor such as `staff:2003`' })),
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
        const { subjectType, subjectId, actor, startingAfter = null } = query;
        if (subjectId !== undefined && subjectType === undefined) {
          throw failure('INVALID_PARAMS', 'subjectType must be sent with subjectId.');
        }
        const [rows, cursor, [counted]] = await context.database.read(
          staff.organizationId,
          listAuditPage({ subjectType, subjectId, actor, startingAfter }),
          startingAfter === null ? null : selectAuditCursor({ id: startingAfter }),
          countAuditEntries({ subjectType, subjectId, actor, startingAfter }),
        );
        if (startingAfter !== null && cursor.length === 0) {
          throw failure('INVALID_CURSOR', 'startingAfter must be the id of an entry on the previous page.');
        }
        return reply(
          rows.map((row) => ({
            id: row.id,
            at: isoTimestamp(row.created_at),
            actor: row.actor,
            actorName: row.actor_name ?? programName(row.actor),
            action: row.action,
            subjectType: row.subject_type,
            subjectId: row.subject_id,
            details: row.details,
            requestId: row.request_id,
          })),
          { meta: totalOf(counted!.count) },
        );
      },
    }),
  ];
}

/** `job:document-retention` → `Document retention`. */
function programName(actor: string): string {
  const words = actor.slice(actor.indexOf(':') + 1).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
