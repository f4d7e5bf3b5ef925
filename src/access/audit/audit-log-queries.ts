import { assert } from '../../kernel/assert.ts';
import { type SubjectType, subjectTypes } from '../../kernel/event-catalog.ts';
import { subsetsOf } from '../../kernel/subsets-of.ts';
import { countOfPage } from '../../platform/lists/counted-rows.ts';
import { type BoundStatement, type SqlParameters, statement } from '../../platform/statements/statement.ts';

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
  range: 'and e.created_at >= :from and e.created_at < :to',
} as const;
/** `oldest`: the oldest first. `after`: behind the cursor. */
type FilterPart = keyof typeof filters | 'oldest' | 'after';
const allParts: readonly FilterPart[] = [...(Object.keys(filters) as FilterPart[]), 'oldest', 'after'];

function conditionOf(part: FilterPart, asked: readonly FilterPart[]): string {
  if (part === 'oldest') return '';
  if (part !== 'after') return filters[part];
  return `and (e.created_at, e.id) ${asked.includes('oldest') ? '>' : '<'} (
                (select c.created_at from audit_entries c
                  where c.organization_id = :organizationId and c.id = :startingAfter), :startingAfter::bigint)`;
}

function inOrder(asked: readonly FilterPart[]): string {
  return asked.includes('oldest') ? 'order by e.created_at, e.id' : 'order by e.created_at desc, e.id desc';
}

/** The order of the list. */
export const auditSorts = { at: { own: 'descending' } } as const;

/** The index of an actor begins with actor and type: without a type, a page of each is sorted. */
function auditPage(parts: readonly FilterPart[]): string {
  const ofParts = parts.map((part) => conditionOf(part, parts)).join(' ');
  const pageInOrder = `${inOrder(parts)} limit ${auditEntriesPerPage}`;
  const page = (further: string) => `(select * from audit_entries e
            where e.organization_id = :organizationId ${ofParts} ${further}
            ${pageInOrder})`;
  if (parts.includes('subject') && parts.includes('actor')) return pageOfSubjectAndActor(parts);
  if (!parts.includes('actor') || parts.includes('type')) return `${page('')} e`;
  const ofTypes = subjectTypes.map((type) => page(`and e.subject_type = '${type}'`)).join(' union all ');
  return `(select * from (${ofTypes}) e ${pageInOrder}) e`;
}

/** A range with more entries than this is left to the other filter, if that has fewer. */
const shortRangeMaxDefault = 500;

export interface AuditFilter {
  readonly subjectType?: SubjectType | undefined;
  /** Requires a type. */
  readonly subjectId?: string | undefined;
  readonly actor?: string | undefined;
  /** The first moment, and the one after the last: ISO times. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly isOldestFirst?: boolean;
  readonly startingAfter: number | null;
}

/** How many entries match a filter, up to the bound of counting. */
const auditCounts = new Map(
  subsetsOf(Object.keys(filters) as FilterPart[]).map((parts) => [
    parts.join(),
    statement<SqlParameters, { count: number }>(
      ['count_audit_entries', ...parts].join('_'),
      countOfPage(`select from ${auditPage(parts)}`, auditEntriesPerPage),
    ),
  ]),
);

/** How many they are, wherever the page starts. */
export function countAuditEntries(filter: AuditFilter): BoundStatement<{ count: number }> {
  const ofAll = { ...filter, isOldestFirst: false, startingAfter: null };
  const count = auditCounts.get(partsOf(ofAll).join());
  assert(count !== undefined, 'every combination of filters has a count');
  return count(valuesOf(ofAll, shortRangeMaxDefault));
}

function partsOf({
  subjectType,
  subjectId,
  actor,
  from,
  to,
  isOldestFirst,
  startingAfter,
}: AuditFilter): readonly unknown[] {
  return [
    subjectType !== undefined && 'type',
    subjectId !== undefined && 'subject',
    actor !== undefined && 'actor',
    (from !== undefined || to !== undefined) && 'range',
    isOldestFirst && 'oldest',
    startingAfter !== null && 'after',
  ].filter(Boolean);
}

function valuesOf(filter: AuditFilter, shortRangeMax: number): SqlParameters {
  return {
    subjectType: filter.subjectType ?? null,
    subjectId: filter.subjectId ?? null,
    actor: filter.actor ?? null,
    from: filter.from ?? '-infinity',
    to: filter.to ?? 'infinity',
    startingAfter: filter.startingAfter,
    shortRangeMax,
  };
}

/**
 * Subject and actor have an index each, and none serves both: the subject's entries are read, or, where it has very many,
 * those of an actor with few. PostgreSQL runs the half whose condition holds.
 */
function pageOfSubjectAndActor(parts: readonly FilterPart[]): string {
  const ranges = { subject: 'actor', actor: 'subject' } as const;
  const rangeOf = (driving: keyof typeof ranges) =>
    `from audit_entries e where e.organization_id = :organizationId ${parts
      .filter((part) => part !== ranges[driving])
      .map((part) => conditionOf(part, parts))
      .join(' ')}`;
  const pageInOrder = `${inOrder(parts)} limit ${auditEntriesPerPage}`;
  const isShort = (driving: keyof typeof ranges) => `(select count(*) from (
              select ${rangeOf(driving)} limit :shortRangeMax::bigint + 1) e) <= :shortRangeMax::bigint`;
  const page = (driving: keyof typeof ranges, isChosen: string) => `(select * from (
              select * ${rangeOf(driving)} ${inOrder(parts)} offset 0) e
             where ${isChosen} ${filters[ranges[driving]]}
             ${pageInOrder})`;
  return `(with choice as materialized (
            select not ${isShort('subject')} and ${isShort('actor')} as is_by_actor)
           select * from (${page('subject', 'not (select is_by_actor from choice)')}
             union all
             ${page('actor', '(select is_by_actor from choice)')}) e ${pageInOrder}) e`;
}

const shownEntries = `select e.id, e.actor,
          coalesce(m.first_name || ' ' || m.last_name, i.name || ' (' || k.name || ')') as actor_name,
          e.action, e.subject_type, e.subject_id, e.details, e.request_id, e.created_at`;

const joinedActors = `left join staff_members m on m.organization_id = :organizationId
      and m.id = case when e.actor like 'staff:%' then substr(e.actor, 7)::bigint end
     left join client_keys k on k.organization_id = :organizationId
      and k.id = case when e.actor like 'key:%' then substr(e.actor, 5)::bigint end
     left join integrators i on i.id = k.integrator_id`;

/*
 * By (time, id). One statement for each combination of filters, so that each reads ranges of one index in
 * the order of the page: a generic plan cannot choose between indexes by the filter values. Actors have their current
 * names, looked up by id for the rows of the page only.
 */
const auditPages = new Map(
  subsetsOf(allParts).map((parts) => [
    parts.join(),
    statement<SqlParameters, AuditEntryRow>(
      ['select_audit_page', ...parts].join('_'),
      `${shownEntries}
     from ${auditPage(parts)}
     ${joinedActors}
    ${inOrder(parts)}`,
    ),
  ]),
);

/** A page of the entries that match a filter. */
export function listAuditPage(
  filter: AuditFilter,
  shortRangeMax = shortRangeMaxDefault,
): BoundStatement<AuditEntryRow> {
  const list = auditPages.get(partsOf(filter).join());
  assert(list !== undefined, 'every combination of filters has a statement');
  return list(valuesOf(filter, shortRangeMax));
}

/** An entry with its exact time, behind which the next ones are read. */
export interface ExportedAuditRow extends AuditEntryRow {
  exact_time: string;
}

/** Oldest first: behind a time and an id, and before a time; null for what is not filtered by. */
export const selectAuditEntriesBetween = statement<
  {
    after: string;
    afterId: number;
    to: string;
    subjectType: string | null;
    subjectId: string | null;
    actor: string | null;
    limit: number;
  },
  ExportedAuditRow
>(
  'select_audit_entries_between',
  `${shownEntries}, e.created_at::text as exact_time
     from (select * from audit_entries
            where organization_id = :organizationId and (created_at, id) > (:after::timestamptz, :afterId::bigint)
              and created_at < :to
              and (:subjectType::text is null or subject_type = :subjectType)
              and (:subjectId::text is null or subject_id = :subjectId)
              and (:actor::text is null or actor = :actor)
            order by created_at, id limit :limit) e
     ${joinedActors}
    order by e.created_at, e.id`,
  { isLong: true },
);
