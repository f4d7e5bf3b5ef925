import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { UsageError } from './usage-error.ts';

/**
 * The text of a file that somebody hands in, strictly: whatever is not what its encoding allows is refused, because a
 * sign that stands for what could not be read would be kept as if it had been meant.
 */

type Encoding = 'utf8' | 'utf16le' | 'utf16be';

const marks: readonly { readonly encoding: Encoding; readonly bytes: Buffer }[] = [
  { encoding: 'utf8', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: 'utf16le', bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf16be', bytes: Buffer.from([0xfe, 0xff]) },
];

/** A high half without a low one behind it, or a low one without a high one before it. */
const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const lineBreak = /\r\n|\n|\r/g;
const [newLine, carriageReturn] = [0x0a, 0x0d];

/**
 * Reads a file piece by piece: UTF-8, or UTF-16 where its first bytes say so; that mark is no part of the text. A piece
 * never ends within a character or a line break. Fails with a UsageError that names the file: when it cannot be read, and
 * with the line where it is not written in that encoding.
 */
export async function* readText(path: string): AsyncGenerator<string> {
  const decoder = new StrictDecoder(path);
  for await (const bytes of readBytes(path)) yield decoder.decode(bytes, false);
  yield decoder.decode(Buffer.alloc(0), true);
}

/** The text of bytes that were read from a file as a whole. Fails as `readText` does. */
export function textOf(path: string, bytes: Buffer): string {
  return new StrictDecoder(path).decode(bytes, true);
}

/** The bytes of a file. Fails with a UsageError that names it when they cannot be read. */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
  try {
    // Opened, a pipe would wait for who writes to it.
    if (!(await stat(path)).isFile()) throw new UsageError(`${path} must be a file.`);
    for await (const chunk of createReadStream(path)) yield chunk as Buffer;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UsageError(`${path}: there is no such file`);
    if (code === undefined) throw error;
    throw new UsageError(`${path} cannot be read: ${message}`);
  }
}

/** Decodes the bytes of a file, in pieces that follow each other, as `readText` promises. */
export class StrictDecoder {
  readonly #path: string;
  #encoding: Encoding | null = null;
  /** Bytes that may go on in what follows. */
  #left: Buffer = Buffer.alloc(0);
  #linesBefore = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** The text that is whole by now. Fails with a UsageError that names the line, from 1. */
  decode(chunk: Buffer, isLast: boolean): string {
    let bytes = this.#left.length === 0 ? chunk : Buffer.concat([this.#left, chunk]);
    if (this.#encoding === null) {
      // As many as the longest mark has.
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
      throw new UsageError(
        `${this.#path}, line ${this.#linesBefore + 1}: this is not ${name}. Save the file as UTF-8 and try again.`,
      );
    }
    this.#left = bytes.subarray(bytes.length - bytesLeft);
    return text;
  }
}

interface Decoded {
  /** Where something is wrong, what stands before it or its line. */
  readonly text: string;
  readonly isBroken: boolean;
  /** At the end, of a character or line break that may go on in what follows. */
  readonly bytesLeft: number;
}

function decodeUtf8(bytes: Buffer, isLast: boolean): Decoded {
  const whole = bytes.subarray(0, isLast ? bytes.length : wholeUtf8(bytes));
  if (isUtf8(whole)) {
    return { text: whole.toString('utf8'), isBroken: false, bytesLeft: bytes.length - whole.length };
  }
  // The bytes of line breaks are part of no other character.
  let lineStart = 0;
  for (const [at, byte] of whole.entries()) {
    if (byte !== newLine && byte !== carriageReturn) continue;
    if (!isUtf8(whole.subarray(lineStart, at + 1))) break;
    lineStart = at + 1;
  }
  return { text: whole.toString('utf8', 0, lineStart), isBroken: true, bytesLeft: 0 };
}

/** How many of the bytes are whole characters, and whole line breaks, whatever follows. */
function wholeUtf8(bytes: Buffer): number {
  if (bytes.at(-1) === carriageReturn) return bytes.length - 1;
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes.at(-back)!;
    // One that continues a character, whose first stands further back.
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
