import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './api.ts';
import { announceSessionEnd } from './session/session-end.ts';

/** Only what may pass by itself is tried again, and only reading. */
function mayPass(error: Error): boolean {
  return !(error instanceof ApiFailure) || error.status === 0 || error.status === 429 || error.status >= 500;
}

function onError(error: Error): void {
  if (error instanceof ApiFailure && error.status === 401) announceSessionEnd();
}

/** The one cache. Keys begin with the resource as the path names it: `['orders', …]`, so that live events reach them. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && mayPass(error),
    },
    mutations: { retry: false },
  },
});
