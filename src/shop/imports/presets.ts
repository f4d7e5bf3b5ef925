import type { FileRecord } from './file-record.ts';
import type { PresetName } from './preset-names.ts';
import { weightsOf } from './weight-prices.ts';

/**
 * The shapes that menus are published in. A record of a nested shape is a product; it becomes rows, one for each option,
 * which a mapping then reads as it reads the rows of a CSV. Pure.
 */

type Values = Readonly<Record<string, unknown>>;

/** The rows of records; null: they are rows already. */
export async function* rowsOf(
  records: AsyncIterable<FileRecord>,
  preset: PresetName | null,
): AsyncGenerator<FileRecord> {
  for await (const record of records) {
    if (preset === null || record.values === null) {
      yield record;
      continue;
    }
    const rows = expanders[preset](record.values);
    if (typeof rows === 'string') yield { ...record, values: null, problem: rows };
    else {
      // Remarks are told once.
      for (const [at, values] of rows.entries()) {
        yield at === 0 ? { ...record, values } : { line: record.line, share: record.share, values };
      }
    }
  }
}

/** The rows of a product, or why it has none. */
type Expander = (values: Values) => readonly Values[] | string;

const expanders: Readonly<Record<PresetName, Expander>> = {
  'nested-options': optionsWithPrices,
  'weight-prices': pricesByWeight,
  'flat-variants': (values) => [values],
  'nested-variants': variants,
};

/** The shape of a record; null: it is a flat row. */
export function shapeOf(values: Values): PresetName | null {
  if (listKey(values, optionsName) !== undefined && listKey(values, pricesName) !== undefined) {
    return 'nested-options';
  }
  if (variantsKey(values) !== undefined) return 'nested-variants';
  return weightsOf(values).length > 0 ? 'weight-prices' : null;
}

const optionsName = /^(?:options|weights|sizes)$/i;
const pricesName = /^prices$/i;

function listKey(values: Values, name: RegExp): string | undefined {
  return Object.keys(values).find((key) => {
    const list = values[key];
    return name.test(key) && Array.isArray(list) && list.every((entry) => entry === null || isScalar(entry));
  });
}

/** Lists with an entry for each option. */
const besideOptions = /price|barcode|upc|gtin|^option_?(?:image|photo)/i;

/** `Options` and `Prices` are lists; the lists of prices, barcodes and pictures have an entry for each option. */
function optionsWithPrices(values: Values): readonly Values[] | string {
  const options = listKey(values, optionsName);
  const prices = listKey(values, pricesName);
  if (options === undefined || prices === undefined)
    return 'must have a list of options and a list of prices';
  const names = values[options] as readonly unknown[];
  const lists = Object.entries(values).flatMap(([key, list]) =>
    besideOptions.test(key) && Array.isArray(list) && list.length > 0 ? [[key, list] as const] : [],
  );
  const uneven = lists.find(([, list]) => list.length !== names.length);
  if (uneven !== undefined) {
    return `${uneven[0]} must have as many entries as ${options}, which has ${names.length}, not ${uneven[1].length}`;
  }
  if (names.length === 0) return `${options} must have an entry`;
  const product = flat(
    Object.fromEntries(
      Object.entries(values).filter(
        ([key, value]) => key !== options && !(besideOptions.test(key) && Array.isArray(value)),
      ),
    ),
  );
  return names.map((name, at) => ({
    ...product,
    [options]: sizeText(name),
    ...flat(Object.fromEntries(lists.map(([key, list]) => [key, list[at]]))),
  }));
}

/** "N/A" is no size. */
function sizeText(name: unknown): unknown {
  return typeof name === 'string' && /^(?:n\/?a|none|default)$/i.test(name.trim()) ? '' : name;
}

const itemSizes = ['size', 'net_weight', 'package_size', 'weight'];

function pricesByWeight(values: Values): readonly Values[] | string {
  const prices = weightsOf(values);
  if (prices.length === 0) return 'must have a price by weight, such as price_eighth';
  const sizeKey = itemSizes.find((key) => key in values);
  const size = sizeKey === undefined ? undefined : values[sizeKey];
  const product = flat(
    Object.fromEntries(Object.entries(values).filter(([key]) => !/price/i.test(key) && key !== sizeKey)),
  );
  return prices.map(({ weight, price, salePrice, others }) => ({
    ...product,
    ...flat(others, 'option.'),
    'option.weight': weight ?? sizeText(size ?? ''),
    'option.price': price,
    'option.sale_price': salePrice ?? '',
  }));
}

/** The list of objects with prices. */
function variantsKey(values: Values): string | undefined {
  return Object.keys(values).find((key) => {
    const list = values[key];
    return (
      Array.isArray(list) &&
      list.length > 0 &&
      list.every((entry) => isObject(entry) && Object.keys(entry).some((name) => /price|cents/i.test(name)))
    );
  });
}

function variants(values: Values): readonly Values[] | string {
  const key = variantsKey(values);
  if (key === undefined) return 'must have a list of variants with their prices';
  const { [key]: list, ...others } = values;
  const product = flat(others);
  return (list as readonly Values[]).map((variant) => ({ ...product, ...flat(variant, `${key}.`) }));
}

const depthMax = 3;

/** An object without objects within: `{"brand": {"name": …}}` has the column `brand.name`. */
function flat(values: Values, prefix = '', depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]): [string, unknown][] => {
      const name = `${prefix}${key}`;
      if (Array.isArray(value)) return listColumns(name, value);
      if (!isObject(value)) return [[name, value]];
      const potency = potencyText(value);
      if (potency !== null) return [[name, potency]];
      return depth < depthMax ? Object.entries(flat(value, `${name}.`, depth + 1)) : [];
    }),
  );
}

/** A list; the alternative texts of its pictures, if any has one, are a list of their own. */
function listColumns(name: string, list: readonly unknown[]): [string, unknown][] {
  const entries = list
    .map((entry) => ({ text: entryText(entry), alt: altText(entry) }))
    .filter(({ text }) => text !== '');
  const alts = entries.map(({ alt }) => alt);
  return [
    [name, entries.map(({ text }) => text)],
    ...(alts.some((alt) => alt !== '') ? ([[`${name}.alt`, alts]] as [string, unknown][]) : []),
  ];
}

function altText(entry: unknown): unknown {
  if (!isObject(entry)) return '';
  const alt = entry.alt ?? entry.altText ?? entry.alt_text;
  return isScalar(alt) ? alt : '';
}

/** An entry of a list: a word, a terpene with its share, a lab result, a picture. */
function entryText(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const { name, percent, lab, date } = entry;
  const address = entry.url ?? entry.src ?? entry.certificate;
  if (isScalar(name)) return isScalar(percent) ? `${name} ${percent}%` : name;
  if (isScalar(lab)) return [lab, date, address].filter(isScalar).join(' ');
  return isScalar(address) ? address : '';
}

/** `{"unit": "PERCENTAGE", "range": [18, 22]}` is "18-22%"; null: not such an object. */
function potencyText(value: Values): string | null {
  const { range, unit, min, max } = value;
  const ends = Array.isArray(range) ? range : 'min' in value && 'max' in value ? [min, max] : null;
  if (ends === null || !ends.every((end) => end === null || isScalar(end))) return null;
  const numbers = [...new Set(ends.filter((end) => end !== null && end !== ''))];
  return numbers.length === 0 ? '' : `${numbers.join('-')}${unitText(unit)}`;
}

function unitText(unit: unknown): string {
  const word = String(unit ?? '').toLowerCase();
  if (/per_?gram|mg\/g/.test(word)) return ' mg/g';
  if (/milligram|^mg/.test(word)) return ' mg';
  return /percent|%/.test(word) ? '%' : '';
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
