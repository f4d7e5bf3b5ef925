import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { PruneStep } from '../../platform/upkeep/prune-step.ts';
import { lockExplanationMark, pruneSomeSteps } from './explanation-queries.ts';

const ordersPerTransaction = 500;

/**
 * Takes the steps of the arithmetic away from some orders that were placed longer ago than the organization's owner keeps them
 * (D76). The order, its receipt and what lists show of it stay. Another process that does so waits for the mark.
 */
export function pruneExplanations(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
): Promise<PruneStep> {
  const at = isoTimestamp(clock.now());
  const limit = ordersPerTransaction;
  return database.write(
    organization,
    async (tx) => {
      const [[mark]] = await tx.run(lockExplanationMark({ at }));
      const from = { placedAt: mark!.placed_at, orderId: mark!.order_id };
      // A statement of its own: it sees what was committed before the lock.
      const [[counted]] = await tx.run(pruneSomeSteps({ ...from, at, limit }));
      return { pruned: counted!.pruned, hasMore: counted!.looked >= limit };
    },
    { countsAsChange: false },
  );
}
