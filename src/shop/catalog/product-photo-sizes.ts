import { createHash } from 'node:crypto';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { FairTurns } from './fair-turns.ts';

/** The same limit for a download and an upload (D46). */
export const photoBytesMax = 15 * 1_048_576;

/** The accepted media types of a photo. The bytes decide, whatever the declared type. */
export const photoMediaTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;

/** The stored widths of a photo; a smaller photo keeps its own width, under all of the names. */
export const photoWidths = [320, 800, 1600] as const;
/** The width that responses name. */
export const shownWidth = 1600;
const heightMax = 3_200;
/** About 24 megapixels in camera terms: phones have 5,712 × 4,284. Decoded, such a picture takes 100 MB. */
const megapixelsMax = 24;
const pixelsMax = 24_500_000;
const decodeSecondsMax = 30;
export const quality = 80;

/** Part of the file names: another way of resizing gets other names, because browsers keep these files forever. */
const recipe = 'webp-2';

/** An invalid picture. The message is ours, and for staff. */
export class NotAPicture extends Error {
  override name = 'NotAPicture';
}

/** The first bytes of files of each type: no other file reaches the decoder. */
const signatures: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  jpeg: (bytes) => isAt(bytes, 0, '\xff\xd8\xff'),
  png: (bytes) => isAt(bytes, 0, '\x89PNG\r\n\x1a\n'),
  webp: (bytes) => isAt(bytes, 0, 'RIFF') && isAt(bytes, 8, 'WEBP'),
  gif: (bytes) => isAt(bytes, 0, 'GIF87a') || isAt(bytes, 0, 'GIF89a'),
  // AVIF is HEIF with another codec; the decoder reports it as HEIF.
  heif: (bytes) => isAt(bytes, 4, 'ftypavif') || isAt(bytes, 4, 'ftypavis'),
};

function isAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}

/** Resizing takes a whole core and much memory, and each waiting picture takes up to 15 MB. */
const turns = new FairTurns({ waitingOfOneMax: 8, waitingMax: 32 });

/** A stored photo. */
export interface StoredPhoto {
  /** Where the shown size is; the others differ in the width at the end of the name. */
  readonly location: string;
  /** The sum of all sizes. */
  readonly byteCount: number;
}

/**
 * Resizes a photo, upright and without metadata, and stores the sizes under names made from its content. Fails with
 * NotAPicture, and with RATE_LIMITED when too many pictures wait; the same bytes store the same files.
 */
export async function storePhotoSizes(
  blobs: BlobStore,
  organization: OrganizationId,
  bytes: Buffer,
): Promise<StoredPhoto> {
  const format = Object.keys(signatures).find((name) => signatures[name]!(bytes));
  if (format === undefined) {
    throw new NotAPicture('The file is not a picture: JPEG, PNG, WebP, GIF or AVIF is expected.');
  }
  const digest = photoDigest(bytes);
  await refuseByHeader(bytes, format);
  const made = await turns.take(organization, () => makeSizes(bytes));
  for (const { width, picture } of made) await blobs.put(nameOfSize(digest, width), picture);
  return {
    location: `/photos/${nameOfSize(digest, shownWidth)}`,
    byteCount: made.reduce((sum, { picture }) => sum + picture.length, 0),
  };
}

/** What the names of a photo's files begin with. */
export function photoDigest(bytes: Buffer): string {
  return createHash('sha256').update(`${recipe}\0`).update(bytes).digest('hex').slice(0, 40);
}

/** The name of the file of one width. */
export function nameOfSize(digest: string, width: number): string {
  return `${digest}-${width}.webp`;
}

/** `storePhotoSizes` for a picture that a person uploads. Fails with INVALID_PHOTO instead of NotAPicture. */
export async function storeUploadedPhoto(
  blobs: BlobStore,
  organization: OrganizationId,
  bytes: Buffer,
): Promise<StoredPhoto> {
  try {
    return await storePhotoSizes(blobs, organization, bytes);
  } catch (error) {
    if (error instanceof NotAPicture) throw failure('INVALID_PHOTO', error.message);
    throw error;
  }
}

/** The names of drawings are shorter. */
const storedName = new RegExp(`^(/photos/[0-9a-f]{12,40})-${shownWidth}\\.webp$`);

/**
 * The locations of the stored sizes of a photo, smallest first; none for a photo that is not stored here. A picture that
 * is smaller than a width keeps its own.
 */
export function photoSizes(
  location: string,
): readonly { readonly width: number; readonly location: string }[] {
  const [, name] = storedName.exec(location) ?? [];
  if (name === undefined) return [];
  return photoWidths.map((width) => ({ width, location: `${name}-${width}.webp` }));
}

/** Loaded with the first photo, because most processes never need it. It is not available for every platform. */
export async function loadDecoder() {
  try {
    return (await import('sharp')).default;
  } catch (error) {
    const refusal = failure('SERVICE_UNAVAILABLE', 'This machine has no decoder for pictures.');
    refusal.cause = error;
    throw refusal;
  }
}

const reading = { failOn: 'error', limitInputPixels: pixelsMax, pages: 1 } as const;

/** Refuses by the header, before decoding. */
async function refuseByHeader(bytes: Buffer, format: string): Promise<void> {
  const sharp = await loadDecoder();
  // Without the decoder's limit, so that the refusal can name the numbers.
  const header = await inOurWords(sharp(bytes, { ...reading, limitInputPixels: false }).metadata());
  const { width, height } = header;
  if (header.format !== format)
    throw new NotAPicture('The file is not of the type that its first bytes indicate.');
  if (width * height <= pixelsMax) return;
  const inWords = (count: number) => count.toLocaleString('en');
  throw new NotAPicture(
    `The picture is too large: it has ${inWords(width)} × ${inWords(height)} = ${inWords(width * height)} pixels; the maximum is ${inWords(pixelsMax)} (${megapixelsMax} megapixels).`,
  );
}

/** Decodes the picture once, to the largest size; the other sizes are made from that. */
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
  // The alpha in `info` describes the resized picture, not the original bytes.
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const sizes = [];
  for (const width of photoWidths) {
    const picture = await sharp(data, { raw }).resize(inside(width)).webp({ quality }).toBuffer();
    sizes.push({ width, picture });
  }
  return sizes;
}

/** The decoder's own messages are about its internals. */
async function inOurWords<Result>(decoded: Promise<Result>): Promise<Result> {
  try {
    return await decoded;
  } catch (error) {
    const isSlow = error instanceof Error && error.message.includes('timeout');
    throw new NotAPicture(
      isSlow
        ? `The picture takes more than ${decodeSecondsMax} seconds to decode.`
        : 'The picture is damaged or incomplete.',
    );
  }
}
