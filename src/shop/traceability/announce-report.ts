import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { stateOrigin } from './state-origin.ts';
import type { ReportRow } from './state-report-queries.ts';

/** How a report ended. */
interface Ended {
  readonly event: 'order.reported' | 'report.refused';
  readonly report: Pick<ReportRow, 'id' | 'order_id' | 'kind' | 'revision'>;
}

/** Integrators hear how reports of orders ended; there is nothing to hear of reports of stock. */
export async function announceReports(
  tx: TenantTransaction,
  context: Context,
  nowMs: number,
  ended: readonly Ended[],
): Promise<void> {
  const told = ended.flatMap(({ event, report: { id: reportId, order_id: orderId, kind, revision } }) =>
    orderId === null
      ? []
      : [
          {
            ...{ event, subjectType: 'order' as const, subjectId: orderId },
            ...{ payload: { orderId, reportId, kind }, details: { reportId, kind, revision } },
          },
        ],
  );
  if (told.length > 0) await announce(tx, context, stateOrigin, nowMs, ...told);
}
