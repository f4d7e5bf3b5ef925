import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSessionEnd } from '../session/session-end.ts';
import { openLiveStream } from './live-stream.ts';
import { type Listener, updateReads } from './live-updates.ts';
import { type LiveMessage, shareLiveStream } from './shared-live.ts';

/**
 * Keeps the screen up to date: each change event of the service (`GET live`) refetches the affected queries of `resources`, the
 * first words of their keys as in paths (`orders`, `instore-queues`). `onEvent` is called for each event, and for `everything`:
 * changes may have been missed. Tabs of a browser share the stream; without a stream they poll every 15 seconds. No requests
 * are sent after the session ended.
 */
export function useLive(resources: readonly string[], onEvent?: (message: LiveMessage) => void): void {
  const queryClient = useQueryClient();
  const key = resources.join(' ');
  const hasEnded = useSessionEnd();
  useEffect(() => {
    if (hasEnded) return;
    return subscribe(queryClient, { resources: key.split(' '), onEvent });
  }, [key, queryClient, onEvent, hasEnded]);
}

/* One stream for the whole page, kept open briefly because no screen listens during a screen change. */
const listeners = new Set<Listener>();
const lingerMs = 10_000;
let end: (() => void) | undefined;
let leaving: ReturnType<typeof setTimeout> | undefined;

function listen(client: QueryClient): () => void {
  return shareLiveStream(
    {
      openStream: openLiveStream,
      locks: navigator.locks,
      openChannel: (name) => new BroadcastChannel(name),
    },
    (message) => updateReads(client, listeners, message),
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
