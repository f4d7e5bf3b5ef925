import { areComparable, comparableSizes, contentUnits } from '../../engines/goods/content-units.ts';
import { amountIn, contentDecimalsMax, readMeasure } from '../../engines/goods/measured-text.ts';
import { type Decimal, decimal, decimalText, roundUp, zero } from '../../kernel/decimal.ts';
import type { LimitedType } from './answer-limits.ts';

export const typedAmountLengthMax = 40;

/** The result of typed text: content in the type's unit, or the expected form. */
type TypedAmount =
  | { readonly content: string; readonly thcPercent: string | null; readonly thcMg: string | null }
  | { readonly problem: string };

/** "… with 20 % THC" or "… with 700 mg THC": what limits on THC count. */
const withThc =
  /^(?<amount>.*?)\s*(?:,\s|@|at|with)\s*(?<thc>\d{1,9}(?:\.\d{1,6})?)\s*(?<unit>%|mg)(?:\s*(?:of\s+)?thc)?$/i;

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
  const said = withThc.exec(text)?.groups;
  const measure = readMeasure(said?.amount ?? text);
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

function stated(content: string, said: Readonly<Record<string, string>> | undefined): TypedAmount {
  const percent = said?.unit === '%' ? said.thc! : null;
  if (percent !== null && decimal(percent).gt(100)) return { problem: 'must have at most 100 % of THC' };
  return { content, thcPercent: percent, thcMg: said === undefined || percent !== null ? null : said.thc! };
}

function roundedUp(numerator: Decimal, denominator: Decimal): Decimal {
  const close = roundUp(numerator.div(denominator), contentDecimalsMax);
  return close.times(denominator).lt(numerator) ? close.plus('1e-15') : close;
}
