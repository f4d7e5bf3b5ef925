import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';

/** Decimal text in the format of `pricing/`: up to 1,000,000,000, at most 6 decimals, no exponent. */
const decimalPattern = /^((0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?|1000000000(\.0{1,6})?)$/;
const positivePattern = new RegExp(decimalPattern.source.replace('^', '^(?!0(\\.0+)?$)'));

interface AmountOptions {
  readonly description?: string;
  /** By default 0 is allowed. */
  readonly sign?: 'positive';
}

/**
 * An amount that people type: a JSON number or decimal text. A number is taken as its shortest text, so no
 * digit comes from a binary float (D4). `decimalTextOf` reads it.
 */
export function DecimalAmount({ description, sign }: AmountOptions = {}) {
  const isPositive = sign === 'positive';
  const range = isPositive ? 'above 0 and at most 1,000,000,000' : 'from 0 to 1,000,000,000';
  return Type.Unsafe<number | string>({
    description: [description, 'A number, or text'].filter(Boolean).join('. '),
    type: ['number', 'string'],
    ...(isPositive ? { exclusiveMinimum: 0 } : { minimum: 0 }),
    maximum: 1_000_000_000,
    maxLength: 17,
    pattern: (isPositive ? positivePattern : decimalPattern).source,
    'x-expected': `a number ${range} with at most 6 decimals, or the same as text`,
  });
}

/** The same, or null. */
export function NullableDecimalAmount(options: AmountOptions = {}) {
  return Type.Unsafe<number | string | null>({
    ...DecimalAmount(options),
    type: ['number', 'string', 'null'],
  });
}

/** The canonical decimal text; null for a number with more than 6 decimals. */
export function decimalTextOf(amount: number | string): string | null {
  const text = String(amount);
  if (!decimalPattern.test(text)) return null;
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** The amount of a field as canonical text. Fails with INVALID_PARAMS for more than 6 decimals. */
export function readAmount(field: string, amount: number | string): string {
  const text = decimalTextOf(amount);
  if (text === null) throw failure('INVALID_PARAMS', `${field} must have at most 6 decimals.`);
  return text;
}
