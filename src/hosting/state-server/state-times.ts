import { Temporal } from 'temporal-polyfill';

/* Times as the state's system writes them: wall times without zone, instants with offset, dates. */

/** Placeholder of a date that is not known. */
export const noDate = '0001-01-01';

const zoned = (ms: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(ms)).toZonedDateTimeISO(zone);

/** `2026-03-08T18:05:10.4410000+00:00`, from microseconds. */
export function preciseInstant(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = String(micros - seconds * 1_000_000).padStart(6, '0');
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}.${fraction}0+00:00`;
}

/** `2026-03-08T18:05:10+00:00`. */
export const utcInstant = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`;

/** `2026-03-08T11:05:09-08:00`. */
export const localInstant = (ms: number, zone: string): string =>
  zoned(ms, zone).toString({ timeZoneName: 'never', smallestUnit: 'second' });

/** `2026-03-08T11:05:09.000`. */
export const wallTime = (ms: number, zone: string): string =>
  zoned(ms, zone).toPlainDateTime().toString({ smallestUnit: 'millisecond' });

/** `2026-03-08`. */
export const dateAt = (ms: number, zone: string): string => zoned(ms, zone).toPlainDate().toString();

/** The instant of a wall time; of a repeated hour the earlier one. */
export const instantOfWall = (wall: string, zone: string): number =>
  Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds;

/** Whether the clock skips this wall time in spring. */
export function isSkipped(wall: string, zone: string): boolean {
  const plain = Temporal.PlainDateTime.from(wall);
  return !plain.toZonedDateTime(zone).toPlainDateTime().equals(plain);
}

/** Whole days from one date to another. */
export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days;
