import Type, { type Static, type TSchema, type TUnsafe } from 'typebox';
import type { ErrorCode } from '../../kernel/error-catalog.ts';
import type { Reads } from './body-normalizer.ts';

/*
 * Builders of the field types of the interface. Every type is bounded: a valid value fits
 * the columns and the arithmetic behind it. Requests, replies and the OpenAPI document use the same ones.
 *
 * Custom keywords: `x-name` hoists a schema in the OpenAPI document, `x-error-code` is the code for a wrong
 * value, `x-expected` describes a pattern or format in words, `x-reads` names the purpose of a text
 * (so that other spellings are accepted: see `bodyNormalizer`), `x-words` describes a property, `x-shown-as` is the schema of the description.
 */

/** The keywords above: for what reads the schemas as JSON Schema. */
export const customKeywords = ['x-name', 'x-error-code', 'x-expected', 'x-reads', 'x-words', 'x-shown-as'];

type Described = {
  readonly description?: string;
};

/** No NUL (PostgreSQL cannot store it) and no lone surrogate (not writable as UTF-8); needs the u flag. */
const storableTextPattern = String.raw`^[^\u0000\uD800-\uDFFF]*$`;

/** Text of `min` to `max` code points. */
export function Text(options: Described & { readonly max: number; readonly min?: number }) {
  const { max, min = 0, ...rest } = options;
  return Type.String({
    ...rest,
    ...(min > 0 && { minLength: min }),
    maxLength: max,
    pattern: storableTextPattern,
  });
}

/** Text of 1 to `max` code points that is not blank. */
export function NonBlankText(options: Described & { readonly max: number }) {
  const { max, ...rest } = options;
  return Type.String({
    ...rest,
    minLength: 1,
    maxLength: max,
    pattern: String.raw`^(?=[\s\S]*\S)[^\u0000\uD800-\uDFFF]*$`,
    'x-expected': `text of 1 to ${max} characters that are not all spaces`,
  });
}

/** One of a fixed list of texts. */
export function OneOf<const Value extends string>(values: readonly Value[], options: Described = {}) {
  return Type.Unsafe<Value>({ type: 'string', enum: [...values], ...options });
}

/** `true` or `false`; in a query exactly the texts `true` and `false`. */
export function Flag(options: Described = {}) {
  return Type.Boolean(options);
}

/** A whole number from `min` to `max`. */
export function WholeNumber(options: Described & { readonly min: number; readonly max: number }) {
  const { min, max, ...rest } = options;
  return Type.Integer({ ...rest, minimum: min, maximum: max });
}

/** A number from `min` to `max`, fractions included. Never for money or stock (D4). */
export function DecimalNumber(options: Described & { readonly min: number; readonly max: number }) {
  const { min, max, ...rest } = options;
  return Type.Number({ ...rest, minimum: min, maximum: max });
}

/** The number of a resource. */
export function Id(options: Described = {}) {
  return Type.Integer({ ...options, minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
}

/** $10 million: times 10,000 units times 100 lines is still a safe integer. */
const centsMax = 1_000_000_000;

/** A price or fee in whole cents, 0 to $10 million by default. */
export function Cents(options: Described & { readonly min?: number; readonly max?: number } = {}) {
  const { min = 0, max = centsMax, ...rest } = options;
  return Type.Integer({ ...rest, minimum: min, maximum: max });
}

/** A sum in whole cents, of either sign: for replies. */
export function CentsTotal(options: Described = {}) {
  return Type.Integer({ ...options, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
}

/**
 * An instant. A reply writes ISO 8601 in UTC: `2026-03-01T17:05:09.123Z` (D4). A request may use any RFC 3339 form,
 * with any offset and up to 9 decimals of a second. Handlers convert it to an instant and never store the text.
 */
export function Timestamp(options: Described = {}) {
  return Type.String({
    ...options,
    format: 'date-time',
    // With 9 decimals and an offset.
    maxLength: 35,
    'x-expected': 'a timestamp with Z or an offset, such as 2026-03-01T17:05:09.123Z',
  });
}

/** A time of day, `HH:MM`. */
export function TimeOfDay(description: string) {
  return Type.String({
    description,
    maxLength: 5,
    pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$',
    'x-expected': 'a time of day HH:MM from 00:00 to 23:59',
  });
}

/** An existing calendar date, `YYYY-MM-DD`. */
export function LocalDate(options: Described = {}) {
  return Type.String({
    ...options,
    format: 'date',
    maxLength: 10,
    'x-expected': 'a date YYYY-MM-DD that exists',
  });
}

/** A date from 1900 on: an older one is a typing error. */
export function DateSince1900(options: Described = {}) {
  return Type.String({
    ...options,
    format: 'date',
    maxLength: 10,
    pattern: '^(?:19|[2-9][0-9])',
    'x-expected': 'a date YYYY-MM-DD that exists, not before 1900-01-01',
  });
}

/** An exact decimal as text, without exponent (D4). `positive` refuses zero. */
export function DecimalText(
  options: Described & {
    readonly wholeDigitsMax?: number;
    readonly decimalsMax?: number;
    readonly sign?: 'positive' | 'not-negative' | 'any';
  } = {},
) {
  const { wholeDigitsMax = 12, decimalsMax = 6, sign = 'not-negative', ...rest } = options;
  const prefix = { positive: '(?=.*[1-9])', 'not-negative': '', any: '-?' }[sign];
  const number = { positive: 'a number above 0', 'not-negative': 'a number of at least 0', any: 'a number' }[
    sign
  ];
  return Type.String({
    ...rest,
    maxLength: wholeDigitsMax + decimalsMax + 2,
    pattern: `^${prefix}(0|[1-9][0-9]{0,${wholeDigitsMax - 1}})(\\.[0-9]{1,${decimalsMax}})?$`,
    'x-reads': 'decimal',
    'x-expected': `${number} as text, with at most ${wholeDigitsMax} digits before and ${decimalsMax} after the point`,
  });
}

/** The same schema, for a text with several accepted spellings. */
export function ReadAs<Schema extends TSchema>(reads: Reads, schema: Schema): Schema {
  return withKeywords(schema, { 'x-reads': reads });
}

/** A random UUID. */
export function UuidV4(options: Described = {}) {
  return Type.String({ ...options, format: 'uuid', maxLength: 36, 'x-expected': 'a UUID v4' });
}

/** A list of `min` to `max` items. */
export function List<Item extends TSchema>(
  item: Item,
  options: Described & { readonly max: number; readonly min?: number },
) {
  const { max, min = 0, ...rest } = options;
  return Type.Array(item, { ...rest, ...(min > 0 && { minItems: min }), maxItems: max });
}

/** The schema or null. One `type` with two members instead of `anyOf` keeps the serializer on its fast path. */
export function Nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const { type, enum: values } = schema as { type?: unknown; enum?: unknown[] };
  if (typeof type !== 'string') throw new TypeError('Nullable needs a schema with one type');
  return withKeywords(schema, {
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
  }) as unknown as TUnsafe<Static<Schema> | null>;
}

/** Gives a schema a name in the OpenAPI document (and so a type name in generated clients). */
export function Named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return withKeywords(schema, { 'x-name': name });
}

/** Says what a property means whose schema is shared: a part with a name, or one of another meaning elsewhere. */
export function Described<Schema extends TSchema>(words: string, schema: Schema): Schema {
  return withKeywords(schema, { 'x-words': words });
}

/**
 * An object that the handler checks by this schema, for itself: of the entries of a list, a wrong one then refuses no
 * other. The description of the interface shows the schema.
 */
export function CheckedLater(schema: TSchema): TUnsafe<Readonly<Record<string, unknown>>> {
  return Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', 'x-shown-as': schema });
}

/** A wrong value is answered with `code` instead of INVALID_PARAMS (D13). */
export function withErrorCode<Schema extends TSchema>(schema: Schema, code: ErrorCode): Schema {
  // What the caller does wrong with a cursor is to take it from another list, not to send no number.
  const cursorWords = 'the id of a row of this same list, as the page before has it';
  return withKeywords(schema, {
    'x-error-code': code,
    ...(code === 'INVALID_CURSOR' && !('x-expected' in schema) && { 'x-expected': cursorWords }),
  });
}

/** A copy that keeps the non-enumerable marks (kind, optional) of the schema library. */
function withKeywords<Schema extends TSchema>(schema: Schema, keywords: Record<string, unknown>): Schema {
  const copy: object = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(schema));
  return Object.assign(copy, keywords) as Schema;
}
