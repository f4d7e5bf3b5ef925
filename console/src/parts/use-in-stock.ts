import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { api, dataOf, type Schema } from '../api.ts';
import type { SaleOption } from './sale-options.ts';
import { unitsInStock } from './units-in-stock.ts';

/** Levels per page (D14). A full page may not be all levels. */
const pageSize = 50;

/**
 * Sellable units of an option for an order type, from a stock search for one of these texts; null: unknown. For display only:
 * the service decides when the order is placed.
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
    combine: levelsOf,
  });
  // Several texts can find the same level.
  const known = useMemo(() => [...new Map(levels.map((level) => [level.id, level])).values()], [levels]);
  const locationIds = settings.data?.locationsByOrderType[orderType];
  return useCallback(
    (option) => (locationIds ? unitsInStock(option, known, locationIds) : null),
    [known, locationIds],
  );
}

/** Outside of the hook: the same replies are then the same levels, and what shows them is not drawn again. */
function levelsOf(found: readonly UseQueryResult<Schema['StockLevel'][]>[]): Schema['StockLevel'][] {
  return found.flatMap(({ data }) => (data && data.length < pageSize ? data : []));
}
