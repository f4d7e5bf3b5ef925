import fc from 'fast-check';
import { expect, test } from 'vitest';
import { centsOf, dollars, dollarsInput } from './dollars.ts';

test('cents are shown as dollars with thousands separators, the minus before the dollar sign', () => {
  expect([0, 5, 99, 123_456, 100_000_000, -1_050].map(dollars)).toEqual([
    '$0.00',
    '$0.05',
    '$0.99',
    '$1,234.56',
    '$1,000,000.00',
    '−$10.50',
  ]);
});

test('typed dollars become exact cents, and null if they are not an amount', () => {
  const typed = ['12', '12.5', '.5', '$1,234.56', ' -3.10 ', '0.1', '1.005', 'ten', '', '.', '1.2.3'];
  expect(typed.map(centsOf)).toEqual([1_200, 1_250, 50, 123_456, -310, 10, null, null, null, null, null]);
});

test('commas are accepted only as thousands separators', () => {
  const typed = [
    '1,234',
    '1,234,567.5',
    '12,50',
    '1,2345',
    ',500',
    '5O0',
    '27.505',
    '10.000',
    '60.5.0',
    '1 2',
  ];
  expect(typed.map(centsOf)).toEqual([123_400, 123_456_750, ...Array(8).fill(null)]);
});

test('every formatted amount is parsed back to the same cents', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (cents) => {
      expect(centsOf(dollarsInput(cents))).toBe(cents);
      expect(centsOf(dollars(cents))).toBe(cents);
    }),
  );
});
