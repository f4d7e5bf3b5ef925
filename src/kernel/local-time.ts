import { Temporal } from 'temporal-polyfill';

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** The date of the last minute asked for in each zone: formatting one takes as long as pricing a line. */
const lastDays = new Map<string, { readonly minute: number; readonly date: string }>();
const minuteMs = 60_000;

/** The calendar date (`YYYY-MM-DD`) of an instant in a time zone. */
export function localDateAt(instantMs: number, timeZone: string): string {
  // Days begin at full minutes in every zone.
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
  /** 0 to 1439. A clock change can repeat an hour. */
  readonly minuteOfDay: number;
}

const momentFormats = new Map<string, Intl.DateTimeFormat>();
/** The last value per zone, as for dates. */
const lastMoments = new Map<string, LocalMoment>();

/** Local time and date of an instant in a time zone. */
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
    // A calendar date has the same weekday everywhere, so that of midnight UTC is used.
    dayOfWeek: new Date(`${date}T00:00:00Z`).getUTCDay() || 7,
    minuteOfDay: Number(hour) * 60 + Number(minute),
  };
}

/**
 * The first instant after a local day (D15), in milliseconds since the epoch. Correct for days of 23 and 25 hours, and
 * for a day that begins at 01:00 because midnight was skipped.
 */
export function endOfLocalDateMs(date: string, timeZone: string): number {
  return Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
}

/** The instant of a local time on a day. */
export function localInstantMs(date: string, minuteOfDay: number, timeZone: string): number {
  return Temporal.PlainDate.from(date)
    .toPlainDateTime({ hour: Math.floor(minuteOfDay / 60), minute: minuteOfDay % 60 })
    .toZonedDateTime(timeZone).epochMilliseconds;
}

/** The business days of a shop: a day begins at `dayStartsAt` (`HH:MM`) of its local date and ends when the next one begins. */
export interface BusinessDays {
  readonly tz: string;
  readonly dayStartsAt: string;
}

/**
 * The first instant of a business day, as the function `business_day` of the database has it: of an hour that a clock change repeats,
 * the later one; of one that it skips, the first instant after it.
 */
export function startOfBusinessDayMs(date: string, { tz, dayStartsAt }: BusinessDays): number {
  return Temporal.PlainDate.from(date)
    .toPlainDateTime(Temporal.PlainTime.from(dayStartsAt))
    .toZonedDateTime(tz, { disambiguation: 'later' }).epochMilliseconds;
}

/** The business day (`YYYY-MM-DD`) of an instant. */
export function businessDayAt(instantMs: number, days: BusinessDays): string {
  const date = localDateAt(instantMs, days.tz);
  if (days.dayStartsAt === '00:00') return date;
  return instantMs < startOfBusinessDayMs(date, days) ? addDays(date, -1) : date;
}

/** The date `days` after (or, if negative, before) a date. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** A request formats its instant several times, and many requests share a millisecond. */
let lastTimestamp = { instantMs: Number.NaN, text: '' };

/** ISO 8601 in UTC with milliseconds (D4). */
export function isoTimestamp(instantMs: number): string {
  if (instantMs !== lastTimestamp.instantMs) {
    lastTimestamp = { instantMs, text: new Date(instantMs).toISOString() };
  }
  return lastTimestamp.text;
}

/** A local time without its zone, as a person reads it off a clock. */
export interface WallTime {
  /** `2026-03-08T14:05:09.000`. */
  readonly text: string;
  /** The other instant at which clocks show the same: in the hour that autumn repeats. Null: there is none. */
  readonly alsoMs: number | null;
}

/** What clocks in a zone show at an instant. */
export function wallTimeAt(instantMs: number, timeZone: string): WallTime {
  const plain = Temporal.Instant.fromEpochMilliseconds(instantMs)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime();
  const readings = (['earlier', 'later'] as const).map(
    (disambiguation) => plain.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds,
  );
  return {
    text: plain.toString({ fractionalSecondDigits: 3 }),
    alsoMs: readings.find((it) => it !== instantMs) ?? null,
  };
}
