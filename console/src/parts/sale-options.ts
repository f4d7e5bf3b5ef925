import type { Schema } from '../api.ts';
import { isScanCode, sameProductCode } from '../scanner/scan-codes.ts';
import { thcInWords } from './thc-words.ts';

/** Goods that are sold by weight: their sizes set the price. */
export interface LooseGoods {
  /** Grams above a size that cost nothing more. */
  readonly tolerance: string;
  readonly sizes: readonly { readonly amount: string; readonly cents: number }[];
  /** The option that a cart names, whichever size was meant. */
  readonly optionId: number;
}

/** A package that goods are weighed out of. */
export interface Jar {
  readonly packageId: number;
  readonly label: string;
}

/** An item for a cart: one size of a product. */
export interface SaleOption {
  readonly productId: number;
  readonly productOptionId: number;
  /** In the product's unit. */
  readonly amount: number;
  readonly inventoryType: Schema['Product']['inventoryType'];
  /** What `amount` counts. A sale that was saved before has none. */
  readonly unit?: Schema['Product']['unit'] | undefined;
  readonly productName: string;
  readonly brandName: string;
  readonly optionName: string;
  /** Current price of one, in cents. */
  readonly price: number;
  /** Regular price in cents; null: not on sale. */
  readonly regularPrice: number | null;
  readonly upc: string | null;
  /** The option's first photo, else the product's. */
  readonly photo: string | null;
  /** What is to be seen on it. A sale that was saved before has none. */
  readonly photoAltText?: string | null | undefined;
  readonly category: string;
  /** `THC 24.1%`; null or absent: not known. */
  readonly thc?: string | null | undefined;
  /** Absent: sold by the piece. */
  readonly loose?: LooseGoods | undefined;
  /** The package whose label was scanned. */
  readonly jar?: Jar | undefined;
}

type Product = Schema['Product'];

/** What lists, cards and carts take of a product. */
export type MenuProduct = Pick<
  Product,
  | 'id'
  | 'name'
  | 'unit'
  | 'strainType'
  | 'inventoryType'
  | 'weightTolerance'
  | 'thcAmount'
  | 'thcAmountRangeLow'
  | 'thcAmountRangeHigh'
  | 'thcUnit'
  | 'photos'
  | 'photoAltTexts'
> & {
  readonly brand: Pick<NonNullable<Product['brand']>, 'name'> | null;
  readonly primaryCategory: Pick<Product['primaryCategory'], 'id' | 'name'>;
  readonly options: readonly Pick<
    Product['options'][number],
    'id' | 'name' | 'amount' | 'price' | 'salesPrice' | 'upc' | 'photos'
  >[];
};

/**
 * What one unit costs by itself without discounts, in cents: the price in lists of products and on printed labels. A label outlives
 * a discount, and a discount may need an order or a customer, so none is ever in it. The till prices the cart.
 */
export const priceOfOne = ({
  price,
  salesPrice,
}: {
  readonly price: number;
  readonly salesPrice: number | null;
}): number => salesPrice ?? price;

/** The options of products, in their order. */
export function saleOptions(products: readonly MenuProduct[]): readonly SaleOption[] {
  return products.flatMap((product) => {
    const loose = looseGoods(product);
    return product.options.map((option) => ({
      ...(loose && { loose }),
      productId: product.id,
      productOptionId: option.id,
      amount: option.amount,
      inventoryType: product.inventoryType,
      unit: product.unit,
      productName: product.name,
      brandName: product.brand?.name ?? '',
      optionName: option.name,
      price: priceOfOne(option),
      regularPrice: option.salesPrice === null ? null : option.price,
      upc: option.upc,
      photo: option.photos[0]?.fullPath ?? product.photos[0] ?? null,
      photoAltText: option.photos[0] ? option.photos[0].altText : product.photoAltTexts[0],
      category: product.primaryCategory.name,
      thc: thcInWords(product),
    }));
  });
}

function looseGoods({ weightTolerance, unit, inventoryType, options }: MenuProduct): LooseGoods | null {
  const [first] = options;
  if (weightTolerance === null || unit !== 'gram' || inventoryType === 'option' || !first) return null;
  const sizes = options
    .map((option) => ({ amount: String(option.amount), cents: priceOfOne(option) }))
    .toSorted((a, b) => Number(a.amount) - Number(b.amount));
  return { tolerance: weightTolerance, sizes, optionId: first.id };
}

/** How people ask for grams. */
const nicknames: Readonly<Record<number, string>> = {
  1: 'gram',
  3.5: 'eighth',
  7: 'quarter',
  14: 'half',
  28: 'ounce',
};

/** How many of the typed words are said of the size, and not of all sizes of the product. */
function wordsOfSize({ optionName, amount, unit }: SaleOption, typed: readonly string[]): number {
  const size = `${optionName} ${amount}${unit === 'gram' ? `g ${nicknames[amount] ?? ''}` : ''}`
    .toLowerCase()
    .split(/\s+/);
  return typed.filter((word) => size.some((it) => it.startsWith(word))).length;
}

/** The options in the order in which typed words fit their sizes: with `quarter`, quarters come before eighths. */
export function orderedBySize(options: readonly SaleOption[], typed: string): readonly SaleOption[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fit = new Map(options.map((option) => [option, wordsOfSize(option, words)]));
  return options.toSorted((a, b) => fit.get(b)! - fit.get(a)!);
}

/** The options whose sizes fit the typed words best; all, where no word is of a size. */
function ofSize(options: readonly SaleOption[], typed: string): readonly SaleOption[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const best = Math.max(0, ...options.map((option) => wordsOfSize(option, words)));
  return best === 0 ? options : options.filter((option) => wordsOfSize(option, words) === best);
}

/**
 * The options that match a scanned or fully typed text: those with that UPC, otherwise the results of the size that it names, or all. A scanned code matches only
 * its exact code.
 */
export function matchingOptions(
  options: readonly SaleOption[],
  typed: string,
  isCode: boolean,
): readonly SaleOption[] {
  const code = typed.trim();
  const scanned = options.filter(({ upc }) => upc !== null && sameProductCode(upc, code));
  return scanned.length > 0 || isCode ? scanned : ofSize(options, code);
}

/** The only option that matches the text; null: none or several. */
export function onlyMatchingOption(options: readonly SaleOption[], typed: string): SaleOption | null {
  const [option, ...others] = matchingOptions(options, typed, isScanCode(typed.trim()));
  return option && others.length === 0 ? option : null;
}
