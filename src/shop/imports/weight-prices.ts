import { readMeasure } from '../../engines/goods/measured-text.ts';

/** Prices that menus name by their weights: fields, objects, or lists within an object. Pure. */

type Values = Readonly<Record<string, unknown>>;

/** The words for weights; an item that is not sold by weight has its own size, if any. */
const weights: readonly (readonly [name: RegExp, weight: string | null])[] = [
  [/^half_?grams?$/, '0.5g'],
  [/^(?:one_?)?grams?$/, '1g'],
  [/^two_?grams?$/, '2g'],
  [/^(?:an?_?|one_?)?eighth(?:_?(?:ounce|oz))?$/, '1/8oz'],
  [/^(?:a_?|one_?)?quarter(?:_?(?:ounce|oz))?$/, '1/4oz'],
  [/^(?:a_?|one_?)?half(?:_?(?:ounce|oz))?$/, '1/2oz'],
  [/^(?:an_?|one_?)?(?:ounces?|oz)$/, '1oz'],
  [/^(?:each|units?|items?|piece)$/, null],
];
/** What stands behind the number of an entry's units. */
const unitWords: readonly (readonly [word: RegExp, unit: string])[] = [
  [/gram|^g$/, 'g'],
  [/ounce|^oz$/, 'oz'],
];

interface WeightPrice {
  /** A size; null: an item that is not sold by weight. */
  readonly weight: string | null;
  readonly price: unknown;
  readonly salePrice: unknown;
  /** What an object has beside its prices. */
  readonly others: Values;
}

/**
 * The prices `price_eighth` and the like, or those of an object `prices`, which can have a price, an object or a list of objects for
 * each weight. The smallest first.
 */
export function weightsOf(values: Values): readonly WeightPrice[] {
  const named = Object.entries(values).flatMap(([key, value]) => {
    const [, word] = /^prices?_(\w+)$/i.exec(key) ?? [];
    return word === undefined ? [] : [[word, value] as const];
  });
  const within = Object.entries(values).flatMap(([key, value]) =>
    /^prices$/i.test(key) && isObject(value) ? Object.entries(value) : [],
  );
  const found = [...within, ...named].flatMap(([word, value]) => pricesAt(word, value, values));
  if (found.length > 0)
    return found
      .map((price, at) => ({ price, at }))
      .sort(bySize)
      .map(({ price }) => price);
  // One price, alone or by weight.
  const single = Object.entries(values).find(([key, value]) => /^price$/i.test(key) && isObject(value));
  if (single === undefined) return [];
  const [, price] = single as readonly [string, Values];
  if (priceOf(price) === undefined || isObject(priceOf(price))) {
    return Object.entries(price).flatMap(([word, value]) => pricesAt(word, value, values));
  }
  return pricesAt(typeof price.unit === 'string' ? price.unit : 'each', price, values);
}

function bySize(one: { price: WeightPrice; at: number }, other: { price: WeightPrice; at: number }): number {
  return rank(one.price.weight) - rank(other.price.weight) || one.at - other.at;
}

/** A size in milligrams, roughly; items come last. */
function rank(weight: string | null): number {
  const measure = weight === null ? null : readMeasure(weight);
  if (measure === null) return Number.MAX_SAFE_INTEGER;
  const milligrams = { mg: 1, g: 1000, oz: 28_350 }[measure.unit as string] ?? 0;
  return Number(measure.amount.toNumber()) * milligrams;
}

function pricesAt(word: string, value: unknown, product: Values): WeightPrice[] {
  if (Array.isArray(value))
    return value.flatMap((entry) => (isObject(entry) ? pricesAt(word, entry, product) : []));
  const name = word
    .replace(/^prices?_/i, '')
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  const known = weights.find(([pattern]) => pattern.test(name));
  const stated = sizeIn(word);
  if ((known === undefined && stated === null) || value === null || value === '') return [];
  const weight =
    (isObject(value) ? sizeOfEntry(value, name) : null) ?? (known === undefined ? stated : known[1]);
  if (!isObject(value)) return [{ weight, price: value, salePrice: specialOf(word, product), others: {} }];
  const price = priceOf(value);
  if (price === undefined) return [];
  // Some menus repeat the price where there is no other.
  const special = [specialOf(word, product), salePriceOf(value)].find(
    (found) => found !== undefined && Number(found) !== Number(price),
  );
  const { original_price: before = value.originalPrice, on_sale: isOnSale = value.onSale } = value;
  const isReduced = isOnSale !== false && Number(before) > Number(price);
  return [
    {
      weight,
      price: isReduced ? before : price,
      salePrice: special ?? (isReduced ? price : undefined),
      others: Object.fromEntries(Object.entries(value).filter(([key]) => !priceKeys.has(key))),
    },
  ];
}

/** The size that an entry of a list says itself. */
function sizeOfEntry(entry: Values, word: string): string | null {
  const label = sizeIn(entry.label) ?? sizeIn(entry.weight) ?? sizeIn(entry.size);
  if (label !== null) return label;
  const units = entry.units ?? entry.quantity;
  const unit = unitWords.find(([pattern]) => pattern.test(word))?.[1];
  if (unit === undefined || (typeof units !== 'string' && typeof units !== 'number')) return null;
  return /^(?:half|quarter|eighth|two)/.test(word) ? null : sizeIn(`${units} ${unit}`);
}

/** A text that is a weight: "1/8 oz", "3.5g"; null: another one. */
function sizeIn(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const measure = readMeasure(text);
  return measure?.unit === 'g' || measure?.unit === 'oz' || measure?.unit === 'mg' ? text.trim() : null;
}

function specialOf(word: string, product: Values): unknown {
  const value = ['special', 'sale', 'discounted']
    .map((kind) => product[`${kind}_price_${word}`])
    .find((found) => found != null);
  return value === undefined || !isObject(value) ? value : (salePriceOf(value) ?? priceOf(value));
}

function priceOf(value: unknown): unknown {
  return isObject(value) ? (value.price ?? value.regular ?? value.amount) : value;
}

function salePriceOf(value: Values): unknown {
  return value.sale_price ?? value.special_price ?? value.discount_price ?? value.sale ?? undefined;
}

const priceKeys = new Set([
  ...[
    'price',
    'regular',
    'amount',
    'sale_price',
    'special_price',
    'discount_price',
    'sale',
    'original_price',
  ],
  ...[
    'originalPrice',
    'on_sale',
    'onSale',
    'id',
    'label',
    'units',
    'unit',
    'quantity',
    'gram_unit',
    'weight',
    'size',
  ],
]);

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
