import { expect, test } from 'vitest';
import { isDecimalText, withoutGroups } from './decimal-text.ts';

test('commas are read where they end thousands, and nowhere else', () => {
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

test('what is no number is none, also where it begins as one', () => {
  expect(['3.5', '.5', '-2', '3.'].map(isDecimalText)).toEqual([true, true, true, true]);
  expect(['5O0', '60.5.0', '12,50', '1 2', '', '-', '.'].map(isDecimalText)).not.toContain(true);
});
