import { expect, test } from 'vitest';
import { changeInWords } from './amount-change.ts';
import { atMostDays, comparedRange, dayAfter, usualRanges } from './report-days.ts';

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

test('a period is compared with the one before, whole months with whole months, or with a year before', () => {
  const march = { from: '2026-03-01', to: '2026-03-31' };
  expect(comparedRange(march, 'previous')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(comparedRange({ from: '2026-01-01', to: '2026-03-31' }, 'previous')).toEqual({
    from: '2025-10-01',
    to: '2025-12-31',
  });
  expect(comparedRange({ from: '2026-03-02', to: '2026-03-08' }, 'previous')).toEqual({
    from: '2026-02-23',
    to: '2026-03-01',
  });
  expect(comparedRange({ from: '2028-02-29', to: '2028-03-05' }, 'year')).toEqual({
    from: '2027-02-28',
    to: '2027-03-05',
  });
});

test('a change is a whole percent, halves away from zero, and new from nothing', () => {
  const changes = [
    [112, 100],
    [97, 100],
    [100, 100],
    [201, 200],
    [5, 0],
    [0, 0],
    [-50, 100],
  ] as const;
  expect(changes.map(([present, former]) => changeInWords(present, former))).toEqual([
    ...['+12%', '−3%', '±0%', '+1%', 'new', '±0%', '−150%'],
  ]);
});

test('a range has at most the days that a report can have: the other end moves along', () => {
  const year = { from: '2026-01-01', to: '2026-12-31' };
  expect(atMostDays(year, 92, 'to')).toEqual({ from: '2026-10-01', to: '2026-12-31' });
  expect(atMostDays(year, 92, 'from')).toEqual({ from: '2026-01-01', to: '2026-04-02' });
  expect(atMostDays(year, 365, 'to')).toBe(year);
});
