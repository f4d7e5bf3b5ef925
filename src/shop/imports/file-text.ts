import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { UnreadableFile } from './unreadable-file.ts';

/**
 * Reads the text of files as other programs write it: UTF-8, UTF-16, or Windows-1252, which is told. What is none of them is told
 * by its line, because a replacement character would be stored as if intended.
 */

type Encoding = 'utf8' | 'utf16le' | 'utf16be';

const marks: readonly { readonly encoding: Encoding; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf16be', bytes: [0xfe, 0xff] },
];
const markMax = 3;

/** What of a file is looked at to see whether it is text, and in which encoding. */
const headBytes = 512;
/** How a workbook begins: a zip file, or one of before 2007. */
const workbookStarts = ['PK\u0003\u0004', '\u00d0\u00cf\u0011\u00e0'];
/** Control characters, without tabs and the ends of lines and pages. */
const notOfText = /[^\P{Cc}\s\x80-\x9f]/gu;

/** A high surrogate without a low one after it, or a low one without a high one before it. */
const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
/** Characters of several bytes in UTF-8, each byte as the character of its number. */
const utf8Characters = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
/** The characters of the bytes from 0x80 to 0x9F in Windows-1252; a space: none. */
const signsOf1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
/** The bytes that are no characters in Windows-1252. */
const unusedIn1252 = /[\x81\x8d\x8f\x90\x9d]/;
const [newLine, carriageReturn] = [0x0a, 0x0d];

/** A file to import, wherever its bytes are; they can be read several times. */
export interface SourceFile {
  readonly name: string;
  /** Resolves to the number of its bytes. */
  size(): Promise<number>;
  bytes(): AsyncIterable<Buffer>;
}

/** A line of a file, without its end. */
export interface TextLine {
  readonly text: string;
  /** Its bytes with its end. */
  readonly bytes: number;
  /** Null: it is read exactly; otherwise it was read as Windows-1252, or cannot be read. */
  readonly flaw: 'windows-1252' | 'unreadable' | null;
}

/** The remark on a line, or an object, that is not UTF-8. */
export const readAs1252 = 'is not UTF-8, and was read as Windows-1252: check its letters';
/** The problem of one that cannot be read. */
export const notReadable = 'must be UTF-8, UTF-16 or Windows-1252: save the file as UTF-8';

/**
 * The lines of a file, some at a time, which end in LF, CR or both. A byte order mark is not part of the text. Fails with an
 * UnreadableFile for a picture, a program, an archive, a document or a page, by how it begins.
 */
export async function* readLines(file: SourceFile): AsyncGenerator<readonly TextLine[]> {
  const lines = new LineCutter();
  let encoding = null as Encoding | null;
  let decoder = null as TextDecoder | null;
  let begun: Buffer = Buffer.alloc(0);
  const begin = (): readonly TextLine[] => {
    encoding = encodingOf(begun);
    decoder = decoderOf(encoding);
    lines.isUtf16 = decoder !== null;
    const whole = withoutMark(begun, encoding);
    const text = decoder === null ? whole : Buffer.from(decoder.decode(whole, { stream: true }));
    const kind = otherKind(text.toString('latin1', 0, headBytes));
    if (kind !== null) throw new UnreadableFile(`${file.name}: this is ${kind}`);
    return lines.add(text);
  };
  for await (const piece of file.bytes()) {
    if (encoding !== null) {
      yield lines.add(decoder === null ? piece : Buffer.from(decoder.decode(piece, { stream: true })));
      continue;
    }
    begun = Buffer.concat([begun, piece]);
    if (begun.length >= headBytes) yield begin();
  }
  if (encoding === null) yield begin();
  if (decoder !== null) yield lines.add(Buffer.from(decoder.decode()));
  yield lines.end();
}

/** What a file is that is no list, with what to do about it; null: it may be one. A stray control character in a cell is no reason. */
function otherKind(head: string): string | null {
  if (workbookStarts.some((start) => head.startsWith(start))) {
    return 'a workbook of a spreadsheet. Save its sheet as CSV.';
  }
  if (/^\s*(?:%PDF-|\{\\rtf)/i.test(head)) return 'a document. Save the list in it as CSV.';
  if (/^\s*<[!?a-z]/i.test(head)) return 'a web page, a drawing or XML. Save the list in it as CSV.';
  const others = head.match(notOfText)?.length ?? 0;
  if (others < 3 || others * 50 <= head.length) return null;
  return 'a picture, a program or another file that is no text. Save the list as CSV.';
}

function encodingOf(bytes: Buffer): Encoding {
  const mark = marks.find((candidate) => candidate.bytes.every((byte, at) => bytes[at] === byte));
  if (mark !== undefined) return mark.encoding;
  // Text in UTF-16 without a mark: its signs and names are ASCII.
  const start = bytes.subarray(0, 64);
  const zeros = (first: 0 | 1) => start.filter((byte, at) => at % 2 === first && byte === 0).length;
  if (start.length >= 4 && zeros(1) > start.length / 3 && zeros(0) === 0) return 'utf16le';
  if (start.length >= 4 && zeros(0) > start.length / 3 && zeros(1) === 0) return 'utf16be';
  return 'utf8';
}

function decoderOf(encoding: Encoding): TextDecoder | null {
  if (encoding === 'utf8') return null;
  return new TextDecoder(encoding === 'utf16le' ? 'utf-16le' : 'utf-16be', { ignoreBOM: true });
}

function withoutMark(bytes: Buffer, encoding: Encoding): Buffer {
  const mark = marks.find((candidate) => candidate.encoding === encoding)!.bytes;
  return mark.every((byte, at) => bytes[at] === byte) ? bytes.subarray(mark.length) : bytes;
}

/** Cuts bytes into lines, wherever the pieces of the file end. */
class LineCutter {
  /** Whether the bytes were made from UTF-16, in which replacement characters stand for what is wrong. */
  isUtf16 = false;
  #begun: Buffer[] = [];
  #endsInReturn = false;
  #hasUtf8 = false;

  add(piece: Buffer): readonly TextLine[] {
    const lines: TextLine[] = [];
    let start = 0;
    if (this.#endsInReturn && piece.length > 0) {
      const hasNewLine = piece[0] === newLine;
      lines.push(this.#line(Buffer.alloc(0), hasNewLine ? 2 : 1));
      start = hasNewLine ? 1 : 0;
      this.#endsInReturn = false;
    }
    for (let at = start; at < piece.length; at++) {
      const byte = piece[at];
      if (byte !== newLine && byte !== carriageReturn) continue;
      if (byte === carriageReturn && at + 1 === piece.length) {
        this.#begun.push(piece.subarray(start, at));
        this.#endsInReturn = true;
        return lines;
      }
      const isPair = byte === carriageReturn && piece[at + 1] === newLine;
      lines.push(this.#line(piece.subarray(start, at), isPair ? 2 : 1));
      if (isPair) at++;
      start = at + 1;
    }
    if (start < piece.length) this.#begun.push(piece.subarray(start));
    return lines;
  }

  end(): readonly TextLine[] {
    if (this.#begun.length === 0) return [];
    const isWhole = this.#endsInReturn;
    return [this.#line(Buffer.alloc(0), isWhole ? 1 : 0, !isWhole)];
  }

  #line(last: Buffer, endBytes: number, isLast = false): TextLine {
    const bytes = this.#begun.length === 0 ? last : Buffer.concat([...this.#begun, last]);
    this.#begun = [];
    const length = bytes.length + endBytes;
    if (isUtf8(bytes)) {
      const text = bytes.toString('utf8');
      if (text.length < bytes.length) this.#hasUtf8 = true;
      return { text, bytes: length, flaw: this.isUtf16 && text.includes('\ufffd') ? 'unreadable' : null };
    }
    const isCut = isLast && this.#hasUtf8 && /[\xc2-\xf4][\x80-\xbf]{0,2}$/.test(bytes.toString('latin1'));
    return { ...otherText(bytes, isCut), bytes: length };
  }
}

/** Text that is not UTF-8. A line that has as many characters of it as other bytes is damaged. */
function otherText(bytes: Buffer, isCut: boolean): Pick<TextLine, 'text' | 'flaw'> {
  const raw = bytes.toString('latin1');
  let characters = 0;
  const others = raw.replace(utf8Characters, () => {
    characters++;
    return '';
  });
  const isDamaged = characters > 0 && characters >= (others.match(/[\x80-\xff]/g)?.length ?? 0);
  if (isCut || isDamaged || unusedIn1252.test(raw)) return { text: raw, flaw: 'unreadable' };
  // Not by TextDecoder: Node's reads this encoding as ISO 8859-1.
  const text = raw.replace(/[\x80-\x9f]/g, (byte) => signsOf1252[byte.charCodeAt(0) - 0x80]!);
  return { text, flaw: 'windows-1252' };
}

/** The text of a file as a whole, and whether it was read as Windows-1252. Fails with an UnreadableFile that names the line. */
export async function wholeText(
  file: SourceFile,
): Promise<{ readonly text: string; readonly isGuessed: boolean }> {
  const texts: string[] = [];
  let isGuessed = false;
  for await (const lines of readLines(file)) {
    for (const { text, flaw } of lines) {
      texts.push(text);
      if (flaw === 'unreadable')
        throw new UnreadableFile(`${file.name}, line ${texts.length}: ${notReadable}.`);
      if (flaw !== null) isGuessed = true;
    }
  }
  return { text: texts.join('\n'), isGuessed };
}

/** The text of a file of ours: strict, because its writer can save it as UTF-8. Fails with an UnreadableFile. */
export function textOf(path: string, bytes: Buffer): string {
  const encoding = encodingOf(bytes.subarray(0, Math.max(64, markMax)));
  const whole = withoutMark(bytes, encoding);
  const refuse = (name: string, before: string): never => {
    const line = before.split(/\r\n|\n|\r/).length;
    throw new UnreadableFile(
      `${path}, line ${line}: this is not ${name}. Save the file as UTF-8 and try again.`,
    );
  };
  if (encoding !== 'utf8') {
    const units = whole.subarray(0, whole.length - (whole.length % 2));
    const text = (encoding === 'utf16be' ? Buffer.from(units).swap16() : units).toString('utf16le');
    const brokenAt = text.search(loneSurrogate);
    if (brokenAt >= 0) return refuse('UTF-16', text.slice(0, brokenAt));
    return units.length < whole.length ? refuse('UTF-16', text) : text;
  }
  if (isUtf8(whole)) return whole.toString('utf8');
  let end = 0;
  for (const [at, byte] of whole.entries()) {
    if (byte !== newLine && byte !== carriageReturn) continue;
    if (!isUtf8(whole.subarray(end, at + 1))) break;
    end = at + 1;
  }
  return refuse('UTF-8', whole.toString('utf8', 0, end));
}
