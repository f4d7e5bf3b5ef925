import { expect, test } from 'vitest';
import { ageOn, momentOfShopClock, shopClockAt, shopDayAt, timeOfDay } from './shop-moment.ts';

const tz = 'America/Los_Angeles';

test('a time of the shop and its moment are the same in both directions, in summer and in winter', () => {
  expect(momentOfShopClock('2026-07-04T16:00', tz)).toBe('2026-07-04T23:00:00.000Z');
  expect(momentOfShopClock('2026-12-24T00:30', tz)).toBe('2026-12-24T08:30:00.000Z');
  expect(shopClockAt('2026-12-24T08:30:00.000Z', tz)).toBe('2026-12-24T00:30');
  expect(shopDayAt('2026-12-24T07:59:00.000Z', tz)).toBe('2026-12-23');
});

test('of an hour that comes twice the first is meant, and a skipped one is the hour after it', () => {
  expect(momentOfShopClock('2026-11-01T01:30', tz)).toBe('2026-11-01T08:30:00.000Z');
  expect(momentOfShopClock('2026-03-08T02:30', tz)).toBe('2026-03-08T10:30:00.000Z');
  expect(momentOfShopClock('', tz)).toBeNull();
});

test('a year that is only begun has four digits too: 0002 is a time, not a fault', () => {
  expect(shopClockAt('0002-12-01T12:00:00.000Z', tz)).toMatch(/^0002-12-01T\d\d:\d\d$/);
  expect(momentOfShopClock('0002-12-01T12:00', 'UTC')).toBe('0002-12-01T12:00:00.000Z');
});

test('a time of day is told with AM and PM, and the end of the day as midnight', () => {
  expect(['00:05', '09:30', '12:00', '16:00', '24:00'].map(timeOfDay)).toEqual([
    '12:05 AM',
    '9:30 AM',
    '12:00 PM',
    '4:00 PM',
    'midnight',
  ]);
});

test('somebody is a year older on the birthday itself, and who was born on 29 February on 1 March', () => {
  expect([
    ageOn('2026-05-13', '2005-05-14'),
    ageOn('2026-05-14', '2005-05-14'),
    ageOn('2026-02-28', '2004-02-29'),
    ageOn('2026-03-01', '2004-02-29'),
  ]).toEqual([20, 21, 21, 22]);
});
