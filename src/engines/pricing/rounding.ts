import { assert } from '../../kernel/assert.ts';
import type { Rate } from './exact-fraction.ts';

/** Halves away from zero; or up to the next whole cent; or (for caps) down. */
export type Rounding = 'half-up' | 'up' | 'down';

/**
 * `numerator / denominator` cents as whole cents: 'half-up' to the nearest, halves away from zero; 'up' away
 * from zero; 'down' towards zero. All mirror at zero, so a return reverses a sale exactly. The denominator is
 * above 0; fails for a result beyond the safe integers.
 */
export function roundCents(numerator: bigint, denominator: bigint, rounding: Rounding = 'half-up'): number {
  assert(denominator > 0n, 'rounding over a denominator that is not above zero');
  const absolute = numerator < 0n ? -numerator : numerator;
  const whole = absolute / denominator;
  const rest = absolute - whole * denominator;
  const goesUp = rounding === 'half-up' ? rest * 2n >= denominator : rounding === 'up' && rest > 0n;
  const rounded = Number(goesUp ? whole + 1n : whole);
  assert(Number.isSafeInteger(rounded), () => `rounded amount is not a safe integer: ${rounded}`);
  return numerator < 0n && rounded !== 0 ? -rounded : rounded;
}

/** Whether `roundWholes` may get the product of these non-negative whole numbers. */
export function isSafeToRound(amount: number, numerator: number): boolean {
  // Doubled, because rounding compares halves.
  return Number.isSafeInteger(amount) && Number.isSafeInteger(2 * amount * numerator);
}

/** `roundCents` for non-negative whole numbers that are `isSafeToRound`. */
export function roundWholes(numerator: number, denominator: number, rounding: Rounding = 'half-up'): number {
  const rest = numerator % denominator;
  // Whole: the dividend is a multiple.
  const whole = (numerator - rest) / denominator;
  const goesUp = rounding === 'half-up' ? rest * 2 >= denominator : rounding === 'up' && rest > 0;
  return goesUp ? whole + 1 : whole;
}

/**
 * A share of a non-negative amount in cents, to the nearest cent, with plain integers. Null where a product
 * would exceed the safe integers: `roundCents` computes that.
 */
export function roundShare(amountCents: number, { plainNumerator, plainDenominator }: Rate): number | null {
  if (!isSafeToRound(amountCents, plainNumerator)) return null;
  return roundWholes(amountCents * plainNumerator, plainDenominator);
}
