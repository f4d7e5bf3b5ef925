import { failure } from '../../kernel/failure.ts';
import { BrokenFile, expectFile, isCutOff } from './broken-file.ts';
import { type DocumentMime, documentBytesMax, documentMimes } from './document-types.ts';
import { checkHeif, heifWithoutMetadata, isHeif } from './heif-file.ts';
import { checkJpeg, jpegWithoutMetadata } from './jpeg-file.ts';
import { checkPng, pngWithoutMetadata } from './png-file.ts';
import { checkWebp, webpWithoutMetadata } from './webp-file.ts';

/*
 * The checks of an uploaded document (D42), and the version that staff see. Each format is parsed from the first byte
 * to the last, so that an accepted file is complete and contains no other file; pixels are not decoded.
 */

interface Format {
  readonly name: string;
  isLike(bytes: Buffer): boolean;
  check(bytes: Buffer): void;
  /** The version that staff see. */
  shown(bytes: Buffer): Buffer;
}

const startsWith =
  (signature: string, at = 0) =>
  (bytes: Buffer): boolean =>
    bytes.toString('latin1', at, at + signature.length) === signature;

const heif: Format = { name: 'HEIF', isLike: isHeif, check: checkHeif, shown: heifWithoutMetadata };

const formats: Readonly<Record<DocumentMime, Format>> = {
  'image/jpeg': {
    name: 'JPEG',
    isLike: startsWith('\xff\xd8\xff'),
    check: checkJpeg,
    shown: jpegWithoutMetadata,
  },
  'image/png': {
    name: 'PNG',
    isLike: startsWith('\x89PNG\r\n\x1a\n'),
    check: checkPng,
    shown: pngWithoutMetadata,
  },
  'image/webp': {
    name: 'WebP',
    isLike: (bytes) => startsWith('RIFF')(bytes) && startsWith('WEBP', 8)(bytes),
    check: checkWebp,
    shown: webpWithoutMetadata,
  },
  'image/heic': heif,
  'image/heif': heif,
  // A PDF has no EXIF of its own. Pictures inside it are not parsed.
  'application/pdf': {
    name: 'PDF',
    isLike: startsWith('%PDF-'),
    check: checkPdf,
    shown: (bytes) => bytes,
  },
};

/** The media type, ignoring case; else UNSUPPORTED_DOCUMENT_TYPE. */
export function readMime(text: string): DocumentMime {
  const mime = documentMimes.find((it) => it === text.toLowerCase());
  if (mime !== undefined) return mime;
  throw failure('UNSUPPORTED_DOCUMENT_TYPE', `documentMime must be one of ${documentMimes.join(', ')}.`);
}

/** Fails with DOCUMENT_TOO_LARGE by the length of the text alone, without decoding. */
export function checkLength(base64: string): void {
  const bytes = Math.floor((base64.replace(/={1,2}$/, '').length * 3) / 4);
  if (bytes <= documentBytesMax) return;
  throw failure(
    'DOCUMENT_TOO_LARGE',
    `documentBase64 must not hold more than ${documentBytesMax.toLocaleString('en')} bytes.`,
  );
}

/** The bytes of standard Base64, with or without padding; else INVALID_DOCUMENT. */
export function decodeBase64(base64: string): Buffer {
  if (base64 === '') throw invalid('is empty');
  if (/^data:/i.test(base64)) {
    throw invalid('must be the Base64 alone, without the prefix of a data URL');
  }
  const foreignAt = base64.search(/[^A-Za-z0-9+/]/);
  const length = foreignAt < 0 ? base64.length : foreignAt;
  const padding = base64.slice(length);
  const isPadded = padding === '' || (/^={1,2}$/.test(padding) && base64.length % 4 === 0);
  if (!isPadded || length % 4 === 1) {
    throw invalid('must be standard Base64: A-Z, a-z, 0-9, + and /, whole or padded with =');
  }
  return Buffer.from(base64, 'base64');
}

/** Fails with INVALID_DOCUMENT unless the bytes are exactly one complete file of that type. */
export function checkDocument(bytes: Buffer, mime: DocumentMime): void {
  const format = formats[mime];
  if (!format.isLike(bytes)) {
    const like = documentMimes.find((other) => formats[other].isLike(bytes));
    const seen = like === undefined ? 'none of the accepted types' : `a ${formats[like].name}`;
    throw invalid(`is not of the type in documentMime: ${mime} is expected, but it begins like ${seen}`);
  }
  try {
    format.check(bytes);
  } catch (error) {
    if (error instanceof BrokenFile) throw invalid(error.message);
    throw error;
  }
  const other = otherFile(bytes, mime);
  if (other !== null) throw invalid(`is also a ${other}`);
}

/** The version of an accepted document that staff see: without its metadata, in particular the location. */
export function shownBytes(bytes: Buffer, mime: DocumentMime): Buffer {
  return formats[mime].shown(bytes);
}

/** Readers of PDF accept one that begins in the first kilobyte, and some search further. */
const pdfHead = /%PDF-[12]\./;
/** Record at the end of a ZIP, and the distance from the end in which to search: a comment may follow it. */
const zipEnd = Buffer.from('PK\x05\x06', 'latin1');
const zipEndBytes = 22;
const zipCommentBytesMax = 65_535;
/** Long enough not to occur by chance in a picture's coded data. */
const markup = /<(?:script|html|iframe|!doctype|\?php)[\s>]/i;

/** The file types that other programs could detect in the same bytes. */
function otherFile(bytes: Buffer, mime: DocumentMime): string | null {
  if (mime !== 'application/pdf') {
    const text = bytes.toString('latin1');
    if (pdfHead.test(text)) return 'PDF';
    // PDFs can contain their own metadata as markup.
    if (markup.test(text)) return 'web page';
  }
  const from = Math.max(0, bytes.length - zipEndBytes - zipCommentBytesMax);
  for (let at = bytes.indexOf(zipEnd, from); at >= 0; at = bytes.indexOf(zipEnd, at + 1)) {
    // Four bytes can occur by chance; with the matching length they do not.
    if (at + zipEndBytes <= bytes.length && bytes.readUInt16LE(at + 20) === bytes.length - at - zipEndBytes) {
      return 'ZIP';
    }
  }
  return null;
}

function invalid(words: string) {
  return failure('INVALID_DOCUMENT', `documentBase64 ${words}.`);
}

/** The distance from the end in which a reader searches for the trailer. */
const tailBytes = 1024;

/** Fails unless the bytes begin and end as a PDF, with a cross-reference table inside the file. */
function checkPdf(bytes: Buffer): void {
  const tail = bytes.subarray(-tailBytes).toString('latin1');
  const [all, offset] = [.../startxref\s+(\d{1,10})\s+%%EOF/g[Symbol.matchAll](tail)].at(-1) ?? [];
  expectFile(all !== undefined, isCutOff);
  expectFile(Number(offset) < bytes.length, 'is a damaged PDF: its cross-reference table is beyond its end');
  const rest = tail.slice(tail.lastIndexOf('%%EOF') + 5);
  expectFile(/^[\s\0]*$/.test(rest), 'contains other data after the document');
}
