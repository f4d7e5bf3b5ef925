/*
 * The console's barcode scanner input. A scanner types like a keyboard into the focused field. A scan is recognized by its
 * timing (`scan-cadence.ts`), removed from the field again, its Enter or Tab is suppressed, and the code goes to the screen
 * that handles scans. Without such a screen the scan is ignored.
 */

import { ScanCadence } from './scan-cadence.ts';
import { isScanCode } from './scan-codes.ts';
import { type TextControl, typeInto } from './type-into.ts';

type TakeScan = (code: string) => void;

/** The screen that opened last is the visible one. */
const handlers: TakeScan[] = [];

/** Sends scans to `take` from now on. Returns the function that stops it. */
export function takeScans(take: TakeScan): () => void {
  handlers.push(take);
  return () => void handlers.splice(handlers.lastIndexOf(take), 1);
}

/** Marks a code field (a search, a UPC): a scan replaces its content. */
export const forScans = { 'data-for-scans': true } as const;

interface SavedContent {
  readonly value: string;
  readonly selection: readonly [number | null, number | null];
}

/** Delay after the last character before checking whether the scanner has stopped. */
const silenceMs = 250;

/**
 * Listens to the keyboard of a window. Must be called before any other listener, so a key that ends a scan reaches no other
 * listener.
 */
export function listenForScans(target: Window): void {
  const cadence = new ScanCadence();
  /** The content of the fields before the text being typed. */
  const savedContents = new Map<TextControl, SavedContent>();
  let isTyping = false;
  let timer: number | undefined;

  const remember = (element: unknown): void => {
    if (!isTextControl(element) || savedContents.has(element)) return;
    const { value, selectionStart, selectionEnd } = element;
    savedContents.set(element, { value, selection: [selectionStart, selectionEnd] });
  };
  const endText = (): void => {
    isTyping = false;
    savedContents.clear();
  };
  const forget = (): void => {
    cadence.forget();
    endText();
  };
  /** Whether machine-typed characters are a scan: by their form, or because they are in a number field. */
  const isScan = (burst: string): boolean =>
    isScanCode(burst) || [...savedContents.keys()].some(isNumberField);
  const finish = (code: string): void => {
    const field = document.activeElement;
    const isForScans = isTextControl(field) && 'forScans' in field.dataset;
    for (const [element, saved] of savedContents) putBack(element, saved);
    endText();
    if (isForScans) typeInto(field, code);
    else handlers.at(-1)?.(code);
  };
  const askForSilence = (): void => {
    // Keys pressed while the page was busy are handled before the next frame.
    requestAnimationFrame(() => {
      const burst = cadence.pause(performance.now());
      if (burst !== null && isScan(burst)) finish(burst);
    });
  };

  target.addEventListener(
    'keydown',
    (event) => {
      const { key, timeStamp } = event;
      if (key === 'Shift' || key === 'CapsLock') return;
      const isChord = event.ctrlKey || event.altKey || event.metaKey;
      if (isChord || event.repeat || event.isComposing || isSecret(document.activeElement)) return forget();
      if (key.length === 1) {
        const { begins } = cadence.character(key, timeStamp);
        if (begins) savedContents.clear();
        isTyping = true;
        remember(document.activeElement);
        target.clearTimeout(timer);
        timer = target.setTimeout(askForSilence, silenceMs);
        return;
      }
      if (key !== 'Enter' && key !== 'Tab') return forget();
      const { burst, isEcho } = cadence.end(timeStamp);
      const isOfScanner = isEcho || (burst !== null && isScan(burst));
      if (isOfScanner) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      if (isOfScanner && burst !== null) finish(burst);
      else endText();
    },
    { capture: true },
  );
  // A key may move the focus before it types.
  target.addEventListener(
    'beforeinput',
    ({ target: element, inputType }) => {
      if (isTyping && inputType === 'insertText') remember(element);
    },
    { capture: true },
  );
  target.addEventListener('pointerdown', forget, { capture: true });
}

function isTextControl(element: unknown): element is TextControl {
  return (
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement &&
      !['checkbox', 'radio', 'file', 'button', 'submit'].includes(element.type))
  );
}

function isNumberField({ inputMode }: TextControl): boolean {
  return inputMode === 'numeric' || inputMode === 'decimal';
}

/** Ignores forms with a password: a password manager types as fast as a scanner. */
function isSecret(element: Element | null): boolean {
  return (
    element instanceof HTMLInputElement &&
    (element.type === 'password' || element.form?.querySelector('[type=password]') != null)
  );
}

function putBack(element: TextControl, { value, selection: [start, end] }: SavedContent): void {
  if (!element.isConnected) return;
  if (element.value !== value || isPartlyTyped(element)) typeInto(element, value);
  // Some input types have no selection.
  if (start !== null) element.setSelectionRange(start, end);
}

/** A date with only some parts typed has no value yet. */
function isPartlyTyped(element: TextControl): boolean {
  return element.validity.badInput;
}
