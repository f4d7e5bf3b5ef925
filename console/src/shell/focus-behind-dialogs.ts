const dialogs = '[role="dialog"]';
const chosen = 'data-autofocus';

/** A menu closes at once, so a focused menu item is represented by the button that opened the menu. */
function focusTargetOf(element: Element): Element {
  const menu = element.closest('[role="menu"]');
  return document.getElementById(menu?.getAttribute('aria-labelledby') ?? '') ?? element;
}

/**
 * The library gives the focus to what it opens from two timers, the second of which would take it back from the item or the field
 * that fast hands are at by then: their next key would go to another one. Its timers prefer what has this mark.
 */
function markAsChosen(target: Element): void {
  const opened = target.closest(`${dialogs}, [role="menu"]`);
  if (!opened || opened === target) return;
  for (const former of opened.querySelectorAll(`[${chosen}]`)) former.removeAttribute(chosen);
  target.setAttribute(chosen, 'true');
}

/**
 * Returns the focus to where it was before a dialog. The library does this when a dialog closes, but not when an open dialog is
 * unmounted, as a row's dialog is. In what is open the focus stays where hands have put it. Returns the function that stops it.
 */
export function keepFocusBehindDialogs(): () => void {
  const opened: { readonly dialog: Element; readonly before: Element | null }[] = [];
  let last: Element | null = null;
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    markAsChosen(target);
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
  const watch = new MutationObserver(() => opened.length > 0 && goBack());
  document.addEventListener('focusin', onFocus);
  watch.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', onFocus);
    watch.disconnect();
  };
}
