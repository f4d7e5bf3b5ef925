import { addDays, localDateAt, localInstantMs } from '../../kernel/local-time.ts';

export const weekdays = [
  ...(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const),
] as const;

/** Days to look ahead: a week, and one for a time of today that is over. */
const daysMax = 8;

/** The first time after an instant at which a schedule mails, in the shop's time zone. An hour that a clock change skips is the next one. */
export function nextMailMs(
  afterMs: number,
  { weekday, hour, tz }: { readonly weekday: string | null; readonly hour: number; readonly tz: string },
): number {
  let day = localDateAt(afterMs, tz);
  for (let ahead = 0; ahead <= daysMax; ahead += 1, day = addDays(day, 1)) {
    const atMs = localInstantMs(day, hour * 60, tz);
    if (atMs > afterMs && (weekday === null || weekdayOf(day) === weekday)) return atMs;
  }
  throw new Error(`no day of a week is ${weekday}`);
}

/** The weekday of a calendar day. */
function weekdayOf(day: string): string {
  return weekdays[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7]!;
}
