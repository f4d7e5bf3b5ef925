import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query';

/** `shown`: queries on screen are refetched at once, the others when shown next; `later`: all of them when shown next. */
type When = 'shown' | 'later';

const refetchTypes = { shown: 'active', later: 'none' } as const;

/** Queries whose running read may have begun before the change: each is read once more when that read ends. */
const waiting = new WeakMap<Query, When>();

/**
 * Invalidates and refetches queries that a change may have made stale. A running read may have seen the state before the
 * change, so another one follows it. The running read is not canceled: a list slower than the changes would never be shown.
 */
export function readAgain(client: QueryClient, filters: QueryFilters, when: When): void {
  const underWay = client.getQueryCache().findAll({
    ...filters,
    predicate: (query) => query.state.fetchStatus !== 'idle' && (filters.predicate?.(query) ?? true),
  });
  void client.invalidateQueries({ ...filters, refetchType: refetchTypes[when] }, { cancelRefetch: false });
  for (const query of underWay) void readAfterwards(client, query, when);
}

async function readAfterwards(client: QueryClient, query: Query, when: When): Promise<void> {
  const isWaiting = waiting.has(query);
  if (!isWaiting || when === 'shown') waiting.set(query, when);
  if (isWaiting) return;
  // Errors of the read are handled by its own reader.
  await query.promise?.catch(() => {});
  const wanted = waiting.get(query)!;
  waiting.delete(query);
  readAgain(client, { predicate: (it) => it === query }, wanted);
}
