import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { insertLoyaltyRewards, type LoyaltyRewardRow } from './promotion-queries.ts';
import { type RewardSetup, refuseRewardContradictions, toldReward } from './reward-setup.ts';
import { selectOptionOfReward } from './reward-setup-queries.ts';

/** Creates a reward that staff can choose on an order. Fails with INVALID_PARAMS as `checkReward` says. */
export async function createLoyaltyReward(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  setup: RewardSetup,
): Promise<LoyaltyRewardRow> {
  const id = await context.ids.takeOne();
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  return context.database.write(organization, async (tx) => {
    await checkReward(tx, null, setup);
    tx.queue(...insertLoyaltyRewards([{ ...setup, id, createdAt: at, updatedAt: at }]));
    await announce(tx, context, origin, nowMs, {
      event: 'loyalty_reward.created',
      subjectType: 'loyalty_reward',
      subjectId: id,
      payload: { loyaltyRewardId: id },
      details: { loyaltyRewardId: id, ...toldReward(setup) },
    });
    return rewardRow(id, setup, { created_at: nowMs, updated_at: nowMs, ended_at: null });
  });
}

/**
 * Fails with INVALID_PARAMS for a setup that contradicts itself or names an unknown option. The option that the
 * reward already has is not looked up: it may be deleted since.
 */
export async function checkReward(
  tx: TenantTransaction,
  before: RewardSetup | null,
  setup: RewardSetup,
): Promise<void> {
  refuseRewardContradictions(setup);
  const { productOptionId } = setup;
  if (productOptionId === null || productOptionId === before?.productOptionId) return;
  const [options] = await tx.run(selectOptionOfReward({ id: productOptionId }));
  if (options.length === 0) throw failure('INVALID_PARAMS', 'productOptionId names no product option.');
}

/** The row of a reward. */
export function rewardRow(
  id: number,
  setup: RewardSetup,
  { created_at, updated_at, ended_at }: Pick<LoyaltyRewardRow, 'created_at' | 'updated_at' | 'ended_at'>,
): LoyaltyRewardRow {
  return {
    id,
    name: setup.name,
    type: setup.type,
    points_requirement: setup.pointsRequirement,
    discount_amount: setup.discountAmount,
    product_option_id: setup.productOptionId,
    created_at,
    updated_at,
    ended_at,
  };
}
