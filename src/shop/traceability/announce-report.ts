import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { stateOrigin } from './state-origin.ts';
import type { ReportRow } from './state-report-queries.ts';

/** Integrators hear how a report of an order ended; there is nothing to hear of reports of stock. */
export async function announceReport(
  tx: TenantTransaction,
  context: Context,
  nowMs: number,
  event: 'order.reported' | 'report.refused',
  {
    id: reportId,
    order_id: orderId,
    kind,
    revision,
  }: Pick<ReportRow, 'id' | 'order_id' | 'kind' | 'revision'>,
): Promise<void> {
  if (orderId === null) return;
  await announce(tx, context, stateOrigin, nowMs, {
    event,
    subjectType: 'order',
    subjectId: orderId,
    payload: { orderId, reportId, kind },
    details: { reportId, kind, revision },
  });
}
