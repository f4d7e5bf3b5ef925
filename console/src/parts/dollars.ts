/* Amounts are whole cents; text is made of their digits, never by dividing. */

/** 123456 → `$1,234.56`; negative ones with a minus before the sign. */
export function dollars(cents: number): string {
  const text = dollarsInput(Math.abs(cents));
  const [whole = '0', fraction = '00'] = text.split('.');
  return `${cents < 0 ? '−' : ''}$${grouped(whole)}.${fraction}`;
}

/** 123456 → `1234.56`, as it is typed. */
export function dollarsInput(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * What a person types (`$1,234.5`, `.5`, `12`) as cents; null: it is no amount, or has fractions of a cent. A comma is only
 * read where it ends thousands: `12,50` is no amount, for it may be meant as 12.50.
 */
export function centsOf(text: string): number | null {
  const match = /^([-−]?)\$?(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d{0,2}))?$/.exec(text.trim());
  if (!match || (match[2] === '' && !match[3])) return null;
  const cents = Number(`${match[2]!.replaceAll(',', '')}${(match[3] ?? '').padEnd(2, '0')}`);
  if (!Number.isSafeInteger(cents)) return null;
  return match[1] && cents !== 0 ? -cents : cents;
}

/** Thousands of a whole number in digits. */
export function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
