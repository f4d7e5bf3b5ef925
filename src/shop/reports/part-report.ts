import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { addDays } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import {
  type PartRow,
  selectSalesByCustomer,
  selectSalesByDiscount,
  selectSalesByVendor,
} from './part-report-queries.ts';
import { readRange } from './report-range.ts';

/** Parts of sales that no sums are kept of, each with its statement. */
const statementOf = {
  vendor: selectSalesByVendor,
  customer: selectSalesByCustomer,
  discount: selectSalesByDiscount,
} as const;

export const salesParts = ['vendor', 'customer', 'discount'] as const;
export type SalesPart = keyof typeof statementOf;

/** The orders themselves are read. */
export const partDaysMax = 92;

/**
 * The sales of the requested business days by vendor, customer or discount, largest first, as they turned out since. Fails with
 * INVALID_PARAMS for more days than are read at once.
 */
export async function partReport(
  context: Context,
  organization: OrganizationId,
  asked: { readonly from?: string; readonly to?: string; readonly by?: SalesPart },
) {
  const { by = 'vendor' } = asked;
  const { from, to, parameters } = await readRange(context, organization, asked);
  if (addDays(from, partDaysMax) <= to) {
    throw failure('INVALID_PARAMS', `from and to must span at most ${partDaysMax} days.`);
  }
  const range = { from: parameters.from, until: parameters.until };
  const [found] = await context.database.read(organization, statementOf[by](range));
  const total = found.find((row) => row.is_total);
  const rows = found
    .filter((row) => !row.is_total)
    .map((row) => ({ key: row.key ?? '', name: row.name ?? '', ...amounts(row) }));
  return { from, to, by, rows, total: total ? amounts(total) : nothing };
}

const nothing = {
  ...{ orders: 0, units: 0, gross: 0, discounts: 0, net: 0, cost: 0, margin: 0 },
  ...{ refunds: 0, netAfterRefunds: 0 },
};

function amounts(row: PartRow): typeof nothing {
  return {
    orders: row.orders,
    units: row.units,
    gross: row.gross_cents,
    discounts: row.discounts_cents,
    net: row.net_cents,
    cost: row.cost_cents,
    margin: row.net_cents - row.cost_cents,
    refunds: row.refunds_cents,
    netAfterRefunds: row.net_cents - row.refunds_cents,
  };
}
