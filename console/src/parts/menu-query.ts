import { api, dataOf, type Schema } from '../api.ts';
import { type MenuProduct, orderedBySize, type SaleOption, saleOptions } from './sale-options.ts';

/** The service's maximum per request. */
const productsMax = 50;

/** What was found: products with their options. */
export interface MenuPage {
  readonly products: readonly MenuProduct[];
  readonly options: readonly SaleOption[];
  /** False: there are more. */
  readonly isAll: boolean;
}

/** The best sold products of the last weeks, best first. Under the key of products, which change what it shows. */
export const favoritesQuery = {
  queryKey: ['products', 'best-sold'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { products } = await dataOf(api.GET('/staff/v1/reports/best-sold-products', { signal }));
    return { products, options: saleOptions(products), isAll: true };
  },
  staleTime: 5 * 60_000,
};

/** The shop's categories, in the order in which they were made. */
export const categoriesQuery = {
  queryKey: ['product-categories'],
  queryFn: () => dataOf(api.GET('/staff/v1/product-categories')),
  staleTime: 60_000,
};

/** Products by the order of their categories, best sold first in each; of an unknown category last. */
export function inOrderOfCategories(
  shown: MenuPage,
  categories: readonly Pick<Schema['ProductCategory'], 'id'>[],
): MenuPage {
  const place = new Map(categories.map(({ id }, index) => [id, index]));
  const of = ({ primaryCategory }: MenuProduct) => place.get(primaryCategory.id) ?? categories.length;
  const products = shown.products.toSorted((one, other) => of(one) - of(other));
  return { ...shown, products, options: saleOptions(products) };
}

/** Menu items by part of a name or UPC; without a search, the newest, optionally of one category. */
export function menuQuery(search: string, category: number | null = null) {
  const query = {
    active: true,
    ...(search && { search }),
    ...(!search && category !== null && { productCategoryId: category }),
  };
  return {
    queryKey: ['products', query],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const products = await dataOf(api.GET('/staff/v1/products', { params: { query }, signal }));
      const options = orderedBySize(saleOptions(products), search);
      return { products, options, isAll: products.length < productsMax };
    },
  };
}
