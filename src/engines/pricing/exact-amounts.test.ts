import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  add,
  fraction,
  fractionText,
  leastCommonMultiple,
  multiply,
  parseCents,
  parseDecimal,
  parsePercent,
  wholeQuotient,
} from './exact-amounts.ts';

const parts = fc.tuple(fc.bigInt(0n, 10n ** 9n), fc.bigInt(1n, 10n ** 9n));

test('a percent is read exactly, from 0 to 100 with up to six decimals', () => {
  for (const [text, numerator, denominator] of [
    ['0', 0n, 1n],
    ['100', 1n, 1n],
    ['100.000000', 1n, 1n],
    ['9.25', 37n, 400n],
    ['0.000001', 1n, 100_000_000n],
    ['99.999999', 99_999_999n, 100_000_000n],
  ] as const) {
    const rate = parsePercent(text);
    expect(fraction(rate.numerator, rate.denominator)).toEqual({ numerator, denominator });
  }
});

test('any other text is refused', () => {
  for (const text of [
    '',
    ' ',
    '-1',
    '+1',
    '1.',
    '.5',
    '01',
    '1e1',
    '9,25',
    '9.25 ',
    '9.25%',
    '1.0000001',
    '0x10',
  ]) {
    expect(() => parsePercent(text), text).toThrow('not a percent');
  }
  for (const text of ['100.000001', '101', '999'])
    expect(() => parsePercent(text), text).toThrow('above 100');
});

test('more rates than the cache holds are read exactly', () => {
  const reads = () =>
    Array.from({ length: 2500 }, (_, index) => parsePercent(`0.${`${index}`.padStart(4, '0')}`).numerator);
  expect(reads()).toEqual(Array.from({ length: 2500 }, (_, index) => BigInt(index)));
  expect(reads()).toEqual(reads());
});

test('whole cents are read from text that is whole, and decimals from up to six places', () => {
  expect(['0', '500', '9007199254740991'].map(parseCents)).toEqual([0, 500, Number.MAX_SAFE_INTEGER]);
  for (const text of ['', '5.0', '-1', '01', '1e3', '9007199254740992', '99999999999999999']) {
    expect(() => parseCents(text), text).toThrow('not whole cents');
  }
  expect(parseDecimal('12.5')).toEqual({ numerator: 25n, denominator: 2n });
  expect(parseDecimal('50000')).toEqual({ numerator: 50_000n, denominator: 1n });
  for (const text of ['', '.5', '1.', '-1', '1.0000001']) {
    expect(() => parseDecimal(text), text).toThrow('not a decimal');
  }
});

test('a whole quotient is rounded down', () => {
  expect([0, 2, 3, 5, 6].map((units) => wholeQuotient(units, 3))).toEqual([0, 0, 1, 1, 2]);
});

test('sums and products are exact and in lowest terms', () => {
  fc.assert(
    fc.property(parts, parts, ([a, b], [c, d]) => {
      const sum = add(fraction(a, b), fraction(c, d));
      expect(sum.numerator * b * d).toBe((a * d + c * b) * sum.denominator);
      const product = multiply(fraction(a, b), fraction(c, d));
      expect(product.numerator * b * d).toBe(a * c * product.denominator);
      for (const { numerator, denominator } of [sum, product]) {
        expect(fraction(numerator * 6n, denominator * 6n)).toEqual({ numerator, denominator });
      }
    }),
  );
});

test('a negative fraction and a denominator of zero are refused', () => {
  expect(() => fraction(-1n)).toThrow('not a fraction');
  expect(() => fraction(1n, 0n)).toThrow('not a fraction');
});

test('the least common multiple is the first number that both divide', () => {
  expect(leastCommonMultiple(4n, 6n)).toBe(12n);
  expect(leastCommonMultiple(1n, 7n)).toBe(7n);
});

test('the text for people is a decimal if it is exact, otherwise a mixed number', () => {
  expect(fractionText(fraction(0n))).toBe('0');
  expect(fractionText(fraction(7000n))).toBe('7000');
  expect(fractionText(fraction(84_966n, 100n))).toBe('849.66');
  expect(fractionText(fraction(1n, 16n))).toBe('0.0625');
  expect(fractionText(fraction(1000n, 3n))).toBe('333 1/3');
  expect(fractionText({ numerator: 2n, denominator: 6n })).toBe('1/3');
});
