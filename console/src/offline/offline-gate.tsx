import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiFailure } from '../api.ts';
import { LoadFailure } from '../parts/load-failure.tsx';
import { OfflineCounter } from './offline-page.tsx';
import { keptTerms } from './offline-store.ts';

/** In place of a console that could not be loaded: the counter on kept terms, if the service is away and there are some. */
export function OfflineGate({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  const isAway = error instanceof ApiFailure && (error.status === 0 || error.status >= 500);
  const kept = useQuery({ queryKey: ['kept-terms'], queryFn: keptTerms, enabled: isAway, retry: false });
  // The service may answer soon; the page goes on by itself then.
  useQuery({
    queryKey: ['service-answers'],
    queryFn: () => {
      onRetry();
      return null;
    },
    refetchInterval: 5_000,
    enabled: isAway && kept.data != null,
  });
  if (isAway && kept.isPending) return null;
  if (kept.data == null) return <LoadFailure error={error} onRetry={onRetry} />;
  return <OfflineCounter kept={kept.data} />;
}
