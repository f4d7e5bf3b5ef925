import { type RefObject, useEffect } from 'react';

const letterOrDigit = /^[\p{L}\p{N}]$/u;

/** Whether somebody writes into a field: letters mean nothing in one for numbers. */
function isWrittenInto(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement) || !target.matches('input, textarea, select')) return false;
  const isForNumbers =
    target instanceof HTMLInputElement && ['numeric', 'decimal'].includes(target.inputMode);
  return !isForNumbers || /^\p{N}$/u.test(key);
}

/**
 * Letters and digits go to the search, wherever the last tap was, unless somebody writes elsewhere: no shortcut of the
 * console hears them, for `g` and a letter would leave the sale.
 */
export function useTypingToSearch(search: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    search.current?.focus();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || !letterOrDigit.test(event.key)) return;
      if (isWrittenInto(event.target, event.key) || document.querySelector('[role="dialog"]')) return;
      event.stopPropagation();
      search.current?.focus();
    };
    // On the way down: the shortcuts hear it on the way up.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [search]);
}
