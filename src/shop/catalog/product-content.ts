import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import { decimal, decimalTextOfNumber } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { nameText } from '../../kernel/name-text.ts';
import { type OptionPotency, readPotencyOfOption } from './option-potency.ts';
import { refuseNoCode } from './product-codes.ts';
import type { NewOption, OptionChange } from './product-schemas.ts';

/** The rules for a product's content and its options (D43–D45) that a schema cannot express. Pure. */

export interface OptionContent extends OptionPotency {
  /** Null: menus show a label of amount and unit. */
  readonly name: string | null;
  /** Decimal text, like `content`. */
  readonly amount: string;
  readonly priceCents: number;
  readonly salesPriceCents: number | null;
  readonly content: string | null;
  readonly upc: string | null;
}

type Substance = 'thc' | 'cbd';
const substances: readonly Substance[] = ['thc', 'cbd'];

type PotencyNames<Of extends Substance> =
  | `${Of}Amount`
  | `${Of}AmountEach`
  | `${Of}AmountRangeLow`
  | `${Of}AmountRangeHigh`;

/** Decimal texts with their units. */
export type Potency = Readonly<Record<PotencyNames<Substance>, string | null>> & {
  readonly thcUnit: '%' | 'mg' | null;
  readonly cbdUnit: '%' | 'mg' | null;
};

function amountNames(substance: Substance): readonly PotencyNames<Substance>[] {
  return [
    `${substance}Amount`,
    `${substance}AmountEach`,
    `${substance}AmountRangeLow`,
    `${substance}AmountRangeHigh`,
  ];
}

/** Units that a body lacks though it has amounts; the body can have any shape. */
export function missingPotencyUnits(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const sent = body as Readonly<Record<string, unknown>>;
  return substances
    .filter((substance) => amountNames(substance).some((name) => typeof sent[name] === 'string'))
    .map((substance) => `${substance}Unit`)
    .filter((unit) => !Object.hasOwn(sent, unit));
}

/**
 * Fails when an amount has no unit, exceeds 100 %, or a range ends before it starts. `sent` has the request's own
 * fields: an absent unit is missing, a cleared one contradicts.
 */
export function checkPotency(potency: Potency, sent: Partial<Potency>): void {
  for (const substance of substances) {
    const unit = `${substance}Unit` as const;
    if (potency[unit] === null && amountNames(substance).some((name) => potency[name] !== null)) {
      if (sent[unit] === undefined) {
        throw failure('MISSING_PARAMS', `Required but absent: ${unit}.`, { missing: [unit] });
      }
      throw failure('INVALID_PARAMS', `${unit} must be one of %, mg: there are amounts of it.`);
    }
    // A value that is there already does not block another change.
    const isSent = [unit, ...amountNames(substance)].some((name) => sent[name] !== undefined);
    const excess = amountNames(substance).find((name) => decimal(potency[name] ?? 0).gt(100));
    if (isSent && potency[unit] === '%' && excess !== undefined) {
      throw failure('INVALID_PARAMS', `${excess} must be at most 100: ${unit} is %.`);
    }
    const low = potency[`${substance}AmountRangeLow`];
    const high = potency[`${substance}AmountRangeHigh`];
    if (low !== null && high !== null && decimal(low).gt(decimal(high))) {
      throw failure(
        'INVALID_PARAMS',
        `${substance}AmountRangeLow must be at most ${substance}AmountRangeHigh.`,
      );
    }
  }
}

/** Paths of the amounts and prices that new options lack; the body can have any shape. */
export function missingOfNewOptions(body: unknown): string[] {
  const options = (body as { options?: unknown } | null | undefined)?.options;
  if (!Array.isArray(options) || options.length > 100) return [];
  return options.flatMap((option: unknown, index) => {
    if (typeof option !== 'object' || option === null || Array.isArray(option)) return [];
    if (Object.hasOwn(option, 'id')) return [];
    return ['amount', 'price']
      .filter((name) => !Object.hasOwn(option, name))
      .map((name) => `options[${index}].${name}`);
  });
}

/**
 * The options after a request: new ones as sent, existing ones with the given fields replaced. Fails with
 * INVALID_PARAMS or MISSING_PARAMS when a resulting option is invalid.
 */
export function readOptions(
  sent: readonly (NewOption | OptionChange)[],
  currentOf: (id: number) => OptionContent | null,
  cannabisType: CannabisType,
): OptionContent[] {
  const options = sent.map((change, index) => {
    const path = `options[${index}]`;
    const current = 'id' in change && change.id !== undefined ? currentOf(change.id) : null;
    const option: OptionContent = {
      name: change.name === undefined ? (current?.name ?? null) : blankToNull(change.name),
      amount: change.amount === undefined ? current!.amount : readAmount(change.amount, `${path}.amount`),
      priceCents: change.price ?? current!.priceCents,
      salesPriceCents:
        change.salesPrice === undefined ? (current?.salesPriceCents ?? null) : change.salesPrice,
      content: change.content === undefined ? (current?.content ?? null) : change.content,
      upc: change.upc === undefined ? (current?.upc ?? null) : blankToNull(change.upc),
      ...readPotencyOfOption(change, current, path),
    };
    // A code that is there already does not block another change.
    if (option.upc !== (current?.upc ?? null)) refuseNoCode(option.upc, `${path}.upc`);
    if (option.salesPriceCents !== null && option.salesPriceCents > option.priceCents) {
      throw failure('INVALID_PARAMS', `${path}.salesPrice must be at most ${path}.price.`);
    }
    return option;
  });
  if (cannabisType === 'none') return options;
  const without = options.flatMap(({ content }, index) => (content === null ? [index] : []));
  const pathsOf = (indexes: readonly number[]) => indexes.map((index) => `options[${index}].content`);
  const missing = without.filter((index) => sent[index]!.content === undefined);
  if (missing.length > 0) {
    const paths = pathsOf(missing);
    throw failure(
      'MISSING_PARAMS',
      `Required but absent, as the category's cannabisType is ${cannabisType}: ${paths.join(', ')}.`,
      { missing: paths },
    );
  }
  if (without.length > 0) {
    throw failure(
      'INVALID_PARAMS',
      `${pathsOf(without).join(', ')} must be a number above 0 as text: the category's cannabisType is ${cannabisType}.`,
    );
  }
  return options;
}

/** An option's amount as exact decimal text, from the shortest text of the number. */
function readAmount(amount: number, path: string): string {
  const text = decimalTextOfNumber(amount, 6);
  if (text === null) throw failure('INVALID_PARAMS', `${path} must be a number with at most 6 decimals.`);
  return text;
}

/** A name as it is stored, not blank. Fails with INVALID_PARAMS. */
export function readName(name: string, path: string): string {
  const text = nameText(name);
  if (text === '') throw failure('INVALID_PARAMS', `${path} must be text that is not blank.`);
  return text;
}

/** Text that is not blank, else null. */
export function blankToNull(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}
