import { createHash } from 'node:crypto';
import { failure } from '../kernel/failure.ts';
import type { BlobStore } from '../storage/blob-store.ts';

/** The same for a download and an upload (D46). */
export const photoBytesMax = 15 * 1_048_576;

/** What a photo may be sent as. The bytes decide, whatever they are called. */
export const photoMediaTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;

/** A photo is kept in these widths; one that is smaller keeps its own, under all of the names. */
const photoWidths = [320, 800, 1600] as const;
/** The one that replies name. */
const shownWidth = 1600;
const heightMax = 3_200;
/** A picture of that many is 200 MB, unpacked. */
const pixelsMax = 50_000_000;
const decodeSecondsMax = 30;
const quality = 80;

/** Part of the names: pictures made in another way get names of their own, because files are kept for ever. */
const recipe = 'webp-1';

/** What is no picture that can be shown. The words are ours, and for staff. */
export class NotAPicture extends Error {
  override name = 'NotAPicture';
}

/** What files of each type begin with: nothing else is given to the decoder. */
const signatures: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  jpeg: (bytes) => isAt(bytes, 0, '\xff\xd8\xff'),
  png: (bytes) => isAt(bytes, 0, '\x89PNG\r\n\x1a\n'),
  webp: (bytes) => isAt(bytes, 0, 'RIFF') && isAt(bytes, 8, 'WEBP'),
  gif: (bytes) => isAt(bytes, 0, 'GIF87a') || isAt(bytes, 0, 'GIF89a'),
  // AVIF is HEIF with another coding, and what the decoder calls so.
  heif: (bytes) => isAt(bytes, 4, 'ftypavif') || isAt(bytes, 4, 'ftypavis'),
};

function isAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}

/** A picture takes all of a core and much memory: one at a time in a process. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Makes the sizes of a photo, upright and without metadata, and stores them under names made of its content. Resolves
 * to the location of the one that is shown; the others differ in the width at the end of the name. Fails with
 * NotAPicture; the same bytes store the same files.
 */
export async function storePhotoSizes(blobs: BlobStore, bytes: Buffer): Promise<string> {
  const format = Object.keys(signatures).find((name) => signatures[name]!(bytes));
  if (format === undefined) {
    throw new NotAPicture('It is no picture: JPEG, PNG, WebP, GIF or AVIF is expected.');
  }
  const digest = createHash('sha256').update(`${recipe}\0`).update(bytes).digest('hex').slice(0, 40);
  const name = (width: number): string => `${digest}-${width}.webp`;
  const made = turn.then(() => makeSizes(bytes, format));
  turn = made.catch(() => {});
  for (const { width, picture } of await made) await blobs.put(name(width), picture);
  return `/photos/${name(shownWidth)}`;
}

/** Loaded with the first photo: most processes that serve never see one. It is not made for every kind of machine. */
async function loadDecoder() {
  try {
    return (await import('sharp')).default;
  } catch (error) {
    const refusal = failure('SERVICE_UNAVAILABLE', 'This machine has no decoder for pictures.');
    refusal.cause = error;
    throw refusal;
  }
}

async function makeSizes(
  bytes: Buffer,
  format: string,
): Promise<{ readonly width: number; readonly picture: Buffer }[]> {
  const sharp = await loadDecoder();
  const open = () => sharp(bytes, { failOn: 'error', limitInputPixels: pixelsMax, pages: 1 });
  try {
    const found = await open().metadata();
    if (found.format !== format) throw new NotAPicture('It is not the kind of picture that it begins like.');
    const sizes = [];
    for (const width of photoWidths) {
      const picture = await open()
        .timeout({ seconds: decodeSecondsMax })
        .autoOrient()
        .resize({ width, height: heightMax, fit: 'inside', withoutEnlargement: true })
        .webp({ quality })
        .toBuffer();
      sizes.push({ width, picture });
    }
    return sizes;
  } catch (error) {
    if (error instanceof NotAPicture) throw error;
    // The decoder's own words are about its insides.
    const isTooLarge = error instanceof Error && /exceeds pixel limit|timeout/.test(error.message);
    throw new NotAPicture(
      isTooLarge
        ? `The picture is too large: at most ${pixelsMax.toLocaleString('en')} pixels are unpacked.`
        : 'The picture is damaged, or only part of one.',
    );
  }
}
