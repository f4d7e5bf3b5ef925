import fc from 'fast-check';
import { expect, test } from 'vitest';
import { earnedPoints } from './earned-points.ts';

test('earned points are rounded down to the hundredth', () => {
  const hundredthsPerDollar = fc.integer({ min: 0, max: 100_000 });
  fc.assert(
    fc.property(hundredthsPerDollar, fc.integer({ min: 0, max: 1_000_000_00 }), (rate, cents) => {
      const text = earnedPoints(`${Math.floor(rate / 100)}.${String(rate % 100).padStart(2, '0')}`, cents);
      expect(text).toMatch(/^\d+(\.\d{1,2})?$/);
      const [whole, rest = ''] = text.split('.');
      const hundredths = BigInt(whole! + rest.padEnd(2, '0'));
      // Exact, in hundredths of hundredths.
      expect(hundredths).toBe((BigInt(rate) * BigInt(cents)) / 100n);
    }),
  );
});

test('49.99 dollars at one and a half points make 74.98', () => {
  expect(earnedPoints('1.5', 4999)).toBe('74.98');
  expect(earnedPoints('0', 4999)).toBe('0');
});
