/** This many times more or less than what was there is asked about: a code in the field of a number, a slipped finger. */
const farTimes = 100n;

const decimal = /^-?(\d*)\.?(\d*)$/;

/** A decimal as whole steps of so many places; null: it is none. */
function scaled(text: string, places: number): bigint | null {
  const match = decimal.exec(text);
  if (!match || (match[1] === '' && match[2] === '')) return null;
  return BigInt(`${match[1]}${match[2]!.padEnd(places, '0')}`);
}

/**
 * Whether an amount is a hundred times more, or a hundred times less, than the one before it (in stock, expected, or in the
 * field before). Nothing is never far off; where nothing was before, a hundred is. Signs do not count. Exact.
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
