import { createHash } from 'node:crypto';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { FairTurns } from './fair-turns.ts';

/** The same for a download and an upload (D46). */
export const photoBytesMax = 15 * 1_048_576;

/** What a photo may be sent as. The bytes decide, whatever they are called. */
export const photoMediaTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;

/** A photo is kept in these widths; one that is smaller keeps its own, under all of the names. */
const photoWidths = [320, 800, 1600] as const;
/** The one that replies name. */
const shownWidth = 1600;
const heightMax = 3_200;
/** What cameras call 24 megapixels: those of phones are 5,712 × 4,284. Unpacked, such a picture is 100 MB. */
const megapixelsMax = 24;
const pixelsMax = 24_500_000;
const decodeSecondsMax = 30;
const quality = 80;

/** Part of the names: pictures made in another way get names of their own, because files are kept for ever. */
const recipe = 'webp-2';

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

/** A picture takes all of a core and much memory, and those that wait keep up to 15 MB each. */
const turns = new FairTurns({ waitingOfOneMax: 8, waitingMax: 32 });

/**
 * Makes the sizes of a photo, upright and without metadata, and stores them under names made of its content. Resolves
 * to the location of the one that is shown; the others differ in the width at the end of the name. Fails with
 * NotAPicture, and with RATE_LIMITED when too many pictures wait; the same bytes store the same files.
 */
export async function storePhotoSizes(
  blobs: BlobStore,
  organization: OrganizationId,
  bytes: Buffer,
): Promise<string> {
  const format = Object.keys(signatures).find((name) => signatures[name]!(bytes));
  if (format === undefined) {
    throw new NotAPicture('It is no picture: JPEG, PNG, WebP, GIF or AVIF is expected.');
  }
  const digest = createHash('sha256').update(`${recipe}\0`).update(bytes).digest('hex').slice(0, 40);
  const name = (width: number): string => `${digest}-${width}.webp`;
  await refuseByHeader(bytes, format);
  const made = await turns.take(organization, () => makeSizes(bytes));
  for (const { width, picture } of made) await blobs.put(name(width), picture);
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

const reading = { failOn: 'error', limitInputPixels: pixelsMax, pages: 1 } as const;

/** Refuses by what the file says of itself, before anything is unpacked. */
async function refuseByHeader(bytes: Buffer, format: string): Promise<void> {
  const sharp = await loadDecoder();
  // Without the limit: the refusal is to name the numbers.
  const header = await inOurWords(sharp(bytes, { ...reading, limitInputPixels: false }).metadata());
  const { width, height } = header;
  if (header.format !== format) throw new NotAPicture('It is not the kind of picture that it begins like.');
  if (width * height <= pixelsMax) return;
  const inWords = (count: number) => count.toLocaleString('en');
  throw new NotAPicture(
    `The picture is too large: it has ${inWords(width)} × ${inWords(height)} = ${inWords(width * height)} pixels, ` +
      `and at most ${inWords(pixelsMax)} (${megapixelsMax} megapixels) are unpacked.`,
  );
}

/** Unpacks the picture once, to the largest size; the others are made of that. */
async function makeSizes(bytes: Buffer): Promise<{ readonly width: number; readonly picture: Buffer }[]> {
  const sharp = await loadDecoder();
  const inside = (width: number) =>
    ({ width, height: heightMax, fit: 'inside', withoutEnlargement: true }) as const;
  const { data, info } = await inOurWords(
    sharp(bytes, reading)
      .timeout({ seconds: decodeSecondsMax })
      .autoOrient()
      .resize(inside(Math.max(...photoWidths)))
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  );
  // What `info` says of alpha besides is about the resizing, not about these bytes.
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const sizes = [];
  for (const width of photoWidths) {
    const picture = await sharp(data, { raw }).resize(inside(width)).webp({ quality }).toBuffer();
    sizes.push({ width, picture });
  }
  return sizes;
}

/** The decoder's own words are about its insides. */
async function inOurWords<Result>(decoded: Promise<Result>): Promise<Result> {
  try {
    return await decoded;
  } catch (error) {
    const isSlow = error instanceof Error && error.message.includes('timeout');
    throw new NotAPicture(
      isSlow
        ? `The picture takes more than ${decodeSecondsMax} seconds to unpack.`
        : 'The picture is damaged, or only part of one.',
    );
  }
}
