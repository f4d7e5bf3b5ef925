import { type Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import type { BoundStatement } from '../../platform/statements/statement.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { refuseFullStore, takeRoom } from '../files/quotas.ts';
import { photosMax } from './photo-bounds.ts';
import {
  deleteOptionPhotosExcept,
  deletePhotosExcept,
  type PhotoStateRow,
  resetPhotoTries,
  selectOptionIsThere,
  selectPhotoStates,
  selectProductIsThere,
} from './product-photo-queries.ts';
import { storeUploadedPhoto } from './product-photo-sizes.ts';
import {
  arrange,
  fetchPhotos,
  insertNewPhotos,
  isStored,
  photoChanges,
  readAltText,
  toldRow,
} from './product-photos.ts';
import { lockProduct, touchOptions, touchProduct } from './product-queries.ts';

/** Staff operations on the photos of a product and of its options (D46). */

/** Whose photos: those of a whole product, or of one of its options. */
interface PhotoOwner {
  readonly productId: number;
  /** Null: the whole product. */
  readonly optionId: number | null;
}

function productNotFound(): Failure {
  return failure('PRODUCT_NOT_FOUND', 'There is no such product.');
}

function optionNotFound(): Failure {
  return failure('PRODUCT_OPTION_NOT_FOUND', 'The product has no such option.');
}

function photoNotFound(): Failure {
  return failure('PRODUCT_PHOTO_NOT_FOUND', 'The product has no such photo.');
}

/** The photos of a product or an option, in order. Fails with PRODUCT_NOT_FOUND and PRODUCT_OPTION_NOT_FOUND. */
export async function listPhotos(
  { database }: Context,
  organization: OrganizationId,
  owner: PhotoOwner,
): Promise<readonly PhotoStateRow[]> {
  const { productId, optionId } = owner;
  const [states, [product], [option]] = await database.read(
    organization,
    selectPhotoStates({ productId }),
    selectProductIsThere({ id: productId }),
    optionId === null ? null : selectOptionIsThere({ id: optionId, productId }),
  );
  if (product === undefined) throw productNotFound();
  if (optionId !== null && option === undefined) throw optionNotFound();
  return ownOf(states, owner);
}

function ownOf(photos: readonly PhotoStateRow[], { optionId }: PhotoOwner): readonly PhotoStateRow[] {
  return photos.filter((photo) => photo.product_option_id === optionId);
}

/**
 * Adds an uploaded picture as the last photo of a product or an option. Resolves to it. Fails with PRODUCT_NOT_FOUND,
 * PRODUCT_OPTION_NOT_FOUND, INVALID_PHOTO, FILE_QUOTA_EXCEEDED, RATE_LIMITED when too many pictures wait, and with
 * INVALID_PARAMS when there are `photosMax` already.
 */
export async function uploadPhoto(
  context: Context,
  blobs: BlobStore,
  origin: Origin,
  organization: OrganizationId,
  owner: PhotoOwner,
  { bytes, altText }: { readonly bytes: Buffer; readonly altText: string | null },
): Promise<PhotoStateRow> {
  // Checked before the expensive resizing; checked again below, under the lock.
  refuseMore(await listPhotos(context, organization, owner));
  await refuseFullStore(context, organization, 'photos');
  // Files are written first: a row never names a missing file.
  const stored = await storeUploadedPhoto(blobs, organization, bytes);
  const id = await context.ids.takeOne();
  const photos = await changePhotos(
    context,
    origin,
    organization,
    owner,
    (photos) => {
      refuseMore(photos);
      const position = photos.length;
      return insertNewPhotos([{ ...owner, ...stored, id, position, altText: readAltText(altText) }]);
    },
    (tx) => takeRoom(tx, context.fileLimits, 'photos', stored.byteCount),
  );
  return photos.find((photo) => photo.id === id)!;
}

function refuseMore(photos: readonly unknown[]): void {
  if (photos.length < photosMax) return;
  throw failure(
    'INVALID_PARAMS',
    `photos: a product or option must not have more than ${photosMax}; delete one first.`,
  );
}

/** Deletes a photo of a product or of an option. Fails with PRODUCT_NOT_FOUND and PRODUCT_PHOTO_NOT_FOUND. */
export async function deletePhoto(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  productId: number,
  photoId: number,
): Promise<void> {
  await changePhoto(context, origin, organization, productId, photoId, (photos, { optionId }) => {
    const kept = photos.filter(({ id }) => id !== photoId);
    const keptIds = kept.map(({ id }) => id);
    return [
      optionId === null
        ? deletePhotosExcept({ productId, keptIds })
        : deleteOptionPhotosExcept({ optionIds: [optionId], keptIds }),
      ...arrange(placed(kept)),
    ];
  });
}

/**
 * Sets or, with null or a blank text, clears the alternative text of a photo of a product or of an option. Resolves to
 * the photo; the same text again writes nothing. Fails with PRODUCT_NOT_FOUND, PRODUCT_PHOTO_NOT_FOUND, and STALE_EDIT
 * when the product has changed.
 */
export async function describePhoto(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  productId: number,
  photoId: number,
  altText: string | null,
): Promise<PhotoStateRow> {
  const text = readAltText(altText);
  const after = await changePhoto(context, origin, organization, productId, photoId, (photos) =>
    arrange(
      placed(photos)
        .filter((photo) => photo.id === photoId && photo.altText !== text)
        .map((photo) => ({ ...photo, altText: text })),
    ),
  );
  return after.find(({ id }) => id === photoId)!;
}

/**
 * Orders the photos of a product or an option as the given ids, which must be all of them. Resolves to them. Fails with
 * PRODUCT_NOT_FOUND, PRODUCT_OPTION_NOT_FOUND, PRODUCT_PHOTO_NOT_FOUND, STALE_EDIT when the product has changed, and with
 * INVALID_PARAMS when an id is missing or repeated.
 */
export async function orderPhotos(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  owner: PhotoOwner,
  ids: readonly number[],
): Promise<readonly PhotoStateRow[]> {
  return changePhotos(context, origin, organization, owner, (photos) => {
    if (!ids.every((id) => photos.some((photo) => photo.id === id))) throw photoNotFound();
    if (ids.length !== photos.length || new Set(ids).size !== ids.length) {
      throw failure('INVALID_PARAMS', 'photoIds must name each photo of the list once.');
    }
    const isSame = photos.every(({ id }, position) => ids[position] === id);
    return isSame ? [] : arrange(placed(ids.map((id) => photos.find((photo) => photo.id === id)!)));
  });
}

/** Photos with the places of their list. */
function placed(photos: readonly PhotoStateRow[]) {
  return photos.map(({ id, alt_text: altText }, position) => ({ id, position, altText }));
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

type Decide = (photos: readonly PhotoStateRow[], owner: PhotoOwner) => readonly BoundStatement<unknown>[];

/**
 * Changes the photos of a product or an option by the result of `decide`; resolves to them afterwards. `prepare` runs under the lock
 * on the product.
 */
async function changePhotos(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  owner: PhotoOwner,
  decide: Decide,
  prepare: (tx: TenantTransaction) => Promise<void> = async () => {},
): Promise<readonly PhotoStateRow[]> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const photos = await lockPhotos(tx, origin, owner.productId);
    if (owner.optionId !== null) {
      const [[option]] = await tx.run(
        selectOptionIsThere({ id: owner.optionId, productId: owner.productId }),
      );
      if (option === undefined) throw optionNotFound();
    }
    await prepare(tx);
    return writeChange(tx, context, origin, nowMs, owner, ownOf(photos, owner), decide);
  });
}

/** As `changePhotos`, for the list that has a photo. Fails with PRODUCT_PHOTO_NOT_FOUND. */
async function changePhoto(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  productId: number,
  photoId: number,
  decide: Decide,
): Promise<readonly PhotoStateRow[]> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const photos = await lockPhotos(tx, origin, productId);
    const photo = photos.find(({ id }) => id === photoId);
    if (photo === undefined) throw photoNotFound();
    const owner = { productId, optionId: photo.product_option_id };
    return writeChange(tx, context, origin, nowMs, owner, ownOf(photos, owner), decide);
  });
}

async function writeChange(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  owner: PhotoOwner,
  before: readonly PhotoStateRow[],
  decide: Decide,
): Promise<readonly PhotoStateRow[]> {
  const { productId, optionId } = owner;
  const changes = decide(before, owner);
  if (changes.length === 0) return before;
  const at = isoTimestamp(nowMs);
  const replies = await tx.run(
    touchProduct({ id: productId, updatedAt: at }),
    optionId === null ? null : touchOptions({ optionIds: [optionId], at }),
    ...changes,
    selectPhotoStates({ productId }),
  );
  // The list's length is unknown to the types.
  const after = ownOf(replies.at(-1) as PhotoStateRow[], owner);
  await announce(tx, context, origin, nowMs, {
    event: 'product.updated',
    subjectType: 'product',
    subjectId: productId,
    payload: { productId },
    details: {
      productId,
      ...(optionId !== null && { productOptionId: optionId }),
      photos: photoChanges(before.map(toldRow), after.map(toldRow)),
    },
  });
  return after;
}
