import { useCallback, useLayoutEffect, useState } from 'react';

/* What is typed and not saved: forms say that they hold some, and whoever would leave is asked first. */

/** What is lost with the `screen`: asked before another one; what is lost with the `page` only: before it is loaded anew. */
type Reach = 'screen' | 'page';

const holders = new Map<object, Reach>();

/** Whether somebody's work is lost: when another screen is opened, or when the page is left or loaded anew. */
export function hasUnsavedWork(leaving: Reach): boolean {
  return leaving === 'page' ? holders.size > 0 : [...holders.values()].includes('screen');
}

/** Says that there is such work until it is given back: by calling what this answers, as often as one likes. */
export function holdUnsavedWork(reach: Reach): () => void {
  const holder = {};
  holders.set(holder, reach);
  return () => void holders.delete(holder);
}

/** Loads the page anew without asking: whoever works here has been asked, or it is somebody else by now. */
export function reloadUnasked(): void {
  holders.clear();
  window.location.reload();
}

/**
 * For a form: while `isDirty`, whoever leaves is asked first. Answers what to call once it is saved, before leaving by
 * program: then nothing asks, although the form is drawn as it was until the next screen is there.
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
