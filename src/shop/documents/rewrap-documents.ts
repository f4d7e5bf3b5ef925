import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { lockDocumentsOfOtherKeys, updateWrappedKey } from './document-queries.ts';
import { sealLabel, wrappedKeyOf } from './sealed-document.ts';

/**
 * Wraps the keys of all documents with the current master key; no file is read or written. Afterwards no document
 * needs another master key. Resolves to the number of rewrapped keys.
 */
export async function rewrapDocuments(
  context: Context,
  files: SealedFiles,
  origin: Origin,
  organization: OrganizationId,
): Promise<number> {
  const nowMs = context.clock.now();
  const randomBytes = (count: number): Uint8Array => context.randomBytes(count);
  const [present] = await files.keys.load(randomBytes);
  let count = 0;
  for (;;) {
    const wrapped = await context.database.write(organization, async (tx) => {
      const [rows] = await tx.run(lockDocumentsOfOtherKeys({ masterKeyId: present.id }));
      if (rows.length === 0) return 0;
      for (const row of rows) {
        const key = await files.rewrap(wrappedKeyOf(row), sealLabel(organization, row.id), randomBytes);
        tx.queue(updateWrappedKey({ id: row.id, masterKeyId: key.masterKeyId, wrappedKey: key.wrapped }));
      }
      await announce(tx, context, origin, nowMs, {
        event: 'customer_document.rewrapped',
        subjectType: 'organization',
        subjectId: organization,
        payload: { documents: rows.length },
        details: { documents: rows.length, masterKeyId: present.id },
      });
      return rows.length;
    });
    if (wrapped === 0) return count;
    count += wrapped;
  }
}
