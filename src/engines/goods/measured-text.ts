import { type Decimal, decimal, zero } from '../../kernel/decimal.ts';
import { areComparable, type ContentUnit, comparableSizes } from './content-units.ts';

/**
 * Parses sizes as shops write them: "3.5 g", ".1g", "1/8 oz", "1 1/2 oz", "5 x 0.5g", "1-2 g", "10 ct", "22.5%". Exact,
 * or null. Pure.
 */

type MeasureUnit = ContentUnit | '%';

/** Kilograms become grams and pounds become ounces, both exactly. */
export interface Measure {
  /** At least 0. For a range its upper end, for several pieces the total. */
  readonly amount: Decimal;
  /** Null: a plain number. */
  readonly unit: MeasureUnit | null;
  /** The 5 of "5 x 0.5g"; otherwise null. */
  readonly pieces: Decimal | null;
}

/** The maximum number of decimals of an option's content in the interface; a 32nd of an ounce has 14 in grams. */
export const contentDecimalsMax = 15;
const longestText = 100;

const [one, sixteen, thousand] = [decimal(1), decimal(16), decimal(1000)];

const unitWords: readonly (readonly [words: string, unit: MeasureUnit, size: Decimal])[] = [
  ['mg|mgs|milligrams?', 'mg', one],
  ['g|gm|gms|grams?', 'g', one],
  ['kg|kgs|kilograms?', 'g', thousand],
  ['oz|ozs|ounces?', 'oz', one],
  ['lb|lbs|pounds?', 'oz', sixteen],
  ['floz|fluidounces?', 'fl oz', one],
  ['ct|count|ea|each|pk|pks|packs?|pc|pcs|pieces?|items?|units?|plants?|clones?|seeds?', 'count', one],
  ['%', '%', one],
];

const sizeOfWord = new Map(
  unitWords.map(([words, unit, size]) => [new RegExp(`^(?:${words})$`), { unit, size }] as const),
);

const vulgarFractions: Readonly<Record<string, string>> = {
  ...{ '½': '1/2', '¼': '1/4', '¾': '3/4', '⅛': '1/8', '⅜': '3/8', '⅝': '5/8', '⅞': '7/8' },
};
const anyVulgarFraction = new RegExp(`[${Object.keys(vulgarFractions).join('')}]`, 'g');

const plainNumber = String.raw`(?:\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.\d{1,12})?|\.\d{1,12}`;
const fraction = String.raw`(?:\d{1,4}[ -]+)?\d{1,4} ?/ ?\d{1,4}`;
const size = `(${fraction}|${plainNumber}) ?([a-z%][a-z. ]*)?`;
const wholeSize = new RegExp(`^${size}$`);
const range = new RegExp(`^${size} ?(?:-|to) ?${size}$`);
const piecesFirst = new RegExp(`^(\\d{1,4}) ?(?:ct|pk|packs?|pcs?)? ?x ?${size}$`);
const piecesLast = new RegExp(`^${size} ?x ?(\\d{1,4})(?: ?(?:ct|pk|packs?|pcs?))?$`);

/** The exact meaning of a text; null if it is not recognized. */
export function readMeasure(text: string): Measure | null {
  if (text.length > longestText) return null;
  const plain = text
    .replace(anyVulgarFraction, (sign) => ` ${vulgarFractions[sign]}`)
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[×\u2715]/g, 'x')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  const single = wholeSize.exec(plain);
  if (single !== null) return oneSize(single[1]!, single[2]);
  const first = piecesFirst.exec(plain);
  if (first !== null) return severalPieces(oneSize(first[2]!, first[3]), first[1]!);
  const last = piecesLast.exec(plain);
  if (last !== null) return severalPieces(oneSize(last[1]!, last[2]), last[3]!);
  const ends = range.exec(plain);
  return ends === null ? null : upperEnd(ends);
}

function oneSize(number: string, word: string | undefined): Measure | null {
  const amount = readNumber(number);
  if (amount === null) return null;
  // The 1/8 of a menu means ounces, but nothing in the text shows it.
  if (word === undefined) return number.includes('/') ? null : { amount, unit: null, pieces: null };
  const found = unitOf(word);
  return found === null ? null : { amount: amount.times(found.size), unit: found.unit, pieces: null };
}

function unitOf(word: string) {
  const plain = word.replace(/[. ]/g, '');
  for (const [pattern, found] of sizeOfWord) if (pattern.test(plain)) return found;
  return null;
}

/** Null for a fraction without a finite decimal. */
function readNumber(text: string): Decimal | null {
  const [, whole, above, below] = /^(?:(\d+)[ -]+)?(\d+) ?\/ ?(\d+)$/.exec(text) ?? [];
  if (above === undefined) return decimal(text.replaceAll(',', '').replace(/^\./, '0.'));
  const [numerator, denominator] = [decimal(above), decimal(below!)];
  if (denominator.eq(zero)) return null;
  const share = exactQuotient(numerator, denominator);
  if (share === null || whole === undefined) return share;
  // Otherwise "1-3/2" could also be a range.
  return share.lt(one) ? decimal(whole).plus(share) : null;
}

function exactQuotient(a: Decimal, b: Decimal): Decimal | null {
  const quotient = a.div(b);
  return quotient.times(b).eq(a) ? quotient : null;
}

function severalPieces(each: Measure | null, count: string): Measure | null {
  const pieces = decimal(count);
  if (each === null || each.unit === null || each.unit === '%' || !pieces.gt(zero)) return null;
  return { amount: each.amount.times(pieces), unit: each.unit, pieces };
}

/** "1-2 g" and "500 mg - 1 g"; the ends must have a unit, the same dimension, and ascend. */
function upperEnd([, lowNumber, lowWord, highNumber, highWord]: RegExpExecArray): Measure | null {
  const low = oneSize(lowNumber!, lowWord ?? highWord);
  const high = oneSize(highNumber!, highWord);
  if (low?.unit == null || high?.unit == null) return null;
  return isAtMost(low.amount, low.unit, high.amount, high.unit) ? high : null;
}

function isAtMost(a: Decimal, unitA: MeasureUnit, b: Decimal, unitB: MeasureUnit): boolean {
  if (unitA === '%' || unitB === '%') return unitA === unitB && !a.gt(b);
  if (!areComparable(unitA, unitB)) return false;
  const [sizeA, sizeB] = comparableSizes(unitA, unitB);
  return !a.times(sizeA).gt(b.times(sizeB));
}

/**
 * Converts an amount to another unit of the same dimension; null for another dimension, or if the result needs more
 * decimals than a content may have.
 */
export function amountIn(amount: Decimal, from: MeasureUnit, to: ContentUnit): Decimal | null {
  if (from === '%' || !areComparable(from, to)) return null;
  const [sizeFrom, sizeTo] = comparableSizes(from, to);
  const converted = from === to ? amount : exactQuotient(amount.times(sizeFrom), sizeTo);
  return converted?.round(contentDecimalsMax, 0).eq(converted) ? converted : null;
}

/** The sizes within a name: the eighth in "Moonlit Grove 1/8oz jar". */
export function measuresWithin(text: string): Measure[] {
  const found = text.slice(0, 1000).toLowerCase().matchAll(sizeWithin);
  return [...found].flatMap(([, number, word]) => oneSize(number!, word) ?? []);
}

const sizeWithin = new RegExp(
  String.raw`(?<![\w./,])(${fraction}|${plainNumber}) ?(mg|g|oz|lb|grams?|ounces?|milligrams?)(?![\w/])`,
  'g',
);
