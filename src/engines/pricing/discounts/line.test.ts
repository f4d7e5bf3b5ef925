import { expect, test } from 'vitest';
import { priceCart } from '../price-cart.ts';
import {
  noTargets,
  sampleCart,
  sampleDiscount,
  sampleDiscounts,
  sampleLine,
} from '../sample-cart.test-support.ts';
import type { Discount } from './discount-kinds.ts';

const lines = [
  sampleLine({ productOptionId: 1, priceCents: 1005, quantity: 3 }),
  sampleLine({ productOptionId: 2, priceCents: 500, productCategoryId: 2 }),
  sampleLine({ productOptionId: 3, priceCents: 90 }),
];

const finals = (...discounts: Partial<Discount>[]) =>
  priceCart(
    sampleCart({
      lines,
      discounts: sampleDiscounts(
        discounts.map((facts, index) => sampleDiscount({ id: index + 1, ...facts })),
      ),
    }),
  ).lines.map((line) => line.finalPriceCents);

test('a percent is rounded for each line separately', () => {
  expect(finals({ amount: '10' })).toEqual([3015 - 302, 450, 81]);
});

test('a flat amount is per line, or per unit where the discount says so, and never more than the rest', () => {
  expect(finals({ type: 'flat', amount: '100' })).toEqual([2915, 400, 0]);
  expect(finals({ type: 'flat', amount: '100', perUnit: true })).toEqual([2715, 400, 0]);
});

test('the maximum is for each line', () => {
  expect(finals({ amount: '50', maximumAmountCents: 200 })).toEqual([2815, 300, 45]);
});

test('only the lines that match are cheaper', () => {
  expect(finals({ targets: { ...noTargets, categoryIds: [2] } })).toEqual([3015, 450, 90]);
});

test('discounts apply in order of priority and then id, each to the rest', () => {
  const flat = { type: 'flat', amount: '100' } as const;
  expect(finals({ amount: '10' }, flat)).toEqual([2613, 350, 0]);
  expect(finals({ amount: '10', priority: 2 }, { ...flat, priority: 1 })).toEqual([2623, 360, 0]);
});

test('limited uses per order go to the lines with the largest reductions, ties to the lower option id', () => {
  expect(finals({ usesPerOrder: 2, amount: '10' })).toEqual([2713, 450, 90]);
  expect(finals({ usesPerOrder: 2, type: 'flat', amount: '1' })).toEqual([3014, 499, 90]);
});
