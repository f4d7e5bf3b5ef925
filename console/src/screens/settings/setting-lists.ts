import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';

/** All delivery zones. */
export const zonesQuery = queryOptions({
  queryKey: ['delivery-zones'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/delivery-zones', { signal })),
});

/** All taxes by tier, ended and future ones included. */
export const taxesQuery = queryOptions({
  queryKey: ['taxes'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/taxes', { signal })),
});

/** All stock locations, archived ones included. */
export const locationsQuery = queryOptions({
  queryKey: ['inventory-locations'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/inventory-locations', { signal })),
});

/** All product categories, by display order. */
export const categoriesQuery = queryOptions({
  queryKey: ['product-categories'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/product-categories', { signal })),
});

/** The state limits and the shop's own, with the rules that are not checked because they are unknown. */
export const limitsQuery = queryOptions({
  queryKey: ['purchase-limit-rules'],
  queryFn: async ({ signal }) => {
    const { data } = await api.GET('/staff/v1/purchase-limit-rules', { signal });
    return data ?? { data: [], meta: { warnings: [] } };
  },
});

/** The known law of the shop's state. */
export const lawQuery = queryOptions({
  queryKey: ['law'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/law', { signal })),
});

/** All time slots, archived ones included. */
export const timeSlotsQuery = queryOptions({
  queryKey: ['time-slots'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/time-slots', { signal })),
});
