import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { PruneStep } from '../../platform/upkeep/prune-step.ts';
import { apiRequestAgeMsMax, deleteOldApiRequestKinds, deleteOldApiRequests } from './api-request-queries.ts';

/** A batch has up to a thousand requests. */
const batchesPerTransaction = 500;

/** Deletes some of the entries older than 30 days, in whole batches, oldest first. `pruned` counts requests. */
export async function purgeApiRequests(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
): Promise<PruneStep> {
  const beforeMs = clock.now() - apiRequestAgeMsMax;
  const silently = { countsAsChange: false } as const;
  const deleted = await database.write(
    organization,
    async (tx) => (await tx.run(deleteOldApiRequests({ beforeMs, limit: batchesPerTransaction })))[0],
    { ...silently, isLong: true },
  );
  const hasMore = deleted.length >= batchesPerTransaction;
  if (!hasMore)
    await database.write(
      organization,
      async (tx) => tx.queue(deleteOldApiRequestKinds({ beforeMs })),
      silently,
    );
  return { pruned: deleted.reduce((sum, batch) => sum + batch.request_count, 0), hasMore };
}
