import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api.ts';

/** The discounts that have not ended; with `ended`, the ended ones too. */
export function useDiscounts({ ended = false }: { ended?: boolean } = {}) {
  return useQuery({
    queryKey: ['discounts', { ended }],
    queryFn: () => dataOf(api.GET('/staff/v1/discounts', { params: { query: ended ? { ended } : {} } })),
    staleTime: 60_000,
  });
}
