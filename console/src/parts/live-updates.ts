import type { QueryClient } from '@tanstack/react-query';
import { liveKeys } from './live-keys.ts';
import { readAgain } from './read-again.ts';
import type { LiveMessage } from './shared-live.ts';

/** A screen that listens for changes. */
export interface Listener {
  /** The resources it shows: the first words of query keys. */
  readonly resources: readonly string[];
  /** Called for events of `resources` and for `everything`. */
  readonly onEvent?: ((message: LiveMessage) => void) | undefined;
}

/**
 * Invalidates queries on live events. Queries of a listening screen are refetched at once; other stale queries when they are
 * shown next.
 */
export function updateReads(
  client: QueryClient,
  listeners: ReadonlySet<Listener>,
  message: LiveMessage,
): void {
  const watched = new Set([...listeners].flatMap(({ resources }) => resources));
  if (message === 'everything') {
    readAgain(client, { predicate: ({ queryKey }) => !watched.has(String(queryKey[0])) }, 'later');
    for (const resource of watched) readAgain(client, { queryKey: [resource] }, 'shown');
    for (const { onEvent } of listeners) onEvent?.(message);
    return;
  }
  const stale = liveKeys(message.resource);
  for (const key of stale) readAgain(client, { queryKey: [key] }, watched.has(key) ? 'shown' : 'later');
  for (const { resources, onEvent } of listeners) {
    if (stale.some((key) => resources.includes(key))) onEvent?.(message);
  }
}
