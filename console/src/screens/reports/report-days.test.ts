import { expect, test } from 'vitest';
import { dayAfter, usualRanges } from './report-days.ts';

const rangeOf = (today: string, name: string) => usualRanges(today).find((it) => it.name === name)?.range;

test('days are added across months, years and a leap day', () => {
  expect(dayAfter('2026-12-31', 1)).toBe('2027-01-01');
  expect(dayAfter('2028-03-01', -1)).toBe('2028-02-29');
});

test('the last seven and thirty days include today', () => {
  expect(rangeOf('2026-03-08', 'Last 7 days')).toEqual({ from: '2026-03-02', to: '2026-03-08' });
  expect(rangeOf('2026-03-08', 'Last 30 days')).toEqual({ from: '2026-02-07', to: '2026-03-08' });
});

test('the month before January is December of the year before', () => {
  expect(rangeOf('2026-01-15', 'Last month')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
});

test('quarters begin in January, April, July and October', () => {
  expect(rangeOf('2026-11-21', 'This quarter')).toEqual({ from: '2026-10-01', to: '2026-11-21' });
  expect(rangeOf('2026-02-28', 'Last quarter')).toEqual({ from: '2025-10-01', to: '2025-12-31' });
});
