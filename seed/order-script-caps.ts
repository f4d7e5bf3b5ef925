import type { CannabisType } from '../src/engines/goods/cannabis-type.ts';
import type { ShopContent } from './shop-content.ts';

/** A weighted sum of a day's contents; at most `max`. */
export interface PurchaseCap {
  readonly max: number;
  readonly weights: Partial<Readonly<Record<CannabisType, number>>>;
}

const gramsPerOunce = 28.349523125;

/**
 * Adult-use limits that the history keeps, for patients and by the day in both states: never looser than the
 * law. California has independent buckets (4 CCR 15409(a)); Michigan one sum of equivalents of 2.5 oz with at
 * most 15 g of concentrate in it (R 420.506). Michigan names no limit for plants.
 */
export const purchaseCapsByState: Readonly<
  Record<ShopContent['organization']['state'], readonly PurchaseCap[]>
> = {
  CA: [
    { max: 28.5, weights: { 'non-concentrated': 1 } },
    { max: 8000, weights: { concentrated: 1 } },
    { max: 6, weights: { 'immature-plant': 1 } },
  ],
  MI: [
    {
      // Slightly under 2.5, for the rounding of the sum.
      max: 2.499,
      weights: {
        'non-concentrated': 1 / gramsPerOunce,
        concentrated: 1 / (gramsPerOunce * 1000),
        'mi-infused-solids': 1 / 16,
        'mi-infused-fluids': 1 / 36,
      },
    },
    { max: 15_000, weights: { concentrated: 1 } },
    { max: 6, weights: { 'immature-plant': 1 } },
  ],
};
