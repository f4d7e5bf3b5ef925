import { sumCents } from '../../engines/pricing/exact-amounts.ts';
import { type Decimal, decimal, decimalText, zero } from '../../kernel/decimal.ts';
import type { ChargedOrder, ChargeParts } from './return-charges.ts';

/** Decimal texts. */
export interface PointShares {
  /** Shares of the points that the order earned. */
  readonly earned: string;
  /** Shares of the points that its rewards redeemed. */
  readonly redeemed: string;
}

/**
 * The returned goods' shares of an order's points, in hundredths rounded down: earned points by merchandise after
 * discounts, redeemed points by the rewards' deductions. `returned` are the parts of all returned units including the
 * current ones; `before` are the shares of earlier returns.
 */
export function pointsOfReturn(
  { lines, loyaltyRedemptions }: ChargedOrder,
  earnedPoints: string,
  returned: ChargeParts,
  before: PointShares,
): PointShares {
  const goodsCents = returned.subtotalCents - returned.discountsCents - returned.loyaltyCents;
  const redeemedPoints = loyaltyRedemptions.reduce((sum, { pointsAmount }) => sum.plus(pointsAmount), zero);
  return {
    earned: rest(
      decimal(earnedPoints),
      goodsCents,
      sumCents(lines, ({ grossCents }) => grossCents),
      before.earned,
    ),
    redeemed: rest(
      redeemedPoints,
      returned.loyaltyCents,
      sumCents(loyaltyRedemptions, ({ amountUsedCents }) => amountUsedCents),
      before.redeemed,
    ),
  };
}

function rest(points: Decimal, partCents: number, wholeCents: number, had: string): string {
  if (wholeCents === 0) return '0';
  const share = points.times(partCents).div(wholeCents).round(2, 0).minus(had);
  return decimalText(share.lt(zero) ? zero : share);
}
