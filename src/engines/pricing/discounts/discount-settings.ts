import type { PriceStep } from '../price-step.ts';

/** The targets of a discount. A line matches when any list names it; five empty lists match every line. */
export interface DiscountTargets {
  readonly productIds: readonly number[];
  readonly optionIds: readonly number[];
  readonly categoryIds: readonly number[];
  readonly brandIds: readonly number[];
  readonly tagIds: readonly number[];
}

/** Targets among the lines of an edited order that have these terms. */
export interface ScopedTargets extends DiscountTargets {
  /** No other line matches; absent: every line may. */
  readonly onlyOptionIds?: readonly number[];
}

export type CartOrderType = 'delivery' | 'pickup' | 'in-store';

/** Whom a discount is for: patients, or everyone else. */
export type DiscountAudience = 'adult-use' | 'medical';

/** A range of minutes on some weekdays, in the organization's local time. */
export interface ScheduleWindow {
  /** The days on which the window opens: 1 (Monday) to 7 (Sunday). */
  readonly days: readonly number[];
  /** 0 to 1439. */
  readonly fromMinute: number;
  /** Exclusive, at most 1440. Not after `fromMinute`: the window closes on the next day. */
  readonly toMinute: number;
}

/** All must hold. An empty list, null or false is no condition. */
export interface DiscountConditions {
  readonly orderTypes: readonly CartOrderType[];
  /** The customer is in at least one of them. */
  readonly customerGroupIds: readonly number[];
  /** Null: for both. A customer who is not known to be a patient is adult-use. */
  readonly customerType: DiscountAudience | null;
  /** Minimum sum of the lines' subtotals, before any discount: no discount can switch another off. */
  readonly minimumSubtotalCents: number | null;
  /** Minimum number of units. */
  readonly minimumQuantity: number | null;
  /** Both minimums count every line of the cart, not only those that the discount touches. */
  readonly countsWholeCart: boolean;
  /** A line that sells at a sale price is not touched, and counts for no minimum of touched lines. */
  readonly excludeSaleItems: boolean;
  readonly firstOrder: boolean;
  readonly birthdayMonth: boolean;
  /** At least one window is open. */
  readonly schedule: readonly ScheduleWindow[];
  /** First instant, in milliseconds since the epoch. */
  readonly startsAtMs: number | null;
  /** First instant after the end, in milliseconds since the epoch. */
  readonly endsAtMs: number | null;
}

/** A term that only some kinds have: a number of units, from 1 up, or targets. */
export interface OwnTerm {
  readonly is: 'units' | 'targets';
  /** Otherwise it may be null. */
  readonly required: boolean;
}

/**
 * The meaning of the settings for a kind. Staff's schema, checks, columns and the laws of pricing follow from
 * it.
 */
export interface KindTerms {
  /** A flat amount may count for each unit (`perUnit`). */
  readonly perUnit: boolean;
  /** What `maximumAmountCents` limits: the reduction of each line, or of the order. */
  readonly maximumOf: 'line' | 'order';
  /** What `usesPerOrder` counts; null: the kind has no such limit. */
  readonly usesCount: 'lines' | 'groups' | null;
  /** The amount is the price of a group in cents: `type` is flat. Absent: it is what comes off. */
  readonly amountIsPrice?: true;
  /** Terms that other kinds do not have, by name. Each has a nullable column of that name in snake case. */
  readonly own: Readonly<Record<string, OwnTerm>>;
}

/** What the console says of a kind. `npm run generate` writes it to the SDK. */
interface KindInConsole {
  readonly label: string;
  /** What the targets mean for this kind. */
  readonly targetsHint: string;
  /**
   * The effect for a customer, with parts in braces: `{amount} off {orders}`. The parts are those of `effectParts` in
   * `console/src/screens/marketing/discount-sentence.ts`, and own terms of units by their names.
   */
  readonly effect: string;
}

/**
 * A discount as its organization set it up, without its kind (`discount-kinds.ts`); `Own` are the kind's own
 * terms.
 */
export interface DiscountSettings<Own extends object = object> {
  readonly id: number;
  readonly description: string;
  readonly type: 'flat' | 'percent';
  /** Decimal text: whole cents when flat, percent (0 to 100, at most 6 decimals) when percent. */
  readonly amount: string;
  /** A flat amount is per unit instead of per line. For kinds whose `terms` say so. */
  readonly perUnit: boolean;
  /** The maximum reduction: of each line or of the order, as the kind's `terms` say. */
  readonly maximumAmountCents: number | null;
  readonly targets: ScopedTargets;
  readonly conditions: DiscountConditions;
  readonly trigger: 'automatic' | 'code' | 'manual';
  /** For trigger `code`; case does not matter. */
  readonly codes: readonly string[];
  readonly stackable: boolean;
  /** Lower applies first; then the lower id. */
  readonly priority: number;
  /** The maximum number of lines or groups of an order, as the kind's `terms` say. */
  readonly usesPerOrder: number | null;
  /** The number of orders that may still use it, including this one; null: no limit. */
  readonly usesLeft: number | null;
  /** The number of orders of this customer that may still use it, including this one; null: no limit. */
  readonly usesLeftForCustomer: number | null;
  /** Null: the kind has none. */
  readonly ownTerms: Own | null;
}

/** A line of the cart as discounts see it. The current rest of each line is in `leftCents`. */
export interface DiscountableLine {
  readonly productOptionId: number;
  readonly productId: number;
  readonly productCategoryId: number;
  readonly productBrandId: number | null;
  readonly productTagIds: readonly number[];
  readonly quantity: number;
  readonly unitPriceCents: number;
  /** Its sale price is below its price. */
  readonly isOnSale: boolean;
  /** The minimum that discounts leave of the line (step 5). */
  readonly floorCents: number;
}

/** A kind that applies in step 2, to the rest of the lines. */
export interface LineLevelRule<Own extends object = object> {
  readonly level: 'line';
  readonly terms: KindTerms;
  readonly console: KindInConsole;
  /**
   * The reductions, parallel to the lines: whole cents, 0 for a line that does not match, and for each line at
   * most the difference between `leftCents` and the line's floor.
   */
  take(
    discount: DiscountSettings<Own>,
    lines: readonly DiscountableLine[],
    leftCents: readonly number[],
    steps: PriceStep[] | null,
  ): number[];
}

/** A kind that applies in step 4, to the rest of the total price. */
export interface OrderLevelRule<Own extends object = object> {
  readonly level: 'order';
  readonly terms: KindTerms;
  readonly console: KindInConsole;
  /** The reduction of the total before its maximum, the cap, the allocation to lines and the floor. */
  want(discount: DiscountSettings<Own>, totalLeftCents: number, steps: PriceStep[] | null): number;
}

export type DiscountRule = LineLevelRule | OrderLevelRule;

type TargetableLine = Pick<
  DiscountableLine,
  'productOptionId' | 'productId' | 'productCategoryId' | 'productBrandId' | 'productTagIds'
>;

/**
 * Whether any of the lists names the line, or all of them are empty. Most lists are empty, and every preview
 * runs this for every line and every discount: a length check is faster than a call of `includes`.
 */
export function matchesTargets(targets: ScopedTargets, line: TargetableLine): boolean {
  if (targets.onlyOptionIds !== undefined && !targets.onlyOptionIds.includes(line.productOptionId))
    return false;
  const { productIds, optionIds, categoryIds, brandIds, tagIds } = targets;
  if (productIds.length + optionIds.length + categoryIds.length + brandIds.length + tagIds.length === 0) {
    return true;
  }
  const { productBrandId, productTagIds } = line;
  if (productIds.length > 0 && productIds.includes(line.productId)) return true;
  if (optionIds.length > 0 && optionIds.includes(line.productOptionId)) return true;
  if (categoryIds.length > 0 && categoryIds.includes(line.productCategoryId)) return true;
  if (brandIds.length > 0 && productBrandId !== null && brandIds.includes(productBrandId)) return true;
  return tagIds.length > 0 && tagIds.some((tagId) => productTagIds.includes(tagId));
}

/** Whether a discount touches a line that these targets of it, by default its own, match. */
export function touches(
  { targets: own, conditions }: Pick<DiscountSettings, 'targets' | 'conditions'>,
  line: DiscountableLine,
  targets: ScopedTargets = own,
): boolean {
  return !(conditions.excludeSaleItems && line.isOnSale) && matchesTargets(targets, line);
}
