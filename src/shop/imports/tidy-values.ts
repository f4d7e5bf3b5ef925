import { unwrappedCell, whyNoCode } from '../catalog/products.ts';
import { isFree } from './cell-values.ts';
import type { ImportField, ImportFields } from './import-kind.ts';

/** What stands in a file for no value: words in the place of codes, and 0 in the place of prices (D83, D84). Pure. */

/** A remark on a value that was read in another way than it is written. */
interface ValueNote {
  /** The path in the body. */
  readonly path: string;
  readonly message: string;
}

const zeroAmount = /^[$\s]*(?:0+(?:[.,]0*)?|[.,]0+)\s*(?:usd|\$)?$/i;

export const noPrice = 'must be above 0, or free for what is given away';

/** The remark on an option that was left out. */
export function notSoldNote(name: unknown): string {
  const size = typeof name === 'string' && name !== '' ? `the size ${JSON.stringify(name)}` : 'this size';
  return `${size} has no price above 0, so it is not sold, and was left out: write free for what is given away`;
}

/** Whether a text is a word in the place of a value. */
export function isNothing(text: string): boolean {
  return whyNoCode(text) === 'nothing' && !zeroAmount.test(text);
}

const codeNotes = {
  nothing: 'stands for no code, and was left empty',
  exponent:
    'is a number that a spreadsheet has shortened, and was left empty: save the column as text to keep it',
  cell: 'is a formula, and was left empty',
} as const;

export type Tidied =
  | { readonly kind: 'text'; readonly text: string }
  /** No value; with a remark where people may miss it. */
  | { readonly kind: 'none'; readonly note?: string }
  | { readonly kind: 'not-sold' };

/** Days that other systems write where there is none, as ISO and US dates. */
const dummyDay =
  /^(?:1900-\d\d-\d\d|1969-12-31|1970-01-01|0001-01-01)(?![\d])|^\d{1,2}\/\d{1,2}\/1900(?!\d)|^(?:12\/31\/1969|0?1\/0?1\/1970)(?!\d)/;

/** What the text of a cell says to a field. */
export function tidied(text: string, { kind, zero }: ImportField): Tidied {
  if (zero !== undefined && zeroAmount.test(text)) return { kind: zero };
  if ((kind === 'day' || kind === 'moment') && dummyDay.test(text)) {
    return { kind: 'none', note: 'is a date that stands for none, and was left empty' };
  }
  if (kind !== 'code') return { kind: 'text', text };
  const code = unwrappedCell(text);
  if (code === '') return { kind: 'none' };
  const why = whyNoCode(code);
  return why === null ? { kind: 'text', text: code } : { kind: 'none', note: codeNotes[why] };
}

type Values = Readonly<Record<string, unknown>>;

interface TidyBody {
  readonly body: Values;
  readonly notes: readonly ValueNote[];
  /** The places that its options have in the file; null: all are there. */
  readonly optionPlaces: readonly number[] | null;
  /** Why it is refused. */
  readonly problem: string | null;
}

/**
 * A body of a file, with the same rules as the cells of a row. The body can have any shape.
 *
 * @param keepsZero its prices of 0 were made on purpose.
 */
export function tidyBody(sent: Values, fields: ImportFields, keepsZero: boolean): TidyBody {
  const notes: ValueNote[] = [];
  const named = Object.entries(fields).map(
    ([name, field]) => [name, keepsZero ? { ...field, zero: undefined } : field] as const,
  );
  const ofProduct = named.flatMap(([name, field]) =>
    field.optionName === undefined ? [[name, field] as const] : [],
  );
  const ofOption = named.flatMap(([, field]) =>
    field.optionName === undefined ? [] : [[field.optionName, field] as const],
  );
  const body = tidyValues(sent, ofProduct, '', notes).values;
  const options = body.options;
  if (!Array.isArray(options)) return { body, notes, optionPlaces: null, problem: null };
  const kept: unknown[] = [];
  const places: number[] = [];
  for (const [index, option] of options.entries()) {
    const path = `options[${index}]`;
    const read = isValues(option)
      ? tidyValues(option, ofOption, `${path}.`, notes)
      : { values: option, isSold: true };
    if (!read.isSold) {
      notes.push({ path: `${path}.price`, message: notSoldNote(isValues(option) ? option.name : null) });
      continue;
    }
    kept.push(read.values);
    places.push(index);
  }
  if (kept.length === options.length)
    return { body: { ...body, options: kept }, notes, optionPlaces: null, problem: null };
  return {
    body: { ...body, options: kept },
    notes: kept.length === 0 ? [] : notes,
    optionPlaces: places,
    problem: kept.length === 0 ? noPrice : null,
  };
}

function tidyValues(
  sent: Values,
  fields: readonly (readonly [name: string, field: ImportField])[],
  prefix: string,
  notes: ValueNote[],
): { readonly values: Values; readonly isSold: boolean } {
  const values: Record<string, unknown> = { ...sent };
  let isSold = true;
  for (const [name, field] of fields) {
    const value = sent[name];
    if (field.zero !== undefined && typeof value === 'string' && isFree(value)) {
      values[name] = 0;
      continue;
    }
    const isKnown = field.kind === 'code' || field.zero !== undefined;
    if (!isKnown || !(typeof value === 'string' || Number.isSafeInteger(value))) continue;
    const read = tidied(String(value).trim(), field);
    if (read.kind === 'not-sold') isSold = false;
    else if (read.kind === 'none') values[name] = null;
    else if (field.kind === 'code') values[name] = read.text;
    if (read.kind === 'none' && read.note !== undefined)
      notes.push({ path: `${prefix}${name}`, message: read.note });
  }
  return { values, isSold };
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
