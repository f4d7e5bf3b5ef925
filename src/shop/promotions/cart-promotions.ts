import {
  type DiscountFacts,
  type DiscountRefusalReason,
  normalizeCode,
} from '../../engines/pricing/discounts/choose-discounts.ts';
import type { Discount } from '../../engines/pricing/discounts/discount-kinds.ts';
import type { CartOrderType } from '../../engines/pricing/discounts/discount-settings.ts';
import type { PricedCart } from '../../engines/pricing/priced-cart.ts';
import type { AccountCredit, ChosenReward } from '../../engines/pricing/pricing-facts.ts';
import { canonicalDecimalText, decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { memoizeByObject } from '../../kernel/lazily.ts';
import { localMomentAt } from '../../kernel/local-time.ts';
import type { CustomerAccountRow } from './customer-account-queries.ts';
import { targetsAndConditions } from './discount-terms.ts';
import { engineTerms, ownTermsOnly } from './own-terms.ts';
import type { DiscountRow, LoyaltyRewardRow, OfferedDiscountRow } from './promotion-queries.ts';

/** A reward that staff chose; `points` (decimal text) is for cash-back, by default what the reward requires. */
export interface RewardChoice {
  readonly rewardId: number;
  readonly points?: string;
}

/** The promotions that a request asks for. */
export interface PromotionRequest {
  readonly type: CartOrderType;
  readonly discountCodes: readonly string[];
  /** Manual discounts that staff chose. */
  readonly chosenDiscountIds?: readonly number[];
  /** What they give of some of these. */
  readonly givenAmounts?: readonly GivenAmount[];
  readonly loyaltyRewards?: readonly RewardChoice[];
}

/** The rows that decide the promotions. */
export interface PromotionRows {
  readonly offered: readonly OfferedDiscountRow[];
  readonly rewards: readonly LoyaltyRewardRow[];
}

/** The cart's customer, found or new. */
export interface CartCustomer {
  /** YYYY-MM-DD; null: unknown. */
  readonly birthday: string | null;
  /** Null: no profile yet. */
  readonly account: CustomerAccountRow | null;
  /** Known to be a patient. */
  readonly isMedical: boolean;
}

/** The codes of a request, each once, normalized. */
export function discountCodeKeys({ discountCodes }: Pick<PromotionRequest, 'discountCodes'>): string[] {
  return discountCodes.length === 0 ? [] : [...new Set(discountCodes.map(normalizeCode))];
}

/** The keys that look up the discounts of a request. */
export function offeredDiscountKeys(request: PromotionRequest, at: string) {
  return {
    codeKeys: discountCodeKeys(request),
    chosenIds: request.chosenDiscountIds ?? [],
    at,
  };
}

/**
 * A discount from its row, without a limit of uses. Previews get the same rows again and again, and reading a
 * row takes as long as applying the discount (3 µs). One literal: from several spreads, V8 makes a hash table.
 */
export const engineDiscount = memoizeByObject((row: OfferedDiscountRow): Discount => {
  const { targets, conditions } = targetsAndConditions(row);
  const ownTerms = engineTerms(row.kind, row);
  const discount: Discount = {
    id: row.id,
    description: row.name,
    kind: row.kind,
    type: row.type,
    amount: canonicalDecimalText(row.amount),
    perUnit: row.per_unit,
    maximumAmountCents: row.maximum_amount_cents,
    targets,
    conditions,
    trigger: row.trigger,
    stackable: row.stackable,
    priority: row.priority,
    usesPerOrder: row.uses_per_order,
    ownTerms,
    codes: row.code_keys,
    usesLeft: null,
    usesLeftForCustomer: null,
  };
  const { only_option_ids: onlyOptionIds } = row;
  if (onlyOptionIds === undefined) return discount;
  return {
    ...discount,
    targets: { ...targets, onlyOptionIds },
    ownTerms: ownTermsOnly(ownTerms, onlyOptionIds),
  };
});

/** All discounts of a cart: mostly the same list again and again, too. */
const readAllOffered = memoizeByObject((rows: readonly OfferedDiscountRow[]) => ({
  discounts: rows.map(engineDiscount),
  areLimited: rows.some((row) => row.uses_total !== null || row.uses_per_customer !== null),
}));

/** A discount with its remaining uses, which change only where uses are limited. */
function offeredDiscount(row: OfferedDiscountRow, account: CustomerAccountRow | null): Discount {
  const discount = engineDiscount(row);
  const { uses_total: total, uses_per_customer: perCustomer } = row;
  if (total === null && perCustomer === null) return discount;
  return {
    ...discount,
    usesLeft: total === null ? null : total - (row.used ?? 0),
    usesLeftForCustomer: perCustomer === null ? null : perCustomer - (account?.uses?.[row.id] ?? 0),
  };
}

/**
 * The discounts of a cart in the form of the pricing engine; undefined without any. Fails with
 * DISCOUNT_NOT_FOUND for a chosen id that is not a manual discount of the organization, and as `withGivenAmounts`.
 */
export function discountFacts(
  request: PromotionRequest,
  { offered }: PromotionRows,
  customer: CartCustomer | null,
  timeZone: string,
  nowMs: number,
): DiscountFacts | undefined {
  const chosenIds = request.chosenDiscountIds ?? [];
  const given = request.givenAmounts ?? [];
  assertDiscountsKnown(chosenIds, offered);
  assertGivenChosen(given, chosenIds);
  if (offered.length === 0) return undefined;
  const { discounts, areLimited } = readAllOffered(offered);
  const account = customer?.account ?? null;
  const month = customer?.birthday?.slice(5, 7);
  const readOffered = areLimited ? offered.map((row) => offeredDiscount(row, account)) : discounts;
  return {
    offered: withGivenAmounts(readOffered, given),
    situation: {
      moment: localMomentAt(nowMs, timeZone),
      orderType: request.type,
      isMedical: customer?.isMedical ?? false,
      customer:
        customer === null
          ? null
          : {
              groupIds: account?.group_ids ?? [],
              isFirstOrder: !account?.has_ordered,
              birthMonth: month === undefined ? null : Number(month),
            },
    },
    presentedCodes: request.discountCodes,
    chosenIds,
  };
}

/** Fails with DISCOUNT_NOT_FOUND for the first chosen id that is not a manual discount of the organization. */
export function assertDiscountsKnown(chosenIds: readonly number[], offered: PromotionRows['offered']): void {
  for (const [index, id] of chosenIds.entries()) {
    if (offered.some((row) => row.trigger === 'manual' && row.id === id)) continue;
    throw failure('DISCOUNT_NOT_FOUND', `discountIds[${index}] names no manual discount: ${id}`);
  }
}

/**
 * Refuses a cart with a requested discount that does not apply: DISCOUNT_CODE_INVALID for the first such code,
 * INVALID_ORDER for a discount that staff chose.
 */
export function assertDiscountsApply(
  request: PromotionRequest,
  { offered }: PromotionRows,
  priced: Pick<PricedCart, 'discountRefusals'>,
): void {
  for (const [index, discountCode] of request.discountCodes.entries()) {
    const key = normalizeCode(discountCode);
    const refuse = (why: string) =>
      failure('DISCOUNT_CODE_INVALID', `discountCodes[${index}] ${why}`, { discountCode });
    if (!offered.some((row) => row.code_keys.includes(key))) {
      throw refuse('is not a code of this organization');
    }
    const refusal = priced.discountRefusals.find(({ code }) => code !== null && normalizeCode(code) === key);
    if (refusal === undefined) continue;
    const row = offered.find(({ id }) => id === refusal.discountId);
    throw refuse(whyNot(refusal.reason, request.type, row));
  }
  for (const { code, discountId, reason } of priced.discountRefusals) {
    if (code !== null) continue;
    const index = request.chosenDiscountIds?.indexOf(discountId);
    const row = offered.find(({ id }) => id === discountId);
    throw failure('INVALID_ORDER', `discountIds[${index}] ${whyNot(reason, request.type, row)}`);
  }
}

function whyNot(
  reason: DiscountRefusalReason,
  orderType: CartOrderType,
  row: DiscountRow | undefined,
): string {
  return {
    'not-started': 'is not valid yet',
    ended: 'has expired',
    'outside-schedule': 'is not valid at this time',
    'wrong-order-type': `is not for orders of type ${orderType}`,
    'wrong-customer-type': row?.customer_type === 'medical' ? 'is for patients only' : 'is not for patients',
    'customer-unknown': 'needs a customer',
    'not-in-customer-group': 'is not for this customer',
    'not-first-order': "is for a customer's first order",
    'not-birthday-month': "is for the month of the customer's birthday",
    'used-up': 'has reached its limit of uses',
    'used-up-by-customer': 'has reached its limit of uses for this customer',
    'no-matching-line': 'is for products that are not in the cart',
    'below-minimum-subtotal': `needs a subtotal of at least ${row?.minimum_subtotal_cents} cents${ofIts(row)}`,
    'below-minimum-quantity': `needs at least ${row?.minimum_quantity} units${ofIts(row)}`,
  }[reason];
}

/** What the minimums of a discount count, if not the whole cart. */
function ofIts(row: DiscountRow | undefined): string {
  return row === undefined || row.counts_whole_cart ? '' : ' of its products';
}

/** The remaining credits of the customer's account. */
export function accountCredits(customer: CartCustomer | null): AccountCredit[] {
  return (customer?.account?.credits ?? []).map((credit) => ({
    id: credit.id,
    type: credit.type,
    description: credit.description,
    amountCents: credit.remainingCents,
    percent: credit.percent === null ? null : canonicalDecimalText(credit.percent),
    expiresAtMs: credit.expiresAt === null ? null : Date.parse(credit.expiresAt),
  }));
}

/**
 * The chosen rewards in the form of the pricing engine. Fails with INVALID_ORDER without a customer, for an
 * unknown reward, for points that the kind of reward does not allow, and for more points than the customer has.
 */
export function chosenRewards(
  request: PromotionRequest,
  { rewards }: PromotionRows,
  customer: CartCustomer | null,
): ChosenReward[] {
  const choices = request.loyaltyRewards ?? [];
  if (choices.length === 0) return [];
  if (customer === null) {
    throw failure('INVALID_ORDER', 'loyaltyRewards requires a customer');
  }
  const points = decimal(customer.account?.points ?? '0');
  let left = points;
  return choices.map((choice, index) => {
    const at = `loyaltyRewards[${index}]`;
    const refuse = (why: string) => failure('INVALID_ORDER', `${at}${why}`);
    const row = rewards.find(({ id }) => id === choice.rewardId);
    if (row === undefined) throw refuse(`.rewardId names no loyalty reward: ${choice.rewardId}`);
    if (choice.points !== undefined && row.type !== 'cash-back') {
      throw refuse(`.points is for cash-back only: ${row.name} takes ${row.points_requirement} points`);
    }
    const asked = decimal(choice.points ?? row.points_requirement);
    if (asked.lte(zero) && row.type === 'cash-back') throw refuse('.points must be above 0');
    if (asked.lt(row.points_requirement)) {
      throw refuse(`.points must be at least ${canonicalDecimalText(row.points_requirement)}`);
    }
    left = left.minus(asked);
    if (left.lt(zero)) {
      throw refuse(` asks for more points than the customer has: ${decimalText(points)}`);
    }
    return chosenReward(row, decimalText(asked));
  });
}

function chosenReward(row: LoyaltyRewardRow, points: string): ChosenReward {
  const terms = {
    id: row.id,
    description: row.name,
    pointsRequirement: canonicalDecimalText(row.points_requirement),
  };
  if (row.type === 'free-product') {
    return { ...terms, type: row.type, productOptionId: row.product_option_id! };
  }
  const discountAmount = canonicalDecimalText(row.discount_amount!);
  return row.type === 'cash-back'
    ? { ...terms, type: row.type, discountAmount, points }
    : { ...terms, type: row.type, discountAmount };
}

/** Refuses a chosen reward that takes nothing off, so that the customer keeps the points. */
export function assertRewardsTake(
  request: PromotionRequest,
  { loyaltyRedemptions, rewardIdsBeyondCap }: Pick<PricedCart, 'loyaltyRedemptions' | 'rewardIdsBeyondCap'>,
): void {
  for (const [index, { rewardId }] of (request.loyaltyRewards ?? []).entries()) {
    if (loyaltyRedemptions.some((redemption) => redemption.rewardId === rewardId)) continue;
    const why = rewardIdsBeyondCap.includes(rewardId)
      ? ': the maximum discount of the organization, discountLimits.maximumPercent, is reached'
      : '';
    throw failure('INVALID_ORDER', `loyaltyRewards[${index}] takes nothing off this cart${why}`);
  }
}

/** How much staff give of a manual discount on the order, and why: at most what the discount gives. */
export type GivenAmount = {
  readonly discountId: number;
  readonly reason: string;
} & (
  | { readonly type: 'percent'; readonly percent: string }
  | { readonly type: 'flat'; readonly cents: number }
);

/**
 * The discounts with what staff give of them. A percent takes the place of the discount's
 * own; an amount is the most that it takes. Fails with INVALID_ORDER for a discount that is not on the order, for a percent of a flat discount, and for more than it gives.
 */
export function withGivenAmounts(
  discounts: readonly Discount[],
  given: readonly GivenAmount[],
): readonly Discount[] {
  if (given.length === 0) return discounts;
  const byId = new Map(given.map((it, index) => [it.discountId, { it, index }]));
  return discounts.map((discount) => {
    const found = byId.get(discount.id);
    return found === undefined ? discount : givenOf(discount, found.it, `discountAmounts[${found.index}]`);
  });
}

/** Fails with INVALID_ORDER for an amount of a discount that staff did not choose. */
export function assertGivenChosen(given: readonly GivenAmount[], chosenIds: readonly number[]): void {
  for (const [index, { discountId }] of given.entries()) {
    if (chosenIds.includes(discountId)) continue;
    throw failure('INVALID_ORDER', `discountAmounts[${index}].discountId must be one of discountIds`);
  }
}

function givenOf(discount: Discount, given: GivenAmount, at: string): Discount {
  const { kind, type, amount, maximumAmountCents } = discount;
  if (kind !== 'order') {
    throw failure(
      'INVALID_ORDER',
      `${at}.discountId must be a discount on the order, not one of kind ${kind}`,
    );
  }
  if (given.type === 'percent') {
    if (type !== 'percent') throw failure('INVALID_ORDER', `${at}.percent must be of a discount in percent`);
    if (decimal(given.percent).gt(amount)) {
      throw failure('INVALID_ORDER', `${at}.percent must be at most ${amount}, what the discount gives`);
    }
    return { ...discount, amount: given.percent };
  }
  const mostCents = type === 'flat' ? Number(amount) : maximumAmountCents;
  if (mostCents !== null && given.cents > mostCents) {
    throw failure('INVALID_ORDER', `${at}.amount must be at most ${mostCents}, what the discount gives`);
  }
  if (type === 'flat') return { ...discount, amount: String(given.cents) };
  return { ...discount, maximumAmountCents: given.cents };
}
