import { locale, t } from '../words/words.ts';

/* Converts between moments (ISO, UTC) and the shop's clock and calendar, for date and time inputs. */

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

/** The shop's local time at a moment: `2026-03-08T16:00`, the format of `datetime-local` inputs. */
export function shopClockAt(moment: string | number, tz: string): string {
  const parts = clockOf(tz).formatToParts(new Date(moment));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

/** The day in the shop at a moment: `2026-03-08`. */
export function shopDayAt(moment: string | number, tz: string): string {
  return shopClockAt(moment, tz).slice(0, 10);
}

/** The business day of the shop at a moment: before `businessDayStartsAt` it is that of the day before. */
export function businessDayAt(
  moment: string | number,
  { tz, businessDayStartsAt }: { readonly tz: string; readonly businessDayStartsAt: string },
): string {
  const clock = shopClockAt(moment, tz);
  const day = clock.slice(0, 10);
  return clock.slice(11) >= businessDayStartsAt ? day : dayBefore(day);
}

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

/**
 * The moment of the shop's local time `2026-03-08T16:00`; null: not a time. A repeated hour means its first occurrence; a
 * skipped hour means the next one.
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

const timesOfDay = new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' });

/** A time of day in words: `16:00` → `4:00 PM`; the end of the day, `24:00`, is `midnight`. */
export function timeOfDay(clock: string): string {
  if (clock === '24:00') return t`midnight`;
  return timesOfDay.format(new Date(`1970-01-01T${clock}Z`)).replace('\u202f', ' ');
}

/** Age in whole years on a day of the shop; both `2026-03-08`. People born on 29 February are older on 1 March. */
export function ageOn(day: string, birthday: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4));
  return day.slice(5) < birthday.slice(5) ? years - 1 : years;
}
