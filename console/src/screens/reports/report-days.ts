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
    { name: 'Today', range: { from: today, to: today } },
    { name: 'Yesterday', range: { from: dayAfter(today, -1), to: dayAfter(today, -1) } },
    { name: 'Last 7 days', range: { from: dayAfter(today, -6), to: today } },
    { name: 'Last 30 days', range: { from: dayAfter(today, -29), to: today } },
    { name: 'This month', range: { from: monthStart(today), to: today } },
    { name: 'Last month', range: { from: monthStart(today, -1), to: dayAfter(monthStart(today), -1) } },
    { name: 'This quarter', range: { from: quarterStart(today), to: today } },
    { name: 'Last quarter', range: { from: quarterStart(today, -1), to: dayAfter(quarterStart(today), -1) } },
    { name: 'This year', range: { from: `${today.slice(0, 4)}-01-01`, to: today } },
  ];
}
