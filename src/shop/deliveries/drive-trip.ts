import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { writeTogether } from '../../platform/database/write-together.ts';
import { dispatchOrder } from '../orders/orders.ts';
import { driverNameOf, writeTripStep } from './load-trip.ts';
import { occurredAtMs } from './occurred-at.ts';
import { announceTrip, lockedTrip } from './plan-trip.ts';
import { setAside } from './set-aside.ts';
import { assertTripAllows, isOpenStop } from './trip-lifecycle.ts';
import { selectStops, selectTrip, setPosition } from './trip-queries.ts';

/**
 * The trip leaves the shop: each order is judged by the law at that moment, with all that the driver carries then, and its customer is told.
 */
export async function departTrip(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
  sentAt: string | undefined,
): Promise<void> {
  const atMs = occurredAtMs(sentAt, context.clock.now());
  await writeTogether(context.database, organization, async () => {
    const { trip, stops } = await context.database.write(organization, async (tx) => {
      assertTripAllows('depart', (await lockedTrip(tx, tripId)).status);
      const [[trip], stops] = await tx.run(selectTrip({ id: tripId }), selectStops({ tripId }));
      assert(trip !== undefined, 'a locked trip is there');
      return { trip, stops };
    });
    const change = { status: 'active', driverName: driverNameOf(trip), occurredAtMs: atMs } as const;
    for (const { order_id: orderId } of stops) {
      await dispatchOrder(context, origin, organization, orderId, change);
    }
    await context.database.write(organization, async (tx) => {
      const step = { status: 'out', event: 'trip.departed', departedAtMs: atMs } as const;
      await writeTripStep(tx, context, origin, tripId, step);
    });
  });
}

/** The trip is back at the shop. Stops at which nothing was done count as `notHome`; where the driver was is forgotten. */
export async function returnTrip(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
  sentAt: string | undefined,
): Promise<void> {
  const atMs = occurredAtMs(sentAt, context.clock.now());
  await writeTogether(context.database, organization, async () => {
    const stops = await context.database.write(organization, async (tx) => {
      assertTripAllows('return', (await lockedTrip(tx, tripId)).status);
      return (await tx.run(selectStops({ tripId })))[0];
    });
    for (const stop of stops.filter(({ status }) => isOpenStop(status))) {
      await setAside(context, origin, organization, stop, { status: 'notHome', reason: null, atMs });
    }
    await context.database.write(organization, async (tx) => {
      const step = { status: 'back', event: 'trip.returned', returnedAtMs: atMs } as const;
      await writeTripStep(tx, context, origin, tripId, step);
    });
  });
}

interface SentPosition {
  readonly latitude: number;
  readonly longitude: number;
  readonly occurredAt?: string | undefined;
}

/**
 * Keeps where the driver is, while the trip is out, and only of drivers who share it: the last position alone. The event and the audit entry
 * say that it changed, never where it is.
 */
export async function keepPosition(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
  { latitude, longitude, occurredAt }: SentPosition,
): Promise<void> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(occurredAtMs(occurredAt, nowMs));
  await context.database.write(organization, async (tx) => {
    const locked = await lockedTrip(tx, tripId);
    const [[trip]] = await tx.run(selectTrip({ id: tripId }));
    if (locked.status !== 'out' || trip?.shares_position !== true) return;
    tx.queue(setPosition({ id: tripId, latitude: latitude.toFixed(6), longitude: longitude.toFixed(6), at }));
    await announceTrip(tx, context, origin, nowMs, locked, { personalChanged: ['position'] });
  });
}
