import type { Context } from '../database/context.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { apiRequestAgeMsMax, deleteOldApiRequestKinds, deleteOldApiRequests } from './api-request-queries.ts';

const batchesPerTransaction = 500;

/** Deletes entries older than 30 days, in whole batches. Resolves to the number of requests. */
export async function purgeApiRequests(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
): Promise<number> {
  const beforeMs = clock.now() - apiRequestAgeMsMax;
  let count = 0;
  for (;;) {
    const deleted = await database.write(
      organization,
      async (tx) => (await tx.run(deleteOldApiRequests({ beforeMs, limit: batchesPerTransaction })))[0],
      { countsAsChange: false, isLong: true },
    );
    for (const batch of deleted) count += batch.request_count;
    if (deleted.length < batchesPerTransaction) break;
  }
  await database.write(
    organization,
    async (tx) => {
      await tx.run(deleteOldApiRequestKinds({ beforeMs }));
    },
    { countsAsChange: false },
  );
  return count;
}
