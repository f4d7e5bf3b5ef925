import { statement } from '../database/statement.ts';
import type { SubjectType } from '../kernel/event-catalogue.ts';

export const auditEntriesPerPage = 50;

export interface AuditEntryRow {
  id: number;
  actor: string;
  /** Of staff and keys; of a program null. */
  actor_name: string | null;
  action: string;
  subject_type: SubjectType;
  subject_id: string;
  details: Record<string, unknown>;
  request_id: string | null;
  created_at: number;
}

type Page = { startingAfter: number | null };

export const selectAuditCursor = statement<{ id: number }, { id: number }>(
  'select_audit_cursor',
  'select id from audit_entries where organization_id = :organizationId and id = :id',
);

/**
 * Newest first by (time, id). Without a cursor the page begins after the end of time. Who did it is called as they are
 * called now: by look-ups of single rows, for the rows of the page only.
 */
const page = (condition: string): string =>
  `select e.id, e.actor, coalesce(m.first_name || ' ' || m.last_name, i.name || ' (' || k.name || ')') as actor_name, e.action, e.subject_type, e.subject_id, e.details, e.request_id, e.created_at
     from audit_entries e
     left join staff_members m on m.organization_id = e.organization_id
      and m.id = case when e.actor like 'staff:%' then substr(e.actor, 7)::bigint end
     left join client_keys k on k.organization_id = e.organization_id
      and k.id = case when e.actor like 'key:%' then substr(e.actor, 5)::bigint end
     left join integrators i on i.id = k.integrator_id
    where e.organization_id = :organizationId ${condition}
      and (e.created_at, e.id) < (
        coalesce((select c.created_at from audit_entries c
          where c.organization_id = :organizationId and c.id = :startingAfter), 'infinity'),
        coalesce(:startingAfter::bigint, 0))
    order by e.created_at desc, e.id desc limit ${auditEntriesPerPage}`;

// One statement for each way in: a plan that is made once cannot choose between indexes by what is asked for.
const selectAuditPage = statement<Page, AuditEntryRow>('select_audit_page', page(''));

type OfActor = Page & { actor: string };
type OfType = Page & { subjectType: SubjectType };
type OfSubject = OfType & { subjectId: string };

const ofActor = 'and e.actor = :actor';
const ofType = 'and e.subject_type = :subjectType';
const ofSubject = `${ofType} and e.subject_id = :subjectId`;

const selectAuditPageOfActor = statement<OfActor, AuditEntryRow>('select_audit_page_of_actor', page(ofActor));
const selectAuditPageOfType = statement<OfType, AuditEntryRow>('select_audit_page_of_type', page(ofType));
const selectAuditPageOfTypeAndActor = statement<OfType & OfActor, AuditEntryRow>(
  'select_audit_page_of_type_and_actor',
  page(`${ofType} ${ofActor}`),
);
const selectAuditPageOfSubject = statement<OfSubject, AuditEntryRow>(
  'select_audit_page_of_subject',
  page(ofSubject),
);
const selectAuditPageOfSubjectAndActor = statement<OfSubject & OfActor, AuditEntryRow>(
  'select_audit_page_of_subject_and_actor',
  page(`${ofSubject} ${ofActor}`),
);

export interface AuditFilter {
  readonly subjectType?: SubjectType | undefined;
  /** Only with a type. */
  readonly subjectId?: string | undefined;
  readonly actor?: string | undefined;
  readonly startingAfter: number | null;
}

/** A page of the entries that a filter describes. */
export function listAuditPage({ subjectType, subjectId, actor, startingAfter }: AuditFilter) {
  const page = { startingAfter };
  if (subjectType === undefined) {
    return actor === undefined ? selectAuditPage(page) : selectAuditPageOfActor({ ...page, actor });
  }
  const type = { ...page, subjectType };
  if (subjectId === undefined) {
    return actor === undefined
      ? selectAuditPageOfType(type)
      : selectAuditPageOfTypeAndActor({ ...type, actor });
  }
  const subject = { ...type, subjectId };
  return actor === undefined
    ? selectAuditPageOfSubject(subject)
    : selectAuditPageOfSubjectAndActor({ ...subject, actor });
}
