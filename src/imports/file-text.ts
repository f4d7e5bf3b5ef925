import { isUtf8 } from 'node:buffer';
import { UnreadableFile } from './unreadable-file.ts';

/**
 * Decodes the text of a file strictly: invalid bytes are refused, because a replacement character would be stored as if
 * intended.
 */

type Encoding = 'utf8' | 'utf16le' | 'utf16be';

const marks: readonly { readonly encoding: Encoding; readonly bytes: Buffer }[] = [
  { encoding: 'utf8', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: 'utf16le', bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf16be', bytes: Buffer.from([0xfe, 0xff]) },
];

/** A high surrogate without a low one after it, or a low one without a high one before it. */
const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const lineBreak = /\r\n|\n|\r/g;
const [newLine, carriageReturn] = [0x0a, 0x0d];

/** A file to import, wherever its bytes are; they can be read several times. */
export interface SourceFile {
  readonly name: string;
  bytes(): AsyncIterable<Buffer>;
}

/**
 * Reads a file piece by piece as UTF-8, or as UTF-16 if its byte order mark says so; the mark is not part of the text. A piece
 * never ends within a character or a line break. Fails with an UnreadableFile that names the line if its encoding is invalid.
 */
export async function* readText({ name, bytes }: SourceFile): AsyncGenerator<string> {
  const decoder = new StrictDecoder(name);
  for await (const piece of bytes()) yield decoder.decode(piece, false);
  yield decoder.decode(Buffer.alloc(0), true);
}

/** The text of a file that was read as a whole. Fails like `readText`. */
export function textOf(path: string, bytes: Buffer): string {
  return new StrictDecoder(path).decode(bytes, true);
}

/** Decodes consecutive pieces of a file, as described at `readText`. */
export class StrictDecoder {
  readonly #path: string;
  #encoding: Encoding | null = null;
  /** Bytes that may continue in the next piece. */
  #left: Buffer = Buffer.alloc(0);
  #linesBefore = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** The text that is complete so far. Fails with an UnreadableFile that names the line, from 1. */
  decode(chunk: Buffer, isLast: boolean): string {
    let bytes = this.#left.length === 0 ? chunk : Buffer.concat([this.#left, chunk]);
    if (this.#encoding === null) {
      // The length of the longest mark.
      if (bytes.length < 3 && !isLast) {
        this.#left = bytes;
        return '';
      }
      const mark = marks.find((candidate) =>
        bytes.subarray(0, candidate.bytes.length).equals(candidate.bytes),
      );
      this.#encoding = mark?.encoding ?? 'utf8';
      bytes = bytes.subarray(mark?.bytes.length ?? 0);
    }
    const decode = this.#encoding === 'utf8' ? decodeUtf8 : decodeUtf16;
    const { text, isBroken, bytesLeft } = decode(bytes, isLast, this.#encoding);
    this.#linesBefore += text.match(lineBreak)?.length ?? 0;
    if (isBroken) {
      const name = this.#encoding === 'utf8' ? 'UTF-8' : 'UTF-16';
      throw new UnreadableFile(
        `${this.#path}, line ${this.#linesBefore + 1}: this is not ${name}. Save the file as UTF-8 and try again.`,
      );
    }
    this.#left = bytes.subarray(bytes.length - bytesLeft);
    return text;
  }
}

interface Decoded {
  /** The text before the error, or before its line. */
  readonly text: string;
  readonly isBroken: boolean;
  /** Bytes at the end of a character or line break that may continue. */
  readonly bytesLeft: number;
}

function decodeUtf8(bytes: Buffer, isLast: boolean): Decoded {
  const whole = bytes.subarray(0, isLast ? bytes.length : wholeUtf8(bytes));
  if (isUtf8(whole)) {
    return { text: whole.toString('utf8'), isBroken: false, bytesLeft: bytes.length - whole.length };
  }
  // Line break bytes never occur within other characters.
  let lineStart = 0;
  for (const [at, byte] of whole.entries()) {
    if (byte !== newLine && byte !== carriageReturn) continue;
    if (!isUtf8(whole.subarray(lineStart, at + 1))) break;
    lineStart = at + 1;
  }
  return { text: whole.toString('utf8', 0, lineStart), isBroken: true, bytesLeft: 0 };
}

/** The number of bytes that form complete characters and line breaks, whatever follows. */
function wholeUtf8(bytes: Buffer): number {
  if (bytes.at(-1) === carriageReturn) return bytes.length - 1;
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes.at(-back)!;
    // A continuation byte, whose first byte is further back.
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function decodeUtf16(bytes: Buffer, isLast: boolean, encoding: Encoding): Decoded {
  const units = bytes.subarray(0, bytes.length - (bytes.length % 2));
  let text = (encoding === 'utf16be' ? Buffer.from(units).swap16() : units).toString('utf16le');
  let bytesLeft = bytes.length - units.length;
  if (!isLast && /[\uD800-\uDBFF\r]$/.test(text)) {
    text = text.slice(0, -1);
    bytesLeft += 2;
  }
  const brokenAt = text.search(loneSurrogate);
  if (brokenAt >= 0) return { text: text.slice(0, brokenAt), isBroken: true, bytesLeft: 0 };
  return { text, isBroken: isLast && bytesLeft > 0, bytesLeft };
}
