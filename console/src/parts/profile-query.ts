import { api, dataOf } from '../api.ts';

/** What web shops show of the shop: address, hours, logo. */
export const profileQuery = {
  queryKey: ['shop-profile'],
  queryFn: () => dataOf(api.GET('/staff/v1/shop-profile')),
};
