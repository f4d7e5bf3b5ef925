import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectTaxes, type TaxRow } from './report-queries.ts';
import { readRange } from './report-range.ts';
import type { ReturnDay } from './sales-report.ts';

/** The taxes charged and refunded on the requested days, by tax and rate. */
export async function taxReport(
  context: Context,
  organization: OrganizationId,
  asked: { readonly from?: string; readonly to?: string; readonly returnsBy?: ReturnDay },
) {
  const { returnsBy = 'day-of-return' } = asked;
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
      ...amounts(row, returnsBy),
    }))
    .filter((row) => row.orders !== 0 || row.refunded !== 0);
  return { from, to, returnsBy, rows, total: amounts(total ?? noTaxes, returnsBy) };
}

const noTaxes = {
  ...{ orders: 0, taxable_cents: 0, goods_cents: 0, fees_cents: 0, exempted_cents: 0 },
  ...{ refunded_cents: 0, later_refunded_cents: 0 },
};

function amounts(row: Pick<TaxRow, keyof typeof noTaxes>, returnsBy: ReturnDay) {
  const total = row.goods_cents + row.fees_cents;
  const refunded = returnsBy === 'day-of-return' ? row.refunded_cents : row.later_refunded_cents;
  return {
    orders: row.orders,
    taxable: row.taxable_cents,
    goods: row.goods_cents,
    fees: row.fees_cents,
    total,
    exempted: row.exempted_cents,
    refunded,
    due: total - refunded,
  };
}
