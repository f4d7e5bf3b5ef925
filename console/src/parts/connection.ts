import { useSyncExternalStore } from 'react';
import { type Connection, watchConnection } from './connection-watch.ts';

const probeMs = 4_000;

/** What every screen needs anyhow. A refusal is an answer; a page that is no JSON is that of something in between. */
async function probe(): Promise<boolean> {
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(), probeMs);
  try {
    const { status, headers } = await fetch('/staff/v1/me', { cache: 'no-store', signal: given.signal });
    return isAnswer(status) && (headers.get('content-type') ?? '').includes('json');
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the service itself has answered, and not that it cannot. */
export function isAnswer(status: number): boolean {
  return ![0, 502, 503, 504].includes(status);
}

const watch = watchConnection({ probe, isBrowserOnline: () => navigator.onLine });

/** The connection of this page. */
export const { onReconnected, suspect: suspectConnection, present: presentConnection } = watch;

/** Begins to listen to the browser. Once, when the page starts. */
export function followBrowserConnection(): void {
  window.addEventListener('online', watch.suspect);
  window.addEventListener('offline', watch.suspect);
}

/** Calls when the browser is found to be offline: what is under way will not be answered. */
export function onOffline(listener: () => void): () => void {
  return watch.subscribe(() => {
    if (watch.present().status === 'offline') listener();
  });
}

/** The connection as it is now. */
export function useConnection(): Connection {
  return useSyncExternalStore(watch.subscribe, watch.present);
}
