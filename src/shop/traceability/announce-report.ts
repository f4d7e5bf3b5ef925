import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { stateOrigin } from './state-origin.ts';
import { isTripKind, type ReportRow, type TripKind } from './state-report-queries.ts';

/** How a report ended. */
interface Ended {
  readonly event: 'order.reported' | 'report.refused';
  readonly report: Pick<ReportRow, 'id' | 'order_id' | 'trip_id' | 'kind' | 'revision'>;
}

/** Integrators hear how reports of orders and trips ended; there is nothing to hear of reports of stock. */
export async function announceReports(
  tx: TenantTransaction,
  context: Context,
  nowMs: number,
  ended: readonly Ended[],
): Promise<void> {
  const told = ended.flatMap(
    ({ event, report: { id: reportId, order_id: orderId, trip_id: tripId, kind, revision } }) => [
      ...(tripId === null || !isTripKind(kind) ? [] : [ofTrip(event, { tripId, reportId, kind })]),
      // What comes back after a delivery is a change of stock.
      ...(orderId === null || kind === 'adjustment'
        ? []
        : [
            {
              ...{ event, subjectType: 'order' as const, subjectId: orderId },
              ...{ payload: { orderId, reportId, kind }, details: { reportId, kind, revision } },
            },
          ]),
    ],
  );
  if (told.length > 0) await announce(tx, context, stateOrigin, nowMs, ...told);
}

function ofTrip(
  event: Ended['event'],
  facts: { readonly tripId: number; readonly reportId: number; readonly kind: TripKind },
) {
  const state = event === 'order.reported' ? ('accepted' as const) : ('refused' as const);
  return {
    ...{ event: 'trip.reported' as const, subjectType: 'trip' as const, subjectId: facts.tripId },
    ...{ payload: { ...facts, state }, details: { ...facts, state } },
  };
}
