import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { writeTogether } from '../../platform/database/write-together.ts';
import { reportLoading } from '../traceability/traceability.ts';
import { judgeAboard, putAboard, writeTripStep } from './load-trip.ts';
import { assertDeliverable, assertEachOnce, lockedTrip, plannedStops } from './plan-trip.ts';
import { assertTripAllows, isOpenStop } from './trip-lifecycle.ts';
import {
  deleteStops,
  insertStops,
  oneStopOfOrder,
  type ShownTripRow,
  selectStops,
  selectTrip,
} from './trip-queries.ts';

/**
 * Loads more orders into the vehicle of a trip that is out and has come by the shop: they are its last stops, and the trip is `loaded` until it
 * leaves again. All that the vehicle then carries is judged by the law first, and the state is told. Fails with ORDER_NOT_FOUND, with INVALID_ORDER for
 * one that is not an open delivery or was on the trip before, with ORDER_ON_TRIP, and with the error of the duty that would be broken.
 */
export async function restockTrip(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
  orderIds: readonly string[],
): Promise<void> {
  assertEachOnce(orderIds);
  await writeTogether(context.database, organization, async () => {
    const { trip, stops } = await context.database.write(
      organization,
      (tx) => takeOn(tx, context, tripId, orderIds),
      { retryOnConstraints: [oneStopOfOrder] },
    );
    await putAboard(context, origin, organization, trip, stops);
    await context.database.write(organization, async (tx) => {
      const [step, loadedAtMs] = [
        { status: 'loaded', event: 'trip.restocked' } as const,
        context.clock.now(),
      ];
      await writeTripStep(tx, context, origin, tripId, { ...step, loadedAtMs, details: { orderIds } });
    });
  });
}

async function takeOn(
  tx: TenantTransaction,
  context: Context,
  tripId: number,
  orderIds: readonly string[],
): Promise<{
  readonly trip: ShownTripRow;
  readonly stops: readonly { readonly order_id: string; readonly position: number }[];
}> {
  assertTripAllows('restock', await lockedTrip(tx, tripId));
  const [[trip], before] = await tx.run(selectTrip({ id: tripId }), selectStops({ tripId }));
  assert(trip !== undefined, 'a locked trip is there');
  const known = before.find(({ order_id: orderId }) => orderIds.includes(orderId));
  if (known !== undefined) {
    throw failure('INVALID_ORDER', `The order ${known.order_id} is or was a stop of this trip already.`);
  }
  const planned = await plannedStops(tx, tripId, orderIds);
  for (const orderId of orderIds) await assertDeliverable(tx, orderId);
  const ids = await context.ids.take(orderIds.length);
  const first = (before.at(-1)?.position ?? -1) + 1;
  const stops = orderIds.map((orderId, at) => ({
    ...{ id: ids[at]!, tripId, position: first + at, orderId, status: 'waiting' },
  }));
  tx.queue(deleteStops({ ids: planned }), ...insertStops(stops));
  const aboard = before.filter(({ status }) => isOpenStop(status)).map(({ order_id: orderId }) => orderId);
  const loadedAtMs = context.clock.now();
  const sales = await judgeAboard(tx, context, {
    ...{ tripId, orderIds: [...aboard, ...orderIds], atMs: loadedAtMs },
  });
  const taken = sales.slice(aboard.length);
  await reportLoading(tx, context, { tripId, loadedAtMs, departsAtMs: null, stops: taken });
  return { trip, stops: stops.map(({ orderId, position }) => ({ order_id: orderId, position })) };
}
