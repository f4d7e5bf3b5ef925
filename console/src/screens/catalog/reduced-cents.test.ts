import { expect, test } from 'vitest';
import { reducedCents } from './reduced-cents.ts';

test.each([
  [3_500, '10', 3_150],
  [1_995, '15', 1_696],
  [1, '50', 0],
  [1_000, '12.5', 875],
  [1_000, '100', 0],
  [1_000, '', null],
  [1_000, '100.5', null],
])('%s cents with %s%% off are %s', (cents, percent, reduced) => {
  expect(reducedCents(cents, percent)).toBe(reduced);
});
