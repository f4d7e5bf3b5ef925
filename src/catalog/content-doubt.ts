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
const tolerance = decimal('0.02');
const one = decimal(1);
/** No concentrate is sold that holds less than a tenth of what it weighs. */
const concentrateShareMin = decimal('0.1');
const none = decimal(0);

interface Bounds {
  /** Of what the size says, the least and the most that a content may be; null: any. */
  readonly least: Decimal;
  readonly most: Decimal | null;
}

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
    const { least, most } = boundsOf(cannabisType, measure.unit === 'mg');
    const isTooSmall = held.lt(said.times(least));
    const isTooLarge = isCertain && most !== null && held.gt(said.times(most));
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

/** A weight in milligrams is one of what is counted; a weight of a concentrate or an edible is one of the whole. */
function boundsOf(type: Exclude<CannabisType, 'none'>, isInMilligrams: boolean): Bounds {
  const [least, most] = [one.minus(tolerance), one.plus(tolerance)];
  if (type === 'concentrated') return { least: concentrateShareMin, most: isInMilligrams ? null : most };
  if (type === 'edibles') return isInMilligrams ? { least, most: null } : { least: none, most };
  return { least, most };
}
