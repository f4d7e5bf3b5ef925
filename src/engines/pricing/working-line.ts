import type { DiscountableLine } from './discounts/discount-settings.ts';
import type { UsedDiscount } from './priced-cart.ts';
import type { CartLine } from './pricing-facts.ts';

/** A line between the steps: each step reduces the rest of the one before. */
export interface WorkingLine extends DiscountableLine {
  readonly line: CartLine;
  readonly subtotalPriceCents: number;
  /** The rest after the line's discounts. */
  finalPriceCents: number;
  /** The rest after the order's discounts and the loyalty rewards. */
  grossCents: number;
  discounts: readonly UsedDiscount[];
}
