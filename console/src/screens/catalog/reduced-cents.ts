const decimalsMax = 6;

/** A price of one unit with a typed percent off, to the cent, half up, as a cart takes it off one unit; null: no percent from 0 to 100. */
export function reducedCents(cents: number, percent: string): number | null {
  const match = /^(\d{1,3})(?:\.(\d{1,6}))?$/.exec(percent);
  if (match === null) return null;
  const whole = 100n * 10n ** BigInt(decimalsMax);
  const share = BigInt(`${match[1]}${(match[2] ?? '').padEnd(decimalsMax, '0')}`);
  if (share > whole) return null;
  const off = (2n * BigInt(cents) * share + whole) / (2n * whole);
  return cents - Number(off);
}
