import type { Context } from '../database/context.ts';
import { type RunningJob, startForEachOrganization } from '../database/each-organization.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { linkFurther } from './audit-chain.ts';
import { eventFeedOf } from './event-feed.ts';
import { deleteEventsBefore } from './event-feed-queries.ts';

/** D76. */
const eventAgeMsMax = 30 * 86_400_000;
const eventsPerTransaction = 1_000;
const periodMs = 3_600_000;

/**
 * Publishes what no reader has asked for yet, links the audit entries that the events name, and deletes the events of more than 30
 * days ago. Resolves to how many it deleted.
 */
export async function purgeEvents(
  { database, clock, wallClock }: Pick<Context, 'database' | 'clock' | 'wallClock'>,
  organization: OrganizationId,
): Promise<number> {
  await eventFeedOf(database).publish(organization);
  // The order of the entries is that of their events.
  await linkFurther({ database, wallClock }, organization);
  const before = isoTimestamp(clock.now() - eventAgeMsMax);
  for (let count = 0; ; ) {
    const deleted = await database.write(
      organization,
      async (tx) => (await tx.run(deleteEventsBefore({ before, limit: eventsPerTransaction })))[0],
      { countsAsChange: false },
    );
    count += deleted.length;
    if (deleted.length < eventsPerTransaction) return count;
  }
}

/** Deletes them now and every hour, of all organizations. */
export function startEventRetention(
  context: Context,
  /** The organizations that have some from before that time. */
  listWithWork: (before: string) => Promise<readonly { readonly id: number }[]>,
  logger: Parameters<typeof startForEachOrganization>[0]['logger'] & {
    info(fields: object, message: string): void;
  },
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'events could not be purged',
    periodMs,
    listOrganizations: () => listWithWork(isoTimestamp(context.clock.now() - eventAgeMsMax)),
    logger,
    work: async (organization) => {
      const count = await purgeEvents(context, organization);
      if (count > 0) logger.info({ organizationId: organization, count }, 'events purged');
    },
  });
}
