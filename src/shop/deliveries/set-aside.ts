import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { StopStatus } from '../../kernel/stop-statuses.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import type { StaffName } from '../orders/order-record.ts';
import { dispatchOrder, loadOrder, stepOrder } from '../orders/orders.ts';
import { reportStopBack } from '../traceability/traceability.ts';
import { dispatchTripOf } from './load-trip.ts';
import { isOpenOrder } from './plan-trip.ts';
import { type ShownTripRow, type StopRow, setStop } from './trip-queries.ts';

/** What happened at a stop. */
interface StopOutcome {
  readonly status: StopStatus;
  readonly atMs: number;
  readonly reason?: string | null;
  readonly idCheckHow?: 'scan' | 'eye' | null;
  readonly signature?: Uint8Array | null;
  readonly tipCents?: number;
}

/** Writes what happened at a stop, with its event. */
export async function writeStop(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  { id, trip_id: tripId, order_id: orderId, status: from }: StopRow,
  { status, atMs, reason = null, idCheckHow = null, signature = null, tipCents = 0 }: StopOutcome,
): Promise<void> {
  const at = isoTimestamp(atMs);
  const completedAt = status === 'arrived' ? null : at;
  tx.queue(setStop({ id, status, arrivedAt: at, completedAt, reason, idCheckHow, signature, tipCents }));
  await announce(tx, context, origin, context.clock.now(), {
    ...{ event: 'trip.stop_changed', subjectType: 'trip', subjectId: tripId },
    payload: { tripId, tripStopId: id, orderId, status },
    details: {
      ...{ tripId, tripStopId: id, orderId, from, to: status, occurredAt: at, tip: tipCents },
      ...(reason !== null && { personalChanged: ['reason'] }),
    },
  });
}

/**
 * A stop whose goods come back. An order that was refused is canceled, where it still is open: its stock is in the vehicle then, and is
 * looked at when the trip is closed. One where no customer was there stays open, for another trip.
 */
export async function setAside(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  stop: StopRow,
  outcome: StopOutcome & {
    readonly status: 'refused' | 'notHome';
    readonly by?: StaffName;
    readonly trip: Pick<ShownTripRow, 'id' | 'driver_id' | 'vehicle_id'>;
  },
): Promise<void> {
  const { order_id: orderId } = stop;
  const order = await context.database.write(organization, async (tx) => {
    await writeStop(tx, context, origin, stop, outcome);
    await reportStopBack(tx, context, { tripId: stop.trip_id, orderId, atMs: outcome.atMs });
    return loadOrder(tx, orderId, { lock: true });
  });
  if (order === null || !isOpenOrder(order)) return;
  if (outcome.status === 'notHome') {
    const trip = dispatchTripOf(outcome.trip, stop, 'notHome');
    await dispatchOrder(context, origin, organization, orderId, { status: 'failed', trip });
    return;
  }
  const by = { staff: outcome.by ?? null, cancelationReason: outcome.reason ?? 'Refused at the door' };
  await stepOrder(context, origin, organization, orderId, 'cancel', by, { stopStatus: 'refused' });
}
