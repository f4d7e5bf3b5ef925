import { isLicenseText, isWholeLicense, mayBeLicense } from './license-text.ts';

/*
 * Tells a barcode scanner from a person by the timing of the keys. A scanner types a character every 5 to 30 ms, then Enter or
 * Tab; a person does not type 8 characters in 300 ms. A driver's license has many lines: only a silence ends it.
 */

/** A scanner types this many characters within `burstMs`; a person does not. */
export const burstLength = 8;
export const burstMs = 300;
/** Keys further apart belong to different texts. A scanner is at least twice as fast. */
const gapMs = 60;
/** Longest pause within a scan once it is recognized. */
const longestPauseMs = 200;
/** The same within a card that is not whole yet: slow scanners pause after each line. */
const longestCardPauseMs = 1_500;
/** The same where a card may just begin. */
const cardGapMs = 500;
/** More than any barcode holds. */
const lengthMax = 4_000;

/** What a key press means for the text being typed. */
interface KeyMeaning {
  /** The key starts a new text. */
  readonly begins: boolean;
  /** The scanned text that this Enter or Tab ends; null: not a scan. */
  readonly burst: string | null;
  /** The key ends a line within a license. */
  readonly isLineEnd: boolean;
  /** The key repeats the end of a scan (some scanners send Enter and a line feed) and is ignored. */
  readonly isEcho: boolean;
}

const nothing: KeyMeaning = { begins: false, burst: null, isLineEnd: false, isEcho: false };

/** State of one keyboard. Times are `event.timeStamp` in milliseconds: when a key was pressed, not when it was handled. */
export class ScanCadence {
  #text = '';
  #times: number[] = [];
  #isBurst = false;
  /** `pause` has already reported the text. */
  #isReported = false;
  #lastAt = Number.NEGATIVE_INFINITY;
  #scanEndedAt = Number.NEGATIVE_INFINITY;

  /** Handles a key that types a character. */
  character(character: string, atMs: number): KeyMeaning {
    const begins = this.#text === '' || this.#hasPaused(atMs) || this.#text.length >= lengthMax;
    if (begins) this.forget();
    this.#text += character;
    this.#times.push(atMs);
    this.#lastAt = atMs;
    this.#isReported = false;
    const first = this.#times.at(-burstLength);
    if (first !== undefined && atMs - first <= burstMs) this.#isBurst = true;
    return { ...nothing, begins };
  }

  #hasPaused(atMs: number): boolean {
    return atMs - this.#lastAt > this.#pauseMs();
  }

  /** The longest pause that this text may have. */
  #pauseMs(): number {
    if (isLicenseText(this.#text)) return isWholeLicense(this.#text) ? longestPauseMs : longestCardPauseMs;
    if (mayBeLicense(this.#text)) return cardGapMs;
    return this.#isBurst ? longestPauseMs : gapMs;
  }

  /** Whether a machine types: a burst, or a card at any speed. */
  #isOfMachine(): boolean {
    return this.#isBurst || isLicenseText(this.#text);
  }

  /** Whether a key at this time goes on with what may become a license: such a key is no shortcut, and ends no scan. */
  isInLicense(atMs: number): boolean {
    return mayBeLicense(this.#text) && !this.#hasPaused(atMs);
  }

  /** Whether it is one for certain: its further characters need not be typed anywhere. */
  isLicense(atMs: number): boolean {
    return isLicenseText(this.#text) && !this.#hasPaused(atMs);
  }

  /** Handles a key that a scanner presses for a separator of a license. */
  lineEnd(atMs: number): void {
    this.#text += '\n';
    this.#lastAt = atMs;
  }

  /** Handles Enter or Tab. */
  end(atMs: number): KeyMeaning {
    if (this.isInLicense(atMs)) {
      this.lineEnd(atMs);
      return { ...nothing, isLineEnd: true };
    }
    const isEcho = this.#text === '' && atMs - this.#scanEndedAt <= gapMs;
    const isOfBurst = this.#isBurst && atMs - this.#lastAt <= longestPauseMs;
    const burst = isOfBurst && !this.#isReported ? this.#text : null;
    const isLate = isOfBurst && this.#isReported;
    this.forget();
    if (isOfBurst || isEcho) this.#scanEndedAt = atMs;
    return { ...nothing, burst, isEcho: isEcho || isLate };
  }

  /** Whether a scan is still being typed: its end shows later. */
  isGoingOn(nowMs: number): boolean {
    return this.#isOfMachine() && !this.#isReported && !this.#hasPaused(nowMs);
  }

  /** The scanned text without an end key, once there was a silence at `nowMs`; null: not a scan, or still being typed. */
  pause(nowMs: number): string | null {
    if (!this.#isOfMachine() || this.#isReported || nowMs - this.#lastAt <= longestPauseMs) return null;
    if (isLicenseText(this.#text) && !this.#hasPaused(nowMs)) return null;
    // The text is kept: an end key that is handled late still belongs to it.
    this.#isReported = true;
    return this.#text;
  }

  /** Handles any other key: the text was typed by a person, and an Enter after it is not the echo of a scan. */
  forget(): void {
    this.#scanEndedAt = Number.NEGATIVE_INFINITY;
    this.#text = '';
    this.#times = [];
    this.#isBurst = false;
    this.#isReported = false;
    this.#lastAt = Number.NEGATIVE_INFINITY;
  }
}
