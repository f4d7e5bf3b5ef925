import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceCart } from '../price-cart.ts';
import type { PriceCartInput } from '../pricing-facts.ts';
import { randomCart } from '../random-cart.test-support.ts';
import {
  noTargets,
  sampleCart,
  sampleDiscount,
  sampleDiscounts,
  sampleLine,
} from '../sample-cart.test-support.ts';
import type { Discount, DiscountKind } from './discount-kinds.ts';

const lines = [
  sampleLine({ productOptionId: 1, productBrandId: 7, priceCents: 333, quantity: 2 }),
  sampleLine({ productOptionId: 2, productBrandId: 7, priceCents: 334 }),
  sampleLine({ productOptionId: 3, productBrandId: 7, priceCents: 50 }),
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

test('a percent is rounded for each matching line separately', () => {
  expect(usedCents({ amount: '0.1' })).toEqual([1, 0, 0, 0]);
  expect(usedCents({ amount: '0.05' })).toEqual([0, 0, 0, 0]);
});

test('a flat amount is per line, or per unit where the discount says so, and never more than the rest', () => {
  expect(usedCents({ type: 'flat', amount: '100' })).toEqual([100, 100, 50, 0]);
  expect(usedCents({ type: 'flat', amount: '100', perUnit: true })).toEqual([200, 100, 50, 0]);
});

test('the maximum is for each line, and limited uses per order go to the lines with the largest reductions', () => {
  expect(usedCents({ amount: '50', maximumAmountCents: 100 })).toEqual([100, 100, 25, 0]);
  expect(usedCents({ amount: '50', usesPerOrder: 1 })).toEqual([333, 0, 0, 0]);
});

/** The cart with every discount of one of these two kinds changed to the other. */
function whereAllAre(input: PriceCartInput, kind: DiscountKind): PriceCartInput {
  const discounts = input.discounts!;
  const offered = discounts.offered.map((each) =>
    each.kind === 'line' || each.kind === 'product' ? { ...each, kind } : each,
  );
  return { ...input, discounts: { ...discounts, offered }, explain: true };
}

test('any cart has the same cents and steps with discounts of kind `line` or `product`', () => {
  fc.assert(
    fc.property(randomCart, (input) => {
      expect(priceCart(whereAllAre(input, 'product'))).toEqual(priceCart(whereAllAre(input, 'line')));
    }),
    { numRuns: 300 },
  );
});
