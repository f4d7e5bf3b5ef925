import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSessionEnd } from '../session/session-end.ts';
import { liveKeys } from './live-keys.ts';
import { openLiveStream } from './live-stream.ts';
import { type LiveEvent, listenTogether, type Told } from './shared-live.ts';

/**
 * Keeps what is shown fresh: every change that the service announces (`GET live`) has the queries of `resources` asked
 * again that it makes stale: the first words of their keys, as in paths (`orders`, `instore-queues`). Tabs of a browser share
 * the stream; where it cannot be had, they ask every 15 seconds. Nobody is asked while the session has ended.
 */
export function useLive(resources: readonly string[], onEvent?: (event: LiveEvent) => void): void {
  const queryClient = useQueryClient();
  const key = resources.join(' ');
  const hasEnded = useSessionEnd();
  useEffect(() => {
    if (hasEnded) return;
    const watched = key.split(' ');
    const refresh = (resource: string) => void queryClient.invalidateQueries({ queryKey: [resource] });
    const refreshAll = () => watched.forEach(refresh);
    const stop = subscribe({
      onEvent: (event) => {
        if (event === 'everything') refreshAll();
        else {
          const stale = liveKeys(event.resource).filter((it) => watched.includes(it));
          stale.forEach(refresh);
          if (stale.length > 0) onEvent?.(event);
        }
      },
    });
    return stop;
  }, [key, queryClient, onEvent, hasEnded]);
}

interface Subscriber {
  readonly onEvent: (told: Told) => void;
}

/* One for the whole page, and kept for a while: between two screens nobody listens for a moment. */
const subscribers = new Set<Subscriber>();
const lingerMs = 10_000;
let end: (() => void) | undefined;
let leaving: ReturnType<typeof setTimeout> | undefined;

function listen(): () => void {
  return listenTogether(
    {
      openStream: openLiveStream,
      locks: navigator.locks,
      openChannel: (name) => new BroadcastChannel(name),
    },
    (told) => {
      for (const subscriber of subscribers) subscriber.onEvent(told);
    },
  );
}

function subscribe(subscriber: Subscriber): () => void {
  subscribers.add(subscriber);
  clearTimeout(leaving);
  end ??= listen();
  return () => {
    subscribers.delete(subscriber);
    if (subscribers.size > 0) return;
    leaving = setTimeout(() => {
      end?.();
      end = undefined;
    }, lingerMs);
  };
}
