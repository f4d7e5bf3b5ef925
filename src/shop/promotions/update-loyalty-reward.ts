import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/stale-edit.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { checkReward, rewardRow } from './create-loyalty-reward.ts';
import type { LoyaltyRewardRow } from './promotion-queries.ts';
import { type RewardSetup, toldReward } from './reward-setup.ts';
import { lockReward, updateRewardRow } from './reward-setup-queries.ts';

/**
 * Changes a reward; writes nothing if it is unchanged. Orders that redeemed it keep their reward. Fails with
 * LOYALTY_REWARD_NOT_FOUND, also for an ended one, or INVALID_PARAMS as `checkReward` says.
 */
export async function updateLoyaltyReward(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  change: (before: RewardSetup) => RewardSetup,
): Promise<LoyaltyRewardRow> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const [[row]] = await tx.run(lockReward({ id }));
    if (row === undefined || row.ended_at !== null) {
      throw failure('LOYALTY_REWARD_NOT_FOUND', 'There is no such loyalty reward.');
    }
    refuseStaleEdit(origin, row.updated_at);
    const before = rewardOfRow(row);
    const after = change(before);
    await checkReward(tx, before, after);
    const changes = changesOf(toldReward(before), toldReward(after));
    if (changes === null) return row;
    tx.queue(updateRewardRow({ ...after, id, at: isoTimestamp(nowMs) }));
    await announce(tx, context, origin, nowMs, {
      event: 'loyalty_reward.updated',
      subjectType: 'loyalty_reward',
      subjectId: id,
      payload: { loyaltyRewardId: id },
      // The type defines the unit of an amount, so both are audited.
      details: { loyaltyRewardId: id, type: after.type, ...changes },
    });
    return rewardRow(id, after, { ...row, updated_at: nowMs });
  });
}

/** A reward's setup from its row. */
function rewardOfRow(row: LoyaltyRewardRow): RewardSetup {
  return {
    name: row.name,
    type: row.type,
    pointsRequirement: canonicalDecimalText(row.points_requirement),
    discountAmount: row.discount_amount === null ? null : canonicalDecimalText(row.discount_amount),
    productOptionId: row.product_option_id,
  };
}
