import { useSyncExternalStore } from 'react';
import { type Connection, watchConnection } from './connection-watch.ts';

const probeMs = 4_000;

/**
 * The probe reads the session, which every screen needs anyway. A refusal counts as an answer; a reply that is not JSON comes
 * from a proxy.
 */
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

/** Whether the service itself answered, and is not unavailable. */
export function isAnswer(status: number): boolean {
  return ![0, 502, 503, 504].includes(status);
}

const watch = watchConnection({ probe, isBrowserOnline: () => navigator.onLine });

/** The connection of this page. */
export const { onReconnected, suspect: suspectConnection, present: presentConnection } = watch;

/** Starts listening to the browser's network events. Called once, when the page starts. */
export function followBrowserConnection(): void {
  window.addEventListener('online', watch.suspect);
  window.addEventListener('offline', watch.suspect);
}

/** Calls the listener when the browser goes offline: pending requests will get no answer. */
export function onOffline(listener: () => void): () => void {
  return watch.subscribe(() => {
    if (watch.present().status === 'offline') listener();
  });
}

/** The current connection state. */
export function useConnection(): Connection {
  return useSyncExternalStore(watch.subscribe, watch.present);
}
