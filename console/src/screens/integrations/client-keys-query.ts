import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';

/** All client keys of the shop, ended ones included. */
export const clientKeysQuery = queryOptions({
  queryKey: ['client-keys'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/client-keys', { signal })),
});
