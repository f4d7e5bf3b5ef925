import { type Percent, parsePercent, roundCents, wholeCents } from './exact-amounts.ts';

/** What staff take off each unit of a line by hand. */
export type UnitReduction =
  | { readonly type: 'percent'; readonly percent: Percent }
  | { readonly type: 'flat'; readonly cents: number };

/**
 * The price of a unit after a reduction by hand: the percent of it is rounded to the nearest cent, halves up; a flat amount
 * takes at most the price.
 */
export function reducedUnitPriceCents(unitPriceCents: number, reduction: UnitReduction): number {
  const cents = wholeCents(unitPriceCents, 'unit price');
  if (reduction.type === 'flat') return Math.max(0, cents - wholeCents(reduction.cents, 'reduction'));
  const rate = parsePercent(reduction.percent);
  return cents - roundCents(BigInt(cents) * rate.numerator, rate.denominator);
}
