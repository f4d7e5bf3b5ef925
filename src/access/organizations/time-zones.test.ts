import { expect, test } from 'vitest';
import { localDateAt, localMomentAt } from '../../kernel/local-time.ts';
import { timeZones } from './organizations.ts';

test('every time zone of the interface is one whose local time is known', () => {
  const noon = Date.parse('2026-07-15T20:00:00Z');
  const hours = timeZones.map((zone) => Math.floor(localMomentAt(noon, zone).minuteOfDay / 60));
  // From Honolulu, ten hours behind, to New York, four hours behind.
  expect([Math.min(...hours), Math.max(...hours)]).toEqual([10, 16]);
  expect(new Set(timeZones).size).toBe(timeZones.length);
});

test('a day of Arizona begins an hour after one of its neighbors in summer, and with it in winter', () => {
  const days = (instant: string) =>
    ['America/Phoenix', 'US/Mountain'].map((zone) => localDateAt(Date.parse(instant), zone));
  expect(days('2026-07-15T06:30:00Z')).toEqual(['2026-07-14', '2026-07-15']);
  expect(days('2026-01-15T07:30:00Z')).toEqual(['2026-01-15', '2026-01-15']);
});

test('a day of Alaska is its own', () => {
  expect(localDateAt(Date.parse('2026-03-08T08:59:00Z'), 'America/Anchorage')).toBe('2026-03-07');
  expect(localDateAt(Date.parse('2026-03-08T09:00:00Z'), 'America/Anchorage')).toBe('2026-03-08');
});
