import { expect, test } from 'vitest';
import { cashSuggestions, paymentFee } from './payment-fee.ts';

test('a payment fee is its flat part and its percentage to the nearest cent, halves up', () => {
  expect(paymentFee({ fee: 350, feePercent: '0' }, 12_351)).toBe(350);
  expect(paymentFee({ fee: 0, feePercent: '1.5' }, 12_351)).toBe(185);
  expect(paymentFee({ fee: 0, feePercent: '1.5' }, 100)).toBe(2);
  expect(paymentFee({ fee: 25, feePercent: '2.875' }, 9_999)).toBe(25 + 287);
});

test('a payment of nothing has no fee', () => {
  expect(paymentFee({ fee: 350, feePercent: '1.5' }, 0)).toBe(0);
});

test('suggested cash is the exact amount and the round sums above it, each once', () => {
  expect(cashSuggestions(1_842)).toEqual([1_842, 2_000, 5_000, 10_000]);
  expect(cashSuggestions(2_000)).toEqual([2_000, 5_000, 10_000]);
});
