import type { ReportState } from '../../engines/state-reports/report-lifecycle.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { statement } from '../../platform/statements/statement.ts';

/** What the state knows of an order, for those who read the order. */

interface ReportedState {
  state: ReportState;
  reported_at: number | null;
}

/** The state of an order's last report, and when the state had one last. No row: the order is not reported. */
export const selectReportedState = statement<{ orderId: string }, ReportedState>(
  'select_reported_state_of_order',
  `select state, max(settled_at) filter (where state in ('accepted', 'done-by-hand')) over () as reported_at
     from state_reports where organization_id = :organizationId and order_id = :orderId
    order by revision desc, id desc limit 1`,
);

/** The same as integrators read it. */
export function shownReportedState({ state, reported_at: reportedAtMs }: ReportedState) {
  return { state, reportedAt: reportedAtMs === null ? null : isoTimestamp(reportedAtMs) };
}
