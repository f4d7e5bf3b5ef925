import { expect, test } from 'vitest';
import { shopTime } from './shop-time.tsx';

const nowMs = Date.parse('2026-11-22T18:00:00Z');
const inOakland = (iso: string, style: Parameters<typeof shopTime>[2]) =>
  shopTime(iso, 'America/Los_Angeles', style, nowMs);

test('a moment of another year shows the year, one of this year does not', () => {
  expect(inOakland('2028-07-01T07:00:00Z', 'short')).toBe('Jul 1, 2028, 12:00 AM');
  expect(inOakland('2026-07-01T07:00:00Z', 'short')).toBe('Jul 1, 12:00 AM');
  expect(inOakland('2025-07-01T07:00:09Z', 'second')).toBe('Jul 1, 2025, 12:00:09 AM');
});

test('the year is that of the shop, on both sides of its midnight', () => {
  expect(inOakland('2027-01-01T07:59:00Z', 'short')).toBe('Dec 31, 11:59 PM');
  expect(inOakland('2027-01-01T08:00:00Z', 'short')).toBe('Jan 1, 2027, 12:00 AM');
});

test('a time of day has no year', () => {
  expect(inOakland('2025-07-01T07:00:00Z', 'time')).toBe('12:00 AM');
});
