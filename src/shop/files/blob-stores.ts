import { join } from 'node:path';
import { type BlobStore, DiskBlobStore } from '../../platform/storage/blob-store.ts';
import { type BucketSettings, type ListedStore, S3BlobStore } from '../../platform/storage/s3-blob-store.ts';

/** The files of a deployment. */
export interface BlobStores {
  readonly photos: BlobStore;
  readonly documents: BlobStore;
  /** The same in a bucket; none on a disk. */
  readonly listed: Readonly<Partial<Record<'photos' | 'documents', ListedStore>>>;
  /**
   * The startup check: throws an Error that names the wrong settings of a bucket; resolves to a warning if it cannot be
   * reached now, and otherwise to null.
   */
  check(): Promise<string | null>;
}

/**
 * Opens the stores: folders of DATA_DIR or, with BLOB_STORE, of a bucket. `report` gets the reason why a bucket failed.
 */
export function openBlobStores(
  { dataDir, bucket }: { readonly dataDir: string; readonly bucket?: BucketSettings | undefined },
  report: (problem: string) => void,
): BlobStores {
  if (bucket === undefined) {
    return {
      photos: new DiskBlobStore(join(dataDir, 'photos')),
      documents: new DiskBlobStore(join(dataDir, 'documents'), { isPrivate: true }),
      listed: {},
      check: async () => null,
    };
  }
  const documents = new S3BlobStore(bucket, 'documents', { report });
  const photos = new S3BlobStore(bucket, 'photos', { report });
  return {
    photos,
    documents,
    listed: { photos, documents },
    check: async () => {
      const trouble = await documents.tryOut('start');
      if (trouble === null) return null;
      if (trouble.settings !== null) throw new Error(`${trouble.settings}: ${trouble.words}`);
      return `${trouble.words}. Photos and documents fail until it does.`;
    },
  };
}
