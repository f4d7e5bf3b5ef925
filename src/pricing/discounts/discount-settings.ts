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

/** For every `buyQuantity` units bought, `getQuantity` more are cheaper. Both are whole and at least 1. */
export interface BuyXGetY {
  readonly buyQuantity: number;
  readonly getQuantity: number;
  /** The units that have to be bought, when they are not simply the discount's own targets. */
  readonly buyTargets: DiscountTargets | null;
}

/** A discount as its organization set it up, but for its kind (`discount-kinds.ts`). */
export interface DiscountSettings {
  readonly id: number;
  readonly description: string;
  readonly type: 'flat' | 'percent';
  /** Decimal text: whole cents when flat, percent (0 to 100, at most 6 decimals) when percent. */
  readonly amount: string;
  /** A flat amount of kind `line` or `product` counts for each unit instead of once for the line. */
  readonly perUnit: boolean;
  /** The most it takes: from each line by itself (kinds `line` and `product`), or from the order (the others). */
  readonly maximumAmountCents: number | null;
  readonly targets: DiscountTargets;
  readonly conditions: DiscountConditions;
  readonly trigger: 'automatic' | 'code' | 'manual';
  /** For trigger `code`; upper and lower case are the same. */
  readonly codes: readonly string[];
  readonly stackable: boolean;
  /** Lower goes first; then the lower id. */
  readonly priority: number;
  /** How often it works within an order: lines for kinds `line` and `product`, groups for `buy-x-get-y`. */
  readonly usesPerOrder: number | null;
  /** How many orders may still use it, this one included; null: any number. */
  readonly usesLeft: number | null;
  /** How many orders of this customer may still use it, this one included; null: any number. */
  readonly usesLeftForCustomer: number | null;
  /** For kind `buy-x-get-y`. */
  readonly buyXGetY: BuyXGetY | null;
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
export interface LineLevelRule {
  readonly level: 'line';
  /**
   * What the discount takes, beside the lines: whole cents, nothing from a line that does not match, and
   * from no line more than stands between `leftCents` and the line's floor.
   */
  take(
    discount: DiscountSettings,
    lines: readonly DiscountableLine[],
    leftCents: readonly number[],
    steps: PriceStep[] | null,
  ): number[];
}

/** A kind that works in step 4, on what is left of the total price. */
export interface OrderLevelRule {
  readonly level: 'order';
  /** What the discount would take of the total; its maximum, the cap, the lines and the floor come after. */
  want(discount: DiscountSettings, totalLeftCents: number, steps: PriceStep[] | null): number;
}

export type DiscountRule = LineLevelRule | OrderLevelRule;
