import { buyXGetYDiscount } from './buy-x-get-y.ts';
import type { DiscountRule, DiscountSettings } from './discount-settings.ts';
import { lineDiscount } from './line.ts';
import { orderDiscount } from './order.ts';
import { productDiscount } from './product.ts';

/**
 * All kinds of discount. To add one: write its file beside these (`line.ts` and `order.ts` show the two
 * levels), with a doc comment that says precisely what it takes, and add its line here. Conditions,
 * triggers, stacking, best-of, cap, floor and totals are not its business; `amountOff`, `trimTo` and `spread`
 * keep its cents whole and its steps explained. The second reading in `naive-discounts.test-support.ts`
 * then does not compile until it knows the kind too.
 */
export const discountKinds = {
  line: lineDiscount,
  product: productDiscount,
  'buy-x-get-y': buyXGetYDiscount,
  order: orderDiscount,
} as const satisfies Record<string, DiscountRule>;

export type DiscountKind = keyof typeof discountKinds;

/** A discount as the engine is told of it. */
export interface Discount extends DiscountSettings {
  readonly kind: DiscountKind;
}
