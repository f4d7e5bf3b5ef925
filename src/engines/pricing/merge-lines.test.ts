import { expect, test } from 'vitest';
import { mergeLines } from './price-cart.ts';
import type { CartLine } from './pricing-facts.ts';

const line = (productOptionId: number, quantity: number, facts: Partial<CartLine> = {}): CartLine => ({
  productOptionId,
  productId: 1,
  productCategoryId: 1,
  quantity,
  priceCents: 1000,
  salesPriceCents: null,
  ...facts,
});

test('an option with two lines becomes one line, at the place of the first, with both quantities', () => {
  expect(mergeLines([line(7, 2), line(5, 1), line(7, 3)])).toEqual([line(7, 5), line(5, 1)]);
});

test('merged lines can be merged again', () => {
  const merged = mergeLines([line(7, 10_000), line(7, 10_000)]);
  expect(mergeLines(merged)).toEqual(merged);
});

test('lines of one option with different prices, products or categories are not merged', () => {
  for (const facts of [
    { priceCents: 1 },
    { salesPriceCents: 1 },
    { givenPriceCents: 1 },
    { productId: 2 },
    { productCategoryId: 2 },
    { productBrandId: 1 },
    { productTagIds: [1] },
    { isCannabis: true },
  ]) {
    expect(() => mergeLines([line(7, 1), line(7, 1, facts)])).toThrow('contradict');
  }
});

test('a quantity is a whole number above zero', () => {
  for (const quantity of [0, -1, 1.5, Number.NaN])
    expect(() => mergeLines([line(7, quantity)])).toThrow('quantity');
});
