import { expect, test } from 'vitest';
import { codesOfOtherZones, exceptionInWords, zoneExceptions } from './zone-conflicts.ts';

const uptown = { id: 1, name: 'Uptown', postalCodes: ['94610', '946*'] };
const harbor = { id: 2, name: 'Harbor', postalCodes: ['94607', '94608', '94501'] };

test('a code of another zone is reported with that zone, in any notation', () => {
  expect(codesOfOtherZones(['946 10', '94612'], null, [uptown, harbor])).toEqual([
    { code: '946 10', zone: 'Uptown' },
  ]);
});

test('a zone does not conflict with itself', () => {
  expect(codesOfOtherZones(['94610', '946*'], 1, [uptown, harbor])).toEqual([]);
  expect(zoneExceptions([uptown])).toEqual([]);
});

test('codes within the prefix of another zone are listed together as exceptions', () => {
  const exceptions = zoneExceptions([uptown, harbor]);
  expect(exceptions.map((it) => exceptionInWords(it))).toEqual([
    '946* of Uptown, except 94607, 94608 of Harbor',
  ]);
  expect(exceptions.map((it) => exceptionInWords(it, 2))).toEqual([
    '946* of Uptown, except 94607, 94608 here',
  ]);
});
