/** The reason why a file is refused: words that follow "documentBase64 ". */
export class BrokenFile extends Error {
  override name = 'BrokenFile';
}

/** Throws a BrokenFile unless the condition is true. */
export function expectFile(fact: boolean, words: string): asserts fact {
  if (!fact) throw new BrokenFile(words);
}

/** Whether the bytes are only padding: zeros and line breaks. */
export function isPadding(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0 || byte === 0x0a || byte === 0x0d);
}

/** The message for a file without its end. */
export const isCutOff = 'is cut off: its end is missing';
