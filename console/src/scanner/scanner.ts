/*
 * The console's barcode scanner input. A scanner types like a keyboard into the focused field. A scan is recognized by its
 * timing (`scan-cadence.ts`), removed from the field again, its Enter or Tab is suppressed, and what it is (`understand-scan.ts`)
 * goes to the screen that opened last and takes scans of its kind, else to the shell, which takes all. The text of a driver's
 * license goes nowhere: only what was read from it does.
 */

import { isLicenseText, noteCard } from './license-text.ts';
import { ScanCadence } from './scan-cadence.ts';
import { type TextControl, typeInto } from './type-into.ts';
import {
  isScanText,
  isUnderstood,
  type Scan,
  scanInWords,
  understandLicense,
  understandScan,
} from './understand-scan.ts';

/** Returns whether it takes scans of this kind. */
type TakeScan = (scan: Scan) => boolean;

/** The screen that opened last is the visible one. */
const handlers: TakeScan[] = [];
let takeUnclaimed: ((scan: Scan) => void) | null = null;

/** `isUnderstood`: whether the scan stands for something; null: the words say what became of it. */
type Hear = (words: string, isUnderstood: boolean | null) => void;
const hearers = new Set<Hear>();
const tell: Hear = (words, isUnderstood) => {
  for (const hear of hearers) hear(words, isUnderstood);
};

/** Offers scans to `take` from now on. Returns the function that stops it. */
export function takeScans(take: TakeScan): () => void {
  handlers.push(take);
  return () => void handlers.splice(handlers.lastIndexOf(take), 1);
}

/** The shell: `take` gets the scans that no screen takes, `hear` what was understood of every scan, in words. */
export function serveScans(take: (scan: Scan) => void, hear: Hear): () => void {
  takeUnclaimed = take;
  const stopHearing = hearScans(hear);
  return () => {
    takeUnclaimed = null;
    stopHearing();
  };
}

/** Tells `hear` all words about scans from now on. Returns the function that stops it. */
export function hearScans(hear: Hear): () => void {
  hearers.add(hear);
  return () => void hearers.delete(hear);
}

/** Says what became of a scan, to those who cannot see it. */
export function sayOfScan(words: string): void {
  tell(words, null);
}

/** Takes a text that a camera read, as if a scanner had typed it. */
export function takeScannedText(text: string): void {
  giveText(text);
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
    if (isTextControl(element) && !savedContents.has(element)) savedContents.set(element, contentOf(element));
  };
  const endText = (): void => {
    isTyping = false;
    savedContents.clear();
  };
  const forget = (): void => {
    cadence.forget();
    endText();
  };
  const isScan = (burst: string): boolean => isScanIn(burst, savedContents.keys());
  const finish = (text: string): void => {
    restore(savedContents);
    endText();
    giveText(text);
  };
  const wait = (): void => {
    target.clearTimeout(timer);
    timer = target.setTimeout(askForSilence, silenceMs);
  };
  const askForSilence = (): void => {
    // Keys pressed while the page was busy are handled before the next frame.
    requestAnimationFrame(() => {
      const nowMs = performance.now();
      if (cadence.isGoingOn(nowMs)) return wait();
      const burst = cadence.pause(nowMs);
      if (burst !== null && isScan(burst)) finish(burst);
    });
  };

  target.addEventListener(
    'keydown',
    (event) => {
      const { key, timeStamp } = event;
      if (key === 'Shift' || key === 'CapsLock') return;
      const isChord = isPartOfChord(event);
      if (isChord && cadence.isInLicense(timeStamp)) {
        // A scanner presses Ctrl and a letter, or Alt and digits, for the separators of a license.
        swallow(event);
        cadence.lineEnd(timeStamp);
        return wait();
      }
      if (isChord || event.repeat || event.isComposing || isSecret(document.activeElement)) return forget();
      if (key.length === 1) {
        const { begins } = cadence.character(key, timeStamp);
        if (begins) savedContents.clear();
        isTyping = true;
        remember(document.activeElement);
        if (cadence.isLicense(timeStamp)) typeNowhere(event, savedContents);
        return wait();
      }
      if (key !== 'Enter' && key !== 'Tab') return forget();
      const { burst, isEcho, isLineEnd } = cadence.end(timeStamp);
      const isOfScanner = isLineEnd || isEcho || (burst !== null && isScan(burst));
      if (isOfScanner) swallow(event);
      if (isLineEnd) wait();
      else if (isOfScanner && burst !== null) finish(burst);
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

function swallow(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Ctrl, Alt or the command key, alone or with another. */
function isPartOfChord({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey || key === 'Control' || key === 'Alt' || key === 'Meta';
}

/** Whether machine-typed characters are a scan: by their form, or because they are in a number field. */
function isScanIn(burst: string, fields: Iterable<TextControl>): boolean {
  return isScanText(burst) || [...fields].some(isNumberField);
}

/** Gives a scan to the code field that has the focus, else to the screen that takes it, else to the shell. */
function give(scan: Scan): void {
  tell(scanInWords(scan), isUnderstood(scan));
  const field = document.activeElement;
  const isForScans = isTextControl(field) && 'forScans' in field.dataset;
  if (isForScans && 'code' in scan) typeInto(field, scan.code);
  else if (!handlers.findLast((take) => take(scan))) takeUnclaimed?.(scan);
}

function giveText(text: string): void {
  if (!isLicenseText(text)) give(understandScan(text));
  else understandLicense(text).then(give, () => give({ kind: 'unreadable-license', fault: 'incomplete' }));
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

function contentOf({ value, selectionStart, selectionEnd }: TextControl): SavedContent {
  return { value, selection: [selectionStart, selectionEnd] };
}

/** A license is typed nowhere, and its spaces press no button. What was typed of it goes before it is searched for. */
function typeNowhere(event: KeyboardEvent, contents: ReadonlyMap<TextControl, SavedContent>): void {
  swallow(event);
  noteCard();
  restore(contents);
}

function restore(contents: ReadonlyMap<TextControl, SavedContent>): void {
  for (const [element, saved] of contents) putBack(element, saved);
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
