/** Months and days in the organization's time zone. */
export class LocalDates {
  readonly #format: Intl.DateTimeFormat;
  /** Orders of one hour have one month: whole hours are the finest step at which one can begin. */
  readonly #months = new Map<number, string>();

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  }

  /** `YYYY-MM` of an instant. */
  monthOf(timestamp: string): string {
    const ms = Date.parse(timestamp);
    const quarter = Math.floor(ms / 900_000);
    let month = this.#months.get(quarter);
    if (month === undefined) {
      month = this.dayOf(ms).slice(0, 7);
      if (this.#months.size > 50_000) this.#months.clear();
      this.#months.set(quarter, month);
    }
    return month;
  }

  /** `YYYY-MM-DD` of an instant. */
  dayOf(ms: number): string {
    return this.#format.format(ms);
  }
}

/** The days from the first to the last, both included; at most a year of them, the latest. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(`${last}T12:00:00Z`); days.length < 400; ms -= 86_400_000) {
    const day = new Date(ms).toISOString().slice(0, 10);
    if (day < first) break;
    days.push(day);
  }
  return days;
}

/** The last day of a month, `YYYY-MM-DD`. */
export function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10);
}
