/** The remaining amount of two decimals as text: exact, `0` if nothing remains. */
export function amountLeft(ordered: string, received: string): string {
  const places = Math.max(fractionOf(ordered).length, fractionOf(received).length);
  const left = scaled(ordered, places) - scaled(received, places);
  if (left <= 0n) return '0';
  const digits = String(left).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

const fractionOf = (decimal: string) => decimal.split('.')[1] ?? '';

function scaled(decimal: string, places: number): bigint {
  return BigInt(`${decimal.split('.')[0]}${fractionOf(decimal).padEnd(places, '0')}`);
}
