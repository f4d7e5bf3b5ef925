import Big from 'big.js';
import { type Decimal, decimal, decimalText, zero } from '../../kernel/decimal.ts';

/** D4: costs have at most 6 decimals. */
const decimalsMax = 6;

/** Divides with one extra digit and truncates: half-up rounding then looks at that digit alone. */
const Quotient = Big();
Quotient.DP = decimalsMax + 1;
Quotient.RM = Big.roundDown;

/**
 * The moving average cost per unit after a reception (D52): the average of the cost on hand and the incoming cost,
 * weighted by amount. If there is no stock on hand, or its cost is unknown, the incoming cost is the result.
 */
export function movedAverageCost(
  onHand: Decimal,
  costPerUnit: string | null,
  received: Decimal,
  receivedCostPerUnit: string,
): string {
  if (costPerUnit === null || onHand.lte(zero)) return decimalText(decimal(receivedCostPerUnit));
  const total = onHand.times(costPerUnit).plus(received.times(receivedCostPerUnit));
  return decimalText(decimal(new Quotient(total).div(onHand.plus(received)).toFixed()).round(decimalsMax));
}

/**
 * The average cost of what is left after receptions are taken back: the reverse of `movedAverageCost`, up to its rounding. Null
 * where nothing is left, or nothing is known: the cost stays as it is, and the next reception sets it.
 */
export function costWithout(
  onHand: Decimal,
  costPerUnit: string | null,
  gone: readonly { readonly amount: Decimal; readonly costPerUnit: string }[],
): string | null {
  if (costPerUnit === null) return null;
  let [left, worth] = [onHand, onHand.times(costPerUnit)];
  for (const it of gone) {
    left = left.minus(it.amount);
    worth = worth.minus(it.amount.times(it.costPerUnit));
  }
  if (left.lte(zero) || worth.lt(zero)) return null;
  return decimalText(decimal(new Quotient(worth).div(left).toFixed()).round(decimalsMax));
}
