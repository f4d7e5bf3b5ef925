import { InvariantError } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { strongRandomBytes } from '../../kernel/random-bytes.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { findPhotoFault } from '../../shop/catalog/products.ts';
import { sealLabel, wrappedKeyOf } from '../../shop/documents/documents.ts';
import {
  type SealedFileRow,
  selectLatestSealedFiles,
  selectSealedFiles,
  selectStoredPhotos,
} from './file-queries.ts';
import type { FindingList, Named } from './finding.ts';
import type { VerifiedSnapshot } from './verified-snapshot.ts';

/** Files, the rows that name them, and the keys that open them. */
export interface VerifiedFiles {
  readonly documents: SealedFiles;
  readonly photos: BlobStore;
  /** The names of all files of documents; rows of the newest may not be committed yet, and those may be left out. Null: not listed. */
  readonly documentNames: (() => Promise<readonly string[]>) | null;
}

const documentFiles: Named = {
  name: 'document-files',
  promise: 'the file of each document is there, and the key in its row opens it',
};
const photoFiles: Named = { name: 'photo-files', promise: 'the file of each photo is there' };
const strayFiles: Named = { name: 'stray-files', promise: 'each file of a document has its row' };

/** Without a limit, all documents and photos of an organization; with one, its latest documents. */
export async function checkFiles(
  snapshot: VerifiedSnapshot,
  organization: OrganizationId,
  files: VerifiedFiles,
  found: FindingList,
  latest?: number,
): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  const checkPage = async (rows: readonly SealedFileRow[]) => {
    for (const row of rows) {
      named.add(row.file_name);
      const words = await documentFault(files.documents, organization, row);
      if (words === null) continue;
      found.add(documentFiles, {
        organizationId: organization,
        place: `documents/${row.file_name}`,
        row: `customer_documents ${row.id}`,
        ...{ orderNumber: null, isDamage: true, words },
      });
    }
    found.looked(documentFiles, rows.length);
  };
  if (latest !== undefined) {
    await checkPage(
      await snapshot.rows(documentFiles, organization, selectLatestSealedFiles({ limit: latest })),
    );
    return named;
  }
  for (let after = 0; ; ) {
    const rows = await snapshot.rows(documentFiles, organization, selectSealedFiles({ after }));
    if (rows.length === 0) break;
    await checkPage(rows);
    after = rows.at(-1)!.id;
  }
  await checkPhotos(snapshot, organization, files.photos, found);
  return named;
}

async function checkPhotos(
  snapshot: VerifiedSnapshot,
  organization: OrganizationId,
  photos: BlobStore,
  found: FindingList,
): Promise<void> {
  const faults = new Map<string, string | null>();
  for (let after = 0; ; ) {
    const rows = await snapshot.rows(photoFiles, organization, selectStoredPhotos({ after }));
    if (rows.length === 0) return;
    found.looked(photoFiles, rows.length);
    for (const { id, location } of rows) {
      if (!faults.has(location)) faults.set(location, await findPhotoFault(photos, location));
      const words = faults.get(location) ?? null;
      if (words === null) continue;
      found.add(photoFiles, {
        ...{ organizationId: organization, place: location.slice(1), row: `product_photos ${id}` },
        ...{ orderNumber: null, isDamage: true, words },
      });
    }
    after = rows.at(-1)!.id;
  }
}

async function documentFault(
  documents: SealedFiles,
  organization: OrganizationId,
  row: SealedFileRow,
): Promise<string | null> {
  // Reading would make a key where there is none.
  if ((await documents.keys.known()).length === 0) return 'there is no master key that could open it';
  try {
    const label = sealLabel(organization, row.id);
    const { length } = await documents.get(row.file_name, wrappedKeyOf(row), label, strongRandomBytes);
    return length === row.byte_count ? null : `the file has ${length} bytes, its row says ${row.byte_count}`;
  } catch (error) {
    if (error instanceof InvariantError) return error.message;
    throw error;
  }
}

/** An upload that a crash cut off leaves a file that no key opens: a note, no damage. */
export async function checkStrayFiles(
  { documentNames }: VerifiedFiles,
  named: ReadonlySet<string>,
  found: FindingList,
): Promise<void> {
  if (documentNames === null) {
    found.skipped(strayFiles, 'the files were not listed');
    return;
  }
  const names = await documentNames();
  found.looked(strayFiles, names.length);
  for (const name of names.filter((it) => !named.has(it))) {
    found.add(strayFiles, {
      ...{ organizationId: null, place: `documents/${name}`, row: null, orderNumber: null, isDamage: false },
      words: 'no row of customer_documents names it; no key opens it, and it may be deleted',
    });
  }
}
