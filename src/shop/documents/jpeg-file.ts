import { expectFewParts, expectFile, expectPixels, isCutOff, isPadding } from './broken-file.ts';
import { orientationOf, orientationOnly } from './exif-orientation.ts';

/** A marker with its data; for a scan, with its coded data. */
interface Segment {
  readonly marker: number;
  readonly start: number;
  readonly end: number;
}

const exifHead = 'Exif\0\0';

/** The segments up to the end of the image, and that position. Throws a BrokenFile. */
function readSegments(bytes: Buffer): { readonly segments: readonly Segment[]; readonly end: number } {
  const segments: Segment[] = [];
  const markers = new Set<number>();
  let at = 2;
  for (;;) {
    const start = at;
    expectFile(at < bytes.length, isCutOff);
    expectFile(bytes[at] === 0xff, 'is a damaged JPEG');
    // Fill bytes can precede a marker.
    while (bytes[at] === 0xff) at++;
    expectFile(at < bytes.length, isCutOff);
    const marker = bytes[at++]!;
    if (marker === 0xd9) {
      expectFile(markers.has(0xda), 'is a JPEG without a picture');
      return { segments, end: at };
    }
    expectFile(marker >= 0xc0 && !isBare(marker) && marker !== 0xd8, 'is a damaged JPEG');
    expectFile(at + 2 <= bytes.length, isCutOff);
    const length = bytes.readUInt16BE(at);
    expectFile(length >= 2, 'is a damaged JPEG');
    expectFile(at + length <= bytes.length, isCutOff);
    if (isFrame(marker)) {
      expectFile(length >= 8 && bytes.readUInt16BE(at + 5) > 0, 'is a JPEG without a picture');
      expectPixels(bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 3));
      markers.add(0xc0);
    }
    at += length;
    if (marker === 0xda) {
      expectFile(markers.has(0xc0), 'is a damaged JPEG');
      at = endOfScan(bytes, at);
    }
    markers.add(marker);
    expectFewParts(segments.length + 1);
    segments.push({ marker, start, end: at });
  }
}

/** Start of frame: contains the picture's size. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Restart markers: they occur in coded data and have no length. */
function isBare(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

function endOfScan(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    expectFile(at >= 0 && at + 1 < bytes.length, isCutOff);
    const next = bytes[at + 1]!;
    if (next !== 0 && !isBare(next)) return at;
    at += 2;
  }
}

/**
 * Fails unless the bytes are a complete JPEG. After its end, cameras add padding, further pictures of the same shot
 * (announced as MPF) or a trailer that ends with SEFT; other data there is a hidden file.
 */
export function checkJpeg(bytes: Buffer): void {
  const { segments, end } = readSegments(bytes);
  const rest = bytes.subarray(end);
  if (isPadding(rest)) return;
  const hasFurtherPictures = segments.some((it) => it.marker === 0xe2 && headIs(bytes, it, 'MPF\0'));
  const isFurtherPicture = rest.indexOf('\xff\xd8\xff', 0, 'latin1') >= 0 && bytes.at(-1) === 0xd9;
  const isTrailer = rest.subarray(-4).toString('latin1') === 'SEFT';
  expectFile((hasFurtherPictures && isFurtherPicture) || isTrailer, 'contains other data after the picture');
}

/** The file without the camera's data about place, time and device: the picture, its colors and its orientation. */
export function jpegWithoutMetadata(bytes: Buffer): Buffer {
  const { segments } = readSegments(bytes);
  const exif = segments.find((it) => it.marker === 0xe1 && headIs(bytes, it, exifHead));
  const tiff = exif && orientationOnly(orientationOf(contentOf(bytes, exif).subarray(exifHead.length)));
  const kept = segments
    .filter((it) => isShown(bytes, it))
    .map(({ start, end }) => bytes.subarray(start, end));
  return Buffer.concat([bytes.subarray(0, 2), ...(tiff ? [exifSegment(tiff)] : []), ...kept, endOfImage]);
}

const endOfImage = Buffer.from([0xff, 0xd9]);

/** Application segments that the picture needs to look right. */
function isShown(bytes: Buffer, segment: Segment): boolean {
  if (segment.marker === 0xfe) return false;
  if (segment.marker < 0xe0 || segment.marker > 0xef) return true;
  return (
    (segment.marker === 0xe0 && headIs(bytes, segment, 'JFIF\0')) ||
    (segment.marker === 0xe2 && headIs(bytes, segment, 'ICC_PROFILE\0')) ||
    (segment.marker === 0xee && headIs(bytes, segment, 'Adobe'))
  );
}

function contentOf(bytes: Buffer, { start, end }: Segment): Buffer {
  let at = start;
  while (bytes[at] === 0xff) at++;
  return bytes.subarray(at + 3, end);
}

function headIs(bytes: Buffer, segment: Segment, head: string): boolean {
  return contentOf(bytes, segment).subarray(0, head.length).toString('latin1') === head;
}

function exifSegment(tiff: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0, 2 + exifHead.length + tiff.length]);
  return Buffer.concat([head, Buffer.from(exifHead, 'latin1'), tiff]);
}
