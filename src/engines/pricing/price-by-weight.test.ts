import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceByWeight } from './price-by-weight.ts';

const sizes = [
  { amount: '1', cents: 800 },
  { amount: '3.5', cents: 2500 },
  { amount: '7', cents: 4500 },
];
const grams = (hundredths: number) => (hundredths / 100).toFixed(2);

test.each([
  ['0.5', 400, 'rate', '1'],
  ['1', 800, 'size', '1'],
  ['1.06', 848, 'rate', '1'],
  ['2.99', 2392, 'rate', '1'],
  // 3.4 g by the gram is $27.20; an eighth is $25.
  ['3.4', 2500, 'size', '3.5'],
  ['3.5', 2500, 'size', '3.5'],
  ['3.55', 2500, 'size', '3.5'],
  ['3.56', 2543, 'rate', '3.5'],
  ['6.9', 4500, 'size', '7'],
  // Seven grams are a quarter.
  ['7', 4500, 'size', '7'],
  ['14', 9000, 'rate', '7'],
])('%s g cost %i cents, by %s of %s g', (weight, cents, by, amount) => {
  const price = priceByWeight(weight, sizes, '0.05');
  expect([price.cents, price.by, price.size.amount]).toEqual([cents, by, amount]);
});

test('where larger sizes are cheaper by the gram, more weight never costs less, and no weight costs more than a larger size', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 0, max: 500 }), (first, more) => {
      const price = (hundredths: number) => priceByWeight(grams(hundredths), sizes, '0').cents;
      expect(price(first)).toBeLessThanOrEqual(price(first + more));
      for (const { amount, cents } of sizes) {
        if (first <= Number(amount) * 100) expect(price(first)).toBeLessThanOrEqual(cents);
      }
    }),
  );
});
