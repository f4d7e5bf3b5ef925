/*
 * The barcode scanner of the console: it types like a keyboard, wherever the focus is. A scan is known by its rhythm
 * (`scan-cadence.ts`). What it typed is taken back out of the field, its Enter or Tab presses nothing, and the screen that
 * takes scans is told the code. Without such a screen the scan means nothing.
 */

import { ScanCadence } from './scan-cadence.ts';
import { isScanCode } from './scan-codes.ts';
import { type TextControl, typeInto } from './type-into.ts';

type TakeScan = (code: string) => void;

/** The screen that opened last is the one that is looked at. */
const takers: TakeScan[] = [];

/** Hands scans to `take` from now on. Answers how to stop. */
export function takeScans(take: TakeScan): () => void {
  takers.push(take);
  return () => void takers.splice(takers.lastIndexOf(take), 1);
}

/** On a field that is for codes (a search, a UPC): a scan in it replaces what stands there. */
export const forScans = { 'data-for-scans': true } as const;

interface Former {
  readonly value: string;
  readonly selection: readonly [number | null, number | null];
}

/** How long after the last character it is asked whether the scanner has stopped. */
const silenceMs = 250;

/**
 * Listens to the keyboard of a window from now on. Called before anything else listens: a key that ends a scan is heard by
 * nothing else.
 */
export function listenForScans(target: Window): void {
  const cadence = new ScanCadence();
  /** What stood in the fields before the text that is being typed. */
  const formers = new Map<TextControl, Former>();
  let isTyping = false;
  let timer: number | undefined;

  const remember = (element: unknown): void => {
    if (!isTextControl(element) || formers.has(element)) return;
    const { value, selectionStart, selectionEnd } = element;
    formers.set(element, { value, selection: [selectionStart, selectionEnd] });
  };
  const endText = (): void => {
    isTyping = false;
    formers.clear();
  };
  const forget = (): void => {
    cadence.forget();
    endText();
  };
  /** Whether these characters, typed by a machine, are a scan: by their form, or because they stand in a number. */
  const isScan = (burst: string): boolean => isScanCode(burst) || [...formers.keys()].some(isNumberField);
  const finish = (code: string): void => {
    const field = document.activeElement;
    const isForScans = isTextControl(field) && 'forScans' in field.dataset;
    for (const [element, former] of formers) putBack(element, former);
    endText();
    if (isForScans) typeInto(field, code);
    else takers.at(-1)?.(code);
  };
  const askForSilence = (): void => {
    // Keys that were pressed while the page was busy are handled before the next frame.
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
        if (begins) formers.clear();
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

/** Of forms with a password: a password manager types as quickly as a scanner. */
function isSecret(element: Element | null): boolean {
  return (
    element instanceof HTMLInputElement &&
    (element.type === 'password' || element.form?.querySelector('[type=password]') != null)
  );
}

function putBack(element: TextControl, { value, selection: [start, end] }: Former): void {
  if (!element.isConnected) return;
  if (element.value !== value || isPartlyTyped(element)) typeInto(element, value);
  // Some types of input have no selection.
  if (start !== null) element.setSelectionRange(start, end);
}

/** A date of which only some parts are typed has no value yet. */
function isPartlyTyped(element: TextControl): boolean {
  return element.validity.badInput;
}
