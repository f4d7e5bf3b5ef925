import { getMenu, getShop } from './shop-api.mjs';

/*
 * The menu comes as a whole and is filtered here: the service keeps it compressed (250 products are some 40 KB), the browser
 * keeps it too, and a filter answers at once. For thousands of products let the service filter: the same words are
 * parameters of `GET /api/v1/menu` (`category`, `strainType`, `search`, `minPrice`, `maxPrice`, `onSale`, `sort`).
 */

const menus = new Map();
let shop;

/** `{ products, categories }` of an order type; the products in the order of the shop. */
export function menuOf(type) {
  if (!menus.has(type)) {
    const loading = getMenu(type).then(({ data, meta }) => ({
      products: data,
      categories: meta.categories.filter(({ id }) => data.some((it) => it.primaryCategory.id === id)),
    }));
    // A failure is not kept: the next page asks again.
    loading.catch(() => menus.delete(type));
    menus.set(type, loading);
  }
  return menus.get(type);
}

/** The shop itself; asked for once. */
export function theShop() {
  shop ??= getShop().catch((error) => {
    shop = undefined;
    throw error;
  });
  return shop;
}

/** The shop as it is now: its time slots fill up. */
export function freshShop() {
  shop = undefined;
  return theShop();
}

/** Asks for menus again the next time: prices or stock were not what we thought. */
export function forgetMenus() {
  menus.clear();
}

/** What one unit costs now by itself, whatever else is in the cart. */
export const priceNow = ({ displayPrice }) => displayPrice;
export const isOffer = (option) => priceNow(option) < option.price;
export const isThere = ({ maxQuantity }) => maxQuantity !== 0;

/** The option that decides "from $…": the cheapest that can be bought, else the cheapest. */
export function cheapest({ options }) {
  const there = options.filter(isThere);
  return (there.length > 0 ? there : options).toSorted((a, b) => priceNow(a) - priceNow(b))[0];
}

export const prices = {
  'under-25': { words: 'Under $25', from: 0, to: 2499 },
  '25-50': { words: '$25 to $50', from: 2500, to: 5000 },
  '50-100': { words: '$50 to $100', from: 5000, to: 10_000 },
  'over-100': { words: 'Over $100', from: 10_001, to: Infinity },
};

export const sorts = {
  shop: { words: 'Our order' },
  price: { words: 'Price: low to high', by: (a, b) => priceNow(cheapest(a)) - priceNow(cheapest(b)) },
  '-price': { words: 'Price: high to low', by: (a, b) => priceNow(cheapest(b)) - priceNow(cheapest(a)) },
  thc: { words: 'Most THC', by: (a, b) => thcOf(b) - thcOf(a) },
};
const thcOf = ({ thcAmount, thcAmountRangeHigh }) => Number(thcAmount ?? thcAmountRangeHigh ?? 0);

export const strainFilters = { indica: 'Indica', sativa: 'Sativa', hybrid: 'Hybrid', cbd: 'CBD' };

/** The products that fit the filters of an address: `category, strain, price, search, offers, sort`. */
export function selectProducts(products, query) {
  const words = (query.get('search') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const [category, strain] = [query.get('category'), query.get('strain')];
  const range = prices[query.get('price')];
  const found = products.filter(
    (product) =>
      (category === null || product.primaryCategory.name === category) &&
      (strain === null || product.strainType.split('-').includes(strain)) &&
      (range === undefined || product.options.some((it) => inRange(priceNow(it), range) && isThere(it))) &&
      (!query.has('offers') || product.options.some((it) => isOffer(it) && isThere(it))) &&
      words.every((word) => textOf(product).includes(word)),
  );
  const by = sorts[query.get('sort')]?.by;
  const sorted = by ? found.toSorted(by) : found;
  // What can be bought comes first, in any order.
  return sorted.toSorted((a, b) => Number(b.inStock) - Number(a.inStock));
}

const inRange = (cents, { from, to }) => cents >= from && cents <= to;

const texts = new WeakMap();
function textOf(product) {
  if (!texts.has(product)) {
    const { name, brand, primaryCategory, subCategories, tags, strainType, options } = product;
    const lists = [subCategories, tags, options].flat().map((it) => it.name);
    texts.set(
      product,
      [name, brand?.name, primaryCategory.name, strainType, ...lists].join(' ').toLowerCase(),
    );
  }
  return texts.get(product);
}
