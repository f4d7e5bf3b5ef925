import type { CannabisType } from '../kernel/cannabis-type.ts';
import type { ContentUnit } from '../kernel/content-units.ts';
import type { LimitWindow } from './limit-window.ts';

/** An amount as a law writes it: converted only when it is compared. */
export interface Quantity {
  /** Decimal text, above 0. */
  readonly amount: string;
  readonly unit: ContentUnit;
}

/**
 * How content uses up a limit: its own amount, or so that `amount` of it counts as `uses`. `uses` is of the
 * limit's dimension (mass, volume, number), `amount` of the content's.
 */
export type Counting = 'one-to-one' | { readonly amount: Quantity; readonly uses: Quantity };

/**
 * One cap. The three models of D36 are made of caps: independent caps are several that each count what is
 * theirs; a weighted sum is one that counts several types; a sub-cap is one more, on a part of such a sum.
 */
export interface PurchaseLimitRule {
  readonly name: string;
  readonly window: LimitWindow;
  /** In whose terms the limit is written. */
  readonly cannabisType: CannabisType;
  /** At most 6 decimals. */
  readonly limit: Quantity;
  /** Types that are not named do not count. */
  readonly counts: Readonly<Partial<Record<CannabisType, Counting>>>;
}
