import { expectFewParts, expectFile, expectPixels, isCutOff, isPadding } from './broken-file.ts';
import { orientationOf, orientationOnly } from './exif-orientation.ts';

interface Chunk {
  readonly type: string;
  readonly content: Buffer;
  /** With type, length and padding. */
  readonly whole: Buffer;
}

const pictureChunks = new Set(['VP8 ', 'VP8L', 'ANMF']);
const shownChunks = new Set([...pictureChunks, 'VP8X', 'ALPH', 'ANIM', 'ICCP']);
const exifFlag = 0x08;
const xmpFlag = 0x04;

/** The chunks; throws a BrokenFile unless they are exactly one complete picture. */
function readChunks(bytes: Buffer): Chunk[] {
  const end = bytes.length < 8 ? Number.POSITIVE_INFINITY : 8 + bytes.readUInt32LE(4);
  expectFile(end <= bytes.length, isCutOff);
  expectFile(isPadding(bytes.subarray(end)), 'contains other data after the picture');
  const chunks: Chunk[] = [];
  let at = 12;
  while (at < end) {
    expectFile(at + 8 <= end, 'is a damaged WebP');
    const length = bytes.readUInt32LE(at + 4);
    const next = at + 8 + length + (length % 2);
    expectFile(next <= end, 'is a damaged WebP');
    expectFewParts(chunks.length + 1);
    chunks.push({
      type: bytes.toString('latin1', at, at + 4),
      content: bytes.subarray(at + 8, at + 8 + length),
      whole: bytes.subarray(at, next),
    });
    at = next;
  }
  const [first] = chunks;
  const isPicture =
    first !== undefined &&
    ['VP8 ', 'VP8L', 'VP8X'].includes(first.type) &&
    (first.type !== 'VP8X' || first.content.length >= 10) &&
    chunks.some(({ type, content }) => pictureChunks.has(type) && content.length > 0);
  expectFile(isPicture, 'is a WebP without a picture');
  for (const it of chunks) expectPixels(...sizeOf(it));
  return chunks;
}

/** The width and height that a chunk declares; of others 0. */
function sizeOf({ type, content }: Chunk): readonly [width: number, height: number] {
  if (type === 'VP8X') return [content.readUIntLE(4, 3) + 1, content.readUIntLE(7, 3) + 1];
  if (type === 'VP8 ' && content.length >= 10) {
    return [content.readUInt16LE(6) & 0x3fff, content.readUInt16LE(8) & 0x3fff];
  }
  if (type !== 'VP8L' || content.length < 5) return [0, 0];
  const packed = content.readUInt32LE(1);
  return [(packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1];
}

/** Fails unless the bytes are exactly one complete WebP. */
export function checkWebp(bytes: Buffer): void {
  readChunks(bytes);
}

/** The file without EXIF and XMP, except the orientation. */
export function webpWithoutMetadata(bytes: Buffer): Buffer {
  const chunks = readChunks(bytes);
  const exif = chunks.find(({ type }) => type === 'EXIF')?.content;
  const hasHead = exif?.subarray(0, 6).toString('latin1') === 'Exif\0\0';
  const tiff = exif ? orientationOnly(orientationOf(hasHead ? exif.subarray(6) : exif)) : null;
  const isExtended = chunks[0]!.type === 'VP8X';
  const kept = chunks
    .filter(({ type }) => shownChunks.has(type))
    .map(({ type, whole }) => (type === 'VP8X' ? withFlags(whole, tiff !== null) : whole));
  const body = Buffer.concat([...kept, ...(tiff && isExtended ? [chunk('EXIF', tiff)] : [])]);
  const head = Buffer.from('RIFF____WEBP', 'latin1');
  head.writeUInt32LE(4 + body.length, 4);
  return Buffer.concat([head, body]);
}

function withFlags(whole: Buffer, hasExif: boolean): Buffer {
  const copy = Buffer.from(whole);
  copy[8] = (copy[8]! & ~(exifFlag | xmpFlag)) | (hasExif ? exifFlag : 0);
  return copy;
}

function chunk(type: string, content: Buffer): Buffer {
  const whole = Buffer.alloc(8 + content.length + (content.length % 2));
  whole.write(type, 0, 'latin1');
  whole.writeUInt32LE(content.length, 4);
  content.copy(whole, 8);
  return whole;
}
