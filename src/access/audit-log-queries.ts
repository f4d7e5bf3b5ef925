import { type BoundStatement, type SqlParameters, statement } from '../database/statement.ts';
import { assert } from '../kernel/assert.ts';
import type { SubjectType } from '../kernel/event-catalogue.ts';
import { subsetsOf } from '../kernel/subsets-of.ts';

export const auditEntriesPerPage = 50;

export interface AuditEntryRow {
  id: number;
  actor: string;
  /** The name of a member of staff or a key; null for a program. */
  actor_name: string | null;
  action: string;
  subject_type: SubjectType;
  subject_id: string;
  details: Record<string, unknown>;
  request_id: string | null;
  created_at: number;
}

export const selectAuditCursor = statement<{ id: number }, { id: number }>(
  'select_audit_cursor',
  'select id from audit_entries where organization_id = :organizationId and id = :id',
);

const filters = {
  type: 'and e.subject_type = :subjectType',
  subject: 'and e.subject_id = :subjectId',
  actor: 'and e.actor = :actor',
  after: `and (e.created_at, e.id) < (
                (select c.created_at from audit_entries c
                  where c.organization_id = :organizationId and c.id = :startingAfter), :startingAfter::bigint)`,
} as const;
type FilterPart = keyof typeof filters;

/*
 * Newest first by (time, id). One statement for each combination of filters, so that each is a range of one index in
 * the order of the page: a generic plan cannot choose between indexes by the filter values. Actors have their current
 * names, looked up by id for the rows of the page only.
 */
const auditPages = new Map(
  subsetsOf(Object.keys(filters) as FilterPart[]).map((parts) => [
    parts.join(),
    statement<SqlParameters, AuditEntryRow>(
      ['select_audit_page', ...parts].join('_'),
      `select e.id, e.actor, coalesce(m.first_name || ' ' || m.last_name, i.name || ' (' || k.name || ')') as actor_name,
          e.action, e.subject_type, e.subject_id, e.details, e.request_id, e.created_at
     from (select * from audit_entries e
            where e.organization_id = :organizationId ${parts.map((part) => filters[part]).join(' ')}
            order by e.created_at desc, e.id desc limit ${auditEntriesPerPage}) e
     left join staff_members m on m.organization_id = :organizationId
      and m.id = case when e.actor like 'staff:%' then substr(e.actor, 7)::bigint end
     left join client_keys k on k.organization_id = :organizationId
      and k.id = case when e.actor like 'key:%' then substr(e.actor, 5)::bigint end
     left join integrators i on i.id = k.integrator_id
    order by e.created_at desc, e.id desc`,
    ),
  ]),
);

export interface AuditFilter {
  readonly subjectType?: SubjectType | undefined;
  /** Requires a type. */
  readonly subjectId?: string | undefined;
  readonly actor?: string | undefined;
  readonly startingAfter: number | null;
}

/** A page of the entries that match a filter. */
export function listAuditPage({
  subjectType,
  subjectId,
  actor,
  startingAfter,
}: AuditFilter): BoundStatement<AuditEntryRow> {
  const parts: readonly (FilterPart | false)[] = [
    subjectType !== undefined && 'type',
    subjectId !== undefined && 'subject',
    actor !== undefined && 'actor',
    startingAfter !== null && 'after',
  ];
  const list = auditPages.get(parts.filter(Boolean).join());
  assert(list !== undefined, 'every combination of filters has a statement');
  return list({
    subjectType: subjectType ?? null,
    subjectId: subjectId ?? null,
    actor: actor ?? null,
    startingAfter,
  });
}
