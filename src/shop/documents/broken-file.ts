/** The reason why a file is refused: words that follow "documentBase64 ". */
export class BrokenFile extends Error {
  override name = 'BrokenFile';
}

/** Throws a BrokenFile unless the condition is true. */
export function expectFile(fact: boolean, words: string): asserts fact {
  if (!fact) throw new BrokenFile(words);
}

/** Decoded, so many pixels take 256 MB of the computer that shows them; cameras whose pictures are larger write larger files. */
const pixelsMax = 64_000_000;

/** Throws a BrokenFile for a size that would take the memory of the computer that shows the picture. */
export function expectPixels(width: number, height: number): void {
  const inWords = (count: number) => count.toLocaleString('en');
  expectFile(
    width * height <= pixelsMax,
    `is too large a picture: it has ${inWords(width)} × ${inWords(height)} pixels; the maximum is ${inWords(pixelsMax)} in all`,
  );
}

/** Cameras write some hundred parts at most. */
const partsMax = 10_000;

/** Throws a BrokenFile once a file has more parts than any picture: reading a million of them takes seconds. */
export function expectFewParts(count: number): void {
  expectFile(
    count <= partsMax,
    `has more than ${partsMax.toLocaleString('en')} parts, which no picture needs`,
  );
}

/** Whether the bytes are only padding: zeros and line breaks. */
export function isPadding(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0 || byte === 0x0a || byte === 0x0d);
}

/** The message for a file without its end. */
export const isCutOff = 'is cut off: its end is missing';
