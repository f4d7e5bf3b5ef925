import { useSyncExternalStore } from 'react';

/* Tracks whether a request was answered with "no session". The page stays, and a dialog asks to sign in again. */

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

/** True from the refused request until the next sign-in. */
export function useSessionEnd(): boolean {
  return useSyncExternalStore(subscribe, () => hasEnded);
}
