/** Days and moments as the tills of the trade write them. Pure. Null: none of those forms. */

const isoDay = /^(\d{4})-(\d{1,2})-(\d{1,2})(?=$|[T ])/;
/** The year has four digits: `5/4/21` may be of either century, and only the shop knows. */
const usDay = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?=$|[, ])/;
/** Milliseconds since 1970, negative before it; fewer digits are no moment of a person's life. */
const epoch = /^-?\d{9,14}$/;
const clock = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s*([AP]\.?M\.?)?$/i;
const zone = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/** A day as YYYY-MM-DD, of `2021-05-04`, `5/4/2021`, each with or without a time, or of milliseconds since 1970 in UTC. */
export function foreignDay(text: string): string | null {
  if (epoch.test(text)) return new Date(Number(text)).toISOString().slice(0, 10);
  const [, year, month, day] = isoDay.exec(text) ?? [];
  if (year !== undefined) return calendarDay(year, month!, day!);
  const [, usMonth, usOfMonth, usYear] = usDay.exec(text) ?? [];
  return usYear === undefined ? null : calendarDay(usYear, usMonth!, usOfMonth!);
}

/** The time of a clock as HH:MM:SS, of `10:15`, `10:15:09` or `10:15 AM`. */
export function foreignClock(text: string): string | null {
  const [, hourText, minute, second = '00', half] = clock.exec(text) ?? [];
  if (hourText === undefined) return null;
  const hour = Number(hourText);
  if (half !== undefined && (hour < 1 || hour > 12)) return null;
  const ofDay = half === undefined ? hour : (hour % 12) + (/^p/i.test(half) ? 12 : 0);
  if (ofDay > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  return `${String(ofDay).padStart(2, '0')}:${minute}:${second}`;
}

/**
 * A moment: with an offset, or of milliseconds, as `2021-05-04T17:00:00.000Z`; without one as `2021-05-04T10:00:00`, which is the
 * local time of the shop; a day alone as `2021-05-04`.
 */
export function foreignMoment(text: string): string | null {
  if (epoch.test(text)) return new Date(Number(text)).toISOString();
  const day = foreignDay(text);
  if (day === null) return null;
  const rest = text.replace(/^[\d/-]+[T, ]*/, '');
  if (rest === '') return day;
  const offset = zone.exec(rest)?.[0];
  const time = foreignClock(offset === undefined ? rest : rest.slice(0, -offset.length).trimEnd());
  if (time === null) return null;
  const local = `${day}T${time}`;
  if (offset === undefined) return local;
  const instantMs = Date.parse(`${local}${/^z$/i.test(offset) ? 'Z' : offset.replace(/^(...):?/, '$1:')}`);
  return Number.isNaN(instantMs) ? null : new Date(instantMs).toISOString();
}

function calendarDay(year: string, month: string, day: string): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const instantMs = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(instantMs) || new Date(instantMs).toISOString().slice(0, 10) !== text ? null : text;
}
