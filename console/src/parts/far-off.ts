/** Factor from which a change needs confirmation: a barcode scanned into a number field, or a typing error. */
const farTimes = 100n;

const decimal = /^-?(\d*)\.?(\d*)$/;

/** A decimal times 10^`places`, as a whole number; null: not a decimal. */
function scaled(text: string, places: number): bigint | null {
  const match = decimal.exec(text);
  if (!match || (match[1] === '' && match[2] === '')) return null;
  return BigInt(`${match[1]}${match[2]!.padEnd(places, '0')}`);
}

/**
 * Whether an amount is at least a hundred times more or less than the previous one (in stock, expected, or in the field
 * before). Zero is never far off; after zero, a hundred is. Signs are ignored. Exact.
 */
export function isFarOff(amount: string | number, before: string | number): boolean {
  const texts = [String(amount), String(before)] as const;
  const places = Math.max(...texts.map((text) => text.split('.')[1]?.length ?? 0));
  const now = scaled(texts[0], places);
  const then = scaled(texts[1], places);
  if (now === null || then === null || now === 0n) return false;
  if (then === 0n) return now >= farTimes * 10n ** BigInt(places);
  return now >= then * farTimes || now * farTimes <= then;
}
