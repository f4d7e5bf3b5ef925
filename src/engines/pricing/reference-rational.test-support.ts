/** A rational number; the denominator is above 0. Nothing is ever reduced: plainness is the purpose. */
export type Rational = readonly [numerator: bigint, denominator: bigint];

export const zero: Rational = [0n, 1n];
export const plus = ([a, b]: Rational, [c, d]: Rational): Rational => [a * d + c * b, b * d];
export const times = ([a, b]: Rational, [c, d]: Rational): Rational => [a * c, b * d];
export const over = ([a, b]: Rational, [c, d]: Rational): Rational => [a * d, b * c];
export const total = (parts: readonly Rational[]): Rational => parts.reduce(plus, zero);
export const whole = (cents: number): Rational => [BigInt(cents), 1n];
export const floor = ([a, b]: Rational): bigint => a / b;
const fractional = ([a, b]: Rational): Rational => [a % b, b];
export const isLess = ([a, b]: Rational, [c, d]: Rational): boolean => a * d < c * b;
export const isSame = ([a, b]: Rational, [c, d]: Rational): boolean => a * d === c * b;
export const sum = (cents: readonly number[]): number => cents.reduce((a, b) => a + b, 0);

/** Any decimal text. */
export function decimal(text: string): Rational {
  const [wholePart, decimals = ''] = text.split('.');
  return [BigInt(wholePart + decimals), 10n ** BigInt(decimals.length)];
}

export function percent(text: string): Rational {
  return over(decimal(text), whole(100));
}

export function nearest(exact: Rational): number {
  return Number(floor(plus(exact, [1n, 2n])));
}

export function nextWhole(exact: Rational): number {
  return Number(floor(exact)) + (isSame(fractional(exact), zero) ? 0 : 1);
}

/** Called whenever two remainders were equal and only one of them could get a cent. */
export interface TieWatch {
  tied: boolean;
}

/** Whole cents first; then a cent for each part with fewer larger remainders than there are cents left. */
export function split(cents: number, weights: readonly Rational[], watch: TieWatch): number[] {
  if (cents === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => over(times(whole(cents), weight), total(weights)));
  const wholes = exact.map((share) => Number(floor(share)));
  const remainders = exact.map(fractional);
  const leftCents = cents - sum(wholes);
  const rank = (index: number) =>
    remainders.filter(
      (other, at) => isLess(remainders[index]!, other) || (isSame(other, remainders[index]!) && at < index),
    ).length;
  const gets = remainders.map((_, index) => rank(index) < leftCents);
  watch.tied ||= remainders.some(
    (winner, at) => gets[at] && remainders.some((loser, other) => !gets[other] && isSame(winner, loser)),
  );
  return wholes.map((part, index) => part + (gets[index] ? 1 : 0));
}
