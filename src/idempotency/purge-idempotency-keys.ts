import type { Context } from '../database/context.ts';
import { type RunningJob, startForEachOrganization } from '../database/each-organization.ts';
import type { RequestLog } from '../http/endpoint.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { deleteOldKeys } from './kept-reply-queries.ts';

/** How long a key belongs to its request (D63, D76). */
export const keyAgeMsMax = 48 * 3_600_000;
const keysPerTransaction = 500;
const periodMs = 3_600_000;

/** Deletes keys older than 48 hours with their replies. Resolves to the number of keys. */
export async function purgeIdempotencyKeys(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
): Promise<number> {
  const before = isoTimestamp(clock.now() - keyAgeMsMax);
  for (let count = 0; ; ) {
    const deleted = await database.write(
      organization,
      async (tx) => (await tx.run(deleteOldKeys({ before, limit: keysPerTransaction })))[0],
      { countsAsChange: false },
    );
    count += deleted.length;
    if (deleted.length < keysPerTransaction) return count;
  }
}

/** Deletes them for all organizations, now and every hour. */
export function startIdempotencyRetention(
  context: Context,
  /** The organizations that have some from before that time. */
  listWithWork: (before: string) => Promise<readonly { readonly id: number }[]>,
  logger: RequestLog,
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'idempotency keys could not be purged',
    periodMs,
    listOrganizations: () => listWithWork(isoTimestamp(context.clock.now() - keyAgeMsMax)),
    logger,
    work: async (organization) => {
      const count = await purgeIdempotencyKeys(context, organization);
      if (count > 0) logger.info({ organizationId: organization, count }, 'idempotency keys purged');
    },
  });
}
