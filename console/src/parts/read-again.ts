import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query';

/** `shown`: what a screen shows is read at once, the rest when it is shown next; `later`: all of it only then. */
type When = 'shown' | 'later';

const refetchTypes = { shown: 'active', later: 'none' } as const;

/** Queries whose present read may have begun before the change: each is read once more when it has ended. */
const waiting = new WeakMap<Query, When>();

/**
 * Has everything read again that a change may have made stale. A read that is under way may have seen the state before the
 * change, so it is followed by another one. It is not given up: a list that takes longer than the changes are apart would
 * never be shown.
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
  // What the read came to is the business of its reader.
  await query.promise?.catch(() => {});
  const wanted = waiting.get(query)!;
  waiting.delete(query);
  readAgain(client, { predicate: (it) => it === query }, wanted);
}
