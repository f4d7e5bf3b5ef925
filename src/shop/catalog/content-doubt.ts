import type { CannabisType } from '../../engines/goods/cannabis-type.ts';
import { areComparable, comparableSizes, contentUnits } from '../../engines/goods/content-units.ts';
import { type Measure, measuresWithin, readMeasure } from '../../engines/goods/measured-text.ts';
import { type Decimal, decimal, decimalText } from '../../kernel/decimal.ts';

/** The data of an option that imply its size: its name, its amount, the name of its product, and its content. */
export interface SizedOption {
  readonly cannabisType: CannabisType;
  readonly unit: 'gram' | 'item';
  /** Null: the product has other options, so its name does not imply the size of one. */
  readonly productName: string | null;
  readonly name: string | null;
  /** Decimal texts. */
  readonly amount: string;
  readonly content: string | null;
}

/** The trade's 3.5 g for an eighth of an ounce is 1.2 % less than an eighth. */
const least = decimal('0.98');
const most = decimal('1.02');
/** A concentrate with a weight in milligrams always contains at least a tenth of that weight. */
const concentrateShareMin = decimal('0.1');

/**
 * Why an option's content contradicts its other data, in words that follow the option's name; null when nothing
 * contradicts. Purchase limits count the content, so one that is too small allows too large sales. Pure.
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
    const active = activeContents[cannabisType];
    const isTooSmall =
      active === undefined ? held.lt(said.times(least)) : isMisread(active, decimal(content), measure);
    // For types counted in milligrams, a name may state the content of one piece.
    const isTooLarge = isCertain && measure.unit !== 'mg' && held.gt(said.times(most));
    if (isTooSmall || isTooLarge)
      return `${words}, but its content is ${decimalText(decimal(content))} ${unit}`;
  }
  return null;
}

/** Why each option of a product is doubted, in their order; null: no doubt. */
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
    // With several sizes in the name, it is unclear which one applies.
    if (found.length === 1) yield { measure: found[0]!, words: `is called ${text}`, isCertain: false };
  }
}

/** The types whose content is the active part of the product. */
const activeContents: Readonly<Partial<Record<CannabisType, 'concentrated' | 'edibles'>>> = {
  concentrated: 'concentrated',
  inhalables: 'concentrated',
  edibles: 'edibles',
  'low-dose-drinks': 'edibles',
};

/**
 * Concentrates and edibles count milligrams of the active content: a size in milligrams is that content, one in grams
 * or ounces is the total weight. Of the latter, only a concentrate whose grams are entered as milligrams is certainly
 * wrong.
 */
function isMisread(type: 'concentrated' | 'edibles', content: Decimal, { amount, unit }: Measure): boolean {
  if (unit === 'mg') return content.lt(amount.times(type === 'edibles' ? least : concentrateShareMin));
  return type === 'concentrated' && !content.gt(amount);
}
