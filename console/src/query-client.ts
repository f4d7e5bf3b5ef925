import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './api.ts';
import { announceSessionEnd } from './session/session-end.ts';

/** Only reads are retried, and only after transient errors. */
function isTransient(error: Error): boolean {
  if (!(error instanceof ApiFailure)) return true;
  // An offline browser reports so at once.
  if (error.code === 'OFFLINE') return false;
  return error.status === 0 || error.status === 429 || error.status >= 500;
}

function onError(error: Error): void {
  if (!(error instanceof ApiFailure)) return;
  if (error.status === 401) announceSessionEnd();
  // The rules of the shop have changed: the gate reads it, and leads to setting a factor up.
  if (error.code === 'SECOND_FACTOR_NOT_SET_UP') void queryClient.invalidateQueries({ queryKey: ['me'] });
}

/**
 * The only cache. Keys begin with the resource as in the path (`['orders', …]`), so live events reach them. Offline, requests
 * are not queued: they fail at once and people decide. Queries on screen are refetched when the service answers again
 * (`onReconnected`).
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      networkMode: 'always',
      // What was read in the future was read before the device's clock went back.
      staleTime: ({ state }) => (state.dataUpdatedAt > Date.now() ? Number.NEGATIVE_INFINITY : 10_000),
      retry: (count, error) => count < 2 && isTransient(error),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
