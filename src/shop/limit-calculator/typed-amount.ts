import { areComparable, comparableSizes, contentUnits } from '../../engines/goods/content-units.ts';
import { amountIn, contentDecimalsMax, readMeasure } from '../../engines/goods/measured-text.ts';
import { countedThc } from '../../engines/goods/potency.ts';
import type { LimitedLine } from '../../engines/purchase-limits/check-purchase-limits.ts';
import { type Decimal, decimal, decimalText, roundUp, zero } from '../../kernel/decimal.ts';
import type { LimitedType } from './answer-limits.ts';

export const typedAmountLengthMax = 40;

/** The result of typed text: content in the type's unit, or the expected form. */
type TypedAmount =
  | { readonly content: string; readonly thcPercent: string | null; readonly thcMg: string | null }
  | { readonly problem: string };

/** What stands between an amount and its THC: "3.5 g with 20 % THC", "1 g, 800 mg THC". */
const before = /, |@| at | with /i;
const thcPattern = /^(\d{1,9}(?:\.\d{1,6})?) ?(%|mg)(?: (?:of )?thc)?$/i;

/** Examples of valid input, by type. */
export const typedExamples: Readonly<Record<LimitedType, string>> = {
  'non-concentrated': '3.5 g or 1/8 oz',
  concentrated: '1 g or 500 mg',
  'mi-infused-solids': '4 oz',
  'mi-infused-fluids': '12 fl oz',
  edibles: '100 mg',
  'immature-plant': '2 plants',
  seeds: '5',
  inhalables: '1 g or 500 mg',
  'low-dose-drinks': '4 mg',
  'other-units': '2',
};

const largest = decimal('1000000000');

/**
 * Parses "3.5 g", "1/8 oz", "10 x 10 mg" or "2 plants" as content of a type, with its THC if that is said ("3.5 g with 20 % THC"). Exact; a gram of a type measured in
 * ounces is an infinite decimal, and is rounded up at the 15th.
 */
export function readTypedAmount(text: string, cannabisType: LimitedType): TypedAmount {
  const unit = contentUnits[cannabisType];
  const problem = { problem: `must be an amount such as ${typedExamples[cannabisType]}` };
  if (text.length > typedAmountLengthMax) {
    return { problem: `must have at most ${typedAmountLengthMax} characters` };
  }
  const [product, thc, ...rest] = text.split(before);
  const said = thc === undefined ? null : thcPattern.exec(thc.trim());
  if ((thc !== undefined && said === null) || rest.length > 0) return problem;
  const measure = readMeasure(product!);
  if (measure === null || measure.unit === '%') return problem;
  const { amount } = measure;
  if (amount.lt(zero) || amount.gt(largest)) return problem;
  if (measure.unit === null) {
    // A plain number is ambiguous for weights: 1 can be a gram or an ounce.
    return unit === 'count' ? stated(decimalText(amount), said) : problem;
  }
  if (!areComparable(measure.unit, unit)) return problem;
  const exact = amountIn(amount, measure.unit, unit);
  if (exact !== null) return stated(decimalText(exact), said);
  const [from, to] = comparableSizes(measure.unit, unit);
  return stated(decimalText(roundedUp(amount.times(from), to)), said);
}

/** The same as a line that limits count, or the expected form. */
export function readTypedLine(
  text: string,
  cannabisType: LimitedType,
): LimitedLine | { readonly problem: string } {
  const said = readTypedAmount(text, cannabisType);
  if ('problem' in said) return said;
  const thcMg = countedThc({ cannabisType, unit: 'item', amount: '1', ...said });
  return { cannabisType, content: said.content, thcMg, quantity: 1 };
}

function stated(content: string, said: RegExpExecArray | null): TypedAmount {
  const [, amount = null, unit = null] = said ?? [];
  if (unit === '%' && decimal(amount!).gt(100)) return { problem: 'must have at most 100 % of THC' };
  return { content, thcPercent: unit === '%' ? amount : null, thcMg: unit === '%' ? null : amount };
}

function roundedUp(numerator: Decimal, denominator: Decimal): Decimal {
  const close = roundUp(numerator.div(denominator), contentDecimalsMax);
  return close.times(denominator).lt(numerator) ? close.plus('1e-15') : close;
}
