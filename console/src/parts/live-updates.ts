import type { QueryClient } from '@tanstack/react-query';
import { liveKeys } from './live-keys.ts';
import { readAgain } from './read-again.ts';
import type { Told } from './shared-live.ts';

/** A screen that listens. */
export interface Listener {
  /** What it shows and wants fresh: the first words of query keys. */
  readonly resources: readonly string[];
  /** Is told of what concerns `resources`, and of `everything`. */
  readonly onTold?: ((told: Told) => void) | undefined;
}

/**
 * Keeps what was read as fresh as what is told. What a listening screen shows is read again at once; everything else that a
 * change makes stale, when it is shown next.
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
