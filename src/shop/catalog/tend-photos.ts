import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { type RunningJob, startForEachOrganization } from '../../platform/upkeep/each-organization.ts';
import { deletePhotosOfDeleted, selectUnmeasuredPhotos, setPhotoBytes } from './product-photo-queries.ts';
import { photoSizes } from './product-photo-sizes.ts';

const dayMs = 86_400_000;
/** For so long a deleted product's photos can still be looked at. */
const keptDays = 30;

/**
 * Counts the bytes of stored photos that have no count, step by step: what quotas are held against. A size that is not there counts
 * nothing; the demo's drawings get theirs when they are asked for. Resolves to the number of photos.
 */
export async function measurePhotos(
  { database }: Pick<Context, 'database'>,
  blobs: Pick<BlobStore, 'get'>,
  organization: OrganizationId,
  isStopping: () => boolean = () => false,
): Promise<number> {
  for (let count = 0; ; ) {
    const [photos] = await database.read(organization, selectUnmeasuredPhotos({}));
    if (photos.length === 0 || isStopping()) return count;
    const byteCounts: number[] = [];
    for (const { location } of photos) byteCounts.push(await bytesOf(blobs, location));
    const ids = photos.map(({ id }) => id);
    await database.write(organization, (tx) => tx.run(setPhotoBytes({ ids, byteCounts })), {
      countsAsChange: false,
    });
    count += photos.length;
  }
}

async function bytesOf(blobs: Pick<BlobStore, 'get'>, location: string): Promise<number> {
  let bytes = 0;
  for (const size of photoSizes(location)) {
    bytes += (await blobs.get(size.location.slice('/photos/'.length)))?.length ?? 0;
  }
  return bytes;
}

/** Deletes photos of products and options that are gone, which gives their room back. Resolves to the number. */
export async function forgetPhotosOfDeleted(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const before = forgottenBefore({ clock });
  for (let count = 0; ; ) {
    const [gone] = await database.write(organization, (tx) => tx.run(deletePhotosOfDeleted({ before })), {
      countsAsChange: false,
    });
    count += gone.length;
    if (gone.length === 0 || isStopping()) return count;
  }
}

const forgottenBefore = ({ clock }: Pick<Context, 'clock'>) => isoTimestamp(clock.now() - keptDays * dayMs);

/** Tends photos now and every day, of the organizations that have some to tend. */
export function startTendingPhotos(
  context: Context,
  blobs: BlobStore,
  withPhotos: (before: string) => Promise<readonly { readonly id: number }[]>,
  logger: { error(fields: object, message: string): void },
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'photos could not be tended',
    periodMs: dayMs,
    listOrganizations: () => withPhotos(forgottenBefore(context)),
    logger,
    work: async (organization, isStopping) => {
      await forgetPhotosOfDeleted(context, organization, isStopping);
      await measurePhotos(context, blobs, organization, isStopping);
    },
  });
}
