import type { BlobStore } from '../../platform/storage/blob-store.ts';
import {
  loadDecoder,
  nameOfSize,
  photoDigest,
  photoWidths,
  quality,
  shownWidth,
} from './product-photo-sizes.ts';

/** What an SVG pixel is measured in by default, per inch. */
const drawnDensity = 72;

/**
 * Stores a drawing of ours (SVG) as a photo: demo shops have hundreds, and rendering them all would delay the first start
 * by half a minute. So each size is rendered when it is asked for. Resolves to the location of the shown size; the same
 * drawing stores the same file. Drawings of others never get here, because an upload is never SVG.
 */
export async function storeDrawing(blobs: BlobStore, svg: Buffer): Promise<string> {
  // Digits of a digest do not compress, and the menu of a demo shop has hundreds of these names.
  const digest = photoDigest(svg).slice(0, 12);
  await blobs.put(drawingName(digest), svg);
  return `/photos/${nameOfSize(digest, shownWidth)}`;
}

const drawingName = (digest: string): string => `${digest}.svg`;

const sizeName = new RegExp(`^([0-9a-f]{12})-(${photoWidths.join('|')})\\.webp$`);

/**
 * A function for files of photos that are missing: renders the size of a drawing and stores it. It resolves to null for
 * names of anything else. One size is rendered at a time in a process, once, however many ask for it; there are no more than
 * the stored drawings have. It fails as the store does.
 */
export function drawnPhotoSizes(blobs: BlobStore): (name: string) => Promise<Buffer | null> {
  const underWay = new Map<string, Promise<Buffer | null>>();
  let last: Promise<unknown> = Promise.resolve();
  return (name) => {
    const [, digest, width] = sizeName.exec(name) ?? [];
    if (digest === undefined) return Promise.resolve(null);
    const known = underWay.get(name);
    if (known !== undefined) return known;
    const before = last;
    const made = (async () => {
      const drawing = await blobs.get(drawingName(digest));
      if (drawing === null) return null;
      await before;
      const picture = await render(drawing, Number(width));
      await blobs.put(name, picture);
      return picture;
    })().finally(() => underWay.delete(name));
    underWay.set(name, made);
    last = made.catch(() => {});
    return made;
  };
}

async function render(drawing: Buffer, width: number): Promise<Buffer> {
  const sharp = await loadDecoder();
  const { width: drawnWidth } = await sharp(drawing).metadata();
  // Drawn at the width itself: enlarging what was drawn smaller would blur it.
  return sharp(drawing, { density: (drawnDensity * width) / drawnWidth })
    .resize({ width })
    .webp({ quality })
    .toBuffer();
}

/** What is wrong with the stored file of a photo, in words; null if it is there and whole. */
export async function findPhotoFault(blobs: BlobStore, location: string): Promise<string | null> {
  const name = location.slice('/photos/'.length);
  const [, digest] = sizeName.exec(name) ?? [];
  const drawing = digest === undefined ? null : await blobs.get(drawingName(digest));
  if (drawing !== null) {
    const isOwn = photoDigest(drawing).startsWith(digest!);
    return isOwn ? null : `${drawingName(digest!)} is not the drawing that its name is made from`;
  }
  const picture = await blobs.get(name);
  if (picture === null) return 'the file is missing';
  return isWholePicture(name, picture) ? null : 'the file is not a whole picture';
}

/** WebP says its own length. */
const isWholePicture = (name: string, bytes: Buffer): boolean =>
  name.endsWith('.webp')
    ? bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.length >= bytes.readUInt32LE(4) + 8
    : bytes.length > 0;
