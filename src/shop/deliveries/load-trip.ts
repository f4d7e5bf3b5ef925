import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { StopStatus } from '../../kernel/stop-statuses.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { writeTogether } from '../../platform/database/write-together.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  assertPlaceForGoods,
  holdOpenLocations,
  selectStockAtLocations,
  transferStock,
} from '../inventory/stock.ts';
import { dispatchOrder, judgeDeparture, loadOrder, moveOrderStock } from '../orders/orders.ts';
import { openDrawer, selectOpenSession } from '../registers/registers.ts';
import type { LoadedTrip } from '../traceability/report-trip.ts';
import { reportLoading, reportTripStep } from '../traceability/traceability.ts';
import { lockedTrip, openOrdersAt } from './plan-trip.ts';
import { assertTripAllows, isOpenStop, type TripStatus } from './trip-lifecycle.ts';
import {
  oneTripOfVehicle,
  type ShownTripRow,
  type StopRow,
  selectOtherTripOfVehicle,
  selectStops,
  selectTrip,
  selectVehiclesUnderWay,
  stepTrip,
} from './trip-queries.ts';

/** The name under which the law adds up what a driver carries. */
export const driverNameOf = ({ first_name, last_name }: ShownTripRow) => `${first_name} ${last_name}`.trim();

/** What integrators see of a trip at an order. */
export const dispatchTripOf = (
  {
    id: tripId,
    driver_id: driverId,
    vehicle_id: vehicleId,
  }: Pick<ShownTripRow, 'id' | 'driver_id' | 'vehicle_id'>,
  { position: stopPosition }: Pick<StopRow, 'position'>,
  stopStatus: StopStatus,
) => ({ tripId, driverId, vehicleId, stopPosition, stopStatus });

/** A step of a trip's life, and its moment. */
export interface TripStep {
  readonly status: TripStatus;
  readonly event:
    | 'trip.loaded'
    | 'trip.unloaded'
    | 'trip.restocked'
    | 'trip.departed'
    | 'trip.returned'
    | 'trip.closed';
  readonly drawerSessionId?: number | null;
  readonly loadedAtMs?: number;
  readonly departedAtMs?: number;
  readonly returnedAtMs?: number;
  readonly closedAtMs?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

const instant = (atMs: number | undefined) => (atMs === undefined ? null : isoTimestamp(atMs));

/** Writes a step of a trip, with its event. */
export async function writeTripStep(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  tripId: number,
  { status, event, drawerSessionId = null, details, ...at }: TripStep,
): Promise<void> {
  const nowMs = context.clock.now();
  tx.queue(
    stepTrip({
      ...{ id: tripId, status, drawerSessionId, loadedAt: instant(at.loadedAtMs), at: isoTimestamp(nowMs) },
      ...{ departedAt: instant(at.departedAtMs), returnedAt: instant(at.returnedAtMs) },
      closedAt: instant(at.closedAtMs),
    }),
  );
  await announce(tx, context, origin, nowMs, {
    ...{ event, subjectType: 'trip', subjectId: tripId },
    payload: { tripId, status },
    details: { tripId, status, ...details },
  });
}

/**
 * Puts the goods of a trip into its vehicle: the stock that its orders hold moves to the vehicle's location, and the driver's drawer opens
 * with `floatCents`, or the one that is open already goes along. What the vehicle then carries, and the hour of the planned departure, are judged by
 * the law first. Fails with VEHICLE_IN_USE, with ORDER_ON_TRIP for an order whose goods are in another
 * vehicle that is not back, and with the error of the duty that would be broken.
 */
export async function loadTrip(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
  { floatCents, staffId }: { readonly floatCents: number | null; readonly staffId: number },
): Promise<void> {
  await writeTogether(context.database, organization, async () => {
    const { trip, stops } = await context.database.write(
      organization,
      async (tx) => judgeLoading(tx, context, tripId),
      { retryOnConstraints: [oneTripOfVehicle] },
    );
    await putAboard(context, origin, organization, trip, stops);
    const drawerSessionId = await drawerOf(context, origin, organization, trip, { floatCents, staffId });
    await context.database.write(organization, async (tx) => {
      const [step, nowMs] = [{ status: 'loaded', event: 'trip.loaded' } as const, context.clock.now()];
      await writeTripStep(tx, context, origin, tripId, { ...step, drawerSessionId, loadedAtMs: nowMs });
    });
  });
}

/** Moves the stock that orders hold into the vehicle of their trip, and assigns them to its driver. */
export async function putAboard(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  trip: ShownTripRow,
  stops: readonly Pick<StopRow, 'order_id' | 'position'>[],
): Promise<void> {
  const driverName = driverNameOf(trip);
  for (const stop of stops) {
    const orderId = stop.order_id;
    await moveOrderStock(context, origin, organization, orderId, trip.inventory_location_id);
    const assigned = { status: 'assigned', driverName, trip: dispatchTripOf(trip, stop, 'waiting') } as const;
    await dispatchOrder(context, origin, organization, orderId, assigned);
  }
}

async function judgeLoading(tx: TenantTransaction, context: Context, tripId: number) {
  assertTripAllows('load', await lockedTrip(tx, tripId));
  const [[trip], stops] = await tx.run(selectTrip({ id: tripId }), selectStops({ tripId }));
  assert(trip !== undefined, 'a locked trip is there');
  const [[other]] = await tx.run(selectOtherTripOfVehicle({ vehicleId: trip.vehicle_id, exceptId: tripId }));
  if (other !== undefined) {
    throw failure(
      'VEHICLE_IN_USE',
      `${trip.vehicle_name} has the goods of another trip, which is not closed.`,
    );
  }
  const open = stops.filter(({ status }) => isOpenStop(status));
  if (open.length === 0) throw failure('INVALID_PARAMS', 'The trip must have a stop before it is loaded.');
  const [nowMs, departsAtMs] = [context.clock.now(), trip.planned_departure_at];
  const orderIds = open.map(({ order_id: orderId }) => orderId);
  const sales = await judgeAboard(tx, context, { tripId, orderIds, atMs: departsAtMs ?? nowMs });
  await reportLoading(tx, context, { tripId, loadedAtMs: nowMs, departsAtMs, stops: sales });
  return { trip, stops: open };
}

/**
 * Judges the orders of a vehicle by the law at the moment at which it leaves, one after another with the value of those before. Resolves to them as the
 * state is told of them, in their order. Fails with ORDER_ON_TRIP for one whose goods are in another vehicle that is not back.
 */
export async function judgeAboard(
  tx: TenantTransaction,
  context: Context,
  {
    tripId,
    orderIds,
    atMs,
  }: { readonly tripId: number; readonly orderIds: readonly string[]; readonly atMs: number },
): Promise<LoadedTrip['stops'][number][]> {
  const [others] = await tx.run(selectVehiclesUnderWay({ exceptTripId: tripId }));
  const sales: LoadedTrip['stops'][number][] = [];
  let carriedCents = 0;
  for (const orderId of orderIds) {
    const order = await loadOrder(tx, orderId, { lock: true });
    assert(order !== null, 'an order on a trip exists');
    const elsewhere = others.find((other) =>
      order.fulfillments.some(({ locationId }) => locationId === other.inventory_location_id),
    );
    if (elsewhere !== undefined) {
      throw failure(
        'ORDER_ON_TRIP',
        `The goods of the order ${order.head.number} are in ${elsewhere.name}, which is ${elsewhere.status}.`,
      );
    }
    const { cents, sale } = await judgeDeparture(tx, context.law.current, order, null, atMs, carriedCents);
    carriedCents += cents;
    sales.push({ sale, arrivesAtMs: order.head.slotTo });
  }
  return sales;
}

/** The session of the drawer that goes along; null: the driver has none. */
async function drawerOf(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  { register_id: registerId }: ShownTripRow,
  { floatCents, staffId }: { readonly floatCents: number | null; readonly staffId: number },
): Promise<number | null> {
  if (registerId === null) {
    if (floatCents === null) return null;
    throw failure('INVALID_PARAMS', 'float must be left out: the driver has no drawer.');
  }
  const [[open]] = await context.database.read(organization, selectOpenSession({ registerId }));
  if (open !== undefined && floatCents === null) return open.id;
  return openDrawer(context, origin, organization, registerId, { floatCents: floatCents ?? 0, staffId });
}

/**
 * Takes the goods of a loaded trip out of the vehicle again, to a location, also those of orders that were canceled since; the trip is a plan
 * again.
 */
export async function unloadTrip(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
  toLocationId: number,
): Promise<void> {
  await writeTogether(context.database, organization, async () => {
    const { fromLocationId, open } = await context.database.write(organization, async (tx) => {
      const trip = await lockedTrip(tx, tripId);
      const [[shown], stops, places] = await tx.run(
        selectTrip({ id: tripId }),
        selectStops({ tripId }),
        holdOpenLocations({ ids: [toLocationId] }),
      );
      assertPlaceForGoods(toLocationId, places, 'toInventoryLocationId');
      assertTripAllows('unload', trip);
      return { fromLocationId: shown!.inventory_location_id, open: await openOrdersAt(tx, stops) };
    });
    const [released] = await context.database.read(
      organization,
      selectStockAtLocations({ locationIds: [fromLocationId] }),
    );
    for (const it of released) {
      await transferStock(context, origin, organization, {
        ...{ productId: it.product_id, packageId: it.package_id || null, amount: it.on_hand },
        ...{ productOptionId: it.product_option_id || null, idempotencyKey: null },
        ...{ fromInventoryLocationId: fromLocationId, toInventoryLocationId: toLocationId },
        reason: `Unloaded with trip ${tripId}`,
      });
    }
    for (const { head } of open) {
      const orderId = head.id;
      await moveOrderStock(context, origin, organization, orderId, toLocationId);
      await dispatchOrder(context, origin, organization, orderId, {
        status: 'unassigned',
        driverName: null,
        trip: null,
      });
    }
    await context.database.write(organization, async (tx) => {
      await reportTripStep(tx, context, tripId, 'unloaded', context.clock.now());
      const details = { inventoryLocationId: toLocationId };
      await writeTripStep(tx, context, origin, tripId, { status: 'draft', event: 'trip.unloaded', details });
    });
  });
}
