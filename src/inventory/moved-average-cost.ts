import Big from 'big.js';
import { type Decimal, decimal, decimalText, zero } from '../kernel/decimal.ts';

/** D4: costs have at most 6 decimals. */
const decimalsMax = 6;

/** Divides with one digit more than is kept and cuts the rest off: rounding half-up then looks at that digit alone. */
const Quotient = Big();
Quotient.DP = decimalsMax + 1;
Quotient.RM = Big.roundDown;

/**
 * The moving average cost per unit after a reception (D52): what is there at its cost and what comes in at its own,
 * divided by both amounts. Where nothing is there, or its cost is not known, it is the cost of what comes in.
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
