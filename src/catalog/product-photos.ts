import type { BoundStatement } from '../database/statement.ts';
import { type Changes, rowChangesOf } from '../events/changes-of.ts';
import { enqueueJobs } from '../jobs/enqueue-jobs.ts';
import { failure } from '../kernel/failure.ts';
import { insertPhotos } from './catalog-queries.ts';
import { deletePhotosExcept, placePhotos } from './product-photo-queries.ts';
import type { PhotoRow } from './product-queries.ts';

/** How many pictures a product may have. */
export const photosMax = 20;

/** The task that fetches a photo (D46). */
export const photoTask = 'fetch_product_photo';

/** What a job of that task carries. */
export interface PhotoJob {
  readonly photoId: number;
  readonly productId: number;
}

/** The addresses of pictures as they were sent, in order. Fails with INVALID_PARAMS when one is no address. */
export function readPhotos(addresses: readonly string[]): readonly string[] {
  for (const [index, address] of addresses.entries()) {
    if (!URL.canParse(address)) {
      throw failure('INVALID_PARAMS', `photos[${index}] must be an http or https address.`);
    }
  }
  return addresses;
}

/** Whether a photo is a picture that lies here, and not an address to be fetched. */
export function isStored({ location }: { readonly location: string }): boolean {
  return location.startsWith('/');
}

/** Has photos fetched in the background once the write is through; those that are stored here are left alone. */
export function fetchPhotos(
  photos: readonly { readonly id: number; readonly productId: number; readonly location: string }[],
): BoundStatement<unknown>[] {
  const jobs = photos
    .filter((photo) => !isStored(photo))
    .map(({ id, productId }) => ({ key: id, payload: { photoId: id, productId } satisfies PhotoJob }));
  return enqueueJobs(photoTask, jobs);
}

/** Adds photos, and has those that are addresses fetched. */
export function addPhotos(photos: Parameters<typeof insertPhotos>[0]): BoundStatement<unknown>[] {
  return [...insertPhotos(photos), ...fetchPhotos(photos)];
}

interface KeptPhoto {
  /** Null: it is new. */
  readonly id: number | null;
  readonly location: string;
}

/**
 * The photos that an update asks for, in order. Who sends back the address that we gave keeps that photo: it is not
 * another picture, to be fetched from ourselves. So does who sends the address from which it was fetched, as those do
 * who send all they have each time.
 */
export function keepPhotos(
  addresses: readonly string[],
  current: readonly PhotoRow[],
  photoUrl: (location: string) => string,
): readonly KeptPhoto[] {
  const left = [...current];
  return addresses.map((address) => {
    const at = left.findIndex(({ location, source }) =>
      [location, photoUrl(location), source].includes(address),
    );
    const [kept] = at < 0 ? [] : left.splice(at, 1);
    return kept ?? { id: null, location: address };
  });
}

/** The same photos with `newIds` for the new ones. */
export function withNewIds(photos: readonly KeptPhoto[], newIds: readonly number[]) {
  const free = [...newIds];
  return photos.map(({ id, location }) => ({ id: id ?? free.shift()!, location }));
}

/** Makes the photos of a product those of the list, in its order; those of `newIds` are new. */
export function replacePhotos(
  productId: number,
  photos: ReturnType<typeof withNewIds>,
  newIds: readonly number[],
): BoundStatement<unknown>[] {
  const listed = photos.map((photo, position) => ({ ...photo, productId, position }));
  const keptIds = listed.filter(({ id }) => !newIds.includes(id)).map(({ id }) => id);
  return [
    deletePhotosExcept({ productId, keptIds }),
    placePhotos({ productId, ids: listed.map(({ id }) => id) }),
    ...addPhotos(listed.filter(({ id }) => !keptIds.includes(id))),
  ];
}

/** What became of the photos of a product, for the audit; null: nothing. */
export function photoChanges(
  before: readonly Pick<PhotoRow, 'id' | 'location'>[],
  after: readonly Pick<PhotoRow, 'id' | 'location'>[],
): Changes | null {
  const told = ({ id, location: url }: Pick<PhotoRow, 'id' | 'location'>) => ({ id, url });
  return rowChangesOf(before.map(told), after.map(told));
}
