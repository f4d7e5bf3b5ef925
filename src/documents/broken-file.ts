/** What a file is refused for: words that follow "documentBase64 ". */
export class BrokenFile extends Error {
  override name = 'BrokenFile';
}

/** Throws a BrokenFile unless the fact holds. */
export function expectFile(fact: boolean, words: string): asserts fact {
  if (!fact) throw new BrokenFile(words);
}

/** Whether there is nothing but what some programs fill up with: zeros and line breaks. */
export function isPadding(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0 || byte === 0x0a || byte === 0x0d);
}

/** The words for a file whose end is missing. */
export const isCutOff = 'is cut off: its end is missing';
