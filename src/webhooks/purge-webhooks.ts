import type { Context } from '../database/context.ts';
import { type RunningJob, startForEachOrganization } from '../database/each-organization.ts';
import type { BoundStatement } from '../database/statement.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import type { MasterKeys } from '../storage/master-keys.ts';
import { resealSecrets } from './reseal-secrets.ts';
import {
  deleteDeliveriesOfDeleted,
  deleteEmptyEndpoints,
  deleteOldDeliveries,
  selectWebhookOrganizations,
} from './sending-queries.ts';

/** D76. */
const deliveryAgeMsMax = 30 * 86_400_000;
const rowsPerTransaction = 1_000;
const periodMs = 3_600_000;

/** Deletes deliveries of more than 30 days ago, and what is left of deleted endpoints. Resolves to how many it deleted. */
export async function purgeWebhooks(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
): Promise<number> {
  const limit = rowsPerTransaction;
  const before = isoTimestamp(clock.now() - deliveryAgeMsMax);
  const deleteAll = async (statement: BoundStatement<{ id: number }>): Promise<number> => {
    for (let count = 0; ; ) {
      const deleted = await database.write(organization, async (tx) => (await tx.run(statement))[0], {
        countsAsChange: false,
      });
      count += deleted.length;
      if (deleted.length < limit) return count;
    }
  };
  const count =
    (await deleteAll(deleteOldDeliveries({ before, limit }))) +
    (await deleteAll(deleteDeliveriesOfDeleted({ limit })));
  await database.write(organization, async (tx) => tx.queue(deleteEmptyEndpoints({})), {
    countsAsChange: false,
  });
  return count;
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
    failureMessage: 'webhook deliveries could not be purged',
    periodMs,
    listOrganizations: () => context.database.global(selectWebhookOrganizations({})),
    logger,
    work: async (organization) => {
      const count = await purgeWebhooks(context, organization);
      if (count > 0) logger.info({ organizationId: organization, count }, 'webhook deliveries purged');
      await resealSecrets(context, keys, organization);
    },
  });
}
