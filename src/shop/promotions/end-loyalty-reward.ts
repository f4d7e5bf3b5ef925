import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { LoyaltyRewardRow } from './promotion-queries.ts';
import { endRewardRow, lockReward } from './reward-setup-queries.ts';

/** Ends a reward now; an ended one stays as it is. Fails with LOYALTY_REWARD_NOT_FOUND. */
export async function endLoyaltyReward(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<LoyaltyRewardRow> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const [[row]] = await tx.run(lockReward({ id }));
    if (row === undefined) throw failure('LOYALTY_REWARD_NOT_FOUND', 'There is no such loyalty reward.');
    if (row.ended_at !== null) return row;
    tx.queue(endRewardRow({ id, at: isoTimestamp(nowMs) }));
    await announce(tx, context, origin, nowMs, {
      event: 'loyalty_reward.ended',
      subjectType: 'loyalty_reward',
      subjectId: id,
      payload: { loyaltyRewardId: id },
      details: { loyaltyRewardId: id, name: row.name, endedAt: { from: null, to: isoTimestamp(nowMs) } },
    });
    return { ...row, updated_at: nowMs, ended_at: nowMs };
  });
}
