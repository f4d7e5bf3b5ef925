const dialogs = '[role="dialog"]';

/** Something of a menu, which closes at once, stands for the button that has opened it. */
function lastingOf(element: Element): Element {
  const menu = element.closest('[role="menu"]');
  return document.getElementById(menu?.getAttribute('aria-labelledby') ?? '') ?? element;
}

/**
 * Whoever works by keyboard goes on where they were before a dialog. The library sees to it when a dialog is closed, but
 * not when it is taken away while it is open, as one that is made for one row is. Answers how to stop.
 */
export function keepFocusBehindDialogs(): () => void {
  const opened: { readonly dialog: Element; readonly before: Element | null }[] = [];
  let last: Element | null = null;
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    const dialog = target.closest(dialogs);
    if (dialog && !opened.some((it) => it.dialog === dialog)) opened.push({ dialog, before: last });
    last = lastingOf(target);
  };
  const goBack = (): void => {
    for (let top = opened.at(-1); top && !top.dialog.isConnected; top = opened.at(-1)) {
      opened.pop();
      const isNowhere = document.activeElement === null || document.activeElement === document.body;
      if (isNowhere && top.before instanceof HTMLElement) top.before.focus({ preventScroll: true });
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
