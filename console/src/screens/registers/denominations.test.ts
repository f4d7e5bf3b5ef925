import { expect, test } from 'vitest';
import { denominationName, denominations, piecesValue } from './denominations.ts';

test('pieces add up to whole cents, whatever was counted', () => {
  expect(piecesValue({})).toBe(0);
  expect(piecesValue({ 10000: 3, 2000: 7, 100: 11, 25: 3, 10: 1, 5: 1, 1: 4 })).toBe(45_194);
  expect(piecesValue(Object.fromEntries(denominations.map((cents) => [cents, 1])))).toBe(18_641);
});

test('bills are named in dollars, coins in cents', () => {
  expect(([2_000, 100, 25, 1] as const).map(denominationName)).toEqual(['$20', '$1', '25¢', '1¢']);
});
