import type { DiscountableLine } from './discounts/discount-settings.ts';
import type { UsedDiscount } from './priced-cart.ts';
import type { CartLine } from './pricing-facts.ts';

/** A line on its way through the steps: each step takes away from what the one before has left. */
export interface WorkingLine extends DiscountableLine {
  readonly line: CartLine;
  readonly subtotalPriceCents: number;
  /** What the line's discounts have left. */
  finalPriceCents: number;
  /** What the order's discounts and the loyalty rewards have left of that. */
  grossCents: number;
  discounts: readonly UsedDiscount[];
}
