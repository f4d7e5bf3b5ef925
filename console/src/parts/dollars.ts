import { locale } from '../words/words.ts';

/* Amounts are whole cents; the text is built from their digits, never by division. */

const money = new Intl.NumberFormat(locale(), { style: 'currency', currency: 'USD' });
const count = new Intl.NumberFormat(locale());

/** 123456 → `$1,234.56` in the page's language; negative amounts with a minus before the dollar sign. */
export function dollars(cents: number): string {
  // A text is formatted exactly, digit by digit.
  const amount = money.format(dollarsInput(Math.abs(cents)) as `${number}`);
  return cents < 0 ? `−${amount}` : amount;
}

/** 123456 → `1234.56`, the form for an input. */
export function dollarsInput(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Typed text (`$1,234.5`, `.5`, `12`) as cents; null: not an amount, or with fractions of a cent. Commas are accepted only as
 * thousands separators: `12,50` is rejected because it may mean 12.50.
 */
export function centsOf(text: string): number | null {
  const match = /^([-−]?)\$?(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d{0,2}))?$/.exec(text.trim());
  if (!match || (match[2] === '' && !match[3])) return null;
  const cents = Number(`${match[2]!.replaceAll(',', '')}${(match[3] ?? '').padEnd(2, '0')}`);
  if (!Number.isSafeInteger(cents)) return null;
  return match[1] && cents !== 0 ? -cents : cents;
}

/** Inserts thousands separators into a whole number in digits. */
export function grouped(digits: string): string {
  return count.format(digits as `${number}`);
}
