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
 * How content uses up a limit: by its own amount, or `amount` of it counts as `uses`. `uses` has the limit's dimension
 * (mass, volume, number), `amount` the content's.
 */
export type Counting = 'one-to-one' | { readonly amount: Quantity; readonly uses: Quantity };

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
