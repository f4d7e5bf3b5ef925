import type { PriceStep } from '../../engines/pricing/price-step.ts';

/*
 * The steps of an order's arithmetic (D31) as they are stored: of each step the places of its words and its figures, seven
 * values, and the words that are not known here. That is a sixth of the JSON that shows them.
 */

interface StoredSteps {
  /** Their places follow those of the known words. */
  readonly words: readonly string[];
  readonly steps: readonly Value[];
}

/** A word is its place; a word with a number is the place of the word with `#`, and the number; two words are two places. */
type Value = number | string | readonly [number, number];

/** Stored texts refer to the places: new words come last, and none goes. A word that is not here is stored with the order. */
const knownWords: readonly string[] = [
  ...[
    'cart',
    'line',
    'discount',
    'discount-share',
    'discount-trimmed',
    'best-of',
    'total-price',
    'discount-cap',
  ],
  ...[
    'loyalty-reward',
    'taxable-price',
    'net-of-included-taxes',
    'tax',
    'exemption',
    'tax-share',
    'adjustment',
  ],
  ...['before-credits', 'credit', 'net-price', 'payment-fee', 'grand-total'],
  'unit price × #',
  'sum of the final prices of the lines',
  'rate of the base, to the nearest cent',
  'share of # by weight, largest remainders first',
  'merchandise + adjustments + taxes that are not included',
  'before credits − credits',
  'flat fee of # + rate of the base, to the nearest cent',
  'net price + delivery fee + payment fees',
  'taxed before reductions: list price × #',
  'gross ÷ factor of the included taxes',
];
const knownPlaces = new Map(knownWords.map((word, place) => [word, place]));

const valuesPerStep = 7;
/** Digits that are the same as a number and as a text. */
const wholeNumber = /^(0|-?[1-9]\d{0,14})$/;
/** None, or as rounded. */
const nothing = '';

/** The steps as text, for the column `steps`. */
export function storedSteps(steps: readonly PriceStep[]): string {
  const words: string[] = [];
  const places = new Map<string, number>();
  const placeOf = (word: string): number => {
    const known = knownPlaces.get(word) ?? places.get(word);
    if (known !== undefined) return known;
    const place = knownWords.length + words.push(word) - 1;
    places.set(word, place);
    return place;
  };
  const values: Value[] = [];
  for (const { step, rule, subject, base, rate, exact, roundedCents } of steps) {
    values.push(placeOf(step), ruleValue(rule, placeOf), subjectValue(subject, placeOf), figure(base));
    values.push(rate === null ? nothing : figure(rate));
    values.push(exact === String(roundedCents) ? nothing : figure(exact), roundedCents ?? nothing);
  }
  const stored: StoredSteps = { words, steps: values };
  return JSON.stringify(stored);
}

/** What a reply says of the steps beside the order, as JSON text of its members: the steps, or that they were pruned (D76). */
export function explanationMembers({ steps }: { readonly steps: string | null }): string {
  return steps === null ? '"explanationPruned":true' : `"explanation":${shownSteps(steps)}`;
}

/** The steps as JSON text. */
export function shownSteps(text: string): string {
  const { words, steps } = JSON.parse(text) as StoredSteps;
  const wordAt = (place: number): string => knownWords[place] ?? words[place - knownWords.length]!;
  const shown: PriceStep[] = [];
  for (let at = 0; at < steps.length; at += valuesPerStep) {
    const [step, rule, subject, base, rate, exact, rounded] = steps.slice(at, at + valuesPerStep);
    shown.push({
      step: wordAt(step as number) as PriceStep['step'],
      rule: Array.isArray(rule) ? wordAt(rule[0]).replace('#', String(rule[1])) : wordAt(rule as number),
      subject: Array.isArray(subject) ? subject.map(wordAt).join(', ') : wordAt(subject as number),
      base: String(base),
      rate: rate === nothing ? null : String(rate),
      exact: String(exact === nothing ? rounded : exact),
      roundedCents: rounded === nothing ? null : (rounded as number),
    });
  }
  return JSON.stringify(shown);
}

function ruleValue(rule: string, placeOf: (word: string) => number): Value {
  const number = /\d+/.exec(rule)?.[0];
  if (number === undefined || !wholeNumber.test(number)) return placeOf(rule);
  const known = knownPlaces.get(rule.replace(number, '#'));
  return known === undefined ? placeOf(rule) : [known, Number(number)];
}

/** A tax's share on a line names both. */
function subjectValue(subject: string, placeOf: (word: string) => number): Value {
  const comma = subject.lastIndexOf(', ');
  return comma < 0 ? placeOf(subject) : [placeOf(subject.slice(0, comma)), placeOf(subject.slice(comma + 2))];
}

function figure(text: string): number | string {
  return wholeNumber.test(text) ? Number(text) : text;
}
