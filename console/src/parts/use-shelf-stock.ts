import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../api.ts';
import type { SaleOption } from './sale-options.ts';
import { unitsInStock } from './units-in-stock.ts';

/** Levels per page (D14). */
const pageSize = 50;
/** A larger shop sees the stock of the items that it searches for. */
const pagesMax = 12;

/**
 * Sellable units of every option where the shop sells in store, read at once while someone browses; null: unknown. For display only.
 */
export function useShelfStock(isShown: boolean): (option: SaleOption) => number | null {
  const settings = useQuery({
    queryKey: ['organization'],
    queryFn: () => dataOf(api.GET('/staff/v1/organization')),
    staleTime: 60_000,
    enabled: isShown,
  });
  const locationIds = settings.data?.locationsByOrderType['in-store'];
  const levels = useQuery({
    queryKey: ['inventory', 'shelf', locationIds],
    queryFn: ({ signal }) => levelsOf(locationIds ?? [], signal),
    staleTime: 60_000,
    enabled: isShown && locationIds !== undefined,
  });
  return (option) => (locationIds && levels.data ? unitsInStock(option, levels.data, locationIds) : null);
}

/** All levels of these locations; null: too many. */
async function levelsOf(
  locationIds: readonly number[],
  signal: AbortSignal,
): Promise<readonly Schema['StockLevel'][] | null> {
  const levels: Schema['StockLevel'][] = [];
  for (const locationId of locationIds) {
    let startingAfter: string | undefined;
    do {
      const query = { locationId, ...(startingAfter !== undefined && { startingAfter }) };
      const page = await dataOf(api.GET('/staff/v1/inventory', { params: { query }, signal }));
      levels.push(...page);
      startingAfter = page.length === pageSize ? page.at(-1)?.id : undefined;
      if (levels.length > pageSize * pagesMax) return null;
    } while (startingAfter !== undefined);
  }
  return levels;
}
