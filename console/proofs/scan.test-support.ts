import type { CDPSession, Locator, Page } from 'playwright-core';
import { casesOf } from '../../test/harness/long-suite.ts';

/** Milliseconds between two scanner keys. */
const keyMs = 12;

const sessions = new WeakMap<Page, CDPSession>();

interface Key {
  readonly key: string;
  readonly text?: string;
  readonly keyCode: number;
  /** Pressed with Ctrl. */
  readonly isChord?: boolean;
}

const enter: Key = { key: 'Enter', text: '\r', keyCode: 13 };
const keysOf = (text: string): Key[] =>
  [...text].map((character) => ({ key: character, text: character, keyCode: character.charCodeAt(0) }));

/**
 * Presses the keys as a scanner does: they carry the times when they were pressed, independent of when the page handles them.
 * Resolves to the time of the last one, which may still be to come.
 */
async function press(page: Page, keys: readonly Key[], gapMs = keyMs): Promise<number> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const startMs = Date.now();
  const pressed: Promise<unknown>[] = [];
  for (const [index, { key, text, keyCode, isChord }] of keys.entries()) {
    const at = {
      key,
      code: key,
      windowsVirtualKeyCode: keyCode,
      timestamp: (startMs + index * gapMs) / 1_000,
      ...(isChord && { modifiers: 2 }),
    };
    const down = { type: 'keyDown', ...(text !== undefined && { text }), ...at } as const;
    pressed.push(session.send('Input.dispatchKeyEvent', down));
    pressed.push(session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...at }));
  }
  await Promise.all(pressed);
  return startMs + (keys.length - 1) * gapMs;
}

/** Scans into the focused element. Resolves when its end was handled, to the time that the end carries. */
export async function scan(page: Page, code: string, end: 'Enter' | 'Tab' = 'Enter'): Promise<number> {
  const last: Key = end === 'Enter' ? enter : { key: 'Tab', text: '\t', keyCode: 9 };
  return press(page, [...keysOf(code), last]);
}

/** Scans all of these, one right after the other: twenty within a second, as fast as the browser takes the keys. */
export async function scanStorm(page: Page, codes: readonly string[]): Promise<void> {
  for (const code of codes) await press(page, [...keysOf(code), enter], 3);
}

/** Scans a driver's license: a scanner presses Enter, or Ctrl and J, for its line feeds. */
export async function scanLicense(
  page: Page,
  lines: readonly string[],
  lineFeed: 'Enter' | 'Ctrl+J' = 'Enter',
): Promise<void> {
  const end: Key = lineFeed === 'Enter' ? enter : { key: 'j', keyCode: 74, isChord: true };
  await press(
    page,
    lines.flatMap((line) => [...keysOf(line), end]),
    5,
  );
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

/** Each field takes some tenths of a second, and all are one component. */
const scannedMax = casesOf({ everyRun: 1, long: 3 });

/** An Enter within this time after the end of a scan is taken for its echo (`scan-cadence.ts` allows 60 ms). */
const echoMs = 100;

/** A promise of the page that resolves once its clock is past that time. */
const untilClock = (ms: number) => `new Promise((past) => {
  const look = () => (performance.timeOrigin + performance.now() > ${ms} ? past() : requestAnimationFrame(look));
  look();
})`;

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
    const endMs = await scan(page, '036000291452');
    // Or the next Enter, which opens a dialog, would be swallowed as an echo.
    await page.evaluate(untilClock(endMs + echoMs));
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
