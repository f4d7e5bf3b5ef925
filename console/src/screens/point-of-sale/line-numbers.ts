/* What is typed on the pad of a cart's line. Decimals are compared as text of digits, never as binary fractions. */

/** The most units of a line, as the service takes them. */
const unitsMax = 10_000;
const decimalsMax = 6;

/** A whole number of units from 1; null: it is none. */
export function quantityOf(typed: string): number | null {
  const text = typed.trim();
  if (!/^\d{1,5}$/.test(text)) return null;
  const units = Number(text);
  return units >= 1 && units <= unitsMax ? units : null;
}

/** How many units of so many grams each make the typed weight; null: no whole number of them does. */
export function unitsOfWeight(typed: string, gramsEach: number): number | null {
  const weight = millionths(typed.trim());
  const each = millionths(String(gramsEach));
  if (weight === null || each === null || each === 0n || weight % each !== 0n) return null;
  return quantityOf(String(weight / each));
}

/** The weight of units as text: `3.5`. */
export function weightOf(units: number, gramsEach: number): string {
  const each = millionths(String(gramsEach)) ?? 0n;
  const digits = String(each * BigInt(units)).padStart(decimalsMax + 1, '0');
  const fraction = digits.slice(-decimalsMax).replace(/0+$/, '');
  const whole = digits.slice(0, -decimalsMax);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The sum of two weights, as text. */
export function sumOfGrams(a: string, b: string): string {
  return grams((millionths(a) ?? 0n) + (millionths(b) ?? 0n));
}

/** What is left of a weight without another, as text; at least 0. */
export function gramsWithout(a: string, b: string): string {
  const left = (millionths(a) ?? 0n) - (millionths(b) ?? 0n);
  return grams(left < 0n ? 0n : left);
}

/** Whether a weight is more than another. */
export function isHeavier(a: string, b: string): boolean {
  return (millionths(a) ?? 0n) > (millionths(b) ?? 0n);
}

function grams(ofMillionths: bigint): string {
  return weightOf(1, Number(ofMillionths / 10_000n) / 100);
}

function millionths(text: string): bigint | null {
  const match = /^(\d{0,7})(?:\.(\d{0,6}))?$/.exec(text);
  if (!match || (match[1] === '' && !match[2])) return null;
  return BigInt(`${match[1]}${(match[2] ?? '').padEnd(decimalsMax, '0')}`);
}
