import fc from 'fast-check';
import { expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { parsePercent, type Rounding, roundCents, roundShare } from './exact-amounts.ts';

const runs = { numRuns: casesOf({ everyRun: 500, long: 10_000 }) };

const numerator = fc.oneof(fc.bigInt(-50n, 50n), fc.bigInt(-(10n ** 15n), 10n ** 15n));
const denominator = fc.oneof(fc.bigInt(1n, 12n), fc.bigInt(2_000n, 10n ** 12n));
const rounding = fc.constantFrom<Rounding>('half-up', 'up', 'down');

test('halves round away from zero, everything else to the nearest cent', () => {
  const halves: [bigint, number][] = [
    [0n, 0],
    [4n, 0],
    [5n, 1],
    [14n, 1],
    [15n, 2],
    [-4n, 0],
    [-5n, -1],
    [-14n, -1],
    [-15n, -2],
  ];
  for (const [tenths, cents] of halves) expect(roundCents(tenths, 10n)).toBe(cents);
});

test('rounding up goes to the next whole cent, and leaves whole cents alone', () => {
  expect(roundCents(1n, 1_000_000n, 'up')).toBe(1);
  expect(roundCents(20n, 10n, 'up')).toBe(2);
  expect(roundCents(21n, 10n, 'up')).toBe(3);
  expect(roundCents(0n, 10n, 'up')).toBe(0);
});

test('rounding down drops the fraction of a cent', () => {
  expect(roundCents(19n, 10n, 'down')).toBe(1);
  expect(roundCents(20n, 10n, 'down')).toBe(2);
});

test('nearest is at most half a cent away, up is less than a cent away and never below', () => {
  fc.assert(
    fc.property(numerator, denominator, (exact, of) => {
      const offBy = (cents: number) => {
        const absolute = exact < 0n ? -exact : exact;
        return BigInt(exact < 0n ? -cents : cents) * of - absolute;
      };
      const nearest = offBy(roundCents(exact, of));
      expect(2n * nearest <= of && -2n * nearest < of).toBe(true);
      const up = offBy(roundCents(exact, of, 'up'));
      expect(up >= 0n && up < of).toBe(true);
    }),
    runs,
  );
});

test('rounding mirrors at zero, keeps the order of amounts and does not depend on the unit', () => {
  fc.assert(
    fc.property(numerator, fc.bigInt(0n, 10n ** 12n), denominator, rounding, (exact, more, of, way) => {
      expect(roundCents(-exact, of, way)).toBe(0 - roundCents(exact, of, way));
      expect(roundCents(exact + more, of, way)).toBeGreaterThanOrEqual(roundCents(exact, of, way));
      expect(roundCents(exact * 7n, of * 7n, way)).toBe(roundCents(exact, of, way));
    }),
    runs,
  );
});

test('an amount that a number cannot hold exactly stops the calculation', () => {
  expect(() => roundCents(2n ** 53n, 1n)).toThrow('safe integer');
  expect(() => roundCents(1n, 0n)).toThrow('denominator');
});

test('a share in plain integers equals that in big ones, or is null', () => {
  const cents = fc.oneof(fc.integer({ min: 0, max: 10 ** 6 }), fc.maxSafeNat());
  const percent = fc
    .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 999_999 }))
    .map(([whole, millionths]) => `${whole}.${String(millionths).padStart(6, '0')}`);
  fc.assert(
    fc.property(cents, percent, (amountCents, text) => {
      const rate = parsePercent(text);
      const share = roundShare(amountCents, rate);
      const isSmall = amountCents <= 10 ** 6;
      expect(share === null && isSmall).toBe(false);
      if (share !== null)
        expect(share).toBe(roundCents(BigInt(amountCents) * rate.numerator, rate.denominator));
    }),
    runs,
  );
});
