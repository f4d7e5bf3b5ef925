import { relative } from 'node:path';
import type { BucketSettings } from '../../platform/storage/s3-blob-store.ts';

/** The WAL archive, from which `dispensary restore` makes a data folder as of a moment. */
export interface WalArchiveSettings {
  /** A folder with its absolute path, or a bucket. */
  readonly place: { readonly folder: string } | { readonly bucket: BucketSettings };
  /** Whether `document-master-key` is archived too: by default in a folder, never in a bucket. */
  readonly includesMasterKey: boolean;
  /** The hours between two base backups. */
  readonly baseHours: number;
  /** The base backups that are kept. */
  readonly keepBases: number;
}

/** Refuses an archive that would be lost with the disk, and one without the key of its documents. */
export function refuseUselessArchive(
  {
    walArchive,
    dataDir,
    databaseUrl,
    keepsKeyInFile,
  }: {
    readonly walArchive: WalArchiveSettings | undefined;
    readonly dataDir: string;
    readonly databaseUrl: string | undefined;
    readonly keepsKeyInFile: boolean;
  },
  refuse: (name: string, expected: string) => void,
): void {
  if (walArchive === undefined) return;
  const { place, includesMasterKey } = walArchive;
  if (databaseUrl !== undefined) {
    refuse('WAL_ARCHIVE', 'nothing, because DATABASE_URL names a server: archive its WAL there');
  }
  if ('folder' in place && !relative(dataDir, place.folder).startsWith('..')) {
    refuse('WAL_ARCHIVE', 'a folder outside of DATA_DIR, because it would be lost with it');
  }
  if (!includesMasterKey && keepsKeyInFile) {
    const why = 'because the archive does not contain the key of documents; or WAL_ARCHIVE_MASTER_KEY=on';
    refuse('DOCUMENT_MASTER_KEY', `32 bytes in Base64, ${why}`);
  }
}
