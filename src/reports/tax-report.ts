import type { Context } from '../database/context.ts';
import { assert } from '../kernel/assert.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { selectTaxes, type TaxRow } from './report-queries.ts';
import { readRange } from './report-range.ts';

export const taxColumns = [
  'taxId',
  'description',
  'rate',
  'included',
  'orders',
  'goods',
  'fees',
  'total',
  'exempted',
  'refunded',
] as const;

/** The taxes charged on the requested days, by tax and rate. */
export async function taxReport(
  context: Context,
  organization: OrganizationId,
  asked: { readonly from?: string; readonly to?: string },
) {
  const { from, to, instants } = await readRange(context, organization, asked);
  const [found] = await context.database.read(organization, selectTaxes(instants));
  const total = found.find((row) => row.is_total);
  assert(total !== undefined, 'a report has a total');
  const rows = found
    .filter((row) => !row.is_total)
    .map((row) => ({
      taxId: row.tax_id!,
      description: row.description!,
      rate: row.rate!,
      included: row.included!,
      ...amounts(row),
    }));
  return { from, to, rows, total: amounts(total) };
}

function amounts(row: TaxRow) {
  return {
    orders: row.orders,
    goods: row.goods_cents,
    fees: row.fees_cents,
    total: row.goods_cents + row.fees_cents,
    exempted: row.exempted_cents,
    refunded: row.refunded_cents,
  };
}
