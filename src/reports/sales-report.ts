import type { Context } from '../database/context.ts';
import type { BoundStatement } from '../database/statement.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { addDays } from '../kernel/local-time.ts';
import type { RangeParameters } from './report-part-queries.ts';
import {
  type SalesRow,
  selectSalesAtLocation,
  selectSalesBy,
  selectSalesByDay,
  selectSalesByLocation,
  selectSalesByStaff,
} from './report-queries.ts';
import { type ReportRange, readRange } from './report-range.ts';
import { selectTodayLocation } from './today-queries.ts';

export const salesGroups = [
  ...(['day', 'category', 'product', 'type', 'source'] as const),
  ...(['hour', 'payment', 'staff', 'location'] as const),
] as const;
export type SalesGroup = (typeof salesGroups)[number];

export const salesColumns = [
  'key',
  'name',
  'orders',
  'units',
  'gross',
  'discounts',
  'net',
  'adjustments',
  'credits',
  'tax',
  'refunds',
  'refundedAdjustments',
  'refundedCredits',
  'refundedTax',
  'otherRefunds',
] as const;

/** The sales of a range, grouped; the last row is the total, if there are sales. */
export function salesStatement(by: SalesGroup, range: RangeParameters): BoundStatement<SalesRow> {
  if (by === 'day') return selectSalesByDay(range);
  if (by === 'location') return selectSalesByLocation(range);
  return by === 'staff' ? selectSalesByStaff(range) : selectSalesBy({ ...range, report: by });
}

/** The sales of the requested days, grouped. */
export async function salesReport(
  context: Context,
  organization: OrganizationId,
  asked: {
    readonly from?: string;
    readonly to?: string;
    readonly by?: SalesGroup;
    readonly inventoryLocationId?: number;
  },
) {
  const { by = 'day', inventoryLocationId: locationId } = asked;
  const range = await readRange(context, organization, asked);
  if (locationId !== undefined) await assertReadable(context, organization, range, locationId);
  const { from, until, tz } = range.parameters;
  const [found] = await context.database.read(
    organization,
    locationId === undefined
      ? salesStatement(by, range.parameters)
      : selectSalesAtLocation({ from, until, tz, report: by, locationId }),
  );
  const total = found.find((row) => row.is_total);
  const rows = found
    .filter((row) => !row.is_total)
    .map((row) => ({ key: row.key ?? '', name: row.name ?? '', ...amounts(row) }));
  return { from: range.from, to: range.to, by, rows, total: amounts(total ?? noSales) };
}

/** Sums are not kept by location and hour, payment or staff, so the orders themselves are read. */
const daysAtLocationMax = 31;

/** Fails with INVENTORY_LOCATION_NOT_FOUND, and with INVALID_PARAMS for more days than are read at once. */
async function assertReadable(
  { database }: Context,
  organization: OrganizationId,
  { from, to }: ReportRange,
  locationId: number,
): Promise<void> {
  const [[location]] = await database.read(organization, selectTodayLocation({ locationId }));
  if (location === undefined) {
    throw failure('INVENTORY_LOCATION_NOT_FOUND', 'inventoryLocationId must be the id of a location.');
  }
  if (addDays(from, daysAtLocationMax) <= to) {
    throw failure(
      'INVALID_PARAMS',
      `from and to must span at most ${daysAtLocationMax} days with inventoryLocationId.`,
    );
  }
}

const noSales = {
  orders: 0,
  units: 0,
  gross_cents: 0,
  net_cents: 0,
  adjustments_cents: 0,
  credits_cents: 0,
  tax_cents: 0,
  refunds_cents: 0,
  refunded_adjustments_cents: 0,
  refunded_credits_cents: 0,
  refunded_tax_cents: 0,
  other_refunds_cents: 0,
};

function amounts(row: Omit<SalesRow, 'is_total' | 'key' | 'name'>) {
  return {
    orders: row.orders,
    units: row.units,
    gross: row.gross_cents,
    discounts: row.gross_cents - row.net_cents,
    net: row.net_cents,
    adjustments: row.adjustments_cents,
    credits: row.credits_cents,
    tax: row.tax_cents,
    refunds: row.refunds_cents,
    refundedAdjustments: row.refunded_adjustments_cents,
    refundedCredits: row.refunded_credits_cents,
    refundedTax: row.refunded_tax_cents,
    otherRefunds: row.other_refunds_cents,
  };
}
