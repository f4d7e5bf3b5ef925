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
export const selectAuditPage = statement<Page, AuditEntryRow>('select_audit_page', page(''));

export const selectAuditPageOfActor = statement<Page & { actor: string }, AuditEntryRow>(
  'select_audit_page_of_actor',
  page('and e.actor = :actor'),
);

export const selectAuditPageOfSubject = statement<
  Page & { subjectType: SubjectType; subjectId: string | null; actor: string | null },
  AuditEntryRow
>(
  'select_audit_page_of_subject',
  page(
    `and e.subject_type = :subjectType and (:subjectId::text is null or e.subject_id = :subjectId)
      and (:actor::text is null or e.actor = :actor)`,
  ),
);
