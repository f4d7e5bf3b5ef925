/* What a camera reads, as the text that a barcode scanner would have typed. */

/** The kinds of codes that are read, by the names of the browsers' BarcodeDetector. */
export const codeFormats = [
  'ean_13',
  'ean_8',
  'upc_a',
  'upc_e',
  'code_128',
  'qr_code',
  'pdf417',
  'data_matrix',
] as const;

export type CodeFormat = (typeof codeFormats)[number];

/** A code in a picture, as it was read. */
interface ReadCode {
  readonly format: CodeFormat;
  readonly text: string;
}

/** Finds the codes in the present picture of a video. Nothing of the picture leaves the browser. */
export type CodeReader = (video: HTMLVideoElement) => Promise<readonly ReadCode[]>;

/**
 * The text that a scanner types for a code: short forms of product codes in full, because a code of less than 12 digits could be
 * anything (GS1 General Specifications, 5.2.2.4.2 for UPC-E; a GTIN-8 is a GTIN-13 with leading zeros).
 */
export function scannedText({ format, text }: ReadCode): string {
  if (format === 'upc_e' && /^[01]\d{7}$/.test(text)) return fullUpc(text);
  if (format === 'ean_8' && /^\d{8}$/.test(text)) return text.padStart(13, '0');
  return text;
}

/** The UPC-A of a UPC-E with number system and check digit. */
function fullUpc(short: string): string {
  const [system, body, last, check] = [short[0], short.slice(1, 6), short[6]!, short[7]];
  if (last <= '2') return `${system}${body.slice(0, 2)}${last}0000${body.slice(2)}${check}`;
  if (last === '3') return `${system}${body.slice(0, 3)}00000${body.slice(3)}${check}`;
  if (last === '4') return `${system}${body.slice(0, 4)}00000${body[4]}${check}`;
  return `${system}${body}0000${last}${check}`;
}

/** A code that was out of view for this time counts again. Longer than the blur of a hand that moves. */
const awayMs = 1_500;
/** One picture alone may be misread. */
const readingsNeeded = 2;

interface Sighting {
  readonly seenMs: number;
  readonly readings: number;
}

/** Tells which codes are new: one that stays in view is given once, however many pictures show it. */
export class CodesInView {
  #sightings: ReadonlyMap<string, Sighting> = new Map();

  /** `texts`: what one picture shows. Returns those that count now. */
  see(texts: readonly string[], nowMs: number): string[] {
    const present = new Map([...this.#sightings].filter(([, { seenMs }]) => nowMs - seenMs <= awayMs));
    const given: string[] = [];
    for (const text of new Set(texts)) {
      const readings = (present.get(text)?.readings ?? 0) + 1;
      present.set(text, { seenMs: nowMs, readings });
      if (readings === readingsNeeded) given.push(text);
    }
    this.#sightings = present;
    return given;
  }
}
