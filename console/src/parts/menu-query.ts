import { api, dataOf, type Schema } from '../api.ts';
import { orderedBySize, saleOptions } from './sale-options.ts';

/** The service's maximum per request. */
const productsMax = 50;

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
export function inOrderOfCategories<Shown extends Awaited<ReturnType<(typeof favoritesQuery)['queryFn']>>>(
  shown: Shown,
  categories: readonly Pick<Schema['ProductCategory'], 'id'>[],
): Shown {
  const place = new Map(categories.map(({ id }, index) => [id, index]));
  const of = ({ primaryCategory }: Schema['Product']) => place.get(primaryCategory.id) ?? categories.length;
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
