import { addDays, localDateAt, localInstantMs } from '../../kernel/local-time.ts';

const hourMs = 3_600_000;
/** "Real time" names no minutes: so long after the sale people are told. */
const realTimeMs = 10 * 60_000;

/** When a report is due, by the words of a state's duty; null: no moment follows from them. */
const deadlines: Readonly<Record<string, ((atMs: number, timeZone: string) => number) | null>> = {
  'real time': (atMs) => atMs + realTimeMs,
  '24 hours': (atMs) => atMs + 24 * hourMs,
  '23:59 of the day': (atMs, zone) => localInstantMs(localDateAt(atMs, zone), 23 * 60 + 59, zone),
  '8:00 of the next day': (atMs, zone) => localInstantMs(addDays(localDateAt(atMs, zone), 1), 8 * 60, zone),
  monthly: null,
  'every two weeks': null,
  'Sunday, for the week before': (atMs, zone) => endOfSundayMs(localDateAt(atMs, zone), zone),
};

/** A week goes from Sunday to Saturday, and is due at the end of the Sunday after it. */
function endOfSundayMs(date: string, timeZone: string): number {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return localInstantMs(addDays(date, 7 - weekday), 23 * 60 + 59, timeZone);
}

/** Whether the words of a deadline are known here. */
export function isKnownDeadline(deadline: string): boolean {
  return Object.hasOwn(deadlines, deadline);
}

/** When what happened at a moment is due at the state; null: the duty names no moment. */
export function dueAtMs(deadline: string | null, atMs: number, timeZone: string): number | null {
  if (deadline === null) return null;
  return deadlines[deadline]?.(atMs, timeZone) ?? null;
}

/** When people are told that a report is late: at half of its time. */
export function alarmAtMs(atMs: number, dueMs: number | null): number {
  return atMs + (dueMs === null ? 12 * hourMs : Math.max(0, dueMs - atMs) / 2);
}
