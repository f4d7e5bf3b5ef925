import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './api.ts';
import { announceSessionEnd } from './session/session-end.ts';

/** Only what may pass by itself is tried again, and only reading. */
function mayPass(error: Error): boolean {
  if (!(error instanceof ApiFailure)) return true;
  // A browser without a network says so at once.
  if (error.code === 'OFFLINE') return false;
  return error.status === 0 || error.status === 429 || error.status >= 500;
}

function onError(error: Error): void {
  if (error instanceof ApiFailure && error.status === 401) announceSessionEnd();
}

/**
 * The one cache. Keys begin with the resource as the path names it: `['orders', …]`, so that live events reach them. Nothing
 * is held back without a network to be sent later: it fails at once, and people decide. What is shown is read again when the
 * service answers again (`onReconnected`).
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      retry: (count, error) => count < 2 && mayPass(error),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
