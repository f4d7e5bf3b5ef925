import { expect, test } from 'vitest';
import { jurisdictions } from '../jurisdictions/jurisdictions.ts';
import { barredIdCopy, idKeptDays } from './kept-papers.ts';

const day = '2026-11-28';

test('a copy of an ID is barred in New Jersey, is kept for 180 days in Montana, and in no other state is a bound enforced', () => {
  const bounds = jurisdictions.flatMap((it) => {
    const days = idKeptDays(it, day);
    return days === null ? [] : [[it.state, days, barredIdCopy(it, day)?.citation ?? null]];
  });
  expect(bounds).toEqual([
    ['MT', 180, null],
    ['NJ', 0, 'N.J.A.C. 17:30-14.3(b)'],
  ]);
  expect([idKeptDays(null, day), barredIdCopy(null, day)]).toEqual([null, null]);
});
