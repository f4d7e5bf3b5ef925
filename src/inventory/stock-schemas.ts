import Type from 'typebox';

/* What the staff's operations on stock share. */

/** Text that says something: not empty, nor spaces alone. */
export function SayingText(options: { readonly max: number; readonly description?: string }) {
  const { max, ...rest } = options;
  return Type.String({
    ...rest,
    minLength: 1,
    maxLength: max,
    pattern: String.raw`^(?=[\s\S]*\S)[^\u0000\uD800-\uDFFF]*$`,
    'x-expected': `text of 1 to ${max} characters that are not all spaces`,
  });
}

/** Who may change stock. */
export const stockWriters = ['owner', 'manager', 'inventory'] as const;

/** Whoever sells needs to know what lies where. */
export const stockReaders = [...stockWriters, 'budtender'] as const;
