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
  sampleLine({ productOptionId: 1, productBrandId: 7, priceCents: 333 }),
  sampleLine({ productOptionId: 2, productBrandId: 7, priceCents: 333 }),
  sampleLine({ productOptionId: 3, productBrandId: 7, priceCents: 334 }),
  sampleLine({ productOptionId: 4, priceCents: 5000 }),
];

const usedCents = (facts: Partial<Discount>) =>
  priceCart(
    sampleCart({
      lines,
      discounts: sampleDiscounts([
        sampleDiscount({ kind: 'product', targets: { ...noTargets, brandIds: [7] }, ...facts }),
      ]),
    }),
  ).lines.map((line) => line.subtotalPriceCents - line.finalPriceCents);

test('a percent is rounded once for the matching lines together', () => {
  expect(usedCents({ amount: '0.25' })).toEqual([1, 1, 1, 0]);
  expect(usedCents({ kind: 'line', amount: '0.25' })).toEqual([1, 1, 1, 0]);
  expect(usedCents({ amount: '0.1' })).toEqual([0, 0, 1, 0]);
  expect(usedCents({ kind: 'line', amount: '0.1' })).toEqual([0, 0, 0, 0]);
});

test('a flat amount counts once, spread over the matching lines by what is left of them', () => {
  expect(usedCents({ type: 'flat', amount: '100' })).toEqual([33, 33, 34, 0]);
});

test('it takes no more than is left of the matching lines, nor than its maximum', () => {
  expect(usedCents({ type: 'flat', amount: '9000' })).toEqual([333, 333, 334, 0]);
  expect(usedCents({ amount: '50', maximumAmountCents: 10 })).toEqual([3, 3, 4, 0]);
});
