import { decimal } from '../kernel/decimal.ts';
import { failure } from '../kernel/failure.ts';

/** $100 million: far more than an order is worth, and exact in every sum. */
const orderCentsMax = 10_000_000_000;

/** D49: amount × cost in dollars, rounded half-up to cents. Fails with INVALID_PARAMS when it is beyond all orders. */
export function lineSubtotalCents(amount: string, costPerUnit: string, path: string): number {
  const cents = decimal(amount).times(costPerUnit).times(100).round(0, 1);
  if (cents.gt(orderCentsMax)) {
    throw failure('INVALID_PARAMS', `${path}.amount times costPerUnit must be at most $100,000,000.`);
  }
  return cents.toNumber();
}

/** Fails with INVALID_PARAMS when all lines and fees are beyond all orders. */
export function refuseExcess(finalTotalCents: number): void {
  if (finalTotalCents <= orderCentsMax) return;
  throw failure('INVALID_PARAMS', 'lineItems must come to at most $100,000,000 in all.');
}
