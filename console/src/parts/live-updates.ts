import type { QueryClient } from '@tanstack/react-query';
import { liveKeys } from './live-keys.ts';
import { readAgain } from './read-again.ts';
import type { Told } from './shared-live.ts';

/** A screen that listens for changes. */
export interface Listener {
  /** The resources it shows: the first words of query keys. */
  readonly resources: readonly string[];
  /** Called for events of `resources` and for `everything`. */
  readonly onTold?: ((told: Told) => void) | undefined;
}

/**
 * Invalidates queries on live events. Queries of a listening screen are refetched at once; other stale queries when they are
 * shown next.
 */
export function updateReads(client: QueryClient, listeners: ReadonlySet<Listener>, told: Told): void {
  const watched = new Set([...listeners].flatMap(({ resources }) => resources));
  if (told === 'everything') {
    readAgain(client, { predicate: ({ queryKey }) => !watched.has(String(queryKey[0])) }, 'later');
    for (const resource of watched) readAgain(client, { queryKey: [resource] }, 'shown');
    for (const { onTold } of listeners) onTold?.(told);
    return;
  }
  const stale = liveKeys(told.resource);
  for (const key of stale) readAgain(client, { queryKey: [key] }, watched.has(key) ? 'shown' : 'later');
  for (const { resources, onTold } of listeners) {
    if (stale.some((key) => resources.includes(key))) onTold?.(told);
  }
}
