import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSessionEnd } from '../session/session-end.ts';
import { openLiveStream } from './live-stream.ts';
import { type Listener, updateReads } from './live-updates.ts';
import { listenTogether, type Told } from './shared-live.ts';

/**
 * Keeps what is shown fresh: every change that the service announces (`GET live`) has the queries of `resources` asked
 * again that it makes stale: the first words of their keys, as in paths (`orders`, `instore-queues`). `onTold` hears of it, and
 * of `everything`: changes may have been missed. Tabs of a browser share the stream; where it cannot be had, they ask every 15
 * seconds. Nobody is asked while the session has ended.
 */
export function useLive(resources: readonly string[], onTold?: (told: Told) => void): void {
  const queryClient = useQueryClient();
  const key = resources.join(' ');
  const hasEnded = useSessionEnd();
  useEffect(() => {
    if (hasEnded) return;
    return subscribe(queryClient, { resources: key.split(' '), onTold });
  }, [key, queryClient, onTold, hasEnded]);
}

/* One for the whole page, and kept for a while: between two screens nobody listens for a moment. */
const listeners = new Set<Listener>();
const lingerMs = 10_000;
let end: (() => void) | undefined;
let leaving: ReturnType<typeof setTimeout> | undefined;

function listen(client: QueryClient): () => void {
  return listenTogether(
    {
      openStream: openLiveStream,
      locks: navigator.locks,
      openChannel: (name) => new BroadcastChannel(name),
    },
    (told) => updateReads(client, listeners, told),
  );
}

function subscribe(client: QueryClient, listener: Listener): () => void {
  listeners.add(listener);
  clearTimeout(leaving);
  end ??= listen(client);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    leaving = setTimeout(() => {
      end?.();
      end = undefined;
    }, lingerMs);
  };
}
