import type { BoundStatement } from '../database/statement.ts';
import { type Changes, rowChangesOf } from '../events/changes-of.ts';
import { enqueueJobs } from '../jobs/enqueue-jobs.ts';
import { failure } from '../kernel/failure.ts';
import { insertPhotos } from './catalog-queries.ts';
import { deletePhotosExcept, placePhotos } from './product-photo-queries.ts';
import type { PhotoRow } from './product-queries.ts';

/** The maximum number of photos of a product. */
export const photosMax = 20;

/** The task that fetches a photo (D46). */
export const photoTask = 'fetch_product_photo';

/** The data of a job of that task. */
export interface PhotoJob {
  readonly photoId: number;
  readonly productId: number;
}

/** The addresses of pictures as sent, in order. Fails with INVALID_PARAMS when one is not an address. */
export function readPhotos(addresses: readonly string[]): readonly string[] {
  for (const [index, address] of addresses.entries()) {
    if (!URL.canParse(address)) {
      throw failure('INVALID_PARAMS', `photos[${index}] must be an http or https address.`);
    }
  }
  return addresses;
}

/** Whether a photo is stored here, and not an address to fetch. */
export function isStored({ location }: { readonly location: string }): boolean {
  return location.startsWith('/');
}

/** Queues jobs that fetch photos after the commit; stored photos need none. */
export function fetchPhotos(
  photos: readonly { readonly id: number; readonly productId: number; readonly location: string }[],
): BoundStatement<unknown>[] {
  const jobs = photos
    .filter((photo) => !isStored(photo))
    .map(({ id, productId }) => ({ key: id, payload: { photoId: id, productId } satisfies PhotoJob }));
  return enqueueJobs(photoTask, jobs);
}

/** Adds photos, and queues fetch jobs for those that are addresses. */
export function addPhotos(photos: Parameters<typeof insertPhotos>[0]): BoundStatement<unknown>[] {
  return [...insertPhotos(photos), ...fetchPhotos(photos)];
}

interface KeptPhoto {
  /** Null: new. */
  readonly id: number | null;
  readonly location: string;
}

/**
 * The photos after an update, in order. A sent address keeps an existing photo if it is our address of that photo, or
 * the address it was fetched from: clients often send all photos back each time.
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

/** Sets the photos of a product to the list, in its order; `newIds` are the ids of new ones. */
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

/** The change of a product's photos, for the audit; null: none. */
export function photoChanges(
  before: readonly Pick<PhotoRow, 'id' | 'location'>[],
  after: readonly Pick<PhotoRow, 'id' | 'location'>[],
): Changes | null {
  const told = ({ id, location: url }: Pick<PhotoRow, 'id' | 'location'>) => ({ id, url });
  return rowChangesOf(before.map(told), after.map(told));
}
