import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import { type RunningJob, startForEachOrganization } from '../../platform/upkeep/each-organization.ts';
import { type PruneStep, pruneByStatement } from '../../platform/upkeep/prune-step.ts';
import { resealSecrets } from './reseal-secrets.ts';
import {
  deleteDeliveriesOfDeleted,
  deleteEmptyEndpoints,
  deleteOldDeliveries,
  selectWebhookOrganizations,
} from './sending-queries.ts';

/** D76. */
export const deliveryAgeMsMax = 30 * 86_400_000;
const rowsPerTransaction = 1_000;
const periodMs = 3_600_000;

/** Deletes some of the deliveries of more than 30 days ago. */
export function purgeDeliveries(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
): Promise<PruneStep> {
  const limit = rowsPerTransaction;
  const before = isoTimestamp(clock.now() - deliveryAgeMsMax);
  return pruneByStatement(database, organization, deleteOldDeliveries({ before, limit }), limit);
}

/** Deletes what is left of deleted endpoints, step by step. Resolves to how many deliveries it deleted. */
export async function purgeDeletedEndpoints(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const limit = rowsPerTransaction;
  for (let count = 0; ; ) {
    const statement = deleteDeliveriesOfDeleted({ limit });
    const { pruned, hasMore } = await pruneByStatement(database, organization, statement, limit);
    count += pruned;
    if (isStopping()) return count;
    if (hasMore) continue;
    await database.write(organization, async (tx) => tx.queue(deleteEmptyEndpoints({})), {
      countsAsChange: false,
    });
    return count;
  }
}

/**
 * Does so now and every hour, for all organizations that have endpoints; also encrypts signing secrets under the present
 * master key.
 */
export function startWebhookRetention(
  context: Context,
  keys: MasterKeys,
  logger: Parameters<typeof startForEachOrganization>[0]['logger'] & {
    info(fields: object, message: string): void;
  },
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'deleted webhook endpoints could not be purged',
    periodMs,
    listOrganizations: () => context.database.global(selectWebhookOrganizations({})),
    logger,
    work: async (organization, isStopping) => {
      const count = await purgeDeletedEndpoints(context, organization, isStopping);
      if (count > 0)
        logger.info(
          { organizationId: organization, count },
          'deliveries of deleted webhook endpoints purged',
        );
      await resealSecrets(context, keys, organization);
    },
  });
}
