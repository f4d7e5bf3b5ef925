import { useQueries } from '@tanstack/react-query';
import { use, useCallback, useMemo } from 'react';
import type { Schema } from '../api.ts';
import { MenuSourceContext } from './menu-source.ts';
import type { SaleOption } from './sale-options.ts';
import { unitsInStock } from './units-in-stock.ts';

/** The service's maximum per request. */
const productsMax = 50;

/**
 * Sellable units of an option of these products, for an order type; null: unknown. For display only: the service decides
 * when the order is placed.
 */
export function useInStock(
  productIds: readonly number[],
  orderType: Schema['StaffOrder']['type'],
): (option: SaleOption) => number | null {
  const source = use(MenuSourceContext);
  const known = useQueries({
    queries: chunked(productIds).map((ids) => source.stock(ids, orderType)),
    combine: levelsOf,
  });
  const levels = useMemo(() => known.flat(), [known]);
  return useCallback((option) => unitsInStock(option, levels), [levels]);
}

/** `3,5,8`: the ids of each request, the same for the same products. */
function chunked(productIds: readonly number[]): string[] {
  const ids = [...new Set(productIds)].sort((a, b) => a - b);
  const starts = Array.from({ length: Math.ceil(ids.length / productsMax) }, (_, at) => at * productsMax);
  return starts.map((from) => ids.slice(from, from + productsMax).join(','));
}

/** Outside of the hook: the same replies are then the same levels, and what shows them is not drawn again. */
function levelsOf(
  found: readonly { readonly data: { readonly stock: readonly Schema['SellableStock'][] } | undefined }[],
) {
  return found.map(({ data }) => data?.stock ?? []);
}
