import { type Decimal, decimal, decimalText, roundUp, zero } from '../../kernel/decimal.ts';
import { memoizeByObject } from '../../kernel/lazily.ts';
import { addDays } from '../../kernel/local-time.ts';
import type { CannabisType } from '../goods/cannabis-type.ts';
import { type ContentUnit, comparableSizes, contentUnits } from '../goods/content-units.ts';
import type { Counting, LimitWindow, PurchaseLimitRule } from './purchase-limit-rule.ts';

export interface LimitedLine {
  readonly cannabisType: CannabisType;
  /** Content of one unit, decimal text in the type's unit; null if there is none to count. */
  readonly content: string | null;
  /** THC of one unit in milligrams, for rules that count it; absent or null: there is none to count. */
  readonly thcMg?: string | null;
  /** An integer, at least 0. */
  readonly quantity: number;
}

/** Bought on a local day; the quantity is without returned units. */
export interface EarlierPurchase extends LimitedLine {
  readonly localDate: string;
}

export interface CheckPurchaseLimitsInput {
  readonly rules: readonly PurchaseLimitRule[];
  readonly cartLines: readonly LimitedLine[];
  /** The customer's purchases; those outside a rule's window are ignored. */
  readonly history: readonly EarlierPurchase[];
  /** The organization's local day, `YYYY-MM-DD`. */
  readonly today: string;
}

/** Amounts are decimal text in `unit`, the unit of the law. */
export interface PurchaseLimit {
  readonly name: string;
  readonly cannabisType: CannabisType;
  readonly unit: ContentUnit;
  readonly limit: string;
  /** The cart and earlier purchases, rounded up to 6 decimals. */
  readonly used: string;
  /** Never below 0. */
  readonly remaining: string;
  readonly exceeded: boolean;
}

/** Amounts are decimal text in the unit of the law. */
export interface PurchaseLimitOverage {
  /** The rule that the cart exceeds. */
  readonly rule: PurchaseLimitRule;
  readonly cannabisType: CannabisType;
  readonly limit: string;
  readonly total: string;
  readonly overage: string;
}

export interface PurchaseLimitsVerdict {
  /** One per rule, in their order. */
  readonly limits: readonly PurchaseLimit[];
  /** The exceeded limits that the cart adds to: a lighter can be sold to a customer over the limit. */
  readonly overages: readonly PurchaseLimitOverage[];
}

/**
 * What each rule allows, what the cart and the history use of it, and which limits the cart exceeds (D29, D36). The
 * comparison is exact.
 */
export function checkPurchaseLimits(input: CheckPurchaseLimitsInput): PurchaseLimitsVerdict {
  const { rules, history, today } = input;
  const cart = contentByType(input.cartLines);
  const limits: PurchaseLimit[] = [];
  const overages: PurchaseLimitOverage[] = [];
  for (const rule of rules) {
    const { name, cannabisType } = rule;
    const terms = termsOf(rule);
    const content = withHistory(cart, rule, history, today);
    if (!terms.weights.some(([counted]) => content.has(counted))) {
      limits.push(terms.untouched);
      continue;
    }
    const used = usedOf(terms, content);
    const left = terms.limit.minus(used);
    const exceeded = left.lt(zero);
    const { limit } = terms.untouched;
    limits.push({
      name,
      cannabisType,
      unit: rule.limit.unit,
      limit,
      used: decimalText(used),
      remaining: exceeded ? '0' : decimalText(left),
      exceeded,
    });
    if (exceeded && usedOf(terms, cart).gt(zero)) {
      overages.push({
        rule,
        cannabisType,
        limit,
        total: decimalText(used),
        overage: decimalText(left.neg()),
      });
    }
  }
  return { limits, overages };
}

/** Milligrams of THC in products of a type, beside the content of that type. */
type ThcOf = `thc:${CannabisType}`;
type ContentByType = ReadonlyMap<CannabisType | ThcOf, Decimal>;

/** The key of the THC in products of a type, as orders keep what limits count. */
export function thcOf(cannabisType: CannabisType): ThcOf {
  return `thc:${cannabisType}`;
}

/** What lines count of each type, in its own unit, and of its THC, on top of the earlier purchases. */
function contentByType(lines: readonly LimitedLine[], start?: ContentByType): ContentByType {
  const totals = new Map(start);
  const add = (key: CannabisType | ThcOf, content: string, quantity: number) => {
    const earlier = totals.get(key);
    const added = contentOf(content, quantity);
    totals.set(key, earlier === undefined ? added : earlier.plus(added));
  };
  for (const { cannabisType, content, thcMg, quantity } of lines) {
    if (content !== null) add(cannabisType, content, quantity);
    if (thcMg != null) add(thcOf(cannabisType), thcMg, quantity);
  }
  return totals;
}

/** What limits count of lines, as an order keeps it: JSON of decimal texts by cannabis type. */
export function countedContentsText(lines: readonly LimitedLine[]): string {
  const counted = lines.filter(({ cannabisType, quantity }) => cannabisType !== 'none' && quantity > 0);
  const texts = Array.from(contentByType(counted), ([type, content]) => [type, decimalText(content)]);
  return JSON.stringify(Object.fromEntries(texts));
}

/**
 * Shops sell few sizes, in small numbers: parsing and multiplying them again takes longer than everything else here.
 */
const keptContents = new Map<string, Map<number, Decimal>>();
const keptSizesMax = 1000;
const keptQuantitiesMax = 100;

function contentOf(content: string, quantity: number): Decimal {
  let ofSize = keptContents.get(content);
  if (ofSize === undefined) {
    if (keptContents.size >= keptSizesMax) keptContents.clear();
    ofSize = new Map();
    keptContents.set(content, ofSize);
  }
  let product = ofSize.get(quantity);
  if (product === undefined) {
    if (ofSize.size >= keptQuantitiesMax) ofSize.clear();
    product = decimal(content).times(quantity);
    ofSize.set(quantity, product);
  }
  return product;
}

/** The content of a cart and of earlier purchases within a rule's window. */
function withHistory(
  cart: ContentByType,
  { window }: PurchaseLimitRule,
  history: readonly EarlierPurchase[],
  today: string,
): ContentByType {
  const firstDay = history.length === 0 ? null : firstDayOfWindow(window, today);
  if (firstDay === null) return cart;
  return contentByType(
    history.filter(({ localDate }) => localDate >= firstDay && localDate <= today),
    cart,
  );
}

/** A rule prepared for sums: a type's content uses content × weight ÷ denominator of the limit. */
interface RuleTerms {
  readonly limit: Decimal;
  /** The unused limit of a customer without counted goods. */
  readonly untouched: PurchaseLimit;
  readonly weights: readonly (readonly [CannabisType | ThcOf, Decimal])[];
  /** The denominator of all weights: a gram is not a finite number of ounces. */
  readonly denominator: Decimal;
}

/** A state has the same rules for every cart, and preparing one takes as long as checking it. */
const termsOf = memoizeByObject((rule: PurchaseLimitRule): RuleTerms => {
  const counts = Object.entries(rule.counts) as [CannabisType, Counting][];
  const shares = counts.flatMap(([type, counting]) =>
    type === 'none'
      ? []
      : [{ type: countsThc(counting) ? thcOf(type) : type, ...shareOf(rule, type, counting) }],
  );
  const limit = decimal(rule.limit.amount);
  const { name, cannabisType } = rule;
  const limitText = decimalText(limit);
  return {
    limit,
    untouched: {
      ...{ name, cannabisType, unit: rule.limit.unit },
      ...{ limit: limitText, used: '0', remaining: limitText, exceeded: false },
    },
    weights: shares.map(({ type, numerator }, index) => {
      const others = shares.filter((_, other) => other !== index);
      return [type, others.reduce((product, share) => product.times(share.denominator), numerator)] as const;
    }),
    denominator: shares.reduce((product, share) => product.times(share.denominator), one),
  };
});

/** The use of a rule's limit by a content, in the limit's unit. */
function usedOf({ weights, denominator }: RuleTerms, content: ContentByType): Decimal {
  let sum = zero;
  for (const [cannabisType, weight] of weights) {
    const amount = content.get(cannabisType);
    if (amount !== undefined) sum = sum.plus(amount.times(weight));
  }
  return roundedUp(sum, denominator);
}

/** The use of the limit by one unit of a content, in the limit's unit. */
function shareOf(
  rule: PurchaseLimitRule,
  cannabisType: Exclude<CannabisType, 'none'>,
  counting: Counting,
): { numerator: Decimal; denominator: Decimal } {
  const contentUnit = countsThc(counting) ? 'mg' : contentUnits[cannabisType];
  if (counting === 'one-to-one') {
    const [contentSize, limitSize] = comparableSizes(contentUnit, rule.limit.unit);
    if (contentSize.eq(limitSize)) return { numerator: one, denominator: one };
    return { numerator: contentSize, denominator: limitSize };
  }
  const { amount, uses } = counting;
  const [contentSize, amountSize] = comparableSizes(contentUnit, amount.unit);
  const [usesSize, limitSize] = comparableSizes(uses.unit, rule.limit.unit);
  return {
    numerator: contentSize.times(uses.amount).times(usesSize),
    denominator: amountSize.times(amount.amount).times(limitSize),
  };
}

/** Whether a type is counted by its THC. */
function countsThc(counting: Counting): boolean {
  return counting !== 'one-to-one' && counting.of === 'thc';
}

/** The types that a rule counts by their THC. */
export const typesCountedByThc = memoizeByObject(
  ({ counts }: Pick<PurchaseLimitRule, 'counts'>): readonly CannabisType[] =>
    (Object.entries(counts) as [CannabisType, Counting][]).flatMap(([type, counting]) =>
      countsThc(counting) ? [type] : [],
    ),
);

const one = decimal(1);
const decimalsMax = 6;
const step = decimal('0.000001');

/**
 * Rounded up, and limits have no more decimals than this: the shown amount exceeds a limit exactly when the true
 * amount does, and the shown remainder is really available.
 */
function roundedUp(numerator: Decimal, denominator: Decimal): Decimal {
  if (denominator.eq(one)) return roundUp(numerator, decimalsMax);
  // The division is approximate; the product shows on which side of the exact value it is.
  const close = numerator.div(denominator).round(decimalsMax, 0);
  return close.times(denominator).lt(numerator) ? close.plus(step) : close;
}

/**
 * The first local day whose purchases count today; null when no earlier purchase does. Rolling days include today: of
 * 14, the first is 13 days ago.
 */
export function firstDayOfWindow(window: LimitWindow, today: string): string | null {
  switch (window.kind) {
    case 'transaction':
      return null;
    case 'local-day':
      return today;
    case 'rolling-days':
      return addDays(today, 1 - window.days);
    case 'calendar-month':
      return `${today.slice(0, 'YYYY-MM'.length)}-01`;
  }
}

/** The maximum number of local days, including today, in a window; 0 when no earlier purchase counts. */
export function daysOfWindow(window: LimitWindow): number {
  switch (window.kind) {
    case 'transaction':
      return 0;
    case 'local-day':
      return 1;
    case 'rolling-days':
      return window.days;
    case 'calendar-month':
      return 31;
  }
}

/** The content of an option, and the amount that one unit of it is sold as. */
interface SoldOption {
  readonly cannabisType: CannabisType;
  /** Content of one unit, decimal text in the type's unit; null if not recorded. */
  readonly content: string | null;
  /** The unit of `amount`. */
  readonly unit: 'gram' | 'item';
  readonly amount: string;
}

/**
 * The counted content of one unit of an option (D36). Flower that is sold by the gram uses its amount if it has no
 * recorded content; every other option without a content counts nothing.
 */
export function countedContent({ cannabisType, content, unit, amount }: SoldOption): string | null {
  if (cannabisType === 'none') return null;
  if (content !== null) return content;
  return cannabisType === 'non-concentrated' && unit === 'gram' ? amount : null;
}
