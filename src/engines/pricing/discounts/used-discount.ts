import type { UsedDiscount } from '../priced-cart.ts';
import type { DiscountSettings } from './discount-settings.ts';

/** A discount with its reduction, as results list it. */
export function usedDiscount(
  { id, type, amount, description }: DiscountSettings,
  amountUsedCents: number,
): UsedDiscount {
  return { id, type, amount, amountUsedCents, description };
}
