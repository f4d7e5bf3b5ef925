import { Temporal } from 'temporal-polyfill';

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day (`YYYY-MM-DD`) that it is at an instant in a time zone. */
export function localDateAt(instantMs: number, timeZone: string): string {
  let format = dayFormats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
    dayFormats.set(timeZone, format);
  }
  return format.format(instantMs);
}

/**
 * The first instant after a local day (D15), in milliseconds since the epoch. Days of 23 and 25 hours come
 * out right, and a day that begins at 01:00 because midnight was skipped begins there.
 */
export function endOfLocalDateMs(date: string, timeZone: string): number {
  return Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
}

/** The instant of a local wall-clock time on a day. */
export function localInstantMs(date: string, minuteOfDay: number, timeZone: string): number {
  return Temporal.PlainDate.from(date)
    .toPlainDateTime({ hour: Math.floor(minuteOfDay / 60), minute: minuteOfDay % 60 })
    .toZonedDateTime(timeZone).epochMilliseconds;
}

/** The day `days` after (or, negative, before) a day. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** ISO 8601 in UTC with milliseconds (D4). */
export function isoTimestamp(instantMs: number): string {
  return new Date(instantMs).toISOString();
}
