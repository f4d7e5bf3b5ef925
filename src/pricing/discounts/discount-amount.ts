import { fraction, fractionText, multiply, parseCents, parsePercent } from '../exact-fraction.ts';
import type { PriceStep } from '../price-step.ts';
import { roundCents } from '../rounding.ts';

/** What a discount, a reward or a credit is worth. */
export interface Amount {
  readonly description: string;
  readonly type: 'flat' | 'percent';
  /** Whole cents when flat, percent when percent. */
  readonly amount: string;
}

/** `units` of the `ofUnits` units that a line, or a whole order (1 of 1), consists of. */
export interface Part {
  readonly units: number;
  readonly ofUnits: number;
}

const whole: Part = { units: 1, ofUnits: 1 };

/**
 * Cents off a part of what is left: a percent of that part, or the flat cents `flatTimes` times, to the
 * nearest cent and never more than the part. Records the step.
 */
export function amountOff(
  { description, type, amount }: Amount,
  leftCents: number,
  subject: string,
  steps: PriceStep[] | null,
  { units, ofUnits }: Part = whole,
  flatTimes = 1,
): number {
  const baseNumerator = BigInt(leftCents) * BigInt(units);
  const baseDenominator = BigInt(ofUnits);
  if (type === 'percent') {
    const rate = parsePercent(amount);
    const cents = roundCents(baseNumerator * rate.numerator, baseDenominator * rate.denominator);
    if (steps !== null) {
      const base = fraction(baseNumerator, baseDenominator);
      steps.push({
        step: 'discount',
        rule: 'rate of what is left, to the nearest cent',
        subject: `${description}, ${subject}`,
        base: fractionText(base),
        rate: amount,
        exact: fractionText(multiply(rate, base)),
        roundedCents: cents,
      });
    }
    return cents;
  }
  const flatCents = parseCents(amount) * flatTimes;
  const cents = Math.min(flatCents, roundCents(baseNumerator, baseDenominator));
  steps?.push({
    step: 'discount',
    rule: flatTimes === 1 ? 'flat, at most what is left' : `${amount} × ${flatTimes}, at most what is left`,
    subject: `${description}, ${subject}`,
    base: fractionText(fraction(baseNumerator, baseDenominator)),
    rate: null,
    exact: `${flatCents}`,
    roundedCents: cents,
  });
  return cents;
}

/** The smaller of what is wanted and what is allowed; records that something was trimmed. */
export function trimTo(
  allowedCents: number,
  wantedCents: number,
  why: string,
  subject: string,
  steps: PriceStep[] | null,
): number {
  if (wantedCents <= allowedCents) return wantedCents;
  steps?.push({
    step: 'discount-trimmed',
    rule: why,
    subject,
    base: `${wantedCents}`,
    rate: null,
    exact: `${allowedCents}`,
    roundedCents: allowedCents,
  });
  return allowedCents;
}
