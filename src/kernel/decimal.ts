import Big from 'big.js';

/**
 * Exact decimals for stock amounts and costs (D4). Never for cents (integers) and never for tax (exact fractions in
 * `pricing/`). Input and output are text without exponent.
 */
export type Decimal = Big;

export const zero: Decimal = new Big(0);

/** Parses decimal text (from the database or a validated request) or a whole number. */
export function decimal(value: string | number): Decimal {
  return new Big(value);
}

/** Text without exponent and without trailing zeros: "3.5", "12", "-0.25". */
export function decimalText(value: Decimal): string {
  return value.toFixed();
}

/**
 * The exact decimal of a JSON number: its shortest text that parses to the same number, without the error of binary
 * arithmetic. Null for a number with more decimals, or one that needs an exponent.
 */
export function decimalTextOfNumber(value: number, decimalsMax: number): string | null {
  const match = /^-?\d+(?:\.(\d+))?$/.exec(String(value));
  return match !== null && (match[1] ?? '').length <= decimalsMax ? match[0] : null;
}

/** The text of a numeric column without trailing zeros. */
export function canonicalDecimalText(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Rounds away from zero, to a number of decimals. */
export function roundUp(value: Decimal, decimals: number): Decimal {
  return value.round(decimals, Big.roundUp);
}

/** How often `need` fits into `available`, as a whole number. */
export function wholeTimes(available: Decimal, need: Decimal): number {
  return available.div(need).round(0, Big.roundDown).toNumber();
}
