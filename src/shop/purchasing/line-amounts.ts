import { decimal } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';

/** $100 million: far above any order, and exact in every sum. */
const orderCentsMax = 10_000_000_000;

/** The amounts of a line, in cents. */
export interface LineCents {
  readonly subtotalCents: number;
  readonly caExciseCents: number;
}

/**
 * D49: amount × cost, and amount × excise, in dollars, each rounded half-up to cents. Fails with INVALID_PARAMS when
 * one exceeds the maximum.
 */
export function lineCents(
  amount: string,
  costPerUnit: string,
  caExcisePerUnit: string,
  path: string,
): LineCents {
  const product = (perUnit: string, name: string) => {
    const cents = decimal(amount).times(perUnit).times(100).round(0, 1);
    if (cents.gt(orderCentsMax)) {
      throw failure('INVALID_PARAMS', `${path}.amount times ${name} must be at most $100,000,000.`);
    }
    return cents.toNumber();
  };
  return {
    subtotalCents: product(costPerUnit, 'costPerUnit'),
    caExciseCents: product(caExcisePerUnit, 'caExcisePerUnit'),
  };
}

/** Lines with their excise, and fees. */
export function totalCents(lines: readonly LineCents[], feeCents: number): number {
  return lines.reduce((sum, line) => sum + line.subtotalCents + line.caExciseCents, feeCents);
}

/** Fails with INVALID_PARAMS when the sum of all lines and fees exceeds the maximum. */
export function refuseExcess(finalTotalCents: number): void {
  if (finalTotalCents <= orderCentsMax) return;
  throw failure('INVALID_PARAMS', 'lineItems must add up to at most $100,000,000.');
}
