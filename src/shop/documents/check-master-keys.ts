import { organizationId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { unwrapKey } from '../../platform/storage/envelope.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { selectSamplesOfMasterKeys } from './document-queries.ts';
import { sealLabel, wrappedKeyOf } from './sealed-document.ts';

/** Deployments with more shops are sampled evenly, so that the start takes no longer. */
const organizationsMax = 500;
const togetherMax = 8;

/**
 * Checks that the known master keys open the document keys: a sample of the documents of each master key in use,
 * former keys included. Resolves to null, or to the problem and its solution, naming file and setting. Creates no key.
 * Throws when the key file cannot be read.
 */
export async function findMissingMasterKeys(
  database: Database,
  { keys }: SealedFiles,
  organizations: readonly { readonly id: number }[],
): Promise<string | null> {
  const known = await keys.known();
  const missing = new Set<string>();
  const closed = new Set<string>();
  const step = Math.max(1, organizations.length / organizationsMax);
  const chosen = organizations.filter((_, at) => Math.floor(at % step) === 0);
  const look = async (id: number): Promise<void> => {
    const organization = organizationId(id);
    const [samples] = await database.read(organization, selectSamplesOfMasterKeys({}));
    for (const keyId of new Set(samples.map((row) => row.master_key_id))) {
      const ofKey = samples.filter((row) => row.master_key_id === keyId);
      if (!known.some((key) => key.id === keyId)) missing.add(keyId);
      // A single row can be damaged although the key is correct.
      else if (!ofKey.some((row) => opens(row, sealLabel(organization, row.id)))) closed.add(keyId);
    }
  };
  const opens = (row: Parameters<typeof wrappedKeyOf>[0], label: string): boolean => {
    try {
      unwrapKey(known, wrappedKeyOf(row), label).fill(0);
      return true;
    } catch {
      return false;
    }
  };
  for (let at = 0; at < chosen.length; at += togetherMax) {
    await Promise.all(chosen.slice(at, at + togetherMax).map(({ id }) => look(id)));
  }
  if (missing.size > 0) {
    return `Documents of customers were encrypted under the master key ${[...missing].join(', ')}, which is not in ${keys.places}. Put it back: the file from a backup of DATA_DIR, or the key into DOCUMENT_MASTER_KEY, a former one after a comma. If it is permanently lost, DOCUMENT_KEY_CHECK=off starts without it; those documents cannot be opened.`;
  }
  if (closed.size > 0) {
    return `The master key ${[...closed].join(', ')} opens none of the documents that were encrypted under it: the rows of customer_documents have changed. Restore the database from a backup. DOCUMENT_KEY_CHECK=off starts without this check; those documents cannot be opened.`;
  }
  return null;
}
