import { join } from 'node:path';
import { DiskBlobStore } from './blob-store.ts';
import { MasterKeys } from './master-keys.ts';
import { SealedFiles } from './sealed-files.ts';

/** For the start with a database elsewhere, which may serve several processes and have backups of its own. */
export const keyInFileWarning =
  "DOCUMENT_MASTER_KEY is not set: the key to customers' documents lies beside them, in DATA_DIR/document-master-key. " +
  'Set it (openssl rand -base64 32), then run: npx dispensary documents rotate-key';

/** The documents of a deployment: sealed files in DATA_DIR/documents. */
export function openDocumentFiles(config: {
  readonly dataDir: string;
  readonly documentMasterKeys: readonly Uint8Array[];
}): SealedFiles {
  const blobs = new DiskBlobStore(join(config.dataDir, 'documents'), { isPrivate: true });
  return new SealedFiles(blobs, new MasterKeys(config));
}
