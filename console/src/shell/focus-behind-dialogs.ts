const dialogs = '[role="dialog"]';
const focusable = 'input:not(:disabled), textarea:not(:disabled), button:not(:disabled)';
/** By then the library has given the focus to what it opened. */
const enterMs = 250;

/** A menu closes at once, so a focused menu item is represented by the button that opened the menu. */
function focusTargetOf(element: Element): Element {
  const menu = element.closest('[role="menu"]');
  return document.getElementById(menu?.getAttribute('aria-labelledby') ?? '') ?? element;
}

/** Gives a dialog the focus that the library did not: on a slow machine it looks for a field before there is one. */
function enter(dialog: Element): void {
  if (!dialog.isConnected || dialog.contains(document.activeElement)) return;
  const marked = dialog.querySelector<HTMLElement>('[data-autofocus]');
  (marked ?? dialog.querySelector<HTMLElement>(focusable))?.focus({ preventScroll: true });
}

/**
 * Returns the focus to where it was before a dialog. The library does this when a dialog closes, but not when an open dialog is
 * unmounted, as a row's dialog is. Returns the function that stops it.
 */
export function keepFocusBehindDialogs(): () => void {
  const opened: { readonly dialog: Element; readonly before: Element | null }[] = [];
  let last: Element | null = null;
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    const dialog = target.closest(dialogs);
    if (dialog && !opened.some((it) => it.dialog === dialog)) opened.push({ dialog, before: last });
    last = focusTargetOf(target);
  };
  const goBack = (): void => {
    for (let top = opened.at(-1); top && !top.dialog.isConnected; top = opened.at(-1)) {
      opened.pop();
      const hasNoFocus = document.activeElement === null || document.activeElement === document.body;
      if (hasNoFocus && top.before instanceof HTMLElement) top.before.focus({ preventScroll: true });
    }
  };
  const seen = new WeakSet<Element>();
  const watch = new MutationObserver(() => {
    for (const dialog of document.querySelectorAll(dialogs)) {
      if (seen.has(dialog)) continue;
      seen.add(dialog);
      setTimeout(() => enter(dialog), enterMs);
    }
    if (opened.length > 0) goBack();
  });
  document.addEventListener('focusin', onFocus);
  watch.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', onFocus);
    watch.disconnect();
  };
}
