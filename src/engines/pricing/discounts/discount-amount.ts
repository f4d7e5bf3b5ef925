import { allocateByCents } from '../allocate.ts';
import {
  fraction,
  fractionText,
  multiply,
  parseCents,
  parsePercent,
  roundCents,
  roundShare,
  sumOf,
} from '../exact-amounts.ts';
import { centsStep, optionSubject, type PriceStep } from '../price-step.ts';
import type { DiscountableLine } from './discount-settings.ts';

/** The value of a discount, a reward or a credit. */
interface Amount {
  readonly description: string;
  readonly type: 'flat' | 'percent';
  /** Whole cents if flat, percent if percent. */
  readonly amount: string;
}

/** The base of the amount: a part or (by default) all of the rest of a line or an order. */
interface AmountBase {
  readonly leftCents: number;
  /** `units` of the `ofUnits` units of the line. */
  readonly part?: { readonly units: number; readonly ofUnits: number };
  /** The multiplier of a flat amount; by default 1. */
  readonly flatTimes?: number;
}

const whole = { units: 1, ofUnits: 1 };

/**
 * The reduction in cents: a percent of the base, or the flat cents `flatTimes` times, to the nearest cent and
 * never more than the base. Records the step for `subject`.
 */
export function amountOff(
  { description, type, amount }: Amount,
  { leftCents, part = whole, flatTimes = 1 }: AmountBase,
  subject: () => string,
  steps: PriceStep[] | null,
): number {
  if (steps === null && type === 'percent' && part === whole) {
    const cents = roundShare(leftCents, parsePercent(amount));
    if (cents !== null) return cents;
  }
  const baseNumerator = BigInt(leftCents) * BigInt(part.units);
  const baseDenominator = BigInt(part.ofUnits);
  const isPercent = type === 'percent';
  let cents: number;
  if (isPercent) {
    const rate = parsePercent(amount);
    cents = roundCents(baseNumerator * rate.numerator, baseDenominator * rate.denominator);
  } else {
    cents = Math.min(parseCents(amount) * flatTimes, roundCents(baseNumerator, baseDenominator));
  }
  if (steps !== null) {
    const base = fraction(baseNumerator, baseDenominator);
    const flat = flatTimes === 1 ? 'flat' : `flat ${amount} × ${flatTimes}`;
    steps.push({
      step: 'discount',
      rule: isPercent
        ? `rate of ${partText(part)}, to the nearest cent`
        : `${flat}, at most ${partText(part)}`,
      subject: `${description}, ${subject()}`,
      base: fractionText(base),
      rate: isPercent ? amount : null,
      exact: isPercent
        ? fractionText(multiply(parsePercent(amount), base))
        : `${parseCents(amount) * flatTimes}`,
      roundedCents: cents,
    });
  }
  return cents;
}

function partText({ units, ofUnits }: { readonly units: number; readonly ofUnits: number }): string {
  return units === ofUnits ? 'what is left' : `what is left of ${units} of the ${ofUnits} units`;
}

/** The smaller of the wanted and the allowed amount; records a trim. */
export function trimTo(
  allowedCents: number,
  wantedCents: number,
  why: string,
  subject: string,
  steps: PriceStep[] | null,
): number {
  if (wantedCents <= allowedCents) return wantedCents;
  steps?.push(centsStep('discount-trimmed', why, subject, wantedCents, allowedCents));
  return allowedCents;
}

/**
 * Allocates a discount's amount to the lines by weight (cents, 0 for a line outside its targets), and trims
 * each share that would cross its line's floor: the trimmed amount is not taken from another line.
 */
export function spread(
  description: string,
  totalCents: number,
  weightsCents: readonly number[],
  lines: readonly DiscountableLine[],
  leftCents: readonly number[],
  steps: PriceStep[] | null,
): number[] {
  const shares = allocateByCents(totalCents, weightsCents);
  if (steps !== null && totalCents > 0) {
    const weightSum = BigInt(sumOf(weightsCents));
    for (const [index, weight] of weightsCents.entries()) {
      if (weight === 0) continue;
      steps.push({
        step: 'discount-share',
        rule: `share of ${totalCents} by weight, largest remainders first`,
        subject: `${description}, ${optionSubject(lines[index]!)}`,
        base: `${weight}`,
        rate: null,
        exact: fractionText(fraction(BigInt(totalCents) * BigInt(weight), weightSum)),
        roundedCents: shares[index]!,
      });
    }
  }
  return shares.map((share, index) =>
    share === 0 ? 0 : leaveFloor(description, share, lines[index]!, leftCents[index]!, steps),
  );
}

/** Trims a reduction that would leave the line less than its floor (step 5). */
export function leaveFloor(
  description: string,
  wantedCents: number,
  line: DiscountableLine,
  leftCents: number,
  steps: PriceStep[] | null,
): number {
  const allowedCents = Math.max(0, leftCents - line.floorCents);
  if (wantedCents <= allowedCents) return wantedCents;
  return trimTo(
    allowedCents,
    wantedCents,
    `leaves the line its floor of ${line.floorCents}`,
    `${description}, ${optionSubject(line)}`,
    steps,
  );
}
