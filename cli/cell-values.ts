import { decimal, decimalText } from '../src/kernel/decimal.ts';

/** How the text of a cell becomes a value: exactly, or not at all. Pure. */

/** What was expected of a cell, in words that fit after "must be". */
export class CellProblem extends Error {
  override name = 'CellProblem';
}

export type CellKind = 'text' | 'whole' | 'number' | 'flag' | 'list' | 'moment';

/** Between the entries of a list, unless a mapping says otherwise. */
const listSeparator = '|';

/** The value that a request would send for a text that is not blank. Fails with a CellProblem. */
export function cellValue(text: string, kind: CellKind, separator = listSeparator): unknown {
  switch (kind) {
    case 'text':
    case 'moment':
      return text;
    case 'whole':
      return Number(matched(text, /^\d{1,15}$/, 'a whole number'));
    case 'number':
      return Number(matched(text, /^\d{1,12}(\.\d{1,6})?$/, 'a number with at most 6 decimals'));
    case 'flag':
      return matched(text.toLowerCase(), /^(true|false)$/, 'true or false') === 'true';
    case 'list':
      return text
        .split(separator)
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '');
  }
}

function matched(text: string, pattern: RegExp, expected: string): string {
  if (!pattern.test(text)) throw new CellProblem(expected);
  return text;
}

/** "1,234.50" without the commas between thousands. */
function plainNumber(text: string, expected: string): string {
  return matched(text.replace(/,(?=\d{3}(\D|$))/g, ''), /^\d{1,12}(\.\d{1,12})?$/, expected);
}

/** What a mapping can do with a cell before it is read; every one is exact. */
export const conversions = {
  'dollars-to-cents': (text: string) => {
    const expected = 'an amount in dollars with at most 2 decimals, such as 12.50';
    const cents = decimal(plainNumber(text.replace(/^\$\s*/, ''), expected)).times(100);
    return matched(decimalText(cents), /^\d+$/, expected);
  },
  'milligrams-to-grams': (text: string) =>
    decimalText(decimal(leadingNumber(text, 'an amount in milligrams')).div(1000)),
  'grams-to-milligrams': (text: string) =>
    decimalText(decimal(leadingNumber(text, 'an amount in grams')).times(1000)),
  /** Of "3.5 g" the number. */
  'leading-number': (text: string) => leadingNumber(text, 'text that begins with a number'),
  percent: (text: string) => plainNumber(text.replace(/\s*%$/, ''), 'a percentage, such as 22.5%'),
  'yes-no': (text: string) =>
    /^(y|yes|1|true)$/i.test(text)
      ? 'true'
      : matched(text.toLowerCase(), /^(n|no|0|false)$/, 'yes or no').replace(/.*/s, 'false'),
  'us-date': (text: string) => {
    const expected = 'a date such as 3/14/1990';
    const [month, day, year] = matched(text, /^\d{1,2}\/\d{1,2}\/\d{4}$/, expected).split('/');
    return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
  },
  lowercase: (text: string) => text.toLowerCase(),
} as const satisfies Readonly<Record<string, (text: string) => string>>;

export type Conversion = keyof typeof conversions;

function leadingNumber(text: string, expected: string): string {
  const match = /^(\d[\d,]*(?:\.\d+)?|\.\d+)/.exec(text);
  if (match === null) throw new CellProblem(expected);
  return decimalText(decimal(plainNumber(match[1]!.replace(/^\./, '0.'), expected)));
}
