import type { Context } from '../database/context.ts';
import { assert } from '../kernel/assert.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import {
  type SalesRow,
  selectSalesByCategory,
  selectSalesByDay,
  selectSalesByProduct,
  selectSalesBySource,
  selectSalesByType,
} from './report-queries.ts';
import { type ReportRange, readRange } from './report-range.ts';

export const salesGroups = ['day', 'category', 'product', 'type', 'source'] as const;
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

const statementOf = {
  day: ({ instants, tz }: ReportRange) => selectSalesByDay({ ...instants, tz }),
  category: ({ instants }: ReportRange) => selectSalesByCategory(instants),
  product: ({ instants }: ReportRange) => selectSalesByProduct(instants),
  type: ({ instants }: ReportRange) => selectSalesByType(instants),
  source: ({ instants }: ReportRange) => selectSalesBySource(instants),
} as const;

/** The sales of the requested days, grouped. */
export async function salesReport(
  context: Context,
  organization: OrganizationId,
  asked: { readonly from?: string; readonly to?: string; readonly by?: SalesGroup },
) {
  const { by = 'day' } = asked;
  const range = await readRange(context, organization, asked);
  const [found] = await context.database.read(organization, statementOf[by](range));
  const total = found.find((row) => row.is_total);
  assert(total !== undefined, 'a report has a total');
  const rows = found
    .filter((row) => !row.is_total)
    .map((row) => ({ key: row.key ?? '', name: row.name ?? '', ...amounts(row) }));
  return { from: range.from, to: range.to, by, rows, total: amounts(total) };
}

function amounts(row: SalesRow) {
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
