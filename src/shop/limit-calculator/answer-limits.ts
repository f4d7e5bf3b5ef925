import { type CannabisType, cannabisTypes } from '../../engines/goods/cannabis-type.ts';
import { type ContentUnit, comparableSizes, contentUnits } from '../../engines/goods/content-units.ts';
import type { Sourced, StateLimitRule } from '../../engines/jurisdictions/jurisdiction.ts';
import { limitInWords } from '../../engines/jurisdictions/limit-in-words.ts';
import {
  checkPurchaseLimits,
  type EarlierPurchase,
  firstDayOfWindow,
  type LimitedLine,
  type PurchaseLimit,
  typesCountedByThc,
} from '../../engines/purchase-limits/check-purchase-limits.ts';
import type { PurchaseLimitRule } from '../../engines/purchase-limits/purchase-limit-rule.ts';
import { type Decimal, decimal, decimalText, roundUp, zero } from '../../kernel/decimal.ts';

/* What is left of each limit, and why: the answer to a customer's question. Pure. */

export type LimitedType = Exclude<CannabisType, 'none'>;

interface LimitQuestion {
  /** The limits in force for the customer. A state's limits have their source. */
  readonly rules: readonly (PurchaseLimitRule & Partial<Sourced>)[];
  readonly goods: readonly LimitedLine[];
  /** Purchases outside a rule's window are ignored. */
  readonly boughtBefore: readonly EarlierPurchase[];
  /** The local day, `YYYY-MM-DD`. */
  readonly today: string;
}

/** A type of goods that a limit counts. Amounts are decimal text. */
interface CountedGoods {
  readonly cannabisType: LimitedType;
  /** In the type's own unit, rounded up to 6 decimals; of THC, in milligrams. */
  readonly amount: string;
  readonly unit: ContentUnit;
  readonly isThc: boolean;
  /** Its use of the limit, in the limit's unit, rounded up to 6 decimals. */
  readonly uses: string;
  readonly isFromBefore: boolean;
}

/** Decimal text in the type's unit, rounded down to 2 decimals. */
interface RoomFor {
  readonly cannabisType: LimitedType;
  readonly amount: string;
  readonly unit: ContentUnit;
  readonly isThc: boolean;
}

export interface LimitAnswer extends PurchaseLimit {
  /** "1 oz per day of flower, concentrate (8 g as 1 oz)". */
  readonly words: string;
  readonly counted: readonly CountedGoods[];
  /** The remaining amount in each type that the limit counts; the types are alternatives, not a sum. */
  readonly roomFor: readonly RoomFor[];
  /** Null: a rule of the organization. */
  readonly source: StateLimitRule | null;
}

interface LimitAnswers {
  /** One per rule, in their order. */
  readonly limits: readonly LimitAnswer[];
  /** Types among the goods that no limit counts. */
  readonly uncounted: readonly LimitedType[];
  /** Types among the goods whose THC a limit counts, and that do not say it: what is left cannot be told. */
  readonly withoutThc: readonly LimitedType[];
  /** Whether the goods can be sold: none of them exceeds a limit, and none lacks the THC that one counts. */
  readonly mayBeSold: boolean;
}

/** The use, the remaining amount and the reason for each limit, by the same check as carts. */
export function answerLimits(question: LimitQuestion): LimitAnswers {
  const { rules, goods, boughtBefore: history, today } = question;
  const verdict = checkPurchaseLimits({ rules, cartLines: goods, history, today });
  const limits = rules.map((rule, index): LimitAnswer => {
    const limit = verdict.limits[index]!;
    return {
      ...limit,
      words: limitInWords(rule),
      counted: countedGoods(rule, question),
      roomFor: countedTypes(rule).map((type) => roomFor(rule, type, limit.remaining)),
      source: sourceOf(rule),
    };
  });
  const asked = limitedTypes.filter((type) => goods.some((line) => holds(line, type)));
  const uncounted = asked.filter((type) => !rules.some(({ counts }) => counts[type] !== undefined));
  const byThc = new Set(rules.flatMap(typesCountedByThc));
  const withoutThc = limitedTypes.filter(
    (type) =>
      byThc.has(type) &&
      [...goods, ...history].some((line) => holds(line, type) && (line.thcMg ?? null) === null),
  );
  const mayBeSold = verdict.overages.length === 0 && withoutThc.length === 0;
  return { limits, uncounted, withoutThc, mayBeSold };
}

export const limitedTypes = cannabisTypes.filter((type) => type !== 'none');

/** Includes the types that use the limit. */
const usedDecimals = 6;

function countedTypes({ counts }: PurchaseLimitRule): LimitedType[] {
  return limitedTypes.filter((type) => counts[type] !== undefined);
}

function holds({ cannabisType, content, thcMg, quantity }: LimitedLine, type: LimitedType): boolean {
  return cannabisType === type && (content !== null || thcMg != null) && quantity > 0;
}

function countedGoods(
  rule: PurchaseLimitRule,
  { goods, boughtBefore, today }: LimitQuestion,
): readonly CountedGoods[] {
  const firstDay = firstDayOfWindow(rule.window, today);
  const inWindow = boughtBefore.filter(
    ({ localDate }) => firstDay !== null && localDate >= firstDay && localDate <= today,
  );
  const told = (lines: readonly LimitedLine[], isFromBefore: boolean) =>
    countedTypes(rule).flatMap((cannabisType): CountedGoods[] => {
      const cartLines = lines.filter((line) => holds(line, cannabisType));
      if (cartLines.length === 0) return [];
      const [limit] = checkPurchaseLimits({ rules: [rule], cartLines, history: [], today }).limits;
      const isThc = typesCountedByThc(rule).includes(cannabisType);
      const amount = cartLines.reduce(
        (sum, { content, thcMg, quantity }) =>
          sum.plus(decimal((isThc ? thcMg : content) ?? '0').times(quantity)),
        zero,
      );
      const unit = isThc ? 'mg' : contentUnits[cannabisType];
      return [
        {
          cannabisType,
          amount: decimalText(roundUp(amount, usedDecimals)),
          unit,
          isThc,
          uses: limit!.used,
          isFromBefore,
        },
      ];
    });
  return [...told(inWindow, true), ...told(goods, false)];
}

const roomDecimals = 2;

function roomFor(rule: PurchaseLimitRule, cannabisType: LimitedType, remaining: string): RoomFor {
  const isThc = typesCountedByThc(rule).includes(cannabisType);
  const unit = isThc ? 'mg' : contentUnits[cannabisType];
  const counting = rule.counts[cannabisType]!;
  const left = decimal(remaining);
  if (counting === 'one-to-one') {
    const [limitSize, contentSize] = comparableSizes(rule.limit.unit, unit);
    return { cannabisType, unit, isThc, amount: roundedRoom(left.times(limitSize), contentSize) };
  }
  const { amount, uses } = counting;
  const [limitSize, usesSize] = comparableSizes(rule.limit.unit, uses.unit);
  const [amountSize, contentSize] = comparableSizes(amount.unit, unit);
  return {
    cannabisType,
    unit,
    isThc,
    amount: roundedRoom(
      left.times(limitSize).times(amount.amount).times(amountSize),
      usesSize.times(uses.amount).times(contentSize),
    ),
  };
}

function roundedRoom(numerator: Decimal, denominator: Decimal): string {
  // The quotient is approximate; the product shows whether it is too high.
  const close = numerator.div(denominator).round(roomDecimals, 0);
  const fits = !close.times(denominator).gt(numerator);
  return decimalText(fits ? close : close.minus('0.01'));
}

/** A rule with a citation is one of the state. */
function sourceOf(rule: PurchaseLimitRule & Partial<Sourced>): StateLimitRule | null {
  return rule.citation === undefined ? null : (rule as StateLimitRule);
}
