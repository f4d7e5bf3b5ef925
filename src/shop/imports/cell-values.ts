import { type Measure, readMeasure } from '../../engines/goods/measured-text.ts';
import { decimal, decimalText } from '../../kernel/decimal.ts';
import { readPotency } from '../catalog/products.ts';
import { foreignClock, foreignDay, foreignMoment } from './foreign-times.ts';

/** Converts the text of a cell to a value: exactly, or not at all. Pure. */

/** The expected content of a cell, in words that fit after "must be". */
export class CellProblem extends Error {
  override name = 'CellProblem';
}

/**
 * Blank entries of `texts` keep their places, because each belongs to an entry of another list. A `measure` or `potency` keeps the
 * unit in its text: only the product's rules know the right one.
 */
export type CellKind =
  | 'text'
  | 'code'
  | 'cents'
  | 'signed-cents'
  | 'number'
  | 'measure'
  | 'potency'
  | 'flag'
  | 'list'
  | 'texts'
  | 'day'
  | 'moment'
  | 'terpenes'
  | 'lab-results';

/** Separates the entries of a list, unless a mapping sets another separator. */
const listSeparator = '|';

/** The value for a request from text that is not blank. Fails with a CellProblem. */
export function cellValue(text: string, kind: CellKind, separator = listSeparator): unknown {
  switch (kind) {
    case 'text':
    case 'code':
    case 'day':
    case 'moment':
      return text;
    case 'cents':
      return Number(centsText(text));
    case 'signed-cents':
      return Number(matched(text, /^-?\d{1,15}$/, 'whole cents, such as 1250 or -1250'));
    case 'number':
      return signedNumber(text, 'a number, such as 120 or 1,240.50');
    case 'measure':
      recognized(text);
      return text;
    case 'potency':
      if (readPotency(text) === null) recognized(text, potencyExpected);
      return text;
    case 'flag':
      return matched(text.toLowerCase(), /^(true|false)$/, 'true or false') === 'true';
    case 'list':
      return entriesOf(text, separator);
    case 'texts':
      return text.split(separator).map((entry) => entry.trim());
    case 'terpenes':
      return entriesOf(text, separator).map(terpene);
    case 'lab-results':
      return entriesOf(text, separator).map(labResult);
  }
}

function entriesOf(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** `Myrcene 0.82%`, or a name alone. */
function terpene(entry: string) {
  const found = /[\s:=](\.?\d[\d.]*)\s*%?$/.exec(entry);
  if (found === null) return { name: entry };
  let end = found.index;
  while (end > 0 && /[\s:=]/.test(entry[end - 1]!)) end--;
  return { name: entry.slice(0, end).trim(), percent: found[1]! };
}

/** `Alder Analytics 2026-02-11 https://lab.example.com/1.pdf`, in any order; the lab alone is enough. */
function labResult(entry: string) {
  const certificateUrl = /https?:\/\/\S+/i.exec(entry)?.[0];
  const rest = certificateUrl === undefined ? entry : entry.replace(certificateUrl, ' ');
  const date = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/.exec(rest)?.[0];
  const lab = (date === undefined ? rest : rest.replace(date, ' ')).replace(/[\s,;]+/g, ' ').trim();
  if (lab === '')
    throw new CellProblem('the name of a lab, with the date and the address of the certificate');
  return {
    lab,
    ...(date !== undefined && { date }),
    ...(certificateUrl !== undefined && { certificateUrl }),
  };
}

const decimalComma = /(?<![\d.,])(\d{1,3}(?:\.\d{3})+|\d{1,12}),(\d{1,2})(?![\d.,])/g;

/** Numbers with a decimal comma as ones with a point: `12,50`, `1.250,00`. No thousand has one or two digits. */
export function withPoints(text: string): string {
  return text.replace(
    decimalComma,
    (_, whole: string, part: string) => `${whole.replaceAll('.', '')}.${part}`,
  );
}

/** Whether a number has one point or comma before three digits: a thousand or a part, by the country of who wrote it. */
export function isOfEitherCountry(text: string): boolean {
  return /(?<![\d.,])\d{1,3}[.,]\d{3}(?![\d.,])/.test(text);
}

function matched(text: string, pattern: RegExp, expected: string): string {
  if (!pattern.test(text)) throw new CellProblem(expected);
  return text;
}

/** "1,234.50" without thousands separators. */
function plainNumber(text: string, expected: string): string {
  return matched(text.replace(/,(?=\d{3}(\D|$))/g, ''), /^\d{1,12}(\.\d{1,12})?$/, expected);
}

/** `(12.00)` and `-12.00` are below zero. */
function signedNumber(text: string, expected: string): string {
  const [, inBrackets] = /^\((.*)\)$/.exec(text) ?? [];
  const isNegative = inBrackets !== undefined || text.startsWith('-');
  const number = plainNumber((inBrackets ?? text).replace(/^-\s*/, ''), expected);
  return decimalText(isNegative ? decimal(number).neg() : decimal(number));
}

const potencyExpected =
  'a number, alone or with its unit, such as 18.2%, 18-22%, 182 mg/g, 10 mg or 10 mg each';

/** Whether a text says on purpose that something costs nothing. */
export function isFree(text: string): boolean {
  return /^(?:free|no charge|complimentary)$/i.test(text);
}

/** Cents; with a dollar sign dollars, and 0 for what is free. A number with a point alone could be either. */
function centsText(text: string): string {
  if (isFree(text)) return '0';
  const expected = 'whole cents, such as 1250, or dollars with their sign, such as $12.50, or free';
  if (!text.startsWith('$')) return matched(text, /^\d{1,15}$/, expected);
  const cents = decimal(plainNumber(text.replace(/^\$\s*/, ''), expected)).times(100);
  return matched(decimalText(cents), /^\d+$/, expected);
}

const measureExpected = 'a number, alone or with its unit, such as 3.5, 3.5 g, 1/8 oz, 5 x 0.5 g or 1-2 g';

function recognized(text: string, expected = measureExpected): Measure {
  const measure = readMeasure(text);
  if (measure === null) throw new CellProblem(expected);
  return measure;
}

function keepsUnit(kind: CellKind): boolean {
  return kind === 'measure' || kind === 'potency';
}

/** Converts a number in unit `from`, given or implied; in a measure it keeps its new unit. */
function converted(text: string, kind: CellKind, from: 'g' | 'mg', expected: string): string {
  const { amount, unit } = recognized(text, expected);
  if (unit !== null && unit !== from) throw new CellProblem(expected);
  const [other, to] = from === 'g' ? [amount.times(1000), 'mg'] : [amount.div(1000), 'g'];
  return keepsUnit(kind) ? `${decimalText(other)} ${to}` : decimalText(other);
}

/**
 * The conversions that a mapping can apply to a cell. Each is exact and refuses other units. `kind` is that of the target
 * field.
 */
export const conversions = {
  'dollars-to-cents': (text: string) => {
    const expected = 'an amount in dollars with at most 2 decimals, such as 12.50';
    if (isFree(text)) return '0';
    const cents = decimal(plainNumber(text.replace(/^\$\s*/, ''), expected)).times(100);
    return matched(decimalText(cents), /^\d+$/, expected);
  },
  /** Amounts of old sales: refunds are below zero, and a till's sums of taxes may have parts of a cent. */
  'old-dollars-to-cents': (text: string) => {
    const expected = 'an amount in dollars, such as 12.50, -12.50 or (12.50)';
    const plain = text.replace(/^([(-]?)\s*\$\s*/, '$1').replace(/^-\s*\$?\s*/, '-');
    return decimalText(decimal(signedNumber(plain, expected)).times(100).round(0));
  },
  /** A cost, which may have more decimals than money. */
  dollars: (text: string) =>
    signedNumber(text.replace(/^([(-]?)\s*\$\s*/, '$1'), 'an amount in dollars, such as 12.50 or 0.0425'),
  'cents-to-dollars': (text: string) =>
    decimalText(decimal(signedNumber(text, 'an amount in cents, such as 1250')).div(100)),
  'milligrams-to-grams': (text: string, kind: CellKind) =>
    converted(text, kind, 'mg', 'an amount in milligrams, such as 500 or 500 mg'),
  'grams-to-milligrams': (text: string, kind: CellKind) =>
    converted(text, kind, 'g', 'an amount in grams, such as 0.5 or 0.5 g'),
  /** The number in "3.5 g". A measure keeps the unit; it is checked where the right unit is known. */
  'leading-number': (text: string, kind: CellKind) => {
    const { amount, pieces } = recognized(text);
    if (keepsUnit(kind)) return text;
    const isOneNumber = pieces === null && /^[\d.,]+[^\d]*$/.test(text);
    if (!isOneNumber) throw new CellProblem('one number, alone or with its unit, such as 3.5 or 3.5 g');
    return decimalText(amount);
  },
  percent: (text: string, kind: CellKind) => {
    const number = plainNumber(
      text.endsWith('%') ? text.slice(0, -1).trimEnd() : text,
      'a percentage, such as 22.5%',
    );
    return keepsUnit(kind) ? `${number}%` : number;
  },
  /** A potency without a unit is a share; one that states its unit keeps it. */
  'percent-by-default': (text: string) => (/[%a-z]/i.test(text) ? text : `${text}%`),
  'yes-no': (text: string) =>
    /^(y|yes|1|true)$/i.test(text)
      ? 'true'
      : matched(text.toLowerCase(), /^(n|no|0|false)$/, 'yes or no').replace(/.*/s, 'false'),
  'us-date': (text: string) => {
    const expected = 'a date such as 3/14/1990';
    const [month, day, year] = matched(text, /^\d{1,2}\/\d{1,2}\/\d{4}$/, expected).split('/');
    return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
  },
  /** A day in any of the forms that tills write; a year of two digits is refused. */
  'any-date': (text: string) =>
    said(foreignDay(text), 'a date with a year of four digits, such as 3/14/1990'),
  /** A day without a time is noon in Greenwich, which is on that day in every state. */
  'any-moment': (text: string) => {
    const moment = said(foreignMoment(text), momentExpected);
    return moment.endsWith('Z') ? moment : `${moment.slice(0, 10)}T12:00:00Z`;
  },
  /** A moment that may be the local time of the shop. */
  'local-moment': (text: string) => said(foreignMoment(text), momentExpected),
  'clock-time': (text: string) => said(foreignClock(text), 'the time of a clock, such as 10:15 AM'),
  /** Only a plain yes is consent. */
  consent: (text: string) =>
    /^(y|yes|1|true|subscribed|opted[ -]?in|opt[ -]?in)$/i.test(text)
      ? 'true'
      : matched(
          text.toLowerCase(),
          /^(n|no|0|false|unsubscribed|never subscribed|not subscribed|none|unknown|opted[ -]?out|opt[ -]?out)$/,
          'yes or no, or subscribed or unsubscribed',
        ).replace(/.*/s, 'false'),
  /** All but the last word of a name; a single word is the first name. */
  'first-name': (text: string) => namesOf(text).first,
  'last-name': (text: string) => said(namesOf(text).last, 'a first and a last name'),
  /** Spreadsheets keep the zeros of a number by a quotation mark before it. */
  'without-quote': (text: string) => text.replace(/^'\s*/, ''),
  lowercase: (text: string) => text.toLowerCase(),
} as const satisfies Readonly<Record<string, (text: string, kind: CellKind) => string>>;

/** The words of a name but the last, and that one; a single word is the first name. */
function namesOf(text: string): { readonly first: string; readonly last: string | null } {
  const words = text.trim().split(/\s+/);
  const last = words.length > 1 ? words.at(-1)! : null;
  return { first: last === null ? text : text.trim().slice(0, -last.length).trimEnd(), last };
}

const momentExpected = 'a date with or without a time, such as 3/14/2026 10:15 AM or 2026-03-14T17:15:00Z';

function said(read: string | null, expected: string): string {
  if (read === null) throw new CellProblem(expected);
  return read;
}

export type Conversion = keyof typeof conversions;

/** The names of all conversions. */
export const conversionNames = Object.keys(conversions) as readonly Conversion[] as [
  Conversion,
  ...Conversion[],
];
