import { failure } from '../../kernel/failure.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { type Changes, rowChangesOf } from '../../platform/events/changes-of.ts';
import { whyUnreachable } from '../../platform/http/public-address.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue-jobs.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import { insertPhotos, type ShownPhotoRow } from './catalog-queries.ts';
import type { SentPhoto } from './photo-schemas.ts';
import { arrangePhotos, deletePhotosExcept, type PhotoRow } from './product-photo-queries.ts';

/** The task that fetches a photo (D46). */
export const photoTask = 'fetch_product_photo';

/** The data of a job of that task. */
export interface PhotoJob {
  readonly photoId: number;
  readonly productId: number;
}

/** A photo of a request. */
export interface WantedPhoto {
  readonly url: string;
  /** Null: none; undefined: the photo keeps the one that it has. */
  readonly altText: string | null | undefined;
  /** Its place in the request, for messages; absent: the photo was there before. */
  readonly path?: string;
}

/**
 * The photos of a request, in order. Fails with INVALID_PARAMS when one is no address; which of them are new, and so have to be
 * reachable, the caller knows.
 */
export function readPhotos(sent: readonly SentPhoto[], path = 'photos'): readonly WantedPhoto[] {
  return sent.map((photo, index) => {
    const { url, altText } = typeof photo === 'string' ? { url: photo } : photo;
    const place = `${path}[${index}]${typeof photo === 'string' ? '' : '.url'}`;
    if (!URL.canParse(url)) throw failure('INVALID_PARAMS', `${place} must be an http or https address.`);
    return { url, altText: altText === undefined ? undefined : readAltText(altText), path: place };
  });
}

/** The path of a photo that a service like this has stored: also that of a machine without a public address. */
const storedPath = /^\/photos\/[0-9a-f]{12,40}(?:-\d+)?\.\w+$/;

/** Refuses a new photo that can never be fetched, with INVALID_PARAMS. */
export function refuseUnreachable({ url, path }: WantedPhoto): void {
  if (path === undefined || storedPath.test(new URL(url).pathname)) return;
  // A picture at another port is not fetched, and shown by its address.
  const why = whyUnreachable(url, { isForPeople: true });
  if (why !== null) throw failure('INVALID_PARAMS', `${path} ${why}`);
}

/** An alternative text as it is stored: one line without outer spaces; null: there is none. */
export function readAltText(text: string | null): string | null {
  // Spaces of all kinds and control characters: readers of screens read a line.
  const line = text?.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line ? line : null;
}

/** Whether a photo is stored here, and not an address to fetch. */
export function isStored({ location }: { readonly location: string }): boolean {
  return location.startsWith('/');
}

/** Photos by what they belong to: a product, or one of its options. */
export function photosByOwner<Photo extends ShownPhotoRow & { readonly product_id: number | null }>(
  photos: readonly Photo[],
): {
  readonly ofProduct: ReadonlyMap<number, readonly Photo[]>;
  readonly ofOption: ReadonlyMap<number, readonly Photo[]>;
} {
  const isOfOption = (row: Photo) => row.product_option_id !== null;
  return {
    ofProduct: groupBy(
      photos.filter((row) => !isOfOption(row)),
      (row) => row.product_id!,
    ),
    ofOption: groupBy(photos.filter(isOfOption), (row) => row.product_option_id!),
  };
}

/** A new photo, of an option or, with null, of the whole product. */
export interface NewPhoto {
  readonly id: number;
  readonly productId: number;
  readonly optionId: number | null;
  readonly position: number;
  readonly location: string;
  readonly altText: string | null;
  /** Bytes of a stored photo; absent: it is not stored yet, or measured later. */
  readonly byteCount?: number;
}

/** Inserts photos whose pictures are stored here or wait for nothing. */
export function insertNewPhotos(photos: readonly NewPhoto[]): BoundStatement<unknown>[] {
  return insertPhotos(
    photos.map(({ productId, byteCount = null, ...photo }) => ({
      ...photo,
      byteCount,
      productId: photo.optionId === null ? productId : null,
    })),
  );
}

/** Queues jobs that fetch photos after the commit; stored photos need none. */
export function fetchPhotos(
  photos: readonly Pick<NewPhoto, 'id' | 'productId' | 'location'>[],
): BoundStatement<unknown>[] {
  const jobs = photos
    .filter((photo) => !isStored(photo))
    .map(({ id, productId }) => ({ key: id, payload: { photoId: id, productId } satisfies PhotoJob }));
  return enqueueJobs(photoTask, jobs);
}

/** Adds photos, and queues fetch jobs for those that are addresses. */
export function addPhotos(photos: readonly NewPhoto[]): BoundStatement<unknown>[] {
  return [...insertNewPhotos(photos), ...fetchPhotos(photos)];
}

/** The new photos of a list, in its order; `ids` has one for each. */
export function newPhotos(
  wanted: readonly WantedPhoto[],
  ids: readonly number[],
  owner: Pick<NewPhoto, 'productId' | 'optionId'>,
): NewPhoto[] {
  return wanted.map(({ url, altText = null }, position) => ({
    ...owner,
    id: ids[position]!,
    position,
    location: url,
    altText,
  }));
}

interface KeptPhoto {
  /** Null: new. */
  readonly id: number | null;
  readonly location: string;
  readonly altText: string | null;
}

/**
 * The photos after an update, in order. A sent address keeps an existing photo if it is our address of that photo, or
 * the address it was fetched from: clients often send all photos back each time. Fails with INVALID_PARAMS for a new one that can
 * never be fetched.
 */
export function keepPhotos(
  wanted: readonly WantedPhoto[],
  current: readonly PhotoRow[],
  photoUrl: (location: string) => string,
): readonly KeptPhoto[] {
  const left = [...current];
  return wanted.map((photo) => {
    const { url, altText } = photo;
    const at = left.findIndex(({ location, source }) => [location, photoUrl(location), source].includes(url));
    const [kept] = at < 0 ? [] : left.splice(at, 1);
    if (kept === undefined) {
      refuseUnreachable(photo);
      return { id: null, location: url, altText: altText ?? null };
    }
    return { id: kept.id, location: kept.location, altText: altText === undefined ? kept.alt_text : altText };
  });
}

interface ListedPhoto extends KeptPhoto {
  readonly id: number;
}

/** The same photos with `newIds` for the new ones. */
export function withNewIds(photos: readonly KeptPhoto[], newIds: readonly number[]): ListedPhoto[] {
  const free = [...newIds];
  return photos.map((photo) => ({ ...photo, id: photo.id ?? free.shift()! }));
}

/** Sets the photos of a product to the list, in its order; `newIds` are the ids of new ones. */
export function replacePhotos(
  productId: number,
  photos: readonly ListedPhoto[],
  newIds: readonly number[],
): BoundStatement<unknown>[] {
  const listed = photos.map((photo, position) => ({ ...photo, productId, optionId: null, position }));
  const kept = listed.filter(({ id }) => !newIds.includes(id));
  return [
    deletePhotosExcept({ productId, keptIds: kept.map(({ id }) => id) }),
    ...arrange(kept),
    ...addPhotos(listed.filter(({ id }) => newIds.includes(id))),
  ];
}

/** Gives photos that are there their places and alternative texts. */
export function arrange(
  photos: readonly Pick<NewPhoto, 'id' | 'position' | 'altText'>[],
): BoundStatement<unknown>[] {
  if (photos.length === 0) return [];
  return [
    arrangePhotos({
      ids: photos.map(({ id }) => id),
      positions: photos.map(({ position }) => position),
      altTexts: photos.map(({ altText }) => altText ?? ''),
    }),
  ];
}

/** A photo as the audit tells it. */
export interface ToldPhoto {
  readonly id: number;
  readonly url: string;
  readonly altText: string | null;
}

/** A stored photo, for the audit. */
export function toldRow({ id, location: url, alt_text: altText }: ShownPhotoRow): ToldPhoto {
  return { id, url, altText };
}

/** A photo that will be stored, for the audit. */
export function toldPhoto({ id, location: url, altText }: ListedPhoto): ToldPhoto {
  return { id, url, altText };
}

/** The change of a list of photos, for the audit; null: none. */
export function photoChanges(before: readonly ToldPhoto[], after: readonly ToldPhoto[]): Changes | null {
  return rowChangesOf(before, after);
}
