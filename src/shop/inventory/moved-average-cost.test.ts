import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal } from '../../kernel/decimal.ts';
import { movedAverageCost } from './moved-average-cost.ts';

const moved = (onHand: string, cost: string | null, received: string, receivedCost: string) =>
  movedAverageCost(decimal(onHand), cost, decimal(received), receivedCost);

/** Millionths of a dollar or of a unit. */
const amount = fc.integer({ min: 1, max: 10 ** 9 });
const text = (millionths: number): string => decimal(millionths).div(1_000_000).toFixed();

describe('the moving average cost', () => {
  test('weighs the cost on hand and the incoming cost by their amounts', () => {
    expect(moved('10', '4', '30', '8')).toBe('7');
    expect(moved('0.5', '4.123456', '0.5', '4.123458')).toBe('4.123457');
    expect(moved('10', '0', '10', '1')).toBe('0.5');
  });

  test('is the incoming cost if there is no stock or its cost is unknown', () => {
    expect(moved('0', '4', '3', '8.5')).toBe('8.5');
    expect(moved('10', null, '3', '8.50')).toBe('8.5');
  });

  test('keeps six decimals, rounding exact halves up', () => {
    expect(moved('1', '0', '3', '1')).toBe('0.75');
    expect(moved('2', '0', '1', '1')).toBe('0.333333');
    expect(moved('1', '0', '2', '1')).toBe('0.666667');
    expect(moved('1', '0.000001', '1', '0')).toBe('0.000001');
    expect(moved('1.000001', '0.000001', '1', '0')).toBe('0.000001');
    expect(moved('0.999999', '0.000001', '1', '0')).toBe('0');
  });

  test('is the nearest to the exact quotient, for any amounts', () => {
    fc.assert(
      fc.property(amount, amount, amount, amount, (onHand, cost, received, receivedCost) => {
        const result = moved(text(onHand), text(cost), text(received), text(receivedCost));
        const millionths = BigInt(decimal(result).times(1_000_000).toFixed());
        const total = BigInt(onHand) * BigInt(cost) + BigInt(received) * BigInt(receivedCost);
        const count = BigInt(onHand) + BigInt(received);
        // Half-up: (2·total + count) divided by 2·count, rounded down.
        expect(millionths).toBe((2n * total + count) / (2n * count));
      }),
    );
  });
});
