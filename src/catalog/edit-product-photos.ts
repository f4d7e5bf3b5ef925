import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { refuseStaleEdit } from '../database/stale-edit.ts';
import type { BoundStatement } from '../database/statement.ts';
import { announce } from '../events/announce.ts';
import { type Failure, failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { insertPhotos } from './catalog-queries.ts';
import {
  deletePhotosExcept,
  type PhotoStateRow,
  placePhotos,
  resetPhotoTries,
  selectPhotoStates,
  selectProductIsThere,
} from './product-photo-queries.ts';
import { storeUploadedPhoto } from './product-photo-sizes.ts';
import { fetchPhotos, isStored, photoChanges, photosMax } from './product-photos.ts';
import { lockProduct, touchProduct } from './product-queries.ts';

/** Staff operations on the photos of a product (D46). */

function productNotFound(): Failure {
  return failure('PRODUCT_NOT_FOUND', 'There is no such product.');
}

function photoNotFound(): Failure {
  return failure('PRODUCT_PHOTO_NOT_FOUND', 'The product has no such photo.');
}

/** The photos of a product, in order. Fails with PRODUCT_NOT_FOUND. */
export async function listPhotos(
  { database }: Context,
  organization: OrganizationId,
  productId: number,
): Promise<readonly PhotoStateRow[]> {
  const [states, [product]] = await database.read(
    organization,
    selectPhotoStates({ productId }),
    selectProductIsThere({ id: productId }),
  );
  if (product === undefined) throw productNotFound();
  return states;
}

/**
 * Adds an uploaded picture as the last photo of a product. Resolves to it. Fails with PRODUCT_NOT_FOUND,
 * INVALID_PHOTO, RATE_LIMITED when too many pictures wait, and with INVALID_PARAMS when the product already has
 * `photosMax`.
 */
export async function uploadPhoto(
  context: Context,
  blobs: BlobStore,
  origin: Origin,
  organization: OrganizationId,
  productId: number,
  bytes: Buffer,
): Promise<PhotoStateRow> {
  // Checked before the expensive resizing; checked again below, under the lock.
  refuseMore(await listPhotos(context, organization, productId));
  // Files are written first: a row never names a missing file.
  const location = await storeUploadedPhoto(blobs, organization, bytes);
  const id = await context.ids.takeOne();
  const photos = await changePhotos(context, origin, organization, productId, (photos) => {
    refuseMore(photos);
    return insertPhotos([{ id, productId, position: photos.length, location }]);
  });
  return photos.find((photo) => photo.id === id)!;
}

function refuseMore(photos: readonly unknown[]): void {
  if (photos.length < photosMax) return;
  throw failure(
    'INVALID_PARAMS',
    `photos: a product must not have more than ${photosMax}; delete one first.`,
  );
}

/** Deletes a photo of a product. Fails with PRODUCT_NOT_FOUND and PRODUCT_PHOTO_NOT_FOUND. */
export async function deletePhoto(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  productId: number,
  photoId: number,
): Promise<void> {
  await changePhotos(context, origin, organization, productId, (photos) => {
    const keptIds = photos.map(({ id }) => id).filter((id) => id !== photoId);
    if (keptIds.length === photos.length) throw photoNotFound();
    return [deletePhotosExcept({ productId, keptIds }), placePhotos({ productId, ids: keptIds })];
  });
}

/**
 * Orders the photos of a product as the given ids, which must be all of them. Resolves to them. Fails with
 * PRODUCT_NOT_FOUND, PRODUCT_PHOTO_NOT_FOUND, STALE_EDIT when the product has changed, and with INVALID_PARAMS when an
 * id is missing or repeated.
 */
export async function orderPhotos(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  productId: number,
  ids: readonly number[],
): Promise<readonly PhotoStateRow[]> {
  return changePhotos(context, origin, organization, productId, (photos) => {
    if (!ids.every((id) => photos.some((photo) => photo.id === id))) throw photoNotFound();
    if (ids.length !== photos.length || new Set(ids).size !== ids.length) {
      throw failure('INVALID_PARAMS', 'photoIds must name each photo of the product once.');
    }
    return photos.every(({ id }, position) => ids[position] === id) ? [] : [placePhotos({ productId, ids })];
  });
}

/**
 * Fetches a photo again that is not stored here, starting with the first attempt; a stored one stays unchanged.
 * Resolves to it. Fails with PRODUCT_NOT_FOUND and PRODUCT_PHOTO_NOT_FOUND.
 */
export async function retryPhoto(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  productId: number,
  photoId: number,
): Promise<PhotoStateRow> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const photo = (await lockPhotos(tx, origin, productId)).find(({ id }) => id === photoId);
    if (photo === undefined) throw photoNotFound();
    if (isStored(photo)) return photo;
    await announce(tx, context, origin, nowMs, {
      event: 'product_photo.retried',
      subjectType: 'product',
      subjectId: productId,
      payload: { productId, productPhotoId: photoId },
    });
    const [, states] = await tx.run(
      resetPhotoTries({ id: photoId }),
      selectPhotoStates({ productId }),
      ...fetchPhotos([{ id: photoId, productId, location: photo.location }]),
    );
    return states.find(({ id }) => id === photoId)!;
  });
}

/** Locks a product and reads its photos. Fails with PRODUCT_NOT_FOUND and STALE_EDIT. */
async function lockPhotos(
  tx: TenantTransaction,
  origin: Origin,
  productId: number,
): Promise<readonly PhotoStateRow[]> {
  const [[product], photos] = await tx.run(lockProduct({ id: productId }), selectPhotoStates({ productId }));
  if (product === undefined) throw productNotFound();
  refuseStaleEdit(origin, product.updated_at);
  return photos;
}

/** Changes the photos of a product to the result of `decide`; resolves to the photos afterwards. */
async function changePhotos(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  productId: number,
  decide: (photos: readonly PhotoStateRow[]) => readonly BoundStatement<unknown>[],
): Promise<readonly PhotoStateRow[]> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const before = await lockPhotos(tx, origin, productId);
    const changes = decide(before);
    if (changes.length === 0) return before;
    const replies = await tx.run(
      touchProduct({ id: productId, updatedAt: isoTimestamp(nowMs) }),
      ...changes,
      selectPhotoStates({ productId }),
    );
    // The list's length is unknown to the types.
    const after = replies.at(-1) as PhotoStateRow[];
    await announce(tx, context, origin, nowMs, {
      event: 'product.updated',
      subjectType: 'product',
      subjectId: productId,
      payload: { productId },
      details: { productId, photos: photoChanges(before, after) },
    });
    return after;
  });
}
