import { amountOff } from './discounts/discount-amount.ts';
import { type OrderStanding, takeFromOrder } from './discounts/discount-order.ts';
import type { DiscountableLine } from './discounts/discount-settings.ts';
import {
  type Fraction,
  fraction,
  fractionText,
  multiply,
  parseDecimal,
  roundCents,
  sumOf,
} from './exact-amounts.ts';
import { optionSubject, type PriceStep } from './price-step.ts';
import type { LoyaltyRedemption } from './priced-cart.ts';
import type { ChosenReward } from './pricing-facts.ts';

/**
 * Step 4, after the discounts and by the same rules: rewards in order of id, each on the rest of the total
 * price. `free-product` pays for one unit of its option, up to the rest of its line. `cash-back` pays the value
 * of its points; if less was taken, only the points for that amount are spent (to the hundredth, rounded up). A
 * reward that takes nothing is not redeemed; those that the organization's cap stopped are reported.
 */
export function redeemRewards(
  rewards: readonly ChosenReward[],
  lines: readonly DiscountableLine[],
  start: OrderStanding,
  steps: PriceStep[] | null,
): { standing: OrderStanding; redemptions: LoyaltyRedemption[]; idsBeyondCap: number[] } {
  let standing = start;
  const redemptions: LoyaltyRedemption[] = [];
  const idsBeyondCap: number[] = [];
  for (const reward of rewards.toSorted((a, b) => a.id - b.id)) {
    const { leftCents } = standing;
    const isOnLine = (line: DiscountableLine) =>
      reward.type !== 'free-product' || line.productOptionId === reward.productOptionId;
    const weightsCents = leftCents.map((left, index) => (isOnLine(lines[index]!) ? left : 0));
    const wantedCents = want(reward, lines, weightsCents, steps);
    const { description } = reward;
    const taken = takeFromOrder(description, wantedCents, null, lines, standing, steps, weightsCents);
    if (taken.usedCents === 0) {
      if (wantedCents > 0 && standing.capLeftCents === 0) idsBeyondCap.push(reward.id);
      continue;
    }
    standing = taken.standing;
    redemptions.push({
      rewardId: reward.id,
      type: reward.type,
      description,
      pointsRequirement: reward.pointsRequirement,
      pointsAmount: pointsSpent(reward, taken.usedCents),
      discountAmount: reward.type === 'free-product' ? null : reward.discountAmount,
      amountUsedCents: taken.usedCents,
      productOptionId: reward.type === 'free-product' ? reward.productOptionId : null,
    });
  }
  return { standing, redemptions, idsBeyondCap };
}

/** The reward's reduction of its lines, of which `leftCents` is left. */
function want(
  reward: ChosenReward,
  lines: readonly DiscountableLine[],
  leftCents: readonly number[],
  steps: PriceStep[] | null,
): number {
  const totalLeftCents = sumOf(leftCents);
  const { description } = reward;
  switch (reward.type) {
    case 'flat':
    case 'percent': {
      const amount = { description, type: reward.type, amount: reward.discountAmount };
      return amountOff(amount, { leftCents: totalLeftCents }, () => 'total price', steps);
    }
    case 'cash-back': {
      const worth = worthOf(reward.points, reward.discountAmount);
      const worthCents = roundCents(worth.numerator, worth.denominator);
      steps?.push({
        step: 'loyalty-reward',
        rule: `${reward.points} points at the rate of cents a point, to the nearest cent, at most what is left`,
        subject: `${description}, total price`,
        base: `${totalLeftCents}`,
        rate: reward.discountAmount,
        exact: fractionText(worth),
        roundedCents: Math.min(worthCents, totalLeftCents),
      });
      return Math.min(worthCents, totalLeftCents);
    }
    case 'free-product': {
      const line = lines.find((each) => each.productOptionId === reward.productOptionId);
      if (line === undefined) return 0;
      const whole = { description, type: 'percent' as const, amount: '100' };
      const base = { leftCents: totalLeftCents, part: { units: 1, ofUnits: line.quantity } };
      return amountOff(whole, base, () => optionSubject(line), steps);
    }
  }
}

function pointsSpent(reward: ChosenReward, usedCents: number): string {
  if (reward.type !== 'cash-back') return reward.pointsRequirement;
  const perPoint = parseDecimal(reward.discountAmount);
  const points = parseDecimal(reward.points);
  const hundredths = roundCents(BigInt(usedCents) * perPoint.denominator * 100n, perPoint.numerator, 'up');
  const needed = fraction(BigInt(hundredths), 100n);
  const isLess = needed.numerator * points.denominator < points.numerator * needed.denominator;
  return isLess ? fractionText(needed) : reward.points;
}

function worthOf(points: string, centsPerPoint: string): Fraction {
  return multiply(parseDecimal(points), parseDecimal(centsPerPoint));
}
