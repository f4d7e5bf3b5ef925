import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api.ts';

/** What labels say of the shop, and what the owner chose for them. */
export function useLabelShop() {
  return useQuery({
    queryKey: ['shop-profile', 'labels'],
    queryFn: async () => {
      const [{ name, licenseNumber }, { labels }] = await Promise.all([
        dataOf(api.GET('/staff/v1/organization')),
        dataOf(api.GET('/staff/v1/shop-profile')),
      ]);
      return { name, licenseNumber, labels };
    },
  });
}
