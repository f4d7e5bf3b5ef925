import { useEffect, useRef, useSyncExternalStore } from 'react';

/** A key of the screen that is open, beside those of the console. */
export interface ScreenKey {
  readonly key: string;
  /** What it does, for the list behind `?`. */
  readonly meaning: string;
  readonly press: () => void;
}

let shown: readonly ScreenKey[] = [];
const listeners = new Set<() => void>();

function show(keys: readonly ScreenKey[]): void {
  shown = keys;
  for (const listener of listeners) listener();
}

/** The keys of the screen that is open now. */
export function useShownKeys(): readonly ScreenKey[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}

/** Whether somebody writes: then only function keys are heard. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('textarea, select, [contenteditable="true"], input') &&
    !(target.matches('[data-search]') && (target as HTMLInputElement).value === '')
  );
}

/** Hears these keys while the screen is open and no dialog is; an empty search field does not keep them to itself. */
export function useScreenKeys(keys: readonly ScreenKey[]): void {
  const present = useRef(keys);
  useEffect(() => {
    present.current = keys;
  });
  const signature = keys.map(({ key, meaning }) => `${key} ${meaning}`).join('\n');
  useEffect(() => {
    show(signature === '' ? [] : present.current);
    return () => show([]);
  }, [signature]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('[role="dialog"]')) return;
      const found = present.current.find(({ key }) => key === event.key);
      if (!found || (!/^F\d/.test(event.key) && isTyping(event.target))) return;
      event.preventDefault();
      found.press();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
