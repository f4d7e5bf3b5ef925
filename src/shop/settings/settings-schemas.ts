import Type from 'typebox';

/* Schemas that the settings operations share. */

const percentPattern = '^(?:100(?:\\.0{1,6})?|[1-9]?[0-9](?:\\.[0-9]{1,6})?)$';

/** 0 to 100 as decimal text: a rate never passes through a binary float (D4). */
export function PercentText(options: { readonly description?: string } = {}) {
  return Type.String({
    ...options,
    maxLength: 10,
    pattern: percentPattern,
    'x-reads': 'decimal',
    'x-expected': 'a percentage from 0 to 100 as text, such as "9.25", with at most 6 decimals',
  });
}

/** A percentage in a request, where a number is as exact as text; null: none. */
export function PercentOrWhole(options: { readonly description?: string } = {}) {
  return Type.Unsafe<string | number | null>({
    ...options,
    type: ['string', 'integer', 'null'],
    maxLength: 10,
    pattern: percentPattern,
    minimum: 0,
    maximum: 100,
    'x-reads': 'decimal',
    'x-expected': 'a percentage from 0 to 100, such as "12.5" or 20, with at most 6 decimals',
  });
}

/** Reading settings is harmless, and points of sale need them. */
export const settingsReaders = ['owner', 'manager', 'budtender', 'inventory'] as const;

/** Except the organization's own settings, which only the owner changes. */
export const settingsWriters = ['owner', 'manager'] as const;
