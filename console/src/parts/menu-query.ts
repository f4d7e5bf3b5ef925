import { api, dataOf } from '../api.ts';
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
