import { dollars } from '../../parts/dollars.ts';
import { inventoryLabels, type Product, type ProductOption, strainLabels } from './product-words.ts';

const potencyNames = [
  'thcAmount',
  'thcAmountEach',
  'thcAmountRangeLow',
  'thcAmountRangeHigh',
  'thcUnit',
  'cbdAmount',
  'cbdAmountEach',
  'cbdAmountRangeLow',
  'cbdAmountRangeHigh',
  'cbdUnit',
] as const;

/** What is said of a product, as bodies of requests have it: names of brand and category in place of things. */
export type ProductDraft = Pick<
  Product,
  'name' | 'description' | 'unit' | 'strainType' | 'inventoryType' | (typeof potencyNames)[number]
> & {
  readonly brandName: string;
  readonly category: string;
  readonly subCategories: string[];
};

export function draftOf(product: Product): ProductDraft {
  const { name, description, unit, strainType, inventoryType } = product;
  return {
    ...(Object.fromEntries(potencyNames.map((it) => [it, product[it]])) as Pick<
      Product,
      (typeof potencyNames)[number]
    >),
    name,
    description,
    unit,
    strainType,
    inventoryType,
    brandName: product.brand?.name ?? '',
    category: product.primaryCategory.name,
    subCategories: product.subCategories.map((sub) => sub.name),
  };
}

export const blankProduct: ProductDraft = {
  ...(Object.fromEntries(potencyNames.map((it) => [it, null])) as Record<
    (typeof potencyNames)[number],
    null
  >),
  name: '',
  description: '',
  unit: 'item',
  strainType: 'none',
  inventoryType: 'option',
  brandName: '',
  category: '',
  subCategories: [],
};

const labels: Readonly<Partial<Record<keyof ProductDraft, string>>> = {
  name: 'Name',
  description: 'Description',
  unit: 'Sold by',
  strainType: 'Strain',
  inventoryType: 'Stock is kept',
  brandName: 'Brand',
  category: 'Category',
  subCategories: 'Sub-categories',
};

/** A field of a product as people read it. */
export function shownField(name: keyof ProductDraft & string, value: ProductDraft[keyof ProductDraft]) {
  const label = labels[name] ?? name.replace(/^(thc|cbd)/, (it) => `${it.toUpperCase()} `);
  if (name === 'strainType') return { label, value: strainLabels[value as Product['strainType']] };
  if (name === 'inventoryType') return { label, value: inventoryLabels[value as Product['inventoryType']] };
  return { label, value: Array.isArray(value) ? value.join(', ') : (value ?? '–') };
}

/** An option while it is edited; amounts as they are typed. */
export interface OptionDraft {
  /** Of React's list. */
  readonly key: string;
  readonly id?: number;
  /** A label that the service has made of the amount is not sent back as a name. */
  readonly savedName?: string;
  readonly name: string;
  readonly amount: string;
  readonly price: number | null;
  readonly salesPrice: number | null;
  readonly content: string;
  readonly upc: string;
}

export function optionDraftOf(option: ProductOption): OptionDraft {
  const { id, name, amount, price, salesPrice, content, upc } = option;
  return {
    key: String(id),
    id,
    savedName: name,
    name,
    amount: String(amount),
    price,
    salesPrice,
    content: content ?? '',
    upc: upc ?? '',
  };
}

export function blankOption(key: string): OptionDraft {
  return { key, name: '', amount: '1', price: null, salesPrice: null, content: '', upc: '' };
}

/** `Eighth, $36.00 (sale $30.00), UPC 410…`. */
export function optionInWords(option: OptionDraft): string {
  const price = option.price === null ? 'no price' : dollars(option.price);
  const sale = option.salesPrice === null ? '' : ` (sale ${dollars(option.salesPrice)})`;
  const upc = option.upc ? `, UPC ${option.upc}` : '';
  return `${option.name || option.amount}, ${price}${sale}${upc}`;
}

type OptionBody = Pick<ProductOption, 'amount' | 'price' | 'salesPrice' | 'content' | 'upc'> & {
  id?: number;
  name?: string | null;
};

/**
 * As the bodies have it. What is missing of a new one is left out, for the service to ask for by name; of one that is there
 * that would keep what it has, so null is sent, to be refused.
 */
export function optionBody(option: OptionDraft): OptionBody {
  const { id, amount, price, salesPrice } = option;
  const isKnown = id !== undefined;
  return {
    ...(isKnown && { id }),
    ...(option.name !== option.savedName && { name: option.name.trim() || null }),
    ...((isKnown || amount !== '') && { amount: amount === '' ? null : Number(amount) }),
    ...((isKnown || price !== null) && { price }),
    salesPrice,
    content: option.content || null,
    upc: option.upc.trim() || null,
  } as OptionBody;
}
