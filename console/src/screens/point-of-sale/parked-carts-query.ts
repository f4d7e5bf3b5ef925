import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';

/** All parked carts of the shop, newest first. */
export const parkedCartsQuery = queryOptions({
  queryKey: ['parked-carts'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/parked-carts', { signal })),
});
