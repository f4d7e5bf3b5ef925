import type { CannabisType } from '../kernel/cannabis-type.ts';

/** A local calendar day, `YYYY-MM-DD`. */
export type LocalDate = string;

/** Where every datum comes from. What only one secondary source says is not in this folder at all. */
export interface Sourced {
  /** The law. */
  readonly citation: string;
  /** First day; null: in force before 2024. */
  readonly effectiveFrom: LocalDate | null;
  /** Last day; null: open. */
  readonly effectiveTo: LocalDate | null;
  /** high: official text, or reports of it that leave no doubt. medium: sources that agree, or an old official text. */
  readonly confidence: 'high' | 'medium';
  /** What was read, and what to know before relying on it. */
  readonly source: string;
}

/** Whose purchases a limit or an age is for. The narrower two matter only where a state tells them apart. */
export type Audience = 'adult-use' | 'adult-use-non-resident' | 'medical' | 'medical-under-21';

export interface MinimumAge extends Sourced {
  readonly audience: 'adult-use' | 'medical';
  readonly years: number;
}

/** As the law writes it: "1 oz" is not "28 g". */
export interface Quantity {
  /** Decimal text. */
  readonly amount: string;
  readonly unit: 'mg' | 'g' | 'oz' | 'fl oz' | 'count';
}

export type LimitWindow =
  | { readonly kind: 'transaction' }
  | { readonly kind: 'local-day' }
  | { readonly kind: 'rolling-days'; readonly days: number }
  | { readonly kind: 'calendar-month' };

/** Content uses up its own amount of the limit, or `amount` of it counts as `uses`. */
export type Counting = 'one-to-one' | { readonly amount: Quantity; readonly uses: Quantity };

/**
 * One cap. Independent caps are several, a weighted sum is one that counts several types, a sub-cap is one
 * more on a part of such a sum: the rule that `purchase-limits` checks, with its source.
 */
export interface StateLimitRule extends Sourced {
  readonly audience: Audience;
  /** Unique among the rules in force for an audience. */
  readonly name: string;
  readonly window: LimitWindow;
  /** In whose terms the limit is written. */
  readonly cannabisType: CannabisType;
  readonly limit: Quantity;
  /** Types that are not named do not count. */
  readonly counts: Readonly<Partial<Record<CannabisType, Counting>>>;
}

/** A tax as `pricing` charges it, with types of cannabis where an organization has categories. */
export interface PresetTax extends Sourced {
  readonly description: string;
  /** Percent as decimal text. */
  readonly rate: string;
  readonly tier: '1' | '2' | '3' | '4' | '5';
  readonly type: 'standard' | 'excise' | 'california-excise';
  readonly included: boolean;
  /** True only where the law puts the lower tiers into the base. */
  readonly encompass: boolean;
  /** True only where a patient's card alone exempts every cannabis product. */
  readonly exemptable: boolean;
  readonly appliesToFees: boolean;
  readonly rounding: 'half-up' | 'up';
  readonly excludedCannabisTypes: readonly CannabisType[];
  readonly nonExemptableCannabisTypes: readonly CannabisType[];
  /** What the law grants patients, in words; null: nothing confirmed. */
  readonly medicalExemption: string | null;
}

export interface Jurisdiction {
  /** Two capitals. */
  readonly state: string;
  readonly name: string;
  /** The day the file was compiled; the newest material is some months older. */
  readonly asOf: LocalDate;
  readonly minimumAges: readonly MinimumAge[];
  readonly purchaseLimits: readonly StateLimitRule[];
  readonly taxes: readonly PresetTax[];
  /** Free cannabis is barred: the floor of a cannabis line is above 0. */
  readonly freeProductsBarred: Sourced | null;
  /** The taxes are charged on prices before discounts. */
  readonly taxedBeforeDiscounts: Sourced | null;
  /** A discount on cannabis may not hang on the sale of another item. Nothing is refused: staff are warned. */
  readonly tiedDiscountsBarred: Sourced | null;
  /** What the law says and this file cannot, each with the reason; for people. */
  readonly notCovered: readonly string[];
}
