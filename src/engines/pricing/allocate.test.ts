import fc from 'fast-check';
import { expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { allocate, allocateByCents } from './allocate.ts';

const runs = { numRuns: casesOf({ everyRun: 500, long: 10_000 }) };

const weights = fc
  .array(fc.oneof(fc.bigInt(0n, 12n), fc.bigInt(0n, 10n ** 30n)), { minLength: 1, maxLength: 12 })
  .filter((each) => each.some((weight) => weight > 0n));

const totalCents = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.maxSafeInteger());

test('the parts are whole cents and add up to the total', () => {
  fc.assert(
    fc.property(totalCents, weights, (cents, shares) => {
      const parts = allocate(cents, shares);
      expect(parts.every(Number.isSafeInteger)).toBe(true);
      expect(parts.reduce((sum, part) => sum + BigInt(part), 0n)).toBe(BigInt(cents));
    }),
    runs,
  );
});

test('splitting −x mirrors splitting x', () => {
  fc.assert(
    fc.property(totalCents, weights, (cents, shares) => {
      const mirrored = allocate(cents, shares).map((part) => 0 - part);
      expect(allocate(0 - cents, shares)).toEqual(mirrored);
    }),
    runs,
  );
});

test('no part is a cent or more from its exact share, and a weight of 0 gets nothing', () => {
  fc.assert(
    fc.property(totalCents, weights, (cents, shares) => {
      const whole = shares.reduce((sum, weight) => sum + weight, 0n);
      const astray = allocate(cents, shares).filter((part, index) => {
        const distance = BigInt(part) * whole - BigInt(cents) * shares[index]!;
        return distance >= whole || -distance >= whole || (shares[index] === 0n && part !== 0);
      });
      expect(astray).toEqual([]);
    }),
    runs,
  );
});

test('a heavier line never gets less than a lighter one, nor less than a later line of the same weight', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000 }), weights, (cents, shares) => {
      const parts = allocate(cents, shares);
      const outOfOrder = parts.filter((part, at) =>
        at === 0 ? false : shares[at - 1]! >= shares[at]! ? parts[at - 1]! < part : parts[at - 1]! > part,
      );
      expect(outOfOrder).toEqual([]);
    }),
    runs,
  );
});

test('the unit of the weights does not matter', () => {
  fc.assert(
    fc.property(totalCents, weights, fc.bigInt(1n, 10n ** 12n), (cents, shares, unit) => {
      expect(
        allocate(
          cents,
          shares.map((weight) => weight * unit),
        ),
      ).toEqual(allocate(cents, shares));
    }),
    runs,
  );
});

test('the remaining cents go to the largest remainders, ties to the earlier line', () => {
  expect(allocate(100, [1n, 1n, 1n])).toEqual([34, 33, 33]);
  expect(allocate(-100, [1n, 1n, 1n])).toEqual([-34, -33, -33]);
  expect(allocate(2, [1n, 1n, 1n])).toEqual([1, 1, 0]);
  expect(allocate(10, [1n, 2n, 3n])).toEqual([2, 3, 5]);
  expect(allocate(5, [0n, 1n, 1n])).toEqual([0, 3, 2]);
});

test('only 0 can be split over weights of 0', () => {
  expect(allocate(0, [0n, 0n])).toEqual([0, 0]);
  expect(allocate(0, [])).toEqual([]);
  expect(() => allocate(1, [0n, 0n])).toThrow('nothing to allocate');
  expect(() => allocate(1, [2n, -1n])).toThrow('negative weight');
});

test('weights in cents give the same parts, for any size of weights and total', () => {
  const cents = fc.oneof(
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 0, max: 10 ** 9 }),
    fc.maxSafeNat(),
  );
  const weightsCents = fc
    .array(cents, { minLength: 1, maxLength: 12 })
    .filter((each) => each.some((weight) => weight > 0))
    .filter((each) => Number.isSafeInteger(each.reduce((sum, weight) => sum + weight, 0)));
  fc.assert(
    fc.property(totalCents, weightsCents, (total, shares) => {
      expect(allocateByCents(total, shares)).toEqual(allocate(total, shares.map(BigInt)));
    }),
    runs,
  );
});
