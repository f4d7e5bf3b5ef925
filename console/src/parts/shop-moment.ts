/* Between moments (ISO, UTC) and what the clock and calendar of the shop show, for inputs of dates and times. */

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(tz: string): Intl.DateTimeFormat {
  const clock =
    clocks.get(tz) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: tz,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  clocks.set(tz, clock);
  return clock;
}

/** What the shop's clock shows at a moment: `2026-03-08T16:00`, as an input of type `datetime-local` wants it. */
export function shopClockAt(moment: string | number, tz: string): string {
  const parts = clockOf(tz).formatToParts(new Date(moment));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

/** The day in the shop at a moment: `2026-03-08`. */
export function shopDayAt(moment: string | number, tz: string): string {
  return shopClockAt(moment, tz).slice(0, 10);
}

/**
 * The moment at which the shop's clock shows `2026-03-08T16:00`; null: it is no time. Of an hour that comes twice the
 * first is meant; of one that is skipped, the hour after it.
 */
export function momentOfShopClock(shown: string, tz: string): string | null {
  const asUtc = Date.parse(`${shown}Z`);
  if (Number.isNaN(asUtc)) return null;
  const aheadAt = (moment: number) => Date.parse(`${shopClockAt(moment, tz)}Z`) - moment;
  const first = asUtc - aheadAt(asUtc);
  const second = asUtc - aheadAt(first);
  const moment = shopClockAt(second, tz) === shown.slice(0, 16) ? second : first;
  return new Date(moment).toISOString();
}

/** A time of day in words: `16:00` → `4:00 PM`; the end of the day, `24:00`, is `midnight`. */
export function timeOfDay(clock: string): string {
  if (clock === '24:00') return 'midnight';
  const [hour = '', minute = ''] = clock.split(':');
  return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
}

/** Whole years since a birthday, on a day of the shop; both `2026-03-08`. Born on 29 February: older on 1 March. */
export function ageOn(day: string, birthday: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4));
  return day.slice(5) < birthday.slice(5) ? years - 1 : years;
}
