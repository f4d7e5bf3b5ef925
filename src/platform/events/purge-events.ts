import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../database/context.ts';
import { type PruneStep, pruneByStatement } from '../upkeep/prune-step.ts';
import { linkFurther } from './audit-chain.ts';
import { eventFeedOf } from './event-feed.ts';
import { deleteEventsBefore } from './event-feed-queries.ts';

/** D76. */
export const eventAgeMsMax = 30 * 86_400_000;
const eventsPerTransaction = 1_000;

/**
 * Publishes what no reader has asked for yet, links the audit entries that the events name, and deletes some of the events of more
 * than 30 days ago.
 */
export async function purgeEvents(
  { database, clock, wallClock }: Pick<Context, 'database' | 'clock' | 'wallClock'>,
  organization: OrganizationId,
): Promise<PruneStep> {
  await eventFeedOf(database).publish(organization);
  // The order of the entries is that of their events.
  await linkFurther({ database, wallClock }, organization);
  const before = isoTimestamp(clock.now() - eventAgeMsMax);
  const statement = deleteEventsBefore({ before, limit: eventsPerTransaction });
  return pruneByStatement(database, organization, statement, eventsPerTransaction);
}
