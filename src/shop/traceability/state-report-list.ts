import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { sortedList } from '../../platform/lists/sorted-list.ts';
import { statement } from '../../platform/statements/statement.ts';
import type { ReportRow } from './state-report-queries.ts';

/** The list of reports to the state. */

export const reportsPerPage = 50;

const all = 'from state_reports r where r.organization_id = :organizationId';
const open = `and (r.state in ('waiting', 'sending', 'unknown', 'refused')) = :isOpen`;

export const stateReportList = sortedList<ReportRow, 'occurredAt', 'open'>({
  name: 'list_state_reports',
  rows: all,
  ids: ['r.id'],
  sorts: { occurredAt: { key: 'r.occurred_at', own: 'descending' } },
  filters: { open },
  rowsPerPage: reportsPerPage,
  show: (page) => `select r.* from ${page}
     join state_reports r on r.organization_id = :organizationId and r.id = page.id0`,
});

export const countStateReports = statement<Record<never, never>, { count: number }>(
  'count_state_reports',
  countOfRows(`select ${all}`),
);

export const countOpenStateReports = statement<{ isOpen: boolean }, { count: number }>(
  'count_open_state_reports',
  countOfRows(`select ${all} ${open}`),
);

/** What the state is not known to have, oldest first. */
export const selectOpenReportsForFile = statement<{ limit: number }, ReportRow>(
  'select_open_state_reports_for_file',
  `select r.* ${all} and r.state in ('waiting', 'sending', 'unknown', 'refused')
    order by r.occurred_at, r.id limit :limit`,
);

/** Reports that are late by the half of their time, or refused. */
export const selectAlarmingReports = statement<{ at: string }, { count: number; oldest_at: number | null }>(
  'select_alarming_state_reports',
  `select count(*)::integer as count, min(occurred_at) as oldest_at from state_reports
    where organization_id = :organizationId and state in ('waiting', 'sending', 'unknown', 'refused')
      and (alarm_at <= :at or state = 'refused')`,
);
