import { amountIn, readMeasure } from '../../engines/goods/measured-text.ts';
import { type Decimal, decimal, decimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { quotedText } from '../../kernel/quoted-text.ts';

/**
 * THC and CBD as menus write them: "18.2%", "18-22%", "182 mg/g", "10mg each". Exact; a text that is not plain is
 * refused. Pure.
 */

type Sent = Readonly<Record<string, unknown>>;
type PotencyUnit = '%' | 'mg';

/** One number, or a range. */
interface StatedPotency {
  readonly low: Decimal;
  /** Null: one number. */
  readonly high: Decimal | null;
  /** Null: not stated. */
  readonly unit: PotencyUnit | null;
  readonly isEach: boolean;
}

const number = String.raw`(\d{1,3}(?:,\d{3})+(?:\.\d{1,6})?|\d{1,12}(?:\.\d{1,6})?|\.\d{1,6})`;
const unitWord = '(%|percent|mg ?/ ?g|mg|g|milligrams?|grams?)';
const potencyText = new RegExp(
  `^${number} ?${unitWord}?(?: ?(?:-|to) ?${number} ?${unitWord}?)?(?: (?:thc|cbd))?( ?(?:each|ea\\.?|/ ?(?:each|ea|piece|unit)|per (?:piece|unit|item|each)))?$`,
);
const substances = ['thc', 'cbd'] as const;
const otherAmounts = ['AmountEach', 'AmountRangeLow', 'AmountRangeHigh'] as const;

/** The potency in a text; null: it is not one. */
export function readPotency(text: string): StatedPotency | null {
  const plain = text
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  const [, low, lowUnit, high, highUnit, each] = potencyText.exec(plain) ?? [];
  if (low === undefined) return null;
  const word = highUnit ?? lowUnit;
  if (lowUnit !== undefined && highUnit !== undefined && lowUnit !== highUnit) return null;
  const inUnit = (digits: string) => scaled(decimal(digits.replaceAll(',', '').replace(/^\./, '0.')), word);
  return {
    low: inUnit(low),
    high: high === undefined ? null : inUnit(high),
    unit: word === undefined ? null : /^m|^g/.test(word) && !word.includes('/') ? 'mg' : '%',
    isEach: each !== undefined,
  };
}

/** Also a size, such as "5 x 10 mg" or "1/8 oz". */
function statedIn(text: string): StatedPotency | null {
  const potency = readPotency(text);
  if (potency !== null) return potency;
  const measure = readMeasure(text);
  if (measure === null) return null;
  const { amount, unit } = measure;
  if (unit === null || unit === '%') return { low: amount, high: null, unit, isEach: false };
  const milligrams = amountIn(amount, unit, 'mg');
  return milligrams === null ? null : { low: milligrams, high: null, unit: 'mg', isEach: false };
}

/** 182 mg/g are 18.2 %; a gram is 1,000 mg. */
function scaled(value: Decimal, word: string | undefined): Decimal {
  if (word?.includes('/')) return value.div(10);
  return word !== undefined && /^g/.test(word) ? value.times(1000) : value;
}

/**
 * The amounts of THC and CBD that a body states, in the fields of the interface: a range fills both ends, "each" the
 * amount per unit, and a stated unit the unit if it is absent. Other values stay, for the schema to refuse. Fails with
 * INVALID_PARAMS when the text contradicts another field.
 */
export function potencyOf(body: Sent): Sent {
  const read: Record<string, unknown> = {};
  for (const substance of substances) {
    const unitField = `${substance}Unit`;
    let unit = isBlank(body[unitField]) ? null : body[unitField];
    const check = (field: string, sent: string, stated: PotencyUnit | null): void => {
      if (stated === null) return;
      unit ??= stated;
      if (unit === stated) return;
      const expected = `in ${String(unit)}, ${isBlank(body[unitField]) ? 'as the others are' : `the ${unitField}`}`;
      throw failure('INVALID_PARAMS', `${field} must be ${expected}, not ${quotedText(sent)}.`);
    };
    for (const name of otherAmounts) {
      const field = `${substance}${name}`;
      const sent = body[field];
      const stated = typeof sent === 'string' ? statedIn(sent) : null;
      if (stated === null || stated.high !== null) continue;
      check(field, sent as string, stated.unit);
      read[field] = decimalText(stated.low);
    }
    const field = `${substance}Amount`;
    const sent = body[field];
    const stated = typeof sent === 'string' ? statedIn(sent) : null;
    if (stated !== null) {
      check(field, sent as string, stated.unit);
      Object.assign(read, totalOf(body, substance, stated, sent as string));
    }
    if (unit !== null && unit !== body[unitField]) read[unitField] = unit;
  }
  return read;
}

function totalOf(body: Sent, substance: string, { low, high, isEach }: StatedPotency, sent: string): Sent {
  const names = isEach ? ['AmountEach'] : high === null ? ['Amount'] : ['AmountRangeLow', 'AmountRangeHigh'];
  if (isEach && high !== null) {
    throw failure(
      'INVALID_PARAMS',
      `${substance}Amount must be a range or an amount of each, not ${quotedText(sent)}.`,
    );
  }
  const taken = names
    .map((name) => `${substance}${name}`)
    .find((name) => name !== `${substance}Amount` && !isBlank(body[name]));
  if (taken !== undefined) {
    throw failure(
      'INVALID_PARAMS',
      `${substance}Amount must be one number beside ${taken}, not ${quotedText(sent)}.`,
    );
  }
  const values = [low, high ?? low];
  return {
    ...(names[0] !== 'Amount' && { [`${substance}Amount`]: null }),
    ...Object.fromEntries(names.map((name, index) => [`${substance}${name}`, decimalText(values[index]!)])),
  };
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
