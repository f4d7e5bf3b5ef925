import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { businessDayAt, isoTimestamp, startOfBusinessDayMs } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { writeTogether } from '../../platform/database/write-together.ts';
import { type PruneStep, pruneByStatement } from '../../platform/upkeep/prune-step.ts';
import { dispatchOrder } from '../orders/orders.ts';
import { knownTrips, reportTripStep } from '../traceability/traceability.ts';
import { driverNameOf, writeTripStep } from './load-trip.ts';
import { occurredAtMs } from './occurred-at.ts';
import { announceTrip, lockedTrip, openOrdersAt } from './plan-trip.ts';
import { setAside } from './set-aside.ts';
import { assertTripAllows, isOpenStop, isRestocked } from './trip-lifecycle.ts';
import {
  clearFormerPositions,
  clearPosition,
  type ShownTripRow,
  type StopRow,
  selectStops,
  selectTrip,
  setPosition,
} from './trip-queries.ts';

interface Departure {
  readonly occurredAt: string | undefined;
  /** Why it leaves though the state does not know of it, by a manager; null: it waits for the state. */
  readonly withoutState: string | null;
}

/**
 * The trip leaves the shop, once the state knows what it is to know before: fails with TRIP_NOT_REPORTED. Each order is judged by the law at that moment, with all that the driver carries then, and its customer is told.
 */
export async function departTrip(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
  { occurredAt, withoutState }: Departure,
): Promise<void> {
  const atMs = occurredAtMs(occurredAt, context.clock.now());
  await writeTogether(context.database, organization, async () => {
    const { trip, orderIds } = await context.database.write(organization, async (tx) => {
      assertTripAllows('depart', await lockedTrip(tx, tripId));
      const [[trip], stops] = await tx.run(selectTrip({ id: tripId }), selectStops({ tripId }));
      assert(trip !== undefined, 'a locked trip is there');
      const known = (await knownTrips((it) => tx.run(it), [tripId])).get(tripId);
      if (known?.isKnown === false && withoutState === null) throw failure('TRIP_NOT_REPORTED', known.words!);
      return { trip, orderIds: await leavingWith(tx, trip, stops) };
    });
    const change = { status: 'active', driverName: driverNameOf(trip), occurredAtMs: atMs } as const;
    for (const orderId of orderIds) await dispatchOrder(context, origin, organization, orderId, change);
    await context.database.write(organization, async (tx) => {
      await reportTripStep(tx, context, tripId, 'departed', atMs);
      const details = withoutState === null ? {} : { withoutState };
      const departedAtMs = trip.departed_at ?? atMs;
      const step = { status: 'out', event: 'trip.departed', departedAtMs, details } as const;
      await writeTripStep(tx, context, origin, tripId, step);
    });
  });
}

/** The orders whose customers are to be told that the trip leaves: of a trip that was out, those that it took on. */
async function leavingWith(
  tx: TenantTransaction,
  trip: ShownTripRow,
  stops: readonly StopRow[],
): Promise<string[]> {
  const open = await openOrdersAt(
    tx,
    stops.filter(({ status }) => isOpenStop(status)),
  );
  return open
    .filter(({ dispatchTask }) => !isRestocked(trip) || dispatchTask?.status === 'assigned')
    .map(({ head: { id } }) => id);
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
    const { trip, stops } = await context.database.write(organization, async (tx) => {
      const trip = await lockedTrip(tx, tripId);
      assertTripAllows('return', trip);
      return { trip, stops: (await tx.run(selectStops({ tripId })))[0] };
    });
    for (const stop of stops.filter(({ status }) => isOpenStop(status))) {
      await setAside(context, origin, organization, stop, { status: 'notHome', reason: null, atMs, trip });
    }
    await context.database.write(organization, async (tx) => {
      await reportTripStep(tx, context, tripId, 'returned', atMs);
      const step = { status: 'back', event: 'trip.returned', returnedAtMs: atMs } as const;
      const details = trip.position_at === null ? {} : { isPositionShared: { from: true, to: false } };
      await writeTripStep(tx, context, origin, tripId, { ...step, details });
    });
  });
}

interface SentPosition {
  readonly latitude: number;
  readonly longitude: number;
  readonly occurredAt?: string | undefined;
}

/**
 * Keeps where the driver is, while the trip is out, and only of drivers who share it: the last position alone. Only the first one is
 * announced, and never where it is: a phone tells each minute.
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
    if (locked.position_at !== null) return;
    await announceTrip(tx, context, origin, nowMs, locked, { isPositionShared: { from: false, to: true } });
  });
}

/** The driver shares the position no longer: it is forgotten. A trip without one stays as it is. */
export async function forgetPosition(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
): Promise<void> {
  await context.database.write(organization, async (tx) => {
    const locked = await lockedTrip(tx, tripId);
    if (locked.position_at === null) return;
    tx.queue(clearPosition({ id: tripId }));
    const details = { isPositionShared: { from: true, to: false } };
    await announceTrip(tx, context, origin, context.clock.now(), locked, details);
  });
}

const positionsPerTransaction = 500;

/** A trip that does not come back keeps no position beyond the end of the business day. */
export async function forgetFormerPositions(
  context: Context,
  organization: OrganizationId,
): Promise<PruneStep> {
  const [[shop]] = await context.database.read(organization, selectOrganization({}));
  assert(shop !== undefined, 'an organization with trips exists');
  const days = { tz: shop.tz, dayStartsAt: shop.business_day_starts_at };
  const before = isoTimestamp(startOfBusinessDayMs(businessDayAt(context.clock.now(), days), days));
  const limit = positionsPerTransaction;
  return pruneByStatement(context.database, organization, clearFormerPositions({ before, limit }), limit);
}
