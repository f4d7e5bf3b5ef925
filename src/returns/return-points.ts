import { type Decimal, decimal, decimalText, zero } from '../kernel/decimal.ts';
import { sumCents } from '../pricing/cents.ts';
import type { ChargedOrder, ChargeParts } from './return-charges.ts';

/** Decimal texts. */
export interface PointShares {
  /** Of the points that the order earned. */
  readonly earned: string;
  /** Of the points that its rewards took. */
  readonly redeemed: string;
}

/**
 * The returned goods' shares of an order's points: of the earned ones by merchandise after discounts, of the redeemed
 * ones by what rewards took off, in hundredths rounded down. `returned` are the parts of all units that came back, those
 * of now with them; `before` the shares of earlier returns.
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
