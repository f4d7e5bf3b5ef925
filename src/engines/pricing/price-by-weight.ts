import { assert } from '../../kernel/assert.ts';
import { type Fraction, parseDecimal, roundCents } from './exact-amounts.ts';

/** A size that a product has, and what it costs. */
export interface PricedSize {
  /** Grams, as decimal text. */
  readonly amount: string;
  readonly cents: number;
}

/** What a weight costs, and by which size. */
export interface WeightPrice {
  readonly cents: number;
  readonly size: PricedSize;
  /** `size`: the price of that size; `rate`: the size's price for each gram. */
  readonly by: 'size' | 'rate';
}

/**
 * The price of goods that are sold loose. The largest size that the weight reaches sets the price of each gram, rounded to the cent,
 * halves up; below the smallest size, that one does. A weight costs no more than a larger size, and what is within the tolerance (grams)
 * above a size costs what that size costs. `sizes` has at least one.
 */
export function priceByWeight(weight: string, sizes: readonly PricedSize[], tolerance: string): WeightPrice {
  const grams = parseDecimal(weight);
  const ordered = sizes.toSorted((a, b) => compare(parseDecimal(a.amount), parseDecimal(b.amount)));
  assert(ordered.length > 0, 'a product that is sold by weight has a size');
  const reached = ordered.findLast(({ amount }) => compare(parseDecimal(amount), grams) <= 0);
  if (reached !== undefined && isWithin(grams, parseDecimal(reached.amount), parseDecimal(tolerance))) {
    return { cents: reached.cents, size: reached, by: 'size' };
  }
  const size = reached ?? ordered[0]!;
  const whole = parseDecimal(size.amount);
  const cents = roundCents(
    BigInt(size.cents) * grams.numerator * whole.denominator,
    grams.denominator * whole.numerator,
  );
  const larger = ordered
    .filter((it) => it !== size && compare(parseDecimal(it.amount), grams) > 0)
    .reduce<PricedSize | null>((least, it) => (least === null || it.cents < least.cents ? it : least), null);
  return larger !== null && larger.cents <= cents
    ? { cents: larger.cents, size: larger, by: 'size' }
    : { cents, size, by: 'rate' };
}

function compare(a: Fraction, b: Fraction): number {
  const left = a.numerator * b.denominator;
  const right = b.numerator * a.denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Whether a weight is at most so much above a size that it reaches. */
function isWithin(grams: Fraction, size: Fraction, tolerance: Fraction): boolean {
  const over = grams.numerator * size.denominator - size.numerator * grams.denominator;
  return over * tolerance.denominator <= tolerance.numerator * grams.denominator * size.denominator;
}
