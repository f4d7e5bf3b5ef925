import { sumCents } from '../../engines/pricing/exact-amounts.ts';
import { priceCart } from '../../engines/pricing/price-cart.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import { discountsOnLines } from '../promotions/promotions.ts';

/** A discount of an order whose condition the goods that stay with the customer no longer fulfil. */
export interface BrokenReward {
  readonly discountId: number;
  readonly description: string;
  /** What the goods that stay cost less by it than they would now. */
  readonly amountCents: number;
}

/**
 * The rewards that a return breaks (D89): what the goods that stay cost less by each discount than the same discounts would give on
 * these goods alone. A return of all goods breaks none. A discount that goes by each unit gives what it gave; the cents that shares
 * are rounded by are no break. `returned` are the units of all returns together, by the id of the order's line.
 */
export function brokenRewards(order: OrderRecord, returned: ReadonlyMap<number, number>): BrokenReward[] {
  if (order.discounts.length === 0) return [];
  const staying = order.lines.map((line) => ({
    line,
    quantity: line.quantity - (returned.get(line.id) ?? 0),
  }));
  const kept = staying.filter(({ quantity }) => quantity > 0);
  if (kept.length === 0) return [];
  const { terms, productTags } = order.head.asked;
  const tagsOf = ({ id, productId }: OrderRecord['lines'][number]) => [
    ...(productTags?.find((it) => it.productId === productId)?.tagIds ?? []),
    // A line had the tags that its discounts were for; an edit of the order may have come after they were taken off the product.
    ...terms.discounts.flatMap(({ row }) =>
      order.discounts.some((it) => it.discountId === row.id && it.orderLineItemId === id) ? row.tag_ids : [],
    ),
    // Of an order that kept no tags it is not known what was bought for them: no reward is told as broken by a guess.
    ...(productTags === undefined ? terms.discounts.flatMap(({ row }) => row.buy_targets?.tagIds ?? []) : []),
  ];
  const priced = priceCart({
    lines: kept.map(({ line, quantity }) => ({
      ...{ productOptionId: line.productOptionId, productId: line.productId, quantity },
      ...{ productCategoryId: line.productCategoryId, productBrandId: line.productBrandId },
      ...{ priceCents: line.optionPriceCents, salesPriceCents: line.optionSalesPriceCents },
      givenPriceCents: line.unitPriceCents,
      productTagIds: tagsOf(line),
    })),
    ...{ taxes: [], taxExempt: false, deliveryFee: null, payments: [] },
    discountLimits: { budtenderPercent: null, managerPercent: null, maximumPercent: terms.maximumPercent },
    discounts: discountsOnLines(terms, order.head.type, order.head.asked),
  });
  const givenNow = new Map<number, number>();
  for (const used of [...priced.lines.flatMap((line) => line.discounts), ...priced.discounts]) {
    givenNow.set(used.id, (givenNow.get(used.id) ?? 0) + used.amountUsedCents);
  }
  const finalCents = sumCents(order.lines, (line) => line.finalPriceCents);
  const keptFinalCents = sumCents(kept, ({ line, quantity }) =>
    Math.floor((line.finalPriceCents * quantity) / line.quantity),
  );
  const hadCents = new Map<number, { description: string; cents: number }>();
  for (const { discountId, orderLineItemId, amountUsedCents, description } of order.discounts) {
    const part = staying.find(({ line }) => line.id === orderLineItemId);
    const cents =
      part !== undefined
        ? Math.floor((amountUsedCents * part.quantity) / part.line.quantity)
        : finalCents === 0
          ? 0
          : Math.floor((amountUsedCents * keptFinalCents) / finalCents);
    const before = hadCents.get(discountId)?.cents ?? 0;
    hadCents.set(discountId, { description, cents: before + cents });
  }
  const roundingCents = order.lines.length;
  return [...hadCents]
    .map(([discountId, { description, cents }]) => ({
      ...{ discountId, description },
      amountCents: cents - (givenNow.get(discountId) ?? 0),
    }))
    .filter(({ discountId, amountCents }) => amountCents > (givenNow.has(discountId) ? roundingCents : 0));
}
