import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { MasterKeys } from '../../platform/storage/master-keys.ts';
import { SealedFiles } from '../../platform/storage/sealed-files.ts';

/** For a start with an external database, which may serve several processes and have separate backups. */
export const keyInFileWarning =
  "DOCUMENT_MASTER_KEY is not set: the key to customers' documents is stored beside them, in DATA_DIR/document-master-key. " +
  'Set it (openssl rand -base64 32), then run: node dispensary.mjs documents rotate-key';

/** The documents of a deployment: sealed files in a store. */
export function openDocumentFiles(
  config: { readonly dataDir: string; readonly documentMasterKeys: readonly Uint8Array[] },
  blobs: BlobStore,
): SealedFiles {
  return new SealedFiles(blobs, new MasterKeys(config));
}
