import { Failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { FetchRefused, guardedFetch } from '../../platform/http/guarded-fetch.ts';
import { type JobRun, type Task, TryLater } from '../../platform/jobs/job-runner.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { refuseFullStore, takeRoom } from '../files/quotas.ts';
import { recordPhotoFailure, selectPhotoToFetch, storePhoto } from './product-photo-queries.ts';
import { NotAPicture, photoBytesMax, type StoredPhoto, storePhotoSizes } from './product-photo-sizes.ts';
import { type PhotoJob, photoTask } from './product-photos.ts';

/** Errors of a file store that may accept the picture later. */
const passingCodes: ReadonlySet<string> = new Set(['SERVICE_UNAVAILABLE', 'STORAGE_FULL', 'RATE_LIMITED']);

/** The last retry is about half an hour after the first. */
export const photoTriesMax = 8;

const origin: Origin = { actor: 'job:product-photos', requestId: null };
const bounds = { bytesMax: photoBytesMax, redirectsMax: 3, totalMsMax: 20_000, silenceMsMax: 10_000 };

/** Fetches the bytes of an address; fails with FetchRefused. */
type FetchPhoto = (address: string, signal: AbortSignal) => Promise<Buffer>;

/**
 * Fetches a photo, stores its sizes and replaces its address by ours (D46). A failed attempt is counted and visible to
 * staff. The photo is given up after `photoTriesMax` attempts, or at once if another attempt would fail the same way, also when
 * the organization has no room for it; staff can have it fetched again.
 * A photo that was removed or replaced meanwhile stays unchanged.
 */
export function photoFetching(
  context: Context,
  blobs: BlobStore,
  fetchPhoto: FetchPhoto = (address, signal) => guardedFetch(address, bounds, signal),
): Task<PhotoJob> {
  return {
    name: photoTask,
    run: async (job) => {
      const { database } = context;
      const [[photo]] = await database.read(
        job.organization,
        selectPhotoToFetch({ id: job.payload.photoId }),
      );
      if (photo === undefined) return;
      const from = photo.location;
      try {
        await refuseFullStore(context, job.organization, 'photos');
        const bytes = await fetchPhoto(from, job.signal);
        await swapAddress(context, job, from, await storePhotoSizes(blobs, job.organization, bytes));
      } catch (error) {
        // The file store is briefly unavailable or full, or too many pictures wait: this is not counted as a failed
        // attempt.
        if (error instanceof Failure && passingCodes.has(error.code)) throw new TryLater(error.message);
        const isFull = error instanceof Failure && error.code === 'FILE_QUOTA_EXCEEDED';
        if (!(isFull || error instanceof FetchRefused || error instanceof NotAPicture)) throw error;
        await recordFailure(context, job, from, error);
      }
    },
  };
}

async function swapAddress(
  context: Context,
  { organization, payload }: JobRun<PhotoJob>,
  from: string,
  { location, byteCount }: StoredPhoto,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.write(organization, async (tx) => {
    const id = payload.photoId;
    await takeRoom(tx, context.fileLimits, 'photos', byteCount);
    const [stored] = await tx.run(storePhoto({ id, from, location, byteCount, at: isoTimestamp(nowMs) }));
    if (stored.length === 0) return;
    // Its `updatedAt` is unchanged, so that concurrent edits of the product do not fail.
    await announce(tx, context, origin, nowMs, {
      event: 'product.updated',
      subjectType: 'product',
      subjectId: payload.productId,
      payload: { productId: payload.productId },
      details: {
        productId: payload.productId,
        productPhotoId: id,
        ...changesOf({ url: from }, { url: location }),
      },
    });
  });
}

async function recordFailure(
  context: Context,
  { organization, payload }: JobRun<PhotoJob>,
  from: string,
  error: FetchRefused | NotAPicture | Failure,
): Promise<void> {
  const nowMs = context.clock.now();
  const isLast = !(error instanceof FetchRefused) || error.isLasting;
  const failed = await context.database.write(organization, async (tx) => {
    const [[row]] = await tx.run(
      recordPhotoFailure({
        id: payload.photoId,
        from,
        failure: error.message,
        isLast,
        triesMax: photoTriesMax,
        at: isoTimestamp(nowMs),
      }),
    );
    if (row?.gave_up) {
      await announce(tx, context, origin, nowMs, {
        event: 'product_photo.failed',
        subjectType: 'product',
        subjectId: payload.productId,
        payload: { productId: payload.productId, productPhotoId: payload.photoId },
        details: { productId: payload.productId, productPhotoId: payload.photoId, failure: error.message },
      });
    }
    return row;
  });
  if (failed !== undefined && !failed.gave_up) throw new TryLater(error.message);
}
