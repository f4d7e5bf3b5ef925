import { type decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { writeTogether } from '../../platform/database/write-together.ts';
import {
  adjustStock,
  assertPlaceForGoods,
  holdOpenLocations,
  quarantineLocation,
  type StockAtLocationRow,
  selectStockAtLocations,
  transferStock,
} from '../inventory/stock.ts';
import { moveOrderStock } from '../orders/orders.ts';
import { closeDrawer, holdSession } from '../registers/registers.ts';
import { writeTripStep } from './load-trip.ts';
import { lockedTrip, openOrdersAt } from './plan-trip.ts';
import { assertTripAllows } from './trip-lifecycle.ts';
import { type ShownTripRow, selectStops, selectTrip } from './trip-queries.ts';

/** Where goods go that came back, after a member of staff looked at them. */
interface InspectedGoods {
  readonly productId: number;
  readonly productOptionId: number | null;
  readonly packageId: number | null;
  /** Decimal text. */
  readonly amount: string;
  readonly to: 'stock' | 'quarantine' | 'waste';
}

interface TripCount {
  /** Where good ones go, and the goods of orders that stay open. */
  readonly toLocationId: number;
  readonly goods: readonly InspectedGoods[];
  /** What was counted in the driver's drawer; null: it is not closed here. */
  readonly counts: readonly { readonly paymentTypeId: number | null; readonly countedCents: number }[] | null;
  readonly note: string | null;
}

interface Counting {
  readonly staffId: number;
  readonly role: StaffRole;
}

/**
 * Closes a trip that is back: what is left in the vehicle goes to stock, quarantine or waste, each good as a member of staff saw it; the orders that
 * stay open have their goods in the shop again; and the driver's drawer is counted. A plan without stops is closed, too. Fails with
 * INVALID_PARAMS unless `goods` are exactly what is in the vehicle.
 */
export async function closeTrip(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
  count: TripCount,
  staff: Counting,
): Promise<void> {
  const { toLocationId, goods } = count;
  await writeTogether(context.database, organization, async () => {
    const { trip, held, quarantineId } = await context.database.write(organization, async (tx) => {
      const locked = await lockedTrip(tx, tripId);
      const [[trip], stops, places] = await tx.run(
        selectTrip({ id: tripId }),
        selectStops({ tripId }),
        holdOpenLocations({ ids: [toLocationId] }),
      );
      assertPlaceForGoods(toLocationId, places, 'toInventoryLocationId');
      if (locked.status !== 'draft' || stops.length > 0) assertTripAllows('close', locked);
      const undone = stops.filter(({ status }) => status === 'notHome');
      const open = await openOrdersAt(tx, undone);
      // Another trip may have taken the goods of an order along since.
      const held = open
        .filter(({ fulfillments }) =>
          fulfillments.some((it) => it.locationId === trip!.inventory_location_id),
        )
        .map(({ head: { id } }) => id);
      const quarantines = goods.some(({ to }) => to === 'quarantine');
      const quarantineId = quarantines
        ? await quarantineLocation(tx, context, origin, context.clock.now())
        : null;
      return { trip: trip!, held, quarantineId };
    });
    if (trip.status === 'back') {
      const [inVehicle] = await context.database.read(
        organization,
        selectStockAtLocations({ locationIds: [trip.inventory_location_id] }),
      );
      assertAllGoods(inVehicle, goods);
      for (const it of goods) {
        const places = { fromLocationId: trip.inventory_location_id, toLocationId, quarantineId };
        await putAway(context, origin, organization, tripId, it, places);
      }
      for (const orderId of held) {
        await moveOrderStock(context, origin, organization, orderId, toLocationId);
      }
    }
    await countDrawer(context, origin, organization, trip, count, staff);
    await context.database.write(organization, async (tx) => {
      const details = { goods: goods.length, note: count.note === null ? null : 'given' };
      const step = { status: 'closed', event: 'trip.closed', closedAtMs: context.clock.now() } as const;
      await writeTripStep(tx, context, origin, tripId, { ...step, details });
    });
  });
}

const keyOf = (it: Pick<InspectedGoods, 'productId' | 'productOptionId' | 'packageId'>) =>
  `${it.productId} ${it.productOptionId ?? 0} ${it.packageId ?? 0}`;

/** Every good in the vehicle is looked at: none is forgotten there, and none appears. */
function assertAllGoods(inVehicle: readonly StockAtLocationRow[], goods: readonly InspectedGoods[]): void {
  const seen = new Map<string, ReturnType<typeof decimal>>();
  for (const it of goods) seen.set(keyOf(it), (seen.get(keyOf(it)) ?? zero).plus(it.amount));
  for (const row of inVehicle) {
    const key = `${row.product_id} ${row.product_option_id} ${row.package_id}`;
    const amount = seen.get(key) ?? zero;
    if (!amount.eq(row.on_hand)) {
      throw failure(
        'INVALID_PARAMS',
        `goods must name ${row.on_hand} of ${row.product_name}, which is in the vehicle, not ${decimalText(amount)}.`,
      );
    }
    seen.delete(key);
  }
  if (seen.size === 0) return;
  throw failure('INVALID_PARAMS', 'goods must name only what is in the vehicle.');
}

/** Moves one of the goods out of the vehicle. */
async function putAway(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
  { productId, productOptionId, packageId, amount, to }: InspectedGoods,
  places: {
    readonly fromLocationId: number;
    readonly toLocationId: number;
    readonly quarantineId: number | null;
  },
): Promise<void> {
  const reason = `Came back with trip ${tripId}${to === 'waste' ? ', thrown away' : ''}`;
  const item = { productId, productOptionId, packageId, idempotencyKey: null };
  if (to === 'waste') {
    const delta = decimalText(zero.minus(amount));
    const inventoryLocationId = places.fromLocationId;
    await adjustStock(context, origin, organization, { ...item, inventoryLocationId, delta, reason });
    return;
  }
  await transferStock(context, origin, organization, {
    ...{ ...item, amount, reason, fromInventoryLocationId: places.fromLocationId },
    toInventoryLocationId: to === 'stock' ? places.toLocationId : places.quarantineId!,
  });
}

/** Counts and closes the driver's drawer, unless that was done before. */
async function countDrawer(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  { drawer_session_id: sessionId, status }: ShownTripRow,
  { counts, note }: TripCount,
  staff: Counting,
): Promise<void> {
  if (sessionId === null || status === 'draft') {
    if (counts === null || counts.length === 0) return;
    throw failure('INVALID_PARAMS', 'counts must be left out: the trip has no drawer.');
  }
  const [[session]] = await context.database.read(organization, holdSession({ id: sessionId }));
  if (session === undefined || session.closed_at !== null) return;
  if (counts === null) {
    throw failure('MISSING_PARAMS', 'counts must say what is in the drawer of the driver.', {
      missing: ['counts'],
    });
  }
  await closeDrawer(context, origin, organization, sessionId, { counts, note }, staff);
}
