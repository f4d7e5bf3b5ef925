import Type from 'typebox';

/** Decimal text as `pricing/` reads it: at most 6 decimals, no exponent. */
const decimalPattern = /^(0|[1-9][0-9]{0,9})(\.[0-9]{1,6})?$/;

/**
 * An amount that people type: a JSON number, or decimal text. Taken as it is written: the text of a number is its
 * shortest, so no digit comes from a binary float (D4). `decimalTextOf` reads it.
 */
export function DecimalAmount(options: { readonly description?: string } = {}) {
  return Type.Unsafe<number | string>({
    description: [options.description, 'A number, or text'].filter(Boolean).join('. '),
    type: ['number', 'string'],
    minimum: 0,
    maximum: 1_000_000_000,
    maxLength: 17,
    pattern: decimalPattern.source,
    'x-expected': 'a number from 0 to 1,000,000,000 with at most 6 decimals, or the same as text',
  });
}

/** The same, or null. */
export function NullableDecimalAmount(options: { readonly description?: string } = {}) {
  return Type.Unsafe<number | string | null>({
    ...DecimalAmount(options),
    type: ['number', 'string', 'null'],
  });
}

/** Its canonical decimal text; null when a number has more than 6 decimals. */
export function decimalTextOf(amount: number | string): string | null {
  const text = String(amount);
  if (!decimalPattern.test(text)) return null;
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
