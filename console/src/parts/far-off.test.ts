import { expect, test } from 'vitest';
import { isFarOff } from './far-off.ts';

test.each([
  ['410001000013', '13', true],
  [2410, 1, true],
  ['100', '1', true],
  ['99.9', '1', false],
  ['0.5', '50', true],
  ['0.6', '50', false],
  ['-350', '3.5', true],
  ['100', '0', true],
  ['99', '0.000', false],
  ['0.25', '0', false],
  ['0', '500', false],
  ['.5', '50', true],
  ['', '3', false],
  ['5O0', '3', false],
])('%s after %s is far off: %s', (amount, before, expected) => {
  expect(isFarOff(amount, before)).toBe(expected);
});
