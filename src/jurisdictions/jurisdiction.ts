import type { CannabisType } from '../kernel/cannabis-type.ts';

/** A local calendar day, `YYYY-MM-DD`. */
export type LocalDate = string;

/**
 * Where a fact comes from, and how old it is. A fact whose confidence would be low is not a fact here: it is a gap of
 * the kind `doubtful`, which owners are warned of.
 */
export interface Sourced {
  /** The law. */
  readonly citation: string;
  /** First day; null: in force before 2024. */
  readonly effectiveFrom: LocalDate | null;
  /** Last day; null: open. */
  readonly effectiveTo: LocalDate | null;
  /**
   * high: a primary text, with nothing pending against it. medium: secondary sources that agree, or a primary text that
   * is old or partial. High becomes medium a year after the text was read (`confidenceOn`).
   */
  readonly confidence: Confidence;
  /** What was read, and what to know before relying on it. */
  readonly source: string;
  /** Where the law, or the page that was read, can be opened; null: no public address is on record. */
  readonly link: string | null;
  /** primary: the text of the law, or a page of its authority. secondary: what others wrote about it. */
  readonly sourceKind: 'primary' | 'secondary';
  /** The day on which the source was read. */
  readonly readOn: LocalDate;
  /** The date of the text, as exactly as it is known: `2021`, `2021-07` or `2021-07-14`; null: the text has none. */
  readonly textOf: string | null;
  /** A change that is known to be coming, in words; null: none is known. */
  readonly pending: string | null;
}

export type Confidence = 'high' | 'medium';

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

/**
 * What the law says of patients and a tax. owe: the law was read to charge them. exempt: it was read to spare them.
 * other-tax: it charges them another rate, which is a tax of its own for the customer type `medical`. not-known: neither
 * was read, and the preset does not charge them until the owner has decided.
 */
export interface PatientsRule {
  readonly rule: 'owe' | 'exempt' | 'other-tax' | 'not-known';
  /** What was read, or what was not, in words. */
  readonly text: string;
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
  /** Whose purchases the tax is charged on. */
  readonly customerType: 'all' | 'adult-use' | 'medical';
  readonly patients: PatientsRule;
  readonly appliesToFees: boolean;
  readonly rounding: 'half-up' | 'up';
  readonly excludedCannabisTypes: readonly CannabisType[];
  /** Goods on which also an exempt patient owes the tax. */
  readonly nonExemptableCannabisTypes: readonly CannabisType[];
}

/**
 * Something that the law says and the facts of a state cannot, or do not. not-looked-up: the text was not read for it.
 * not-found: the text was read, and does not say it. disputed: sources contradict each other. not-expressible: known, but
 * no field of the product can hold it. local: a city, county or district decides. doubtful: one weak source says it;
 * owners are warned of it, with the source. note: what to know when setting the shop up.
 */
export interface Gap {
  readonly kind: GapKind;
  readonly text: string;
  /** Who says it, of a doubtful one. */
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
  /** Free cannabis is barred: the floor of a cannabis line is above 0. */
  readonly freeProductsBarred: Sourced | null;
  /** The taxes are charged on prices before discounts. */
  readonly taxedBeforeDiscounts: Sourced | null;
  /** A discount on cannabis may not hang on the sale of another item. Nothing is refused: staff are warned. */
  readonly tiedDiscountsBarred: Sourced | null;
  /** What is missing, each with the reason; for people. */
  readonly gaps: readonly Gap[];
}
