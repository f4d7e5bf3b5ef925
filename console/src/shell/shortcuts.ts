import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { isDialogOpen } from '../parts/open-dialog.ts';
import type { Section } from './sections.ts';

/** Whether a key goes into a field: no shortcut runs then. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (
    key === '?' &&
    target instanceof HTMLInputElement &&
    'search' in target.dataset &&
    target.value === ''
  ) {
    return false;
  }
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]');
}

const chordMs = 1_200;

/**
 * `/` focuses the search of the page, `g` and a letter opens a section, `?` lists the shortcuts, Ctrl or ⌘ K finds anything.
 */
export function useShortcuts(
  sections: readonly Section[],
  open: { readonly list: () => void; readonly palette: () => void },
): void {
  const navigate = useNavigate();
  const wentAt = useRef(0);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        open.palette();
        return;
      }
      const isBusy = isTyping(event) || isDialogOpen();
      if (event.metaKey || event.ctrlKey || event.altKey || isBusy) return;
      const section = sections.find(({ key }) => key === event.key);
      if (event.timeStamp - wentAt.current < chordMs && section) {
        wentAt.current = 0;
        void navigate(section.path);
      } else if (event.key === 'g') {
        wentAt.current = event.timeStamp;
        return;
      } else if (event.key === '/') {
        document.querySelector<HTMLElement>('input[data-search]')?.focus();
      } else if (event.key === '?') {
        open.list();
      } else {
        return;
      }
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [sections, open, navigate]);
}
