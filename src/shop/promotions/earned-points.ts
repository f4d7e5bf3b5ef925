import { decimal, decimalText } from '../../kernel/decimal.ts';

/** Points earned for merchandise after discounts: the rate per dollar, rounded down to the hundredth. */
export function earnedPoints(pointsPerDollar: string, merchandiseCents: number): string {
  return decimalText(decimal(pointsPerDollar).times(merchandiseCents).div(100).round(2, 0));
}
