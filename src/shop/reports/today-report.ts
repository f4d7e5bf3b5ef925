import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { addDays, businessDayAt, isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectWaitingOrders } from '../orders/orders.ts';
import { selectReportDays } from './report-queries.ts';
import { rangeParameters } from './report-range.ts';
import {
  type DayPart,
  type DaySalesRow,
  daySales,
  selectExpiringPackages,
  selectLowStock,
  selectTodayLocation,
} from './today-queries.ts';

/** Rows of a list on the screen; the count beside them is of all. */
const rowsMax = 6;
/** Stock for at most so many of the smallest option is low. */
export const unitsLeftMax = 5;
/** A product that did not sell for so long does not run low. */
export const soldWithinDays = 14;
/** So many days before its last day of sale, a package is about to expire. */
export const expiresWithinDays = 14;

/**
 * The business day so far, beside the same day of the week before, and what needs attention. Two round
 * trips, whatever the day brought. Fails with INVENTORY_LOCATION_NOT_FOUND.
 */
export async function todayReport(
  { database, clock }: Context,
  organization: OrganizationId,
  { inventoryLocationId: locationId = null }: { readonly inventoryLocationId?: number | null },
) {
  const nowMs = clock.now();
  const [[asked], location] = await database.read(
    organization,
    selectReportDays({}),
    locationId === null ? null : selectTodayLocation({ locationId }),
  );
  if (locationId !== null && location.length === 0) {
    throw failure('INVENTORY_LOCATION_NOT_FOUND', 'inventoryLocationId must be the id of a location.');
  }
  const days = { tz: asked!.tz, dayStartsAt: asked!.day_starts_at };
  const day = businessDayAt(nowMs, days);
  // Goods expire by the calendar.
  const date = localDateAt(nowMs, days.tz);
  const comparedDay = addDays(day, -7);
  const [present, former, waiting, low, expiring] = await database.read(
    organization,
    daySales(rangeParameters(day, day, days)),
    daySales(rangeParameters(comparedDay, comparedDay, days)),
    selectWaitingOrders({ locationId }),
    selectLowStock({
      ...{ locationId, unitsLeftMax, rowsMax },
      fromDay: addDays(date, 1 - soldWithinDays),
      toDay: date,
    }),
    selectExpiringPackages({ locationId, rowsMax, untilDay: addDays(date, expiresWithinDays) }),
  );
  const compared = (part: DayPart) => rowsOf(part, present, former);
  const [total = { key: '', name: '', ...nothing }] = compared('day');
  return {
    day,
    comparedDay,
    total: { ...total, name: 'All locations' },
    hours: compared('hour'),
    payments: byMoney(compared('payment')),
    staff: byNet(compared('staff')),
    locations: byNet(compared('location')),
    waiting: waiting.map(({ oldest_at, ...row }) => ({ ...row, oldestAt: isoTimestamp(oldest_at) })),
    lowStock: {
      count: low[0]?.count ?? 0,
      rows: low.map((row) => ({
        productId: row.product_id,
        productOptionId: row.product_option_id === 0 ? null : row.product_option_id,
        productName: row.product_name,
        optionName: row.option_name,
        unit: row.unit,
        onHand: row.on_hand,
        unitsSold: row.units_sold,
      })),
    },
    expiring: {
      count: expiring[0]?.count ?? 0,
      rows: expiring.map((row) => ({
        packageId: row.id,
        label: row.label,
        expirationDate: row.expiration_date,
        productName: row.product_name,
        unit: row.unit,
        onHand: row.on_hand,
      })),
    },
  };
}

const nothing = {
  ...{ orders: 0, units: 0, net: 0, refunds: 0, paid: 0, paidBack: 0 },
  ...{ comparedOrders: 0, comparedNet: 0, comparedPaid: 0 },
};

/** Each key that either day has, in the order of keys. */
function rowsOf(part: DayPart, present: readonly DaySalesRow[], former: readonly DaySalesRow[]) {
  const rows = new Map<string, { key: string; name: string } & typeof nothing>();
  for (const { key, name, ...row } of former.filter(({ report }) => report === part)) {
    rows.set(key, {
      ...{ key, name, ...nothing, comparedOrders: row.orders },
      ...{ comparedNet: row.net_cents, comparedPaid: row.paid_cents },
    });
  }
  for (const { key, name, ...row } of present.filter(({ report }) => report === part)) {
    rows.set(key, {
      ...{
        ...nothing,
        ...rows.get(key),
        key,
        name,
        orders: row.orders,
        units: row.units,
        net: row.net_cents,
      },
      ...{ refunds: row.refunds_cents, paid: row.paid_cents, paidBack: row.paid_back_cents },
    });
  }
  return [...rows.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}

function byMoney<Row extends { readonly paid: number; readonly comparedPaid: number }>(
  rows: readonly Row[],
): Row[] {
  return [...rows].sort((one, other) => other.paid - one.paid || other.comparedPaid - one.comparedPaid);
}

function byNet<Row extends { readonly net: number; readonly comparedNet: number }>(
  rows: readonly Row[],
): Row[] {
  return [...rows].sort((one, other) => other.net - one.net || other.comparedNet - one.comparedNet);
}
