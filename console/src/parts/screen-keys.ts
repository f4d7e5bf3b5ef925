import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { isDialogOpen } from './open-dialog.ts';

/** A shortcut of the open screen, besides those of the console. */
export interface ScreenKey {
  readonly key: string;
  /** Its meaning in the shortcut list (`?`). */
  readonly meaning: string;
  readonly press: () => void;
}

let shown: readonly ScreenKey[] = [];
const listeners = new Set<() => void>();

function show(keys: readonly ScreenKey[]): void {
  shown = keys;
  for (const listener of listeners) listener();
}

/** The shortcuts of the open screen. */
export function useShownKeys(): readonly ScreenKey[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}

/** Whether the user types in a field: then only function keys work. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('textarea, select, [contenteditable="true"], input') &&
    !(target.matches('[data-search]') && (target as HTMLInputElement).value === '')
  );
}

/** Handles these keys while the screen is open and no dialog is; they also work in an empty search field. */
export function useScreenKeys(keys: readonly ScreenKey[]): void {
  const present = useRef(keys);
  // A key may be pressed as soon as the screen is drawn, before effects that run after the drawing.
  useLayoutEffect(() => {
    present.current = keys;
  });
  const signature = keys.map(({ key, meaning }) => `${key} ${meaning}`).join('\n');
  useEffect(() => {
    show(signature === '' ? [] : present.current);
    return () => show([]);
  }, [signature]);
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (isDialogOpen()) return;
      const found = present.current.find(({ key }) => key === event.key);
      if (!found || (!/^F\d/.test(event.key) && isTyping(event.target))) return;
      event.preventDefault();
      found.press();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
