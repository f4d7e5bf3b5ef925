import { useSyncExternalStore } from 'react';

/* Whether a request was answered with "no session": the page stays, and a dialog asks to sign in again. */

let hasEnded = false;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (hasEnded === value) return;
  hasEnded = value;
  for (const listener of listeners) listener();
}

export function announceSessionEnd(): void {
  set(true);
}

export function forgetSessionEnd(): void {
  set(false);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True from a refused request until somebody has signed in again. */
export function useSessionEnd(): boolean {
  return useSyncExternalStore(subscribe, () => hasEnded);
}
