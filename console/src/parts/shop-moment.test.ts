import { expect, test } from 'vitest';
import { ageOn, momentOfShopClock, shopClockAt, shopDayAt, timeOfDay } from './shop-moment.ts';
import { presentMoment } from './shop-now.ts';

const tz = 'America/Los_Angeles';

test('shop time and moment convert both ways, in summer and in winter', () => {
  expect(momentOfShopClock('2026-07-04T16:00', tz)).toBe('2026-07-04T23:00:00.000Z');
  expect(momentOfShopClock('2026-12-24T00:30', tz)).toBe('2026-12-24T08:30:00.000Z');
  expect(shopClockAt('2026-12-24T08:30:00.000Z', tz)).toBe('2026-12-24T00:30');
  expect(shopDayAt('2026-12-24T07:59:00.000Z', tz)).toBe('2026-12-23');
});

test('a repeated hour means its first occurrence, and a skipped hour means the next one', () => {
  expect(momentOfShopClock('2026-11-01T01:30', tz)).toBe('2026-11-01T08:30:00.000Z');
  expect(momentOfShopClock('2026-03-08T02:30', tz)).toBe('2026-03-08T10:30:00.000Z');
  expect(momentOfShopClock('', tz)).toBeNull();
});

test('a partly typed year such as 0002 is a valid time', () => {
  expect(shopClockAt('0002-12-01T12:00:00.000Z', tz)).toMatch(/^0002-12-01T\d\d:\d\d$/);
  expect(momentOfShopClock('0002-12-01T12:00', 'UTC')).toBe('0002-12-01T12:00:00.000Z');
});

test('a time of day has AM or PM, and the end of the day is midnight', () => {
  expect(['00:05', '09:30', '12:00', '16:00', '24:00'].map(timeOfDay)).toEqual([
    '12:05 AM',
    '9:30 AM',
    '12:00 PM',
    '4:00 PM',
    'midnight',
  ]);
});

test('age increases on the birthday, and on 1 March for people born on 29 February', () => {
  expect([
    ageOn('2026-05-13', '2005-05-14'),
    ageOn('2026-05-14', '2005-05-14'),
    ageOn('2026-02-28', '2004-02-29'),
    ageOn('2026-03-01', '2004-02-29'),
  ]).toEqual([20, 21, 21, 22]);
});

test('a device whose clock jumps an hour, either way, shows the time of the service; a minute does not matter', () => {
  const hourMs = 3_600_000;
  const serviceMs = Date.parse('2026-03-08T09:59:50.000Z');
  const said = { serviceMs, atMs: 5_000 };
  // Twenty seconds later the clocks of the shop go forward.
  const at = (deviceMs: number) => shopClockAt(presentMoment(said, deviceMs, 25_000), tz);
  for (const off of [0, hourMs, -hourMs, 24 * 365 * hourMs]) {
    expect(at(serviceMs + 20_000 + off)).toBe('2026-03-08T03:00');
  }
  expect(presentMoment(said, serviceMs + 60_000, 5_000)).toBe(serviceMs + 60_000);
  expect(presentMoment(null, 7, 0)).toBe(7);
});
