import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StrictDecoder } from './file-text.ts';

const encodings = {
  'UTF-8': (text: string) => Buffer.from(text),
  'UTF-8 with a mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'UTF-16, little end first': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16, big end first': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
};

/** Characters of one to four bytes, and all kinds of line breaks. */
const anyText = fc
  .array(fc.constantFrom('a', ',', 'é', '林', '𝒢', '\ufeff', '\u2028', '\n', '\r', '\r\n'), { maxLength: 30 })
  // A byte order mark at the start is not part of the text.
  .map((signs) => `x${signs.join('')}`);
const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 40 });

/** Decodes the bytes in pieces of these lengths; the last piece has the rest. */
function decodeInPieces(bytes: Buffer, lengths: readonly number[]): string[] {
  const decoder = new StrictDecoder('people.csv');
  const pieces: string[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(decoder.decode(bytes.subarray(at, at + length), false));
    at = Math.min(at + length, bytes.length);
  }
  pieces.push(decoder.decode(bytes.subarray(at), true));
  return pieces;
}

test.each(Object.entries(encodings))('%s is decoded correctly, wherever its pieces end', (_name, encode) => {
  fc.assert(
    fc.property(anyText, cuts, (text, lengths) => {
      const pieces = decodeInPieces(encode(text), lengths);
      expect(pieces.join('')).toBe(text);
      const filled = pieces.filter((piece) => piece !== '');
      for (const [at, piece] of filled.entries()) {
        expect(`${piece.at(-1)}${filled[at + 1]?.[0]}`).not.toMatch(/^\r\n$|^[\uD800-\uDBFF]/);
      }
    }),
  );
});

test.each([
  [
    'UTF-8',
    (text: string) => Buffer.concat([encodings['UTF-8'](text), Buffer.from([0xe9])]),
    Buffer.from('n'),
  ],
  [
    'UTF-16',
    (text: string) => encodings['UTF-16, little end first'](`${text}\udc00`),
    Buffer.from('n', 'utf16le'),
  ],
] as const)('invalid %s is refused with its line, wherever its pieces end', (name, encode, more) => {
  fc.assert(
    fc.property(anyText, cuts, (text, lengths) => {
      const line = text.split(/\r\n|\n|\r/).length;
      expect(() => decodeInPieces(Buffer.concat([encode(text), more]), lengths)).toThrow(
        `people.csv, line ${line}: this is not ${name}. Save the file as UTF-8 and try again.`,
      );
    }),
  );
});

test('half a character at the end is refused', () => {
  for (const [name, encode] of Object.entries(encodings)) {
    const bytes = encode('\n林').subarray(0, -1);
    const said = `line 2: this is not ${name.slice(0, name.indexOf('-') + 2).replace('UTF-1', 'UTF-16')}`;
    expect(() => new StrictDecoder('people.csv').decode(bytes, true)).toThrow(said);
  }
});

test('an empty file is empty text', () => {
  for (const encode of Object.values(encodings)) {
    expect(new StrictDecoder('people.csv').decode(encode(''), true)).toBe('');
  }
});
