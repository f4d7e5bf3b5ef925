import { useCallback, useLayoutEffect, useState } from 'react';

/* Unsaved work: forms register it, and the user is asked before it is lost. */

/** `screen`: lost when another screen opens; `page`: lost only when the page reloads or closes. */
type Reach = 'screen' | 'page';

const holders = new Map<object, Reach>();

/** Whether unsaved work would be lost: by opening another screen, or by leaving or reloading the page. */
export function hasUnsavedWork(leaving: Reach): boolean {
  return leaving === 'page' ? holders.size > 0 : [...holders.values()].includes('screen');
}

/** Registers unsaved work until the returned function is called; calling it again has no effect. */
export function holdUnsavedWork(reach: Reach): () => void {
  const holder = {};
  holders.set(holder, reach);
  return () => void holders.delete(holder);
}

/** Reloads the page without asking: the user was asked already, or is another person now. */
export function reloadWithoutAsking(): void {
  holders.clear();
  window.location.reload();
}

/**
 * For a form: while `isDirty`, leaving asks first. Returns a function to call after saving and before navigating by code: the
 * form still renders as dirty until the next screen is there, but no question appears.
 */
export function useUnsavedWork(isDirty: boolean): () => void {
  const [held] = useState<{ giveBack: () => void }>(() => ({ giveBack: () => {} }));
  useLayoutEffect(() => {
    if (!isDirty) return;
    held.giveBack = holdUnsavedWork('screen');
    return () => held.giveBack();
  }, [isDirty, held]);
  return useCallback(() => held.giveBack(), [held]);
}
