import { type BoundStatement, type SqlParameters, statement } from '../database/statement.ts';
import { assert } from '../kernel/assert.ts';
import { type SubjectType, subjectTypes } from '../kernel/event-catalogue.ts';
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

/** The index of an actor begins with actor and type: without a type, a page of each is sorted. */
function auditPage(parts: readonly FilterPart[]): string {
  const ofParts = parts.map((part) => filters[part]).join(' ');
  const page = (further: string) => `(select * from audit_entries e
            where e.organization_id = :organizationId ${ofParts} ${further}
            order by e.created_at desc, e.id desc limit ${auditEntriesPerPage})`;
  if (!parts.includes('actor') || parts.includes('type')) return `${page('')} e`;
  const ofTypes = subjectTypes.map((type) => page(`and e.subject_type = '${type}'`)).join(' union all ');
  return `(select * from (${ofTypes}) e order by e.created_at desc, e.id desc limit ${auditEntriesPerPage}) e`;
}

/*
 * Newest first by (time, id). One statement for each combination of filters, so that each reads ranges of one index in
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
     from ${auditPage(parts)}
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
