import { expect, test } from 'vitest';
import { priceCart } from '../price-cart.ts';
import {
  noTargets,
  sampleCart,
  sampleDiscount,
  sampleDiscounts,
  sampleLine,
} from '../sample-cart.test-support.ts';
import type { BuyXGetY } from './buy-x-get-y.ts';
import type { Discount } from './discount-kinds.ts';

const buyTwoGetOne: BuyXGetY = { buyQuantity: 2, getQuantity: 1, buyTargets: null };

/** The reductions of lines of these [unit price, quantity, category]. */
function usedCents(
  goods: readonly (readonly [priceCents: number, quantity: number, categoryId?: number])[],
  facts: Partial<Discount> = {},
): number[] {
  const discount = sampleDiscount({ kind: 'buy-x-get-y', amount: '100', ownTerms: buyTwoGetOne, ...facts });
  const lines = goods.map(([priceCents, quantity, productCategoryId = 1], index) =>
    sampleLine({ productOptionId: index + 1, priceCents, quantity, productCategoryId }),
  );
  const cart = priceCart(sampleCart({ lines, discounts: sampleDiscounts([discount]) }));
  return cart.lines.map((line) => line.subtotalPriceCents - line.finalPriceCents);
}

test('of every three units the cheapest one is free, and units that fill no group pay', () => {
  expect(usedCents([[1000, 2]])).toEqual([0]);
  expect(usedCents([[1000, 3]])).toEqual([1000]);
  expect(usedCents([[1000, 5]])).toEqual([1000]);
  expect(usedCents([[1000, 6]])).toEqual([2000]);
});

test('the cheapest units of all matching lines are reduced, ties by the lower option id', () => {
  expect(
    usedCents([
      [900, 2],
      [500, 1],
    ]),
  ).toEqual([0, 500]);
  expect(
    usedCents([
      [900, 4],
      [500, 1],
      [700, 1],
    ]),
  ).toEqual([0, 500, 700]);
  expect(
    usedCents([
      [500, 2],
      [500, 1],
    ]),
  ).toEqual([500, 0]);
});

test('each reduced unit has the percent or the flat amount off, and never more than its share', () => {
  expect(usedCents([[1001, 3]], { amount: '50' })).toEqual([501]);
  expect(usedCents([[1000, 6]], { type: 'flat', amount: '300' })).toEqual([600]);
  expect(usedCents([[1000, 6]], { type: 'flat', amount: '3000' })).toEqual([2000]);
});

test('uses per order count groups, and the maximum is for the order', () => {
  expect(usedCents([[1000, 9]], { usesPerOrder: 2 })).toEqual([2000]);
  expect(
    usedCents(
      [
        [1000, 2],
        [400, 2],
        [200, 2],
      ],
      { maximumAmountCents: 100 },
    ),
  ).toEqual([0, 0, 100]);
  expect(
    usedCents(
      [
        [1000, 4],
        [400, 1],
        [200, 1],
      ],
      { maximumAmountCents: 100 },
    ),
  ).toEqual([0, 67, 33]);
});

test('the units to buy may be other products than the units to get', () => {
  const facts = {
    targets: { ...noTargets, categoryIds: [2] },
    ownTerms: { buyQuantity: 1, getQuantity: 1, buyTargets: { ...noTargets, categoryIds: [1] } },
  };
  expect(
    usedCents(
      [
        [100, 1, 1],
        [900, 1, 2],
      ],
      facts,
    ),
  ).toEqual([0, 900]);
  expect(
    usedCents(
      [
        [100, 1, 1],
        [900, 1, 2],
        [800, 1, 2],
      ],
      facts,
    ),
  ).toEqual([0, 0, 800]);
  expect(usedCents([[900, 2, 2]], facts)).toEqual([0]);
});

test('a unit to buy is not reduced, too', () => {
  // Categories 1 and 2 match the get side, but two units of category 1 must be bought: the expensive one is
  // reduced.
  const facts = {
    targets: { ...noTargets, categoryIds: [1, 2] },
    ownTerms: { buyQuantity: 2, getQuantity: 1, buyTargets: { ...noTargets, categoryIds: [1] } },
  };
  expect(
    usedCents(
      [
        [100, 2, 1],
        [900, 1, 2],
      ],
      facts,
    ),
  ).toEqual([0, 900]);
  expect(
    usedCents(
      [
        [100, 3, 1],
        [900, 1, 2],
      ],
      facts,
    ),
  ).toEqual([100, 0]);
  expect(usedCents([[100, 2, 1]], facts)).toEqual([0]);
});

test('a discount without units to buy stops the calculation', () => {
  expect(() => usedCents([[1000, 3]], { ownTerms: null })).toThrow('what to buy');
  expect(() => usedCents([[1000, 3]], { ownTerms: { ...buyTwoGetOne, getQuantity: 0 } })).toThrow('below 1');
});
