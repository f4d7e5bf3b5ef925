import type { Discount } from '../../engines/pricing/discounts/discount-kinds.ts';
import { decimal } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';

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
