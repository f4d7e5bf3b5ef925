import { type RefObject, useLayoutEffect } from 'react';
import { isDialogOpen } from '../../parts/open-dialog.ts';

const letterOrDigit = /^[\p{L}\p{N}]$/u;

/** Whether the user types in a field; letters are ignored in number fields. */
function isWrittenInto(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement) || !target.matches('input, textarea, select')) return false;
  const isForNumbers =
    target instanceof HTMLInputElement && ['numeric', 'decimal'].includes(target.inputMode);
  return !isForNumbers || /^\p{N}$/u.test(key);
}

/**
 * Letters and digits go to the search, wherever the last tap was, unless the user types in another field. The console's
 * shortcuts do not see them: `g` and a letter would leave the sale.
 */
export function useTypingToSearch(search: RefObject<HTMLInputElement | null>): void {
  useLayoutEffect(() => {
    search.current?.focus();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || !letterOrDigit.test(event.key)) return;
      if (isWrittenInto(event.target, event.key) || isDialogOpen()) return;
      event.stopPropagation();
      search.current?.focus();
    };
    // In the capture phase: the shortcuts listen in the bubble phase.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [search]);
}
