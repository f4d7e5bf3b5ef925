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
  sampleLine({ productOptionId: 1, productCategoryId: 1 }),
  sampleLine({ productOptionId: 2, productCategoryId: 2 }),
];

/** The discounts of each line in the result. */
const sides = (discounts: Partial<Discount>[], facts = {}) =>
  priceCart(
    sampleCart({
      lines,
      discounts: sampleDiscounts(discounts.map((each, index) => sampleDiscount({ id: index + 1, ...each }))),
      ...facts,
    }),
  ).lines.map((line) => line.discounts.map(({ id, amountUsedCents }) => [id, amountUsedCents]));

const alone = { stackable: false } as const;

test('the better side applies: the stack, or the best exclusive discount', () => {
  expect(sides([{ amount: '10' }, { amount: '10' }, { amount: '20', ...alone }])[0]).toEqual([[3, 200]]);
  expect(sides([{ amount: '10' }, { amount: '12' }, { amount: '20', ...alone }])[0]).toEqual([
    [1, 100],
    [2, 108],
  ]);
  expect(
    sides([
      { amount: '15', ...alone },
      { amount: '20', ...alone },
    ])[0],
  ).toEqual([[2, 200]]);
});

test('a tie goes to the stack, and among exclusive discounts to the first', () => {
  expect(sides([{ amount: '10', ...alone }, { amount: '10' }])[0]).toEqual([[2, 100]]);
  expect(
    sides([
      { amount: '10', ...alone, priority: 2 },
      { amount: '10', ...alone, priority: 1 },
    ])[0],
  ).toEqual([[2, 100]]);
});

test('every line has its own better side', () => {
  const onlySecond = { targets: { ...noTargets, categoryIds: [2] } };
  expect(sides([{ amount: '10' }, { amount: '20', ...alone, ...onlySecond }])).toEqual([
    [[1, 100]],
    [[2, 200]],
  ]);
});

test('a discount trimmed by the floor shows its actual reduction, and later ones take nothing', () => {
  const cannabis = {
    lines: [sampleLine({ quantity: 3, isCannabis: true }), sampleLine({ productOptionId: 2 })],
    freeProductFloorCents: 1,
  };
  expect(sides([{ amount: '90' }, { type: 'flat', amount: '400' }, { amount: '10' }], cannabis)).toEqual([
    [
      [1, 2700],
      [2, 297],
    ],
    [
      [1, 900],
      [2, 100],
    ],
  ]);
});
