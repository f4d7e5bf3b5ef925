import { statement } from '../../platform/statements/statement.ts';

/** All SQL on the mailing of reports, beside that of its setting. */

/** The owners and managers among these who may sign in: with their addresses. */
export const selectReportReaders = statement<{ ids: readonly number[] }, { id: number; email: string }>(
  'select_report_readers',
  `select id, email from staff_members
    where organization_id = :organizationId and id = any(:ids) and role in ('owner', 'manager') and disabled_at is null
    order by id`,
);

export interface DueReportMailRow {
  id: number;
  name: string;
  reports: readonly string[];
  weekday: string | null;
  hour: number;
  staff_ids: readonly number[];
  /** Null: new or changed. */
  due_at: number | null;
  tz: string;
  day_starts_at: string;
  shop_name: string;
}

const dueMails = `select m.id, m.name, m.reports, m.weekday, m.hour, m.staff_ids, nullif(m.due_at, '-infinity') as due_at,
          o.tz, to_char(o.business_day_starts_at, 'HH24:MI') as day_starts_at, o.name as shop_name
     from report_mails m join organizations o on o.id = m.organization_id
    where m.organization_id = :organizationId and m.archived_at is null and m.due_at <= :at`;

export const selectDueReportMails = statement<{ at: string }, DueReportMailRow>(
  'select_due_report_mails',
  `${dueMails} order by m.id`,
);

/** One of them, if it is still due: another process that mails it waits here, and finds none. */
export const lockDueReportMail = statement<{ id: number; at: string }, DueReportMailRow>(
  'lock_due_report_mail',
  `${dueMails} and m.id = :id for no key update of m`,
);

export const setDue = statement<{ id: number; dueAt: string }, never>(
  'set_report_mail_due',
  'update report_mails set due_at = :dueAt where organization_id = :organizationId and id = :id',
);

/** Its time has changed: the job reckons it again. */
export const forgetDue = statement<{ id: number }, never>(
  'forget_report_mail_due',
  `update report_mails set due_at = '-infinity' where organization_id = :organizationId and id = :id`,
);
