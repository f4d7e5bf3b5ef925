import { expect, test } from 'vitest';
import { isDecimalText, withoutGroups } from './decimal-text.ts';

test('commas are accepted only as thousands separators', () => {
  expect(['1,234', '1,234,567.5', '-1,000', '12,50', '1,2', ',5', '1234,567'].map(withoutGroups)).toEqual([
    '1234',
    '1234567.5',
    '-1000',
    '12,50',
    '1,2',
    ',5',
    '1234,567',
  ]);
});

test('text that is not a number is rejected, also if it begins with one', () => {
  expect(['3.5', '.5', '-2', '3.'].map(isDecimalText)).toEqual([true, true, true, true]);
  expect(['5O0', '60.5.0', '12,50', '1 2', '', '-', '.'].map(isDecimalText)).not.toContain(true);
});
