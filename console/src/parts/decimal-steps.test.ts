import { expect, test } from 'vitest';
import { stepped } from './decimal-steps.ts';

test.each([
  ['', 1, '1'],
  ['', -1, '0'],
  ['0', -1, '0'],
  ['0.5', -1, '0'],
  ['9', 1, '10'],
  ['2.50', 1, '3.50'],
  ['2.5', -1, '1.5'],
  ['.5', 1, '1.5'],
  ['3.', 1, '4'],
  ['90071992547409930.5', 1, '90071992547409931.5'],
  ['x', 1, 'x'],
] as const)('%s and %s is %s', (text, by, after) => {
  expect(stepped(text, by)).toBe(after);
});
