import { useQueries, useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../api.ts';
import type { SaleOption } from './sale-options.ts';
import { unitsInStock } from './units-in-stock.ts';

/** Levels on a page (D14): of what has as many there may be more. */
const pageSize = 50;

/**
 * How many of an option can be sold by a type of order, as far as a search for one of these texts tells; null: it is not known.
 * For people to look at: the service decides when the order is placed.
 */
export function useInStock(
  texts: readonly string[],
  orderType: Schema['StaffOrder']['type'],
): (option: SaleOption) => number | null {
  const settings = useQuery({
    queryKey: ['organization'],
    queryFn: () => dataOf(api.GET('/staff/v1/organization')),
    staleTime: 60_000,
    enabled: texts.length > 0,
  });
  const levels = useQueries({
    queries: [...new Set(texts)].map((search) => ({
      queryKey: ['inventory', { search }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(api.GET('/staff/v1/inventory', { params: { query: { search } }, signal })),
    })),
    combine: (found) => found.flatMap(({ data }) => (data && data.length < pageSize ? data : [])),
  });
  // One level is found by several texts.
  const known = [...new Map(levels.map((level) => [level.id, level])).values()];
  const locationIds = settings.data?.locationsByOrderType[orderType];
  return (option) => (locationIds ? unitsInStock(option, known, locationIds) : null);
}
