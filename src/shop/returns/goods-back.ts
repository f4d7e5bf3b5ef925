import type { GoodsBack } from '../orders/report-order.ts';
import type { LineToReturn } from './decide-return.ts';
import type { ReturnedLineRow } from './return-queries.ts';

/** What came back of an order, as its state is told: of earlier returns and of the one that is made now. */
export function goodsBack(
  returned: readonly ReturnedLineRow[],
  lines: readonly LineToReturn[] = [],
): GoodsBack[] {
  return [
    ...returned.map((row) => ({
      orderLineItemId: row.order_line_item_id,
      goodsCents: row.subtotal_cents - row.discounts_cents - row.loyalty_cents,
      ...{ taxes: row.tax_shares, stock: row.fulfillment_shares },
    })),
    ...lines.map(({ orderLineItemId, parts, stock }) => ({
      orderLineItemId,
      goodsCents: parts.subtotalCents - parts.discountsCents - parts.loyaltyCents,
      ...{ taxes: parts.taxes, stock },
    })),
  ];
}
