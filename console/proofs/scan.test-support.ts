import type { CDPSession, Locator, Page } from 'playwright-core';

/** Milliseconds between two scanner keys. */
const keyMs = 12;

const sessions = new WeakMap<Page, CDPSession>();

/**
 * Scans into the focused element as a scanner does: the keys carry the times when they were pressed, independent of when the
 * page handles them. Returns when its Enter was handled.
 */
export async function scan(page: Page, code: string, end: 'Enter' | 'Tab' = 'Enter'): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const startMs = Date.now();
  const pressed: Promise<unknown>[] = [];
  const press = (key: string, text: string, windowsVirtualKeyCode: number, index: number) => {
    const at = { key, code: key, windowsVirtualKeyCode, timestamp: (startMs + index * keyMs) / 1_000 };
    pressed.push(session.send('Input.dispatchKeyEvent', { type: 'keyDown', text, ...at }));
    pressed.push(session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...at }));
  };
  for (const [index, character] of [...code].entries()) {
    press(character, character, character.charCodeAt(0), index);
  }
  if (end === 'Enter') press('Enter', '\r', 13, code.length);
  else press('Tab', '\t', 9, code.length);
  await Promise.all(pressed);
}

const numbersAndTimes = [
  'input[inputmode=numeric]',
  'input[inputmode=decimal]',
  'input[type=date]',
  'input[type=datetime-local]',
  'input[type=time]',
]
  .map((selector) => `${selector}:not(:disabled, [readonly], [data-for-scans])`)
  .join(', ');

interface LabeledInput {
  readonly validity: { readonly badInput: boolean };
  readonly labels: ArrayLike<{ readonly textContent: string }> | null;
  getAttribute(name: string): string | null;
}

/** Each field takes some tenths of a second. */
const scannedMax = 3;

/**
 * Scans into the first number, date and time fields of a part of the page. Resolves to the fields that the scan changed, each
 * with its values before and after.
 */
export async function fieldsChangedByScans(page: Page, within: Locator): Promise<string[]> {
  const changed: string[] = [];
  for (const field of (await within.locator(numbersAndTimes).all()).slice(0, scannedMax)) {
    if (!(await field.isVisible())) continue;
    const before = await field.inputValue();
    await field.focus();
    await scan(page, '036000291452');
    const after = await field.inputValue();
    const { isPartlyTyped, name } = await field.evaluate((it) => {
      const input = it as unknown as LabeledInput;
      return {
        isPartlyTyped: input.validity.badInput,
        name: input.getAttribute('aria-label') ?? input.labels?.[0]?.textContent,
      };
    });
    if (after !== before || isPartlyTyped) changed.push(`${name}: "${before}" became "${after}"`);
  }
  return changed;
}
