import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';

/** All delivery zones. */
export const zonesQuery = queryOptions({
  queryKey: ['delivery-zones'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/delivery-zones', { signal })),
});

/** All taxes by tier, ended and coming ones too. */
export const taxesQuery = queryOptions({
  queryKey: ['taxes'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/taxes', { signal })),
});

/** Where stock lies, archived places too. */
export const locationsQuery = queryOptions({
  queryKey: ['inventory-locations'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/inventory-locations', { signal })),
});

/** All categories of products, by display order. */
export const categoriesQuery = queryOptions({
  queryKey: ['product-categories'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/product-categories', { signal })),
});

/** The limits of the state and the shop's own, with what is not checked because it is not known. */
export const limitsQuery = queryOptions({
  queryKey: ['purchase-limit-rules'],
  queryFn: async ({ signal }) => {
    const { data } = await api.GET('/staff/v1/purchase-limit-rules', { signal });
    return data ?? { data: [], meta: { warnings: [] } };
  },
});
