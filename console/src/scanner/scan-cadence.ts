/*
 * Tells a barcode scanner from a person by the rhythm of the keys. A scanner types a character every 5 to 30 ms, then Enter
 * or Tab; a person does not type 8 characters in 300 ms.
 */

/** A scanner types this many characters within `burstMs`, a person does not. */
export const burstLength = 8;
export const burstMs = 300;
/** Keys further apart do not belong together; a scanner is at least twice as quick. */
const gapMs = 60;
/** Once a scanner is known, it may falter for so long. */
const falterMs = 200;

/** What a key press means for the text that is being typed. */
export interface Heard {
  /** The key is the first of a text. */
  readonly begins: boolean;
  /** What a scanner has typed, ended by this Enter or Tab; null: no scanner has. */
  readonly burst: string | null;
  /** The key repeats the end of a scan (a scanner may send Enter and a line feed) and means nothing by itself. */
  readonly isEcho: boolean;
}

const nothing: Heard = { begins: false, burst: null, isEcho: false };

/** Listens to one keyboard. Times are milliseconds of `event.timeStamp`: when a key was pressed, not when it was handled. */
export class ScanCadence {
  #text = '';
  #times: number[] = [];
  #isBurst = false;
  /** The text was reported by `pause` already. */
  #isReported = false;
  #lastAt = Number.NEGATIVE_INFINITY;
  #scanEndedAt = Number.NEGATIVE_INFINITY;

  /** A key that types a character. */
  character(character: string, atMs: number): Heard {
    const begins = this.#text === '' || atMs - this.#lastAt > (this.#isBurst ? falterMs : gapMs);
    if (begins) this.forget();
    this.#text += character;
    this.#times.push(atMs);
    this.#lastAt = atMs;
    this.#isReported = false;
    const first = this.#times.at(-burstLength);
    if (first !== undefined && atMs - first <= burstMs) this.#isBurst = true;
    return { ...nothing, begins };
  }

  /** Enter or Tab. */
  end(atMs: number): Heard {
    const isEcho = this.#text === '' && atMs - this.#scanEndedAt <= gapMs;
    const isOfBurst = this.#isBurst && atMs - this.#lastAt <= falterMs;
    const burst = isOfBurst && !this.#isReported ? this.#text : null;
    const isLate = isOfBurst && this.#isReported;
    this.forget();
    if (isOfBurst || isEcho) this.#scanEndedAt = atMs;
    return { begins: false, burst, isEcho: isEcho || isLate };
  }

  /** What a scanner has typed and not ended, once it is silent at `nowMs`; null: no scanner has, or it still types. */
  pause(nowMs: number): string | null {
    if (!this.#isBurst || this.#isReported || nowMs - this.#lastAt <= falterMs) return null;
    // Kept: an end that is handled late still belongs to it.
    this.#isReported = true;
    return this.#text;
  }

  /** Any other key: what was typed is a person's. */
  forget(): void {
    this.#text = '';
    this.#times = [];
    this.#isBurst = false;
    this.#isReported = false;
    this.#lastAt = Number.NEGATIVE_INFINITY;
  }
}
