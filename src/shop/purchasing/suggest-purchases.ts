import { decimal, decimalText, roundUp, zero } from '../../kernel/decimal.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectStockNeeds } from '../inventory/stock.ts';
import { ordersLookedThrough, selectBoughtItems, selectShopZone } from './purchase-suggestion-queries.ts';

/** Sales of so many weeks say what sells. */
export const soldWeeks = 4;
export const weeksDefault = 2;
export const weeksMax = 12;
/** Items of a reply. */
export const suggestionsMax = 200;

const weekMs = 7 * 86_400_000;

/**
 * How much to buy so that the stock lasts for `weeks`, in whole units: what sold in four weeks, divided by four, times `weeks`, less
 * what can be sold and what is on order, rounded up. `0` if there is enough. Exact.
 */
export function suggestedAmount({
  sold,
  onHand,
  onOrder,
  weeks,
}: {
  readonly sold: string;
  readonly onHand: string;
  readonly onOrder: string;
  readonly weeks: number;
}): string {
  // A quarter as a decimal, because a division would round.
  const needed = decimal(sold).times(weeks).times('0.25');
  const lacking = roundUp(needed.minus(onHand).minus(onOrder), 0);
  return decimalText(lacking.gt(zero) ? lacking : zero);
}

/**
 * Items that do not last for `weeks` at the sales of the last four, the shortest lasting first, each with what to buy and from whom
 * it was bought last (D49). Three statements, whatever there is.
 */
export async function suggestPurchases(
  { database, clock }: Context,
  organization: OrganizationId,
  weeks: number,
) {
  const nowMs = clock.now();
  const [[zone]] = await database.read(organization, selectShopZone({}));
  const sinceMs = nowMs - soldWeeks * weekMs;
  const [needs] = await database.read(
    organization,
    selectStockNeeds({
      ...{ weeks, ofWeeks: soldWeeks, rowsMax: suggestionsMax, since: isoTimestamp(sinceMs) },
      today: localDateAt(nowMs, zone!.tz),
    }),
  );
  const productIds = [...new Set(needs.map(({ product_id }) => product_id))];
  const [bought] = await database.read(
    organization,
    selectBoughtItems({ productIds, ordersMax: ordersLookedThrough }),
  );
  const keyOf = (productId: number, optionId: number | null) => `${productId} ${optionId ?? 0}`;
  const known = new Map(bought.map((row) => [keyOf(row.product_id, row.product_option_id), row]));
  return {
    since: isoTimestamp(sinceMs),
    weeks,
    count: needs[0]?.count ?? 0,
    items: needs.map((row) => {
      const last = known.get(keyOf(row.product_id, row.product_option_id));
      const amounts = { sold: row.sold, onHand: row.on_hand, onOrder: last?.on_order ?? '0' };
      return {
        productId: row.product_id,
        productOptionId: row.product_option_id === 0 ? null : row.product_option_id,
        productName: row.product_name,
        optionName: row.option_name,
        unit: row.unit,
        ...amounts,
        suggested: suggestedAmount({ ...amounts, weeks }),
        inventoryVendorId: last?.vendor_id ?? null,
        vendorName: last?.vendor_name ?? null,
        costPerUnit: last?.cost_per_unit ?? null,
        lastOrderedAt: last ? isoTimestamp(last.ordered_at) : null,
      };
    }),
  };
}
