import { selectOrganization } from '../../access/organizations/organizations.ts';
import { idKeptDays } from '../../engines/duties/kept-papers.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import type { PruneStep } from '../../platform/upkeep/prune-step.ts';
import { deleteDocuments, documentsAtOnce, selectExpiredDocuments } from './document-queries.ts';

/**
 * Deletes some of the documents whose retention has ended, by the organization's days or by those of the law for copies of IDs, oldest first, with
 * their files; the dates that staff read from them stay
 * with the customer. If it is interrupted, or runs twice at once, each document is still deleted once.
 */
export async function purgeSomeDocuments(
  context: Context,
  files: SealedFiles,
  origin: Origin,
  organization: OrganizationId,
): Promise<PruneStep> {
  const nowMs = context.clock.now();
  const [[shop]] = await context.database.read(organization, selectOrganization({}));
  if (shop === undefined) return { pruned: 0, hasMore: false };
  const idDays = idKeptDays(context.law.current.find(shop.state), localDateAt(nowMs, shop.tz));
  const [expired] = await context.database.read(
    organization,
    selectExpiredDocuments({ at: isoTimestamp(nowMs), idKeptDays: idDays }),
  );
  if (expired.length === 0) return { pruned: 0, hasMore: false };
  // Files are deleted first: a remaining row names what to delete again.
  for (const { file_name } of expired) await files.delete(file_name);
  const pruned = await context.database.write(organization, async (tx) => {
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
  return { pruned, hasMore: expired.length >= documentsAtOnce };
}

/** Deletes all of them, step by step. Resolves to the number deleted. */
export async function purgeDocuments(
  context: Context,
  files: SealedFiles,
  origin: Origin,
  organization: OrganizationId,
): Promise<number> {
  for (let count = 0; ; ) {
    const { pruned, hasMore } = await purgeSomeDocuments(context, files, origin, organization);
    count += pruned;
    if (!hasMore) return count;
  }
}
