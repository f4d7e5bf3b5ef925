import { BrokenFile, expectFewParts, expectFile, expectPixels, isCutOff } from './broken-file.ts';

/** A box of ISO/IEC 14496-12: its type and the position of its content. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly contentStart: number;
  readonly end: number;
}

const damaged = 'is a damaged HEIF';
/** Brands of still pictures; image sequences are videos. */
const stillBrands = new Set(['heic', 'heix', 'heim', 'heis', 'mif1']);

/** Reads integers of any width, never beyond its end. */
class Reader {
  readonly #bytes: Buffer;
  readonly #end: number;
  at: number;

  constructor(bytes: Buffer, { contentStart, end }: Pick<Box, 'contentStart' | 'end'>) {
    this.#bytes = bytes;
    this.#end = end;
    this.at = contentStart;
  }

  number(width: number): number {
    expectFile(this.at + width <= this.#end, damaged);
    let value = 0;
    for (let index = 0; index < width; index++) value = value * 256 + this.#bytes[this.at++]!;
    return value;
  }

  text(length: number): string {
    expectFile(this.at + length <= this.#end, damaged);
    this.at += length;
    return this.#bytes.toString('latin1', this.at - length, this.at);
  }
}

function readBoxes(bytes: Buffer, start: number, end: number, whenShort: string): Box[] {
  const boxes: Box[] = [];
  let at = start;
  while (at < end) {
    expectFile(at + 8 <= end, whenShort);
    const type = bytes.toString('latin1', at + 4, at + 8);
    expectFile(/^[ -~\xa9]{4}$/.test(type), damaged);
    let size = bytes.readUInt32BE(at);
    let headBytes = 8;
    if (size === 1) {
      expectFile(at + 16 <= end, whenShort);
      size = Number(bytes.readBigUInt64BE(at + 8));
      headBytes = 16;
    } else if (size === 0) size = end - at;
    expectFile(size >= headBytes, damaged);
    expectFile(at + size <= end, whenShort);
    expectFewParts(boxes.length + 1);
    boxes.push({ type, start: at, contentStart: at + headBytes, end: at + size });
    at += size;
  }
  return boxes;
}

/** The top-level boxes and those of `meta`; throws a BrokenFile unless they form a still picture. */
function readHeif(bytes: Buffer): { readonly boxes: readonly Box[]; readonly meta: readonly Box[] } {
  const boxes = readBoxes(bytes, 0, bytes.length, isCutOff);
  const meta = boxes.find(({ type }) => type === 'meta');
  expectFile(boxes[0]?.type === 'ftyp' && meta !== undefined, 'is a HEIF without a picture');
  const inside = readBoxes(bytes, meta.contentStart + 4, meta.end, damaged);
  for (const needed of ['pitm', 'iinf', 'iloc']) {
    expectFile(
      inside.some(({ type }) => type === needed),
      'is a HEIF without a picture',
    );
  }
  return { boxes, meta: inside };
}

/** Whether the file declares itself a still picture of this family. */
export function isHeif(bytes: Buffer): boolean {
  if (bytes.length < 16 || bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(bytes.readUInt32BE(0), bytes.length);
  const brands = [bytes.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(bytes.toString('latin1', at, at + 4));
  return brands.some((brand) => stillBrands.has(brand));
}

/** Fails unless the bytes are a complete still picture. */
export function checkHeif(bytes: Buffer): void {
  const { meta } = readHeif(bytes);
  metadataExtents(bytes, meta);
  const properties = meta
    .filter(({ type }) => type === 'iprp')
    .flatMap((it) => readBoxes(bytes, it.contentStart, it.end, damaged))
    .filter(({ type }) => type === 'ipco')
    .flatMap((it) => readBoxes(bytes, it.contentStart, it.end, damaged));
  for (const size of properties.filter(({ type }) => type === 'ispe')) {
    const reader = new Reader(bytes, size);
    reader.number(4);
    expectPixels(reader.number(4), reader.number(4));
  }
}

/** Boxes that form a picture; other boxes can contain anything. */
const pictureBoxes = new Set(['ftyp', 'meta', 'mdat', 'idat']);

/**
 * The file without EXIF, XMP and boxes that still pictures do not need: they are overwritten in place, because all
 * offsets refer to file positions. This format stores the orientation elsewhere.
 */
export function heifWithoutMetadata(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const { boxes, meta } = readHeif(bytes);
  for (const [start, end] of metadataExtents(bytes, meta)) copy.fill(0, start, end);
  for (const { type, start, contentStart, end } of boxes) {
    if (pictureBoxes.has(type)) continue;
    copy.write('free', start + 4, 'latin1');
    copy.fill(0, contentStart, end);
  }
  return copy;
}

type Extent = readonly [start: number, end: number];

/** The positions of items that describe the picture. */
function metadataExtents(bytes: Buffer, meta: readonly Box[]): Extent[] {
  const [infos, locations] = [meta.find((it) => it.type === 'iinf')!, meta.find((it) => it.type === 'iloc')!];
  const items = metadataItems(bytes, infos);
  return locateItems(bytes, locations, meta.find(({ type }) => type === 'idat') ?? null, items);
}

function metadataItems(bytes: Buffer, infos: Box): Set<number> {
  const reader = new Reader(bytes, infos);
  const version = reader.number(4) >>> 24;
  reader.number(version === 0 ? 2 : 4);
  const items = new Set<number>();
  for (const entry of readBoxes(bytes, reader.at, infos.end, damaged)) {
    if (entry.type !== 'infe') continue;
    const info = new Reader(bytes, entry);
    const entryVersion = info.number(4) >>> 24;
    // Before version 2 an entry has no type, and pictures of these brands do not use it.
    if (entryVersion < 2) throw new BrokenFile(damaged);
    const id = info.number(entryVersion === 2 ? 2 : 4);
    info.number(2);
    if (['Exif', 'mime', 'uri '].includes(info.text(4))) items.add(id);
  }
  return items;
}

function locateItems(bytes: Buffer, locations: Box, idat: Box | null, wanted: ReadonlySet<number>): Extent[] {
  const reader = new Reader(bytes, locations);
  const version = reader.number(4) >>> 24;
  expectFile(version <= 2, damaged);
  const [sizes, moreSizes] = [reader.number(1), reader.number(1)];
  const [offsetWidth, lengthWidth, baseWidth] = [sizes >> 4, sizes & 15, moreSizes >> 4];
  const indexWidth = version === 0 ? 0 : moreSizes & 15;
  // Extents without length could be declared endlessly.
  expectFile(Math.max(offsetWidth, lengthWidth, baseWidth) <= 8 && offsetWidth + lengthWidth > 0, damaged);
  const count = reader.number(version < 2 ? 2 : 4);
  const extents: Extent[] = [];
  let bytesLeft = bytes.length;
  for (let index = 0; index < count; index++) {
    const id = reader.number(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : reader.number(2) & 15;
    reader.number(2);
    const base = reader.number(baseWidth);
    const extentCount = reader.number(2);
    for (let at = 0; at < extentCount; at++) {
      reader.number(indexWidth);
      const offset = base + reader.number(offsetWidth);
      const length = reader.number(lengthWidth);
      if (!wanted.has(id)) continue;
      // In the file, or in the box for small items; metadata never uses construction from other items (2).
      expectFile(method === 0 || (method === 1 && idat !== null), damaged);
      const [from, limit] = method === 0 ? [0, bytes.length] : [idat!.contentStart, idat!.end];
      const start = from + offset;
      // A length of 0 means the rest of the file.
      const end = length === 0 ? limit : start + length;
      expectFile(start >= 0 && start <= end && end <= limit, isCutOff);
      // Metadata overlaps no other; endless rows over the same bytes would be work without an end.
      bytesLeft -= end - start;
      expectFile(bytesLeft >= 0, damaged);
      extents.push([start, end]);
    }
  }
  return extents;
}
