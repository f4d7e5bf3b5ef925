import type { Context } from '../database/context.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { apiRequestAgeMsMax, deleteOldApiRequests } from './api-request-queries.ts';

const rowsPerTransaction = 5000;

/** Deletes what the log holds of more than 30 days ago. Resolves to how many. */
export async function purgeApiRequests(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
): Promise<number> {
  const before = isoTimestamp(clock.now() - apiRequestAgeMsMax);
  for (let count = 0; ; ) {
    const deleted = await database.write(
      organization,
      async (tx) => (await tx.run(deleteOldApiRequests({ before, limit: rowsPerTransaction })))[0].length,
      { countsAsChange: false },
    );
    count += deleted;
    if (deleted < rowsPerTransaction) return count;
  }
}
