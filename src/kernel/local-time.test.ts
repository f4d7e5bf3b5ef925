import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  endOfLocalDateMs,
  isoTimestamp,
  localDateAt,
  localInstantMs,
  localMomentAt,
} from './local-time.ts';

/** Hours behind UTC in winter; one less in summer. */
const zones = { 'America/Los_Angeles': 8, 'US/Mountain': 7, 'US/Central': 6, 'US/Eastern': 5 } as const;
const hourMs = 3_600_000;

describe.each(Object.entries(zones))('in %s', (zone, winterHours) => {
  const utc = (date: string, hour: number): number => Date.parse(`${date}T00:00:00Z`) + hour * hourMs;

  test('a day ends at the next midnight, also with 23 or 25 hours', () => {
    const summerHours = winterHours - 1;
    expect(endOfLocalDateMs('2026-03-07', zone)).toBe(utc('2026-03-08', winterHours));
    expect(endOfLocalDateMs('2026-03-08', zone)).toBe(utc('2026-03-09', summerHours));
    expect(endOfLocalDateMs('2026-03-09', zone)).toBe(utc('2026-03-10', summerHours));
    expect(endOfLocalDateMs('2026-10-31', zone)).toBe(utc('2026-11-01', summerHours));
    expect(endOfLocalDateMs('2026-11-01', zone)).toBe(utc('2026-11-02', winterHours));
    expect(endOfLocalDateMs('2026-12-31', zone)).toBe(utc('2027-01-01', winterHours));
    const lengthHours = (date: string) =>
      (endOfLocalDateMs(date, zone) - endOfLocalDateMs(addDays(date, -1), zone)) / hourMs;
    expect(['2026-03-08', '2026-11-01', '2026-06-01'].map(lengthHours)).toEqual([23, 25, 24]);
  });

  test('every instant lies within its local day, to the millisecond', () => {
    const instant = fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2060-01-01') });
    fc.assert(
      fc.property(instant, (instantMs) => {
        const date = localDateAt(instantMs, zone);
        const endMs = endOfLocalDateMs(date, zone);
        expect(instantMs).toBeLessThan(endMs);
        expect(instantMs).toBeGreaterThanOrEqual(endOfLocalDateMs(addDays(date, -1), zone));
        expect([localDateAt(endMs - 1, zone), localDateAt(endMs, zone)]).toEqual([date, addDays(date, 1)]);
      }),
    );
  });

  test('the local time skips an hour in spring, repeats one in autumn, and has every other minute once', () => {
    const clockAt = (instantMs: number) => {
      const { month, dayOfWeek, minuteOfDay } = localMomentAt(instantMs, zone);
      return [month, dayOfWeek, minuteOfDay];
    };
    const two = 2 * 60;
    // Sunday 8 March: 01:59 is followed by 03:00.
    const spring = utc('2026-03-08', winterHours + 2);
    expect([clockAt(spring - 1), clockAt(spring)]).toEqual([
      [3, 7, two - 1],
      [3, 7, two + 60],
    ]);
    // Sunday 1 November: 01:59 is followed by 01:00, and an hour later by 02:00.
    const autumn = utc('2026-11-01', winterHours + 1);
    expect([autumn - 1, autumn, autumn + hourMs - 1, autumn + hourMs].map(clockAt)).toEqual([
      [11, 7, two - 1],
      [11, 7, two - 60],
      [11, 7, two - 1],
      [11, 7, two],
    ]);
    const midnight = utc('2026-06-01', winterHours - 1);
    expect([clockAt(midnight - 1), clockAt(midnight)]).toEqual([
      [5, 7, 24 * 60 - 1],
      [6, 1, 0],
    ]);
  });

  test('a local time converts to its instant', () => {
    expect(localInstantMs('2026-07-04', 9 * 60 + 30, zone)).toBe(utc('2026-07-04', winterHours - 1 + 9.5));
  });
});

test('a day without a midnight begins at 01:00', () => {
  // São Paulo, before it abolished summer time.
  expect(isoTimestamp(endOfLocalDateMs('2018-11-03', 'America/Sao_Paulo'))).toBe('2018-11-04T03:00:00.000Z');
  expect(localDateAt(Date.parse('2018-11-04T02:59:59.999Z'), 'America/Sao_Paulo')).toBe('2018-11-03');
});
