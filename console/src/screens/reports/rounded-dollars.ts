import { grouped } from '../../parts/dollars.ts';

/** Exact dollars as text, rounded to cents, half up, by their digits: `12750.4375` → `$12,750.44`. */
export function roundedDollars(exact: string): string {
  const [whole = '0', fraction = ''] = exact.replace('-', '').split('.');
  const digits = fraction.padEnd(3, '0');
  const cents = BigInt(whole + digits.slice(0, 2)) + (digits.charAt(2) >= '5' ? 1n : 0n);
  const text = String(cents).padStart(3, '0');
  const sign = exact.startsWith('-') && cents !== 0n ? '−' : '';
  return `${sign}$${grouped(text.slice(0, -2))}.${text.slice(-2)}`;
}
