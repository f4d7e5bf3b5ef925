import type { CannabisType } from '../goods/cannabis-type.ts';
import type { TaxBasis } from '../goods/tax-basis.ts';
import type { Duties } from './duty.ts';
import type { Provenance, Quantity, Sourced } from './sourced.ts';

export type { Confidence, LocalDate, Provenance, Quantity, Sourced } from './sourced.ts';

/** The customers of a limit or an age. The narrower two matter only where a state has separate rules for them. */
export type Audience = 'adult-use' | 'adult-use-non-resident' | 'medical' | 'medical-under-21';

export interface MinimumAge extends Sourced {
  readonly audience: 'adult-use' | 'medical';
  readonly years: number;
}

export type LimitWindow =
  | { readonly kind: 'transaction' }
  | { readonly kind: 'local-day' }
  | { readonly kind: 'rolling-days'; readonly days: number }
  | { readonly kind: 'calendar-month' };

/**
 * `amount` of a form counts as `uses` of its limit: a fact with a source and an age of its own. It is in force as long as
 * its limit.
 */
export interface Equivalence extends Provenance {
  /** `amount` is of the THC in the form; absent: of its content. */
  readonly of?: 'thc';
  readonly amount: Quantity;
  readonly uses: Quantity;
}

/** Content uses up its own amount of the limit, or counts by an equivalence. */
export type Counting = 'one-to-one' | Equivalence;

/**
 * One limit. Independent limits are separate rules; a weighted sum is one rule that counts several types; a
 * sub-limit is one more rule on a part of such a sum. It is the rule that `purchase-limits` checks, with its
 * source.
 */
export interface StateLimitRule extends Sourced {
  readonly audience: Audience;
  /** Unique among the rules in force for an audience. */
  readonly name: string;
  readonly window: LimitWindow;
  /** The unit in which the law writes the limit. */
  readonly cannabisType: CannabisType;
  readonly limit: Quantity;
  /** Types without an entry do not count. */
  readonly counts: Readonly<Partial<Record<CannabisType, Counting>>>;
}

/**
 * The law on patients and a tax. owe: the law charges them. exempt: the law exempts them. other-tax: they pay
 * another rate, which is a separate tax for the customer type `medical`. not-known: neither was found, and the
 * preset does not charge them until the owner decides.
 */
export interface PatientsRule {
  readonly rule: 'owe' | 'exempt' | 'other-tax' | 'not-known';
  /** What was read, or not found, in words. */
  readonly text: string;
}

/** A tax as `pricing` charges it, with cannabis types in place of an organization's categories. */
export interface PresetTax extends Sourced {
  readonly description: string;
  /** Percent as decimal text; 0 beside a basis. */
  readonly rate: string;
  /** What it is charged on, where that is not one percentage of the price. */
  readonly basis?: TaxBasis;
  readonly tier: '1' | '2' | '3' | '4' | '5';
  readonly type: 'standard' | 'excise' | 'california-excise';
  readonly included: boolean;
  /** True only where the law includes the lower tiers in the base. */
  readonly encompass: boolean;
  /** The customers who pay the tax. */
  readonly customerType: 'all' | 'adult-use' | 'medical';
  readonly patients: PatientsRule;
  readonly appliesToFees: boolean;
  readonly rounding: 'half-up' | 'up';
  readonly excludedCannabisTypes: readonly CannabisType[];
  /** Products on which exempt patients owe the tax, too. */
  readonly nonExemptableCannabisTypes: readonly CannabisType[];
}

/**
 * A part of the law that the facts of a state do not cover. not-looked-up: the text was not searched for it.
 * not-found: the text was searched and does not contain it. disputed: sources contradict each other.
 * not-expressible: known, but no field of the product can hold it. local: a city, county or district decides
 * it. doubtful: only one weak source says so; owners are warned, with the source. note: advice for setting up
 * the shop.
 */
export interface Gap {
  readonly kind: GapKind;
  readonly text: string;
  /** The source of a doubtful gap. */
  readonly source?: string;
}

export type GapKind =
  | 'not-looked-up'
  | 'not-found'
  | 'disputed'
  | 'not-expressible'
  | 'local'
  | 'doubtful'
  | 'note';

export interface Jurisdiction {
  /** Two capitals. */
  readonly state: string;
  readonly name: string;
  readonly minimumAges: readonly MinimumAge[];
  readonly purchaseLimits: readonly StateLimitRule[];
  readonly taxes: readonly PresetTax[];
  /** The law bars free cannabis: the floor of a cannabis line is above 0. */
  readonly freeProductsBarred: Sourced | null;
  /** Taxes are charged on prices before discounts. */
  readonly taxedBeforeDiscounts: Sourced | null;
  /**
   * A discount on cannabis must not depend on the sale of another item. Such discounts are not refused: staff
   * are warned.
   */
  readonly tiedDiscountsBarred: Sourced | null;
  /** What a shop may do and has to do (D92). Absent in editions that were made before duties: nothing was looked up. */
  readonly duties?: Duties;
  /** The gaps, each with its reason; for people. */
  readonly gaps: readonly Gap[];
}
