import type { CannabisType } from '../kernel/cannabis-type.ts';
import { areComparable, comparableSizes, contentUnits } from '../kernel/content-units.ts';
import { type Decimal, decimal, decimalText } from '../kernel/decimal.ts';
import { type Measure, measuresWithin, readMeasure } from '../kernel/measured-text.ts';

/** What an option says of its size: by its name, its amount, the name of its product, and its content. */
export interface SizedOption {
  readonly cannabisType: CannabisType;
  readonly unit: 'gram' | 'item';
  /** Null: the product has other options, so that its name says nothing of the size of one. */
  readonly productName: string | null;
  readonly name: string | null;
  /** Decimal texts. */
  readonly amount: string;
  readonly content: string | null;
}

/** The trade's 3.5 g for an eighth of an ounce are 1.2 % less than an eighth. */
const least = decimal('0.98');
const most = decimal('1.02');
/** No concentrate whose weight is told in milligrams holds less than a tenth of it. */
const concentrateShareMin = decimal('0.1');

/**
 * Why an option's content cannot be what it says elsewhere, in words that fit behind the option's name; null when nothing
 * contradicts. Purchase limits count the content, so one that is too small lets too much be sold. Pure.
 */
export function contentDoubt(option: SizedOption): string | null {
  const { cannabisType, content } = option;
  if (cannabisType === 'none' || content === null) return null;
  const unit = contentUnits[cannabisType];
  for (const { measure, words, isCertain } of sizesOf(option)) {
    if (measure.unit === null || measure.unit === '%' || !areComparable(measure.unit, unit)) continue;
    const [sizeOfSaid, sizeOfContent] = comparableSizes(measure.unit, unit);
    const said = measure.amount.times(sizeOfSaid);
    const held = decimal(content).times(sizeOfContent);
    const isTooSmall =
      cannabisType === 'concentrated' || cannabisType === 'edibles'
        ? isMisread(cannabisType, decimal(content), measure)
        : held.lt(said.times(least));
    // Of what is counted in milligrams a name may tell the part in one piece.
    const isTooLarge = isCertain && measure.unit !== 'mg' && held.gt(said.times(most));
    if (isTooSmall || isTooLarge)
      return `${words}, but its content is ${decimalText(decimal(content))} ${unit}`;
  }
  return null;
}

/** Why each option of a product is doubted, in their order; null: it is not. */
export function optionDoubts(
  product: { readonly name: string; readonly unit: 'gram' | 'item' },
  cannabisType: CannabisType,
  options: readonly Pick<SizedOption, 'name' | 'amount' | 'content'>[],
): (string | null)[] {
  const productName = options.length === 1 ? product.name : null;
  return options.map(({ name, amount, content }) =>
    contentDoubt({ cannabisType, unit: product.unit, productName, name, amount, content }),
  );
}

function* sizesOf({ unit, productName, name, amount }: SizedOption) {
  const named = name === null ? null : readMeasure(name);
  if (named !== null) yield { measure: named, words: `is called ${name}`, isCertain: true };
  if (unit === 'gram') {
    const measure: Measure = { amount: decimal(amount), unit: 'g', pieces: null };
    yield { measure, words: `has an amount of ${decimalText(measure.amount)} grams`, isCertain: true };
  }
  const within = [...(named === null && name !== null ? [name] : []), ...(productName ? [productName] : [])];
  for (const text of within) {
    const found = measuresWithin(text);
    // Of several, which one is meant is not said.
    if (found.length === 1) yield { measure: found[0]!, words: `is called ${text}`, isCertain: false };
  }
}

/**
 * Concentrates and edibles count milligrams of what is in them: a size in milligrams tells these, one in grams or ounces
 * what the whole thing weighs. Of that, only a concentrate's gram that is counted as a milligram is surely misread.
 */
function isMisread(type: 'concentrated' | 'edibles', content: Decimal, { amount, unit }: Measure): boolean {
  if (unit === 'mg') return content.lt(amount.times(type === 'edibles' ? least : concentrateShareMin));
  return type === 'concentrated' && !content.gt(amount);
}
