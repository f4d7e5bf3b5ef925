import { t } from '../../words/words.ts';

/* Date ranges in shop days, `2026-03-08`, for reports. */

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The day after a number of days; negative: before. */
export function dayAfter(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** The first day of the month of `day`, or of the month some months later or earlier. */
function monthStart(day: string, months = 0): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

/** The first day of the quarter of `day`, or of the quarter some quarters later or earlier. */
function quarterStart(day: string, quarters = 0): string {
  const intoQuarter = (Number(day.slice(5, 7)) - 1) % 3;
  return monthStart(day, quarters * 3 - intoQuarter);
}

/** The common ranges by name; `today` is the day in the shop. */
export function usualRanges(today: string): readonly { readonly name: string; readonly range: DayRange }[] {
  return [
    { name: t`Today`, range: { from: today, to: today } },
    { name: t`Yesterday`, range: { from: dayAfter(today, -1), to: dayAfter(today, -1) } },
    { name: t`Last 7 days`, range: { from: dayAfter(today, -6), to: today } },
    { name: t`Last 30 days`, range: { from: dayAfter(today, -29), to: today } },
    { name: t`This month`, range: { from: monthStart(today), to: today } },
    { name: t`Last month`, range: { from: monthStart(today, -1), to: dayAfter(monthStart(today), -1) } },
    { name: t`This quarter`, range: { from: quarterStart(today), to: today } },
    {
      name: t`Last quarter`,
      range: { from: quarterStart(today, -1), to: dayAfter(quarterStart(today), -1) },
    },
    { name: t`This year`, range: { from: `${today.slice(0, 4)}-01-01`, to: today } },
  ];
}

/** What a period is compared with: the one just before it, or the same days a year before. */
export type Comparison = 'previous' | 'year';

/**
 * The period that another is compared with. Before whole months stand as many whole months; before other days, as many days.
 * The year before February 29 has February 28.
 */
export function comparedRange({ from, to }: DayRange, comparison: Comparison): DayRange {
  if (comparison === 'year') return { from: yearBefore(from), to: yearBefore(to) };
  const isWholeMonths = from.endsWith('-01') && dayAfter(to, 1).endsWith('-01');
  const before = dayAfter(from, -1);
  if (!isWholeMonths) return { from: dayAfter(before, 1 - daysIn({ from, to })), to: before };
  return { from: monthStart(from, -monthsIn({ from, to })), to: before };
}

/** The days of a range, the first and the last included. */
export function daysIn({ from, to }: DayRange): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000) + 1;
}

/** The days of a range that are allowed: an end moves along with the other, which was chosen. */
export function atMostDays(range: DayRange, daysMax: number, chosen: keyof DayRange): DayRange {
  if (daysIn(range) <= daysMax) return range;
  return chosen === 'from'
    ? { from: range.from, to: dayAfter(range.from, daysMax - 1) }
    : { from: dayAfter(range.to, 1 - daysMax), to: range.to };
}

function monthsIn({ from, to }: DayRange): number {
  const [year, month] = [Number(to.slice(0, 4)) - Number(from.slice(0, 4)), Number(to.slice(5, 7))];
  return year * 12 + month - Number(from.slice(5, 7)) + 1;
}

function yearBefore(day: string): string {
  const year = String(Number(day.slice(0, 4)) - 1).padStart(4, '0');
  return day.endsWith('-02-29') ? `${year}-02-28` : `${year}${day.slice(4)}`;
}
