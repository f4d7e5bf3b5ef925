import { statement } from '../../platform/database/statement.ts';
import { type LoyaltyRewardRow, loyaltyRewardColumns } from './promotion-queries.ts';

/** SQL of setting up loyalty rewards; orders read them by `promotion-queries.ts`. */

/** D16: by id. */
export const selectRewardSetups = statement<{ at: string; ended: boolean }, LoyaltyRewardRow>(
  'select_reward_setups',
  `select ${loyaltyRewardColumns} from loyalty_rewards
    where organization_id = :organizationId and (:ended::boolean or ended_at is null or ended_at > :at)
    order by id`,
);

export const selectRewardSetup = statement<{ id: number }, LoyaltyRewardRow>(
  'select_reward_setup',
  `select ${loyaltyRewardColumns} from loyalty_rewards where organization_id = :organizationId and id = :id`,
);

/** Locked until the commit; orders, which refer to the reward, do not wait. */
export const lockReward = statement<{ id: number }, LoyaltyRewardRow>(
  'lock_reward',
  `select ${loyaltyRewardColumns} from loyalty_rewards
    where organization_id = :organizationId and id = :id for no key update`,
);

/** A product option that can be a reward. */
export const selectOptionOfReward = statement<{ id: number }, { id: number }>(
  'select_option_of_reward',
  `select o.id from product_options o
    where o.organization_id = :organizationId and o.id = :id and o.deleted_at is null`,
);

export const updateRewardRow = statement<
  {
    id: number;
    name: string;
    type: string;
    pointsRequirement: string;
    discountAmount: string | null;
    productOptionId: number | null;
    at: string;
  },
  never
>(
  'update_reward_row',
  `update loyalty_rewards
      set name = :name, type = :type, points_requirement = :pointsRequirement,
          discount_amount = :discountAmount, product_option_id = :productOptionId, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

export const endRewardRow = statement<{ id: number; at: string }, never>(
  'end_reward_row',
  `update loyalty_rewards set ended_at = :at, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);
