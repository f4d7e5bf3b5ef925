import type { Discount } from './discounts/discount-kinds.ts';
import type { DiscountTargets } from './discounts/discount-settings.ts';
import type { CartLine } from './pricing-facts.ts';
import { nearest, over, percent, times, whole } from './reference-rational.test-support.ts';

/** Shared by the reference kinds of discount (see `reference-pricing`). */

/** A line of the cart and its rest. */
export interface Good {
  readonly line: CartLine;
  readonly unitCents: number;
  readonly leastCents: number;
  left: number;
}

export const mayTake = (good: Good, cents: number): number =>
  Math.max(0, Math.min(cents, good.left - good.leastCents));

function isOn(targets: DiscountTargets, line: CartLine): boolean {
  const named: [readonly number[], readonly number[]][] = [
    [targets.productIds, [line.productId]],
    [targets.optionIds, [line.productOptionId]],
    [targets.categoryIds, [line.productCategoryId]],
    [targets.brandIds, line.productBrandId == null ? [] : [line.productBrandId]],
    [targets.tagIds, line.productTagIds ?? []],
  ];
  const isForAll = named.every(([ids]) => ids.length === 0);
  return isForAll || named.some(([ids, own]) => own.some((id) => ids.includes(id)));
}

/** Whether a discount reduces a line that these targets of it match: not one on sale, where the discount says so. */
export function isTouched(discount: Discount, line: CartLine, targets = discount.targets): boolean {
  const isOnSale = line.salesPriceCents !== null && line.salesPriceCents < line.priceCents;
  return isOn(targets, line) && (!discount.conditions.excludeSaleItems || !isOnSale);
}

/** Percent or flat of `units` of the `of` units, which have `left` left. */
export function worth(
  discount: Pick<Discount, 'type' | 'amount'>,
  left: number,
  units = 1,
  of = 1,
  times_ = 1,
): number {
  const part = over(whole(left * units), whole(of));
  if (discount.type === 'percent') return nearest(times(part, percent(discount.amount)));
  return Math.min(nearest(part), Number(discount.amount) * times_);
}
