import { Temporal } from 'temporal-polyfill';

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** The day of the minute asked for last in each zone: formatting one takes as long as pricing a line. */
const lastDays = new Map<string, { readonly minute: number; readonly date: string }>();
const minuteMs = 60_000;

/** The calendar day (`YYYY-MM-DD`) that it is at an instant in a time zone. */
export function localDateAt(instantMs: number, timeZone: string): string {
  // No zone's day begins within a minute.
  const minute = Math.floor(instantMs / minuteMs);
  const last = lastDays.get(timeZone);
  if (last?.minute === minute) return last.date;
  const date = formatDay(instantMs, timeZone);
  lastDays.set(timeZone, { minute, date });
  return date;
}

function formatDay(instantMs: number, timeZone: string): string {
  let format = dayFormats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
    dayFormats.set(timeZone, format);
  }
  return format.format(instantMs);
}

interface LocalMoment {
  readonly instantMs: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 (Monday) to 7 (Sunday). */
  readonly dayOfWeek: number;
  /** 0 to 1439. An hour that a clock change repeats is shown twice. */
  readonly minuteOfDay: number;
}

const momentFormats = new Map<string, Intl.DateTimeFormat>();
/** As with days. */
const lastMoments = new Map<string, LocalMoment>();

/** What clock and calendar of a time zone show at an instant. */
export function localMomentAt(instantMs: number, timeZone: string): LocalMoment {
  const last = lastMoments.get(timeZone);
  if (last !== undefined && Math.floor(last.instantMs / minuteMs) === Math.floor(instantMs / minuteMs)) {
    return { ...last, instantMs };
  }
  const moment = readMoment(instantMs, timeZone);
  lastMoments.set(timeZone, moment);
  return moment;
}

function readMoment(instantMs: number, timeZone: string): LocalMoment {
  let format = momentFormats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    momentFormats.set(timeZone, format);
  }
  const [hour, minute] = format.format(instantMs).split(':');
  const date = localDateAt(instantMs, timeZone);
  return {
    instantMs,
    month: Number(date.slice(5, 7)),
    // A calendar day has the same weekday everywhere, so that of its midnight in UTC will do.
    dayOfWeek: new Date(`${date}T00:00:00Z`).getUTCDay() || 7,
    minuteOfDay: Number(hour) * 60 + Number(minute),
  };
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

/** A request writes its one instant several times, and many come in the same millisecond. */
let lastTimestamp = { instantMs: Number.NaN, text: '' };

/** ISO 8601 in UTC with milliseconds (D4). */
export function isoTimestamp(instantMs: number): string {
  if (instantMs !== lastTimestamp.instantMs) {
    lastTimestamp = { instantMs, text: new Date(instantMs).toISOString() };
  }
  return lastTimestamp.text;
}
