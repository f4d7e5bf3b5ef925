import { dollars } from '../../parts/dollars.ts';
import { t } from '../../words/words.ts';
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

const detailNames = ['strain', 'sku', 'terpenes', 'effects', 'flavours', 'labResults'] as const;

/** The editable details of a product as in request bodies: names of brand and category instead of objects. */
export type ProductDraft = Pick<
  Product,
  | 'name'
  | 'description'
  | 'unit'
  | 'strainType'
  | 'inventoryType'
  | (typeof potencyNames)[number]
  | (typeof detailNames)[number]
> & {
  readonly brandName: string;
  readonly category: string;
  readonly subCategories: string[];
};

export function draftOf(product: Product): ProductDraft {
  const { name, description, unit, strainType, inventoryType } = product;
  return {
    ...(Object.fromEntries([...potencyNames, ...detailNames].map((it) => [it, product[it]])) as Pick<
      Product,
      (typeof potencyNames)[number] | (typeof detailNames)[number]
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
  strain: null,
  sku: null,
  terpenes: [],
  effects: [],
  flavours: [],
  labResults: [],
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
  name: t`Name`,
  description: t`Description`,
  unit: t`Sold by`,
  strainType: t`Strain`,
  inventoryType: t`Stock tracking`,
  brandName: t`Brand`,
  category: t`Category`,
  subCategories: t`Sub-categories`,
  strain: t`Name of the strain`,
  sku: 'SKU',
  terpenes: t`Terpenes`,
  effects: t`Effects`,
  flavours: t`Flavors`,
  labResults: t`Lab results`,
};

/** A field's label and value, for an edit conflict. */
export function shownField(name: keyof ProductDraft & string, value: ProductDraft[keyof ProductDraft]) {
  const label = labels[name] ?? name.replace(/^(thc|cbd)/, (it) => `${it.toUpperCase()} `);
  if (name === 'strainType') return { label, value: strainLabels[value as Product['strainType']] };
  if (name === 'inventoryType') return { label, value: inventoryLabels[value as Product['inventoryType']] };
  return { label, value: Array.isArray(value) ? value.map(inWords).join(', ') : String(value ?? '–') };
}

/** An entry of a list: a name, a terpene or a lab result. */
function inWords(entry: string | Product['terpenes'][number] | Product['labResults'][number]): string {
  if (typeof entry === 'string') return entry;
  if ('percent' in entry) return `${entry.name}${entry.percent === null ? '' : ` ${entry.percent} %`}`;
  return [entry.lab, entry.date, entry.certificateUrl].filter((it) => it !== null).join(' ');
}

/** An option being edited; amounts as typed. */
export interface OptionDraft {
  /** The React key. */
  readonly key: string;
  readonly id?: number;
  /** A label that the service derives from the amount is not sent back as a name. */
  readonly savedName?: string;
  readonly name: string;
  readonly amount: string;
  readonly price: number | null;
  readonly salesPrice: number | null;
  readonly content: string;
  readonly upc: string;
  readonly thcPercent: string;
  readonly thcMg: string;
  readonly cbdPercent: string;
  readonly cbdMg: string;
}

const potencies = ['thcPercent', 'thcMg', 'cbdPercent', 'cbdMg'] as const;
export type PotencyField = (typeof potencies)[number];
const unstated = { thcPercent: '', thcMg: '', cbdPercent: '', cbdMg: '' };

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
    thcPercent: option.thcPercent ?? '',
    thcMg: option.thcMg ?? '',
    cbdPercent: option.cbdPercent ?? '',
    cbdMg: option.cbdMg ?? '',
  };
}

export function blankOption(key: string): OptionDraft {
  return { key, name: '', amount: '1', price: null, salesPrice: null, content: '', upc: '', ...unstated };
}

/** `Eighth, $36.00 (sale $30.00), UPC 410…`. */
export function optionInWords(option: OptionDraft): string {
  const price = option.price === null ? t`no price` : dollars(option.price);
  const sale = option.salesPrice === null ? '' : t` (sale ${dollars(option.salesPrice)})`;
  const upc = option.upc ? t`, UPC ${option.upc}` : '';
  return `${option.name || option.amount}, ${price}${sale}${upc}`;
}

type OptionBody = Pick<
  ProductOption,
  'amount' | 'price' | 'salesPrice' | 'content' | 'upc' | PotencyField
> & {
  id?: number;
  name?: string | null;
};

/**
 * The option for a request body. Missing fields of a new option are left out, so the service names them; in an existing option
 * that would keep the old value, so null is sent and refused.
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
    ...Object.fromEntries(potencies.map((name) => [name, option[name] || null])),
  } as OptionBody;
}
