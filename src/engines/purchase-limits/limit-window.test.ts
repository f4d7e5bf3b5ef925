import { expect, test } from 'vitest';
import { addDays } from '../../kernel/local-time.ts';
import { daysOfWindow, firstDayOfWindow } from './check-purchase-limits.ts';
import type { LimitWindow } from './purchase-limit-rule.ts';

test('no earlier purchase counts toward a transaction limit', () => {
  expect(firstDayOfWindow({ kind: 'transaction' }, '2026-03-01')).toBeNull();
});

test('a daily window is the day itself, a monthly one starts on the first', () => {
  expect(firstDayOfWindow({ kind: 'local-day' }, '2026-03-31')).toBe('2026-03-31');
  expect(firstDayOfWindow({ kind: 'calendar-month' }, '2026-03-31')).toBe('2026-03-01');
});

test('rolling days include today, across the ends of months, years and February', () => {
  const first = (days: number, today: string) => firstDayOfWindow({ kind: 'rolling-days', days }, today);
  expect(first(1, '2026-03-01')).toBe('2026-03-01');
  expect(first(14, '2026-01-05')).toBe('2025-12-23');
  expect(first(30, '2026-03-01')).toBe('2026-01-31');
  expect(first(30, '2028-03-01')).toBe('2028-02-01');
});

test('a window never starts earlier than its number of days', () => {
  const windows: LimitWindow[] = [
    { kind: 'local-day' },
    { kind: 'calendar-month' },
    { kind: 'rolling-days', days: 90 },
  ];
  for (const window of windows) {
    for (const today of ['2026-01-31', '2026-03-01', '2028-02-29', '2026-12-31']) {
      expect(firstDayOfWindow(window, today)! >= addDays(today, 1 - daysOfWindow(window))).toBe(true);
    }
  }
  expect(daysOfWindow({ kind: 'transaction' })).toBe(0);
});
