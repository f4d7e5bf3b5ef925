import type { Context, Origin } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import type { SealedFiles } from '../storage/sealed-files.ts';
import { deleteDocuments, selectExpiredDocuments } from './document-queries.ts';

/**
 * Deletes the documents whose retention has ended, with their files; the dates that staff read from them stay with the
 * customer. If it is interrupted, or runs twice at once, each document is still deleted once. Resolves to the number
 * deleted.
 */
export async function purgeDocuments(
  context: Context,
  files: SealedFiles,
  origin: Origin,
  organization: OrganizationId,
): Promise<number> {
  const nowMs = context.clock.now();
  let count = 0;
  for (;;) {
    const [expired] = await context.database.read(
      organization,
      selectExpiredDocuments({ at: isoTimestamp(nowMs) }),
    );
    if (expired.length === 0) return count;
    // Files are deleted first: a remaining row names what to delete again.
    for (const { file_name } of expired) await files.delete(file_name);
    count += await context.database.write(organization, async (tx) => {
      const [deleted] = await tx.run(deleteDocuments({ ids: expired.map(({ id }) => id) }));
      const gone = new Set(deleted.map(({ id }) => id));
      const purged = expired.filter(({ id }) => gone.has(id));
      if (purged.length > 0) {
        await announce(
          tx,
          context,
          origin,
          nowMs,
          ...purged.map(({ id, user_id: customerId, type }) => ({
            event: 'customer_document.purged' as const,
            subjectType: 'customer_document' as const,
            subjectId: id,
            payload: { customerDocumentId: id, customerId, type },
          })),
        );
      }
      return purged.length;
    });
  }
}
