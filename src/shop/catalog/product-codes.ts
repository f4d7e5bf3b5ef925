import { failure } from '../../kernel/failure.ts';
import { quotedText } from '../../kernel/quoted-text.ts';

/** What is no UPC, SKU or id of another system (D84): it would make one product of several. Pure. */

/** What stands in the place of a code: a word for "none", a number in exponent form, or a cell of a spreadsheet. */
type NoCode = 'nothing' | 'exponent' | 'cell';

/** Without case, spaces and punctuation. */
const wordsForNothing = new Set([
  ...['', 'na', 'none', 'null', 'nil', 'nan', 'undefined', 'unknown', 'tbd', 'tba', 'blank', 'empty'],
  ...['missing', 'noupc', 'nosku', 'nocode', 'nobarcode', 'notavailable', 'notapplicable', 'notset'],
]);
/** "8.5E+11" and other spellings of a number that has lost its digits. */
const exponentForm = /^[+-]?\d+(?:[.,]\d*)?\s?(?:e\s?[+-]?\s?\d{1,3}|[x×*]\s?10\s?\^?\s?[+-]?\d{1,3})$/i;
const failedFormula = /^#(?:n\/a|ref!|value!|name\?|num!|null!|div\/0!)$/i;
/** The formula `="850012345678"`, by which files keep the zeros of a number, and the apostrophe that does the same. */
const wrappedCell = /^(?:=\s*"(.*)"|=\s*'(.*)'|'([0-9]+))$/s;

/** The text within a cell such as `="0850012345678"` or `'0850012345678`; other texts stay. */
export function unwrappedCell(text: string): string {
  const [, double, single, number] = wrappedCell.exec(text) ?? [];
  return (double?.replaceAll('""', '"') ?? single ?? number ?? text).trim();
}

/** Why a text that is not blank is no code; null: it may be one. */
export function whyNoCode(text: string): NoCode | null {
  const plain = text.trim();
  if (plain.startsWith('=') || unwrappedCell(plain) !== plain) return 'cell';
  const word = plain.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  if (wordsForNothing.has(word) || /^0+$/.test(word) || failedFormula.test(plain)) return 'nothing';
  return exponentForm.test(plain) ? 'exponent' : null;
}

/** Fails with INVALID_PARAMS if a text that is sent as a code is none. Blank texts and null pass. */
export function refuseNoCode(text: string | null | undefined, path: string): void {
  if (text === null || text === undefined || text.trim() === '') return;
  const why = whyNoCode(text);
  if (why === null) return;
  const expected = {
    nothing: 'must be a code, or be left out where there is none',
    exponent: 'must be the whole code: a spreadsheet has shortened this number',
    cell: 'must be the code alone, without the signs of a spreadsheet',
  } as const;
  throw failure('INVALID_PARAMS', `${path} ${expected[why]}, not ${quotedText(text)}.`);
}
