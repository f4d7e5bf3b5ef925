import type { Context } from '../database/context.ts';
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
  const { from, to, parameters } = await readRange(context, organization, asked);
  const [found] = await context.database.read(organization, selectTaxes(parameters));
  const total = found.find((row) => row.is_total);
  const rows = found
    .filter((row) => !row.is_total)
    .map((row) => ({
      taxId: row.tax_id!,
      description: row.description!,
      rate: row.rate!,
      included: row.included!,
      ...amounts(row),
    }));
  return { from, to, rows, total: amounts(total ?? noTaxes) };
}

const noTaxes = { orders: 0, goods_cents: 0, fees_cents: 0, exempted_cents: 0, refunded_cents: 0 };

function amounts(row: Pick<TaxRow, keyof typeof noTaxes>) {
  return {
    orders: row.orders,
    goods: row.goods_cents,
    fees: row.fees_cents,
    total: row.goods_cents + row.fees_cents,
    exempted: row.exempted_cents,
    refunded: row.refunded_cents,
  };
}
