import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../database/context.ts';
import { type PruneStep, pruneByStatement } from '../upkeep/prune-step.ts';
import { deleteOldKeys } from './kept-reply-queries.ts';

/** How long a key belongs to its request (D63, D76). */
export const keyAgeMsMax = 48 * 3_600_000;
const keysPerTransaction = 500;

/** Deletes some of the keys older than 48 hours, with their replies. */
export function purgeIdempotencyKeys(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  organization: OrganizationId,
): Promise<PruneStep> {
  const before = isoTimestamp(clock.now() - keyAgeMsMax);
  const statement = deleteOldKeys({ before, limit: keysPerTransaction });
  return pruneByStatement(database, organization, statement, keysPerTransaction);
}
