/**
 * Cash in steps of five cents, for shops without pennies (D106). Only what is paid in cash is rounded, once, after discounts, taxes and
 * fees: no price, tax or fee changes. Pure. All amounts are cents.
 */

/** `symmetric`: 1 and 2 down, 3 and 4 up. `down`: never more than was due. */
export const cashRoundings = ['off', 'symmetric', 'down'] as const;
export type CashRounding = (typeof cashRoundings)[number];

const stepCents = 5;

/** What is added to an amount of 0 or more that is paid in cash: −2 to 2, or −4 to 0. */
export function cashRoundingCents(dueCents: number, rounding: CashRounding): number {
  const over = dueCents % stepCents;
  if (rounding === 'off' || over === 0) return 0;
  return rounding === 'symmetric' && over * 2 > stepCents ? stepCents - over : -over;
}

/** The cash of an order so far, both as it was due and as it was paid. */
export interface CashOfOrder {
  readonly paidCents: number;
  readonly paidRoundingCents: number;
  readonly refundedCents: number;
  readonly refundedRoundingCents: number;
}

/**
 * What is added to a refund in cash, so that the customer has paid the rounded amount of what is kept: all goods give back what was paid for
 * them. Cash for what was not paid in cash is rounded by itself.
 */
export function cashRefundRoundingCents(
  refundCents: number,
  { paidCents, paidRoundingCents, refundedCents, refundedRoundingCents }: CashOfOrder,
  rounding: CashRounding,
): number {
  const keptCents = paidCents - refundedCents - refundCents;
  if (keptCents < 0) return cashRoundingCents(refundCents, rounding);
  const keptRoundingCents = keptCents === 0 ? 0 : cashRoundingCents(keptCents, rounding);
  const addedCents = paidRoundingCents - refundedRoundingCents - keptRoundingCents;
  return refundCents === 0 ? 0 : Math.max(-refundCents, addedCents);
}
