import type { RefObject } from 'react';

/**
 * Moves the focus to the search once a dialog is closed. Not out of another one that opened meanwhile: frames of a busy device
 * come late, and Enter would no longer pay.
 */
export function backToSearch(search: RefObject<HTMLInputElement | null>): void {
  const focused = () => document.activeElement?.closest('[role="dialog"]') ?? null;
  const closed = focused();
  requestAnimationFrame(() => {
    const dialog = focused();
    if (dialog === null || dialog === closed) search.current?.focus();
  });
}
