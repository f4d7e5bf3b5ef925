import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { addDays } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import { type FormerSalesSumRow, sumFormerSalesOfDays } from '../former-sales/former-sales.ts';
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
  ...(['day', 'category', 'product', 'brand', 'type', 'source'] as const),
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
  'cost',
  'margin',
  'adjustments',
  'credits',
  'tax',
  'refunds',
  'refundedAdjustments',
  'refundedCredits',
  'refundedTax',
  'otherRefunds',
  'paid',
  'returns',
  'paidBack',
  'netAfterRefunds',
  'taxAfterRefunds',
] as const;

/** The day that returns count on: their own, or that of the sale. */
export const returnDays = ['day-of-return', 'day-of-sale'] as const;
export type ReturnDay = (typeof returnDays)[number];

/** The sales of a range, grouped; the last row is the total, if there are sales. */
export function salesStatement(by: SalesGroup, range: RangeParameters): BoundStatement<SalesRow> {
  if (by === 'day') return selectSalesByDay(range);
  if (by === 'location') return selectSalesByLocation(range);
  return by === 'staff' ? selectSalesByStaff(range) : selectSalesBy({ ...range, report: by });
}

/** The sales of the requested days, grouped; those of another till, which were imported, beside them. */
export async function salesReport(
  context: Context,
  organization: OrganizationId,
  asked: {
    readonly from?: string;
    readonly to?: string;
    readonly by?: SalesGroup;
    readonly inventoryLocationId?: number;
    readonly returnsBy?: ReturnDay;
  },
) {
  const { by = 'day', inventoryLocationId: locationId, returnsBy = 'day-of-return' } = asked;
  const range = await readRange(context, organization, asked);
  if (locationId !== undefined) await assertReadable(context, organization, range, locationId);
  const { monthsFrom: _from, monthsUntil: _until, ...days } = range.parameters;
  const [found, imported] = await context.database.read(
    organization,
    locationId === undefined
      ? salesStatement(by, range.parameters)
      : selectSalesAtLocation({ ...days, report: by, locationId }),
    sumFormerSalesOfDays({ from: range.from, to: range.to }),
  );
  const total = found.find((row) => row.is_total);
  const rows = found
    .filter((row) => !row.is_total)
    .map((row) => ({
      key: row.key ?? '',
      name: row.name ?? '',
      ...amounts(row, returnsBy, isOfGoods(by)),
    }))
    // Of the sales of a day as they turned out, a day without sales says nothing; of the money of a day, one without any.
    .filter(({ key: _key, name: _name, ...row }) => Object.values(row).some((it) => it !== 0 && it !== null));
  return {
    ...{ from: range.from, to: range.to, by, returnsBy, rows },
    total: amounts(total ?? noSales, returnsBy, false),
    // No file says where they were sold.
    imported: locationId === undefined ? imported.map(importedRow) : [],
  };
}

function importedRow({ till, tickets, ...row }: FormerSalesSumRow) {
  return {
    ...{ till, tickets, gross: row.gross_cents, discounts: row.discount_cents },
    ...{ net: row.net_cents, tax: row.tax_cents },
  };
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

/** Payments are of whole orders, so no goods have a part of them. */
function isOfGoods(by: SalesGroup): boolean {
  return by === 'category' || by === 'product' || by === 'brand' || by === 'location';
}

const noSales = {
  orders: 0,
  units: 0,
  gross_cents: 0,
  net_cents: 0,
  cost_cents: 0,
  adjustments_cents: 0,
  credits_cents: 0,
  tax_cents: 0,
  paid_cents: 0,
  returns: 0,
  refunds_cents: 0,
  refunded_adjustments_cents: 0,
  refunded_credits_cents: 0,
  refunded_tax_cents: 0,
  other_refunds_cents: 0,
  paid_back_cents: 0,
  later_returns: 0,
  later_refunds_cents: 0,
  later_refunded_adjustments_cents: 0,
  later_refunded_credits_cents: 0,
  later_refunded_tax_cents: 0,
  later_other_refunds_cents: 0,
  later_paid_back_cents: 0,
};

function amounts(
  row: Omit<SalesRow, 'is_total' | 'key' | 'name'>,
  returnsBy: ReturnDay,
  isWithoutPayments: boolean,
) {
  const back = returnsBy === 'day-of-return' ? row : laterOf(row);
  return {
    orders: row.orders,
    units: row.units,
    gross: row.gross_cents,
    discounts: row.gross_cents - row.net_cents,
    net: row.net_cents,
    cost: row.cost_cents,
    margin: row.net_cents - row.cost_cents,
    adjustments: row.adjustments_cents,
    credits: row.credits_cents,
    tax: row.tax_cents,
    refunds: back.refunds_cents,
    refundedAdjustments: back.refunded_adjustments_cents,
    refundedCredits: back.refunded_credits_cents,
    refundedTax: back.refunded_tax_cents,
    otherRefunds: back.other_refunds_cents,
    paid: isWithoutPayments ? null : row.paid_cents,
    returns: back.returns,
    paidBack: isWithoutPayments ? null : back.paid_back_cents,
    netAfterRefunds: row.net_cents - back.refunds_cents,
    taxAfterRefunds: row.tax_cents - back.refunded_tax_cents,
  };
}

function laterOf(row: Omit<SalesRow, 'is_total' | 'key' | 'name'>) {
  return {
    returns: row.later_returns,
    refunds_cents: row.later_refunds_cents,
    refunded_adjustments_cents: row.later_refunded_adjustments_cents,
    refunded_credits_cents: row.later_refunded_credits_cents,
    refunded_tax_cents: row.later_refunded_tax_cents,
    other_refunds_cents: row.later_other_refunds_cents,
    paid_back_cents: row.later_paid_back_cents,
  };
}
