import type { PriceStep } from '../price-step.ts';

/** What a discount is on. A line matches when any list names it; five empty lists match every line. */
export interface DiscountTargets {
  readonly productIds: readonly number[];
  readonly optionIds: readonly number[];
  readonly categoryIds: readonly number[];
  readonly brandIds: readonly number[];
  readonly tagIds: readonly number[];
}

export type CartOrderType = 'delivery' | 'pickup' | 'in-store';

/** Some minutes of some days, by the organization's clock. */
export interface ScheduleWindow {
  /** The days on which the window opens: 1 (Monday) to 7 (Sunday). */
  readonly days: readonly number[];
  /** 0 to 1439. */
  readonly fromMinute: number;
  /** Not included, at most 1440. Not after `fromMinute`: the window closes on the next day. */
  readonly toMinute: number;
}

/** All must hold. An empty list, null or false asks nothing. */
export interface DiscountConditions {
  readonly orderTypes: readonly CartOrderType[];
  /** The customer is in any of them. */
  readonly customerGroupIds: readonly number[];
  /** Least sum of the lines' subtotals, before any discount: no discount can switch another off. */
  readonly minimumSubtotalCents: number | null;
  readonly firstOrder: boolean;
  readonly birthdayMonth: boolean;
  /** Any of the windows is open. */
  readonly schedule: readonly ScheduleWindow[];
  /** First instant, in milliseconds since the epoch. */
  readonly startsAtMs: number | null;
  /** First instant that is too late, in milliseconds since the epoch. */
  readonly endsAtMs: number | null;
}

/** A term that only some kinds have: how many units, from 1 up, or goods. */
export interface OwnTerm {
  readonly is: 'units' | 'targets';
  /** Otherwise it may be null. */
  readonly required: boolean;
}

/** What the settings mean for a kind. Staff's schema, checks, columns and the laws of pricing follow from it. */
export interface KindTerms {
  /** A flat amount may count for each unit (`perUnit`). */
  readonly perUnit: boolean;
  /** What `maximumAmountCents` limits: what is taken from each line, or from the order. */
  readonly maximumOf: 'line' | 'order';
  /** What `usesPerOrder` counts; null: the kind does not count. */
  readonly usesCount: 'lines' | 'groups' | null;
  /** Terms that other kinds do not have, by name. Each has a nullable column of that name in snake case. */
  readonly own: Readonly<Record<string, OwnTerm>>;
}

/** A discount as its organization set it up, but for its kind (`discount-kinds.ts`); `Own` are the kind's own terms. */
export interface DiscountSettings<Own extends object = object> {
  readonly id: number;
  readonly description: string;
  readonly type: 'flat' | 'percent';
  /** Decimal text: whole cents when flat, percent (0 to 100, at most 6 decimals) when percent. */
  readonly amount: string;
  /** A flat amount counts for each unit instead of once for the line. Of kinds whose `terms` say so. */
  readonly perUnit: boolean;
  /** The most it takes: from each line by itself or from the order, as the kind's `terms` say. */
  readonly maximumAmountCents: number | null;
  readonly targets: DiscountTargets;
  readonly conditions: DiscountConditions;
  readonly trigger: 'automatic' | 'code' | 'manual';
  /** For trigger `code`; upper and lower case are the same. */
  readonly codes: readonly string[];
  readonly stackable: boolean;
  /** Lower goes first; then the lower id. */
  readonly priority: number;
  /** How often it works within an order: lines or groups, as the kind's `terms` say. */
  readonly usesPerOrder: number | null;
  /** How many orders may still use it, this one included; null: any number. */
  readonly usesLeft: number | null;
  /** How many orders of this customer may still use it, this one included; null: any number. */
  readonly usesLeftForCustomer: number | null;
  /** Null: the kind has none. */
  readonly ownTerms: Own | null;
}

/** A line of the cart as discounts see it. What is left of it at a moment stands beside, in `leftCents`. */
export interface DiscountableLine {
  readonly productOptionId: number;
  readonly productId: number;
  readonly productCategoryId: number;
  readonly productBrandId: number | null;
  readonly productTagIds: readonly number[];
  readonly quantity: number;
  readonly unitPriceCents: number;
  /** What discounts must leave of the line (step 5). */
  readonly floorCents: number;
}

/** A kind that works in step 2, on what is left of the lines. */
export interface LineLevelRule<Own extends object = object> {
  readonly level: 'line';
  readonly terms: KindTerms;
  /**
   * What the discount takes, beside the lines: whole cents, nothing from a line that does not match, and
   * from no line more than stands between `leftCents` and the line's floor.
   */
  take(
    discount: DiscountSettings<Own>,
    lines: readonly DiscountableLine[],
    leftCents: readonly number[],
    steps: PriceStep[] | null,
  ): number[];
}

/** A kind that works in step 4, on what is left of the total price. */
export interface OrderLevelRule<Own extends object = object> {
  readonly level: 'order';
  readonly terms: KindTerms;
  /** What the discount would take of the total; its maximum, the cap, the lines and the floor come after. */
  want(discount: DiscountSettings<Own>, totalLeftCents: number, steps: PriceStep[] | null): number;
}

export type DiscountRule = LineLevelRule | OrderLevelRule;
