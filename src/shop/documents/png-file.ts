import { crc32 } from 'node:zlib';
import { expectFewParts, expectFile, expectPixels, isCutOff, isPadding } from './broken-file.ts';
import { orientationOf, orientationOnly } from './exif-orientation.ts';

interface Chunk {
  readonly type: string;
  readonly content: Buffer;
  /** With length, type and checksum. */
  readonly whole: Buffer;
}

/** The chunks; throws a BrokenFile unless they are exactly one complete picture. */
function readChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  let at = 8;
  while (chunks.at(-1)?.type !== 'IEND') {
    expectFile(at + 12 <= bytes.length, isCutOff);
    const end = at + 12 + bytes.readUInt32BE(at);
    expectFile(end <= bytes.length, isCutOff);
    const body = bytes.subarray(at + 4, end - 4);
    expectFile(crc32(body) === bytes.readUInt32BE(end - 4), 'is a damaged PNG: a checksum is wrong');
    expectFewParts(chunks.length + 1);
    chunks.push({
      type: body.toString('latin1', 0, 4),
      content: body.subarray(4),
      whole: bytes.subarray(at, end),
    });
    at = end;
  }
  const [header] = chunks;
  const isPicture =
    header?.type === 'IHDR' &&
    header.content.length === 13 &&
    header.content.readUInt32BE(0) > 0 &&
    header.content.readUInt32BE(4) > 0 &&
    chunks.some(({ type }) => type === 'IDAT');
  expectFile(isPicture, 'is a PNG without a picture');
  expectPixels(header.content.readUInt32BE(0), header.content.readUInt32BE(4));
  expectFile(isPadding(bytes.subarray(at)), 'contains other data after the picture');
  return chunks;
}

/** Fails unless the bytes are exactly one complete PNG. */
export function checkPng(bytes: Buffer): void {
  readChunks(bytes);
}

/** Besides the critical chunks (in capitals), only those that the picture needs to look right. */
const shownChunks = new Set(
  'tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs hIST sPLT acTL fcTL fdAT'.split(' '),
);

/** The file without texts, times and EXIF, except the orientation. */
export function pngWithoutMetadata(bytes: Buffer): Buffer {
  const chunks = readChunks(bytes);
  const exif = chunks.find(({ type }) => type === 'eXIf');
  const tiff = exif ? orientationOnly(orientationOf(exif.content)) : null;
  const [header, ...others] = chunks
    .filter(({ type }) => /^[A-Z]/.test(type) || shownChunks.has(type))
    .map(({ whole }) => whole);
  return Buffer.concat([bytes.subarray(0, 8), header!, ...(tiff ? [chunk('eXIf', tiff)] : []), ...others]);
}

function chunk(type: string, content: Buffer): Buffer {
  const whole = Buffer.alloc(12 + content.length);
  whole.writeUInt32BE(content.length, 0);
  whole.write(type, 4, 'latin1');
  content.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, -4)), whole.length - 4);
  return whole;
}
