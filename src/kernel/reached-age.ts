/** Ages in full years; days are YYYY-MM-DD. */

/** From the birthday on; a customer born on 29 February reaches an age on 1 March of a common year. */
export function hasReached(years: number, birthday: string, today: string): boolean {
  return today >= reachedOn(years, birthday);
}

/** The day on which a customer reaches an age. */
export function reachedOn(years: number, birthday: string): string {
  const year = Number(birthday.slice(0, 4)) + years;
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const day = birthday.endsWith('-02-29') && !isLeapYear ? '-03-01' : birthday.slice(4);
  return String(year).padStart(4, '0') + day;
}
