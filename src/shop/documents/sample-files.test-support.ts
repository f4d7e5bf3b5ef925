import { crc32 } from 'node:zlib';

/* Small complete files of each accepted type, with a location in the metadata if the type has any. */

export const place = 'GPS 37.8044N 122.2712W';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number): Buffer => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);

/** EXIF with an orientation of 90 degrees and a location. */
export const tiff = Buffer.concat([
  ...[latin1('MM\0*'), u32(8), u16(1), u16(0x0112), u16(3), u32(1), u16(6), u16(0), u32(0)],
  latin1(place),
]);

export function jpegSegment(marker: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker]), u16(content.length + 2), content]);
}

/** The coded data contains restart markers and escaped 0xff, like real ones. */
export function jpeg(...segments: readonly Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, latin1('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')),
    jpegSegment(0xe1, Buffer.concat([latin1('Exif\0\0'), tiff])),
    ...segments,
    jpegSegment(0xfe, latin1(place)),
    jpegSegment(0xc0, latin1('\x08\0\x01\0\x01\x01\x01\x11\0')),
    jpegSegment(0xda, latin1('\x01\x01\0\0\x3f\0')),
    latin1('coded\xff\0data\xff\xd0more'),
    Buffer.from([0xff, 0xd9]),
  ]);
}

export function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([latin1(type), content]);
  return Buffer.concat([u32(content.length), body, u32(crc32(body))]);
}

export function png(...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([
    latin1('\x89PNG\r\n\x1a\n'),
    pngChunk('IHDR', Buffer.concat([u32(1), u32(1), latin1('\x08\x02\0\0\0')])),
    pngChunk('tEXt', latin1(`Comment\0${place}`)),
    pngChunk('eXIf', tiff),
    ...chunks,
    pngChunk('IDAT', latin1('pixels')),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function riffChunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

export function webp(): Buffer {
  return riffChunk(
    'RIFF',
    Buffer.concat([
      latin1('WEBP'),
      riffChunk('VP8X', Buffer.concat([Buffer.from([0x0c, 0, 0, 0]), Buffer.alloc(6)])),
      riffChunk('VP8 ', latin1('picture')),
      riffChunk('EXIF', tiff),
      riffChunk('XMP ', latin1(place)),
    ]),
  );
}

export function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([u32(content.length + 8), latin1(type), content]);
}

/** One picture (item 1), its EXIF in the file (2) and its XMP inside `meta` (3). */
export function heic(brand = 'heic', more: Buffer = Buffer.alloc(0)): Buffer {
  const exif = Buffer.concat([u32(0), tiff]);
  const info = (id: number, type: string) =>
    box('infe', u32(0x02000000), u16(id), u16(0), latin1(type), u16(0));
  const ftyp = box('ftyp', latin1(brand), u32(0), latin1('mif1'), latin1(brand));
  const metaAt = (pictureAt: number) => {
    const located = (id: number, method: number, offset: number, length: number) =>
      Buffer.concat([u16(id), u16(method), u16(0), u16(1), u32(offset), u32(length)]);
    return box(
      'meta',
      u32(0),
      box('hdlr', u32(0)),
      box('pitm', u32(0), u16(1)),
      box('iinf', u32(0), u16(3), info(1, 'hvc1'), info(2, 'Exif'), info(3, 'mime')),
      box(
        'iloc',
        ...[u32(0x01000000), Buffer.from([0x44, 0]), u16(3)],
        located(1, 0, pictureAt, 7),
        located(2, 0, pictureAt + 7, exif.length),
        located(3, 1, 0, place.length),
      ),
      box('idat', latin1(place)),
      more,
    );
  };
  const meta = metaAt(ftyp.length + metaAt(0).length + 8);
  return Buffer.concat([ftyp, meta, box('mdat', latin1('picture'), exif), box('moov', latin1(place))]);
}

export function pdf(): Buffer {
  return latin1(
    '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\nxref\n0 1\ntrailer<</Root 1 0 R>>\nstartxref\n40\n%%EOF\n',
  );
}

/** The end of an empty archive. */
export const emptyZip = Buffer.concat([latin1('PK\x05\x06'), Buffer.alloc(18)]);

export const sampleFiles: Readonly<Record<string, () => Buffer>> = {
  'image/jpeg': jpeg,
  'image/png': png,
  'image/webp': webp,
  'image/heic': heic,
  'image/heif': () => heic('mif1'),
  'application/pdf': pdf,
};
