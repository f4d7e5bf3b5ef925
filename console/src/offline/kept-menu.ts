import type { OfflineOption, OfflineTerms } from '../../../src/engines/offline-pricing/offline-terms.ts';
import type { Schema } from '../api.ts';
import type { MenuPage } from '../parts/menu-query.ts';
import type { MenuSource } from '../parts/menu-source.ts';
import { type MenuProduct, matchingOptions, orderedBySize, saleOptions } from '../parts/sale-options.ts';
import { isScanCode } from '../scanner/scan-codes.ts';

/* The menu of a register that is alone: what its terms have of the catalog, for the search and the cards of the usual counter. */

/** As many as the service lists. */
const shownMax = 50;

/** `version` names the terms among answers that are kept. */
export function keptMenu(terms: OfflineTerms, version: string): MenuSource {
  const products = productsOf(terms);
  const key = (...rest: readonly unknown[]) => ['kept-menu', version, ...rest];
  const menu = (search: string, category: number | null): MenuPage => {
    const found = products.filter(({ product, text }) =>
      search === ''
        ? category === null || product.primaryCategory.id === category
        : wordsOf(search).every((word) => text.includes(word)),
    );
    const shown = found.slice(0, shownMax).map(({ product }) => product);
    return {
      products: shown,
      options: orderedBySize(saleOptions(shown), search),
      isAll: shown.length === found.length,
    };
  };
  return {
    menu: (search, category) => ({
      queryKey: key('menu', search, category),
      queryFn: async () => menu(search, category),
    }),
    favorites: null,
    categories: { queryKey: key('categories'), queryFn: async () => terms.categories },
    stock: (ids) => ({ queryKey: key('stock', ids), queryFn: async () => ({ stock: stockOf(terms, ids) }) }),
    find: async (_, typed) => {
      const text = typed.trim();
      const isCode = isScanCode(text);
      const { options } = isCode
        ? { options: saleOptions(products.map(({ product }) => product)) }
        : menu(text, null);
      return matchingOptions(options, text, isCode);
    },
  };
}

const wordsOf = (text: string) => text.trim().toLowerCase().split(/\s+/);

/** Products with the text in which a search finds them. */
function productsOf({ options, categories }: OfflineTerms) {
  const nameOf = new Map(categories.map(({ id, name }) => [id, name]));
  const byProduct = new Map<number, OfflineOption[]>();
  for (const option of options) {
    byProduct.set(option.productId, [...(byProduct.get(option.productId) ?? []), option]);
  }
  return [...byProduct.values()].map((own) => {
    const [first] = own as [OfflineOption];
    const product: MenuProduct = {
      ...{ id: first.productId, name: first.productName, unit: first.unit, ...first.thc },
      strainType: first.strainType as MenuProduct['strainType'],
      inventoryType: first.inventoryType,
      weightTolerance: first.loose?.tolerance ?? null,
      ...{ photos: [], photoAltTexts: [] },
      brand: first.brandName === null ? null : { name: first.brandName },
      primaryCategory: { id: first.categoryId, name: nameOf.get(first.categoryId) ?? '' },
      options: own.map((option) => ({
        ...{ id: option.id, name: option.optionName, amount: Number(option.amount) },
        ...{ price: option.priceCents, salesPrice: option.salesPriceCents, upc: option.upc, photos: [] },
      })),
    };
    const texts = own.map(({ optionName, upc }) => `${optionName} ${upc ?? ''}`);
    const text = `${first.productName} ${first.brandName ?? ''} ${texts.join(' ')}`.toLowerCase();
    return { product, text };
  });
}

/** Stock as it was last known, of products whose ids are joined by commas. */
function stockOf({ options }: OfflineTerms, ids: string): Schema['SellableStock'][] {
  const asked = new Set(ids.split(',').map(Number));
  const known = options.flatMap(({ id, productId, inventoryType, amount, inStock }) => {
    if (!asked.has(productId) || inStock === null) return [];
    const isOfOption = inventoryType === 'option';
    const productOptionId = isOfOption ? id : null;
    return [{ productId, productOptionId, units: inStock * (isOfOption ? 1 : Number(amount)) }];
  });
  // Of stock that options share each option knows whole units: the one that knows of most counts.
  return known
    .toSorted((one, other) => other.units - one.units)
    .map(({ units, ...item }) => ({ ...item, sellable: String(units) }));
}
