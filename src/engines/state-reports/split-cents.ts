import { type Decimal, zero } from '../../kernel/decimal.ts';

/**
 * Splits cents by weights, so that the parts add up to the whole: each part is rounded down, and the cents that are left go to
 * the largest remainders, of equal ones to the first. Weights are above zero.
 */
export function splitCents(cents: number, weights: readonly Decimal[]): number[] {
  const total = weights.reduce((sum, weight) => sum.plus(weight), zero);
  const exact = weights.map((weight) => weight.times(cents).div(total));
  const parts = exact.map((it) => it.round(0, 0).toNumber());
  const byRemainder = exact
    .map((it, at) => ({ at, remainder: it.minus(parts[at]!) }))
    .toSorted((a, b) => b.remainder.cmp(a.remainder) || a.at - b.at);
  const left = cents - parts.reduce((sum, it) => sum + it, 0);
  for (const { at } of byRemainder.slice(0, left)) parts[at]! += 1;
  return parts;
}
