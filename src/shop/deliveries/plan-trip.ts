import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, type Origin, refuseStaleEdit } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import { loadOrder } from '../orders/orders.ts';
import { lockDriver } from './driver-setting.ts';
import { assertTripAllows } from './trip-lifecycle.ts';
import {
  changePlan,
  deleteStops,
  insertStops,
  insertTrips,
  lockTrip,
  oneStopOfOrder,
  type StopRow,
  selectOpenStopsOfOrders,
  selectStops,
  type TripRow,
  touchTrip,
} from './trip-queries.ts';
import { businessDay, tripNotFound } from './trip-view.ts';
import { lockVehicle } from './vehicle-setting.ts';

/** What is planned of a trip; an undefined field stays as it is. */
export interface TripPlan {
  readonly driverId?: number | undefined;
  readonly vehicleId?: number | undefined;
  readonly day?: string | undefined;
  readonly plannedDepartureAt?: string | null | undefined;
  readonly note?: string | null | undefined;
}

/** Plans a trip without stops. Fails with DRIVER_NOT_FOUND and VEHICLE_NOT_FOUND, also for archived ones. */
export async function createTrip(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  plan: TripPlan & { readonly driverId: number; readonly vehicleId: number },
): Promise<number> {
  const day = plan.day ?? (await businessDay(context, organization));
  return context.database.write(organization, async (tx) => {
    await assertPlanned(tx, plan);
    const [id, nowMs] = [await context.ids.takeOne(), context.clock.now()];
    const at = isoTimestamp(nowMs);
    const { driverId, vehicleId, plannedDepartureAt = null, note = null } = plan;
    tx.queue(
      ...insertTrips([
        {
          ...{ id, day, status: 'draft', driverId, vehicleId, note: note?.trim() || null },
          plannedDepartureAt: instant(plannedDepartureAt),
          ...{ createdAt: at, updatedAt: at },
        },
      ]),
    );
    await announce(tx, context, origin, nowMs, {
      ...{ event: 'trip.created', subjectType: 'trip', subjectId: id },
      payload: { tripId: id, status: 'draft' },
      details: { tripId: id, day, driverId, vehicleId },
    });
    return id;
  });
}

const instant = (sent: string | null) => (sent === null ? null : isoTimestamp(Date.parse(sent)));

async function assertPlanned(tx: TenantTransaction, { driverId, vehicleId }: TripPlan): Promise<void> {
  const [[driver], [vehicle]] = await tx.run(
    driverId === undefined ? null : lockDriver({ id: driverId }),
    vehicleId === undefined ? null : lockVehicle({ id: vehicleId }),
  );
  if (driverId !== undefined && (driver === undefined || driver.archivedAt !== null)) {
    throw failure('DRIVER_NOT_FOUND', 'There is no such driver.');
  }
  if (vehicleId !== undefined && (vehicle === undefined || vehicle.archivedAt !== null)) {
    throw failure('VEHICLE_NOT_FOUND', 'There is no such vehicle.');
  }
}

/** Changes the plan of a trip that is not loaded. */
export async function changeTrip(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
  plan: TripPlan,
): Promise<void> {
  await context.database.write(organization, async (tx) => {
    const trip = await lockedTrip(tx, tripId);
    assertTripAllows('plan', trip);
    refuseStaleEdit(origin, trip.updated_at);
    await assertPlanned(tx, plan);
    const nowMs = context.clock.now();
    const former = {
      ...{ day: trip.day, driverId: trip.driver_id, vehicleId: trip.vehicle_id, note: trip.note },
      plannedDepartureAt: trip.planned_departure_at === null ? null : isoTimestamp(trip.planned_departure_at),
    };
    const next = {
      day: plan.day ?? former.day,
      driverId: plan.driverId ?? former.driverId,
      vehicleId: plan.vehicleId ?? former.vehicleId,
      plannedDepartureAt:
        plan.plannedDepartureAt === undefined ? former.plannedDepartureAt : instant(plan.plannedDepartureAt),
      note: plan.note === undefined ? former.note : plan.note?.trim() || null,
    };
    const changes = changesOf(former, next, ['note']);
    if (changes === null) return;
    tx.queue(changePlan({ id: tripId, ...next, at: isoTimestamp(nowMs) }));
    await announceTrip(tx, context, origin, nowMs, trip, changes);
  });
}

/** Fails with INVALID_PARAMS if an order is named twice. */
export function assertEachOnce(orderIds: readonly string[]): void {
  if (new Set(orderIds).size < orderIds.length) {
    throw failure('INVALID_PARAMS', 'orderIds must name each order once.');
  }
}

/** The trip, locked until the commit. Fails with TRIP_NOT_FOUND. */
export async function lockedTrip(tx: TenantTransaction, id: number): Promise<TripRow> {
  const [[trip]] = await tx.run(lockTrip({ id }));
  if (trip === undefined) throw tripNotFound();
  return trip;
}

/** Announces a change of a trip that leaves its status. */
export async function announceTrip(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  { id, status }: TripRow,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await announce(tx, context, origin, nowMs, {
    ...{ event: 'trip.updated', subjectType: 'trip', subjectId: id },
    payload: { tripId: id, status },
    details: { tripId: id, ...details },
  });
}

/**
 * Gives a planned trip these stops, in this order. An order of another plan leaves that one. Fails with ORDER_NOT_FOUND, with INVALID_ORDER for
 * one that is not an open delivery, and with ORDER_ON_TRIP for one whose trip is loaded or out.
 */
export async function setStops(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
  orderIds: readonly string[],
): Promise<void> {
  assertEachOnce(orderIds);
  await context.database.write(
    organization,
    async (tx) => {
      const trip = await lockedTrip(tx, tripId);
      assertTripAllows('plan', trip);
      refuseStaleEdit(origin, trip.updated_at);
      const [before] = await tx.run(selectStops({ tripId }));
      const there = await plannedStops(tx, tripId, orderIds);
      const changes = changesOf({ orderIds: before.map(({ order_id }) => order_id) }, { orderIds });
      if (changes === null) return;
      const known = new Map(before.map((stop) => [stop.order_id, stop.id]));
      for (const orderId of orderIds) if (!known.has(orderId)) await assertDeliverable(tx, orderId);
      const nowMs = context.clock.now();
      const ids = await context.ids.take(orderIds.length);
      const stops = orderIds.map((orderId, position) => ({
        ...{ id: known.get(orderId) ?? ids[position]!, tripId, position, orderId, status: 'waiting' },
      }));
      tx.queue(
        deleteStops({ ids: [...before.map(({ id }) => id), ...there] }),
        ...insertStops(stops),
        touchTrip({ id: tripId, at: isoTimestamp(nowMs) }),
      );
      await announceTrip(tx, context, origin, nowMs, trip, changes);
    },
    { retryOnConstraints: [oneStopOfOrder] },
  );
}

/** The ids of the stops that orders have in plans of other trips. Fails with ORDER_ON_TRIP for one whose trip is loaded or out. */
export async function plannedStops(
  tx: TenantTransaction,
  tripId: number,
  orderIds: readonly string[],
): Promise<number[]> {
  const [open] = await tx.run(selectOpenStopsOfOrders({ orderIds }));
  const there = open.filter(({ trip_id }) => trip_id !== tripId);
  const loaded = there.find(({ trip_status }) => trip_status !== 'draft');
  if (loaded === undefined) return there.map(({ id }) => id);
  throw failure('ORDER_ON_TRIP', `The order ${loaded.order_id} is on a trip that is ${loaded.trip_status}.`);
}

/** An order that is not fulfilled or canceled. */
export const isOpenOrder = ({ head: { status } }: OrderRecord) => status === 'new' || status === 'packed';

/** The open orders at these stops, locked until the commit: any may have been canceled since it was planned. */
export async function openOrdersAt(
  tx: TenantTransaction,
  stops: readonly Pick<StopRow, 'order_id'>[],
): Promise<OrderRecord[]> {
  const open: OrderRecord[] = [];
  for (const { order_id: orderId } of stops) {
    const order = await loadOrder(tx, orderId, { lock: true });
    if (order !== null && isOpenOrder(order)) open.push(order);
  }
  return open;
}

/** Fails with ORDER_NOT_FOUND, and with INVALID_ORDER unless it is an open delivery. */
export async function assertDeliverable(tx: TenantTransaction, orderId: string): Promise<void> {
  const order = await loadOrder(tx, orderId, { lock: false });
  if (order === null) throw failure('ORDER_NOT_FOUND', `There is no order ${orderId}.`);
  const { type, status, number } = order.head;
  if (type === 'delivery' && (status === 'new' || status === 'packed')) return;
  throw failure(
    'INVALID_ORDER',
    `The order ${number} is not an open delivery: it is a ${type} order that is ${status}.`,
  );
}
