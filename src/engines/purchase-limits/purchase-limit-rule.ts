import type { CannabisType } from '../goods/cannabis-type.ts';
import type { ContentUnit } from '../goods/content-units.ts';

/** The window of a limit, in local days of the organization (D36). */
export type LimitWindow =
  | { readonly kind: 'transaction' }
  | { readonly kind: 'local-day' }
  | { readonly kind: 'rolling-days'; readonly days: number }
  | { readonly kind: 'calendar-month' };

/** An amount in the law's own unit: converted only for comparisons. */
interface Quantity {
  /** Decimal text, above 0. */
  readonly amount: string;
  readonly unit: ContentUnit;
}

/**
 * How a product uses up a limit: its content by its own amount, or `amount` of it (of its THC, where it says so) counts as `uses`. `uses` has
 * the limit's dimension (mass, volume, number), `amount` that of what is counted.
 */
export type Counting =
  | 'one-to-one'
  | { readonly amount: Quantity; readonly uses: Quantity; readonly of?: 'thc' };

/**
 * One cap. The three models of D36 consist of caps: independent caps are several that each count their own types; a
 * weighted sum is one that counts several types; a sub-cap is another one on a part of such a sum.
 */
export interface PurchaseLimitRule {
  readonly name: string;
  readonly window: LimitWindow;
  /** The type whose unit the limit uses. */
  readonly cannabisType: CannabisType;
  /** At most 6 decimals. */
  readonly limit: Quantity;
  /** Types that are not listed do not count. */
  readonly counts: Readonly<Partial<Record<CannabisType, Counting>>>;
}
