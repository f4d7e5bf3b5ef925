import { expect, test } from 'vitest';
import { findMissingOrOldData, warningsOnLimits } from './jurisdiction-warnings.ts';

test('a state is warned of when nothing is known of it, and when what is known is older than a year', () => {
  expect(findMissingOrOldData('OK', '2026-11-20')).toMatch(/^The law of the state OK is not known here/);
  expect(findMissingOrOldData('CA', '2027-11-20')).toBeNull();
  expect(findMissingOrOldData('CA', '2027-11-21')).toMatch(/California was compiled on 2026-11-20/);
});

test('what the limits of a state leave out is said', () => {
  expect(warningsOnLimits('CA', '2026-11-20')).toEqual([]);
  expect(warningsOnLimits('OK', '2026-11-20')).toHaveLength(1);
  expect(warningsOnLimits('WA', '2026-11-20')).toEqual([
    expect.stringMatching(/No purchase limits of Washington for medical customers/),
  ]);
  expect(warningsOnLimits('IL', '2027-12-01')).toEqual([
    expect.stringMatching(/more than a year ago/),
    expect.stringMatching(/customers from elsewhere/),
  ]);
});
