import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { DecimalNumber, Id, Named, Nullable, OneOf, Text, Timestamp } from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import { settingField, settingTable } from '../../platform/resources/setting-table.ts';
import { statement } from '../../platform/statements/statement.ts';
import { DecimalAmount, NullableDecimalAmount, readAmount } from './decimal-amount.ts';
import { type RewardSetup, refuseRewardContradictions } from './reward-setup.ts';

const types = ['cash-back', 'flat', 'percent', 'free-product'] as const;
const amountMax = 1_000_000_000;

const fields = {
  name: settingField(Text({ min: 1, max: 200, description: 'Shown to the customer' }), 'name', {
    reads: (name) => name.trim(),
  }),
  type: settingField(OneOf(types), 'type'),
  pointsRequirement: settingField(
    DecimalAmount({ description: 'The price in points; for cash-back the minimum' }),
    'points_requirement',
    {
      selected: 'trim_scale(points_requirement)',
      reads: (sent) => readAmount('pointsRequirement', sent),
      shows: Number,
    },
  ),
  discountAmount: settingField(
    NullableDecimalAmount({ sign: 'positive', description: 'Cents per point, cents, or percent, by type' }),
    'discount_amount',
    {
      absent: null,
      selected: 'trim_scale(discount_amount)',
      reads: (sent) => (sent === null ? null : readAmount('discountAmount', sent)),
      shows: (amount) => (amount === null ? null : Number(amount)),
    },
  ),
  productOptionId: settingField(
    Nullable(Id({ description: 'The free product, for type free-product' })),
    'product_option_id',
    { absent: null },
  ),
};

const rewardTable = settingTable('loyalty_rewards', {
  fields,
  ends: 'ended',
  // Orders, which refer to the reward, do not wait.
  lock: 'for no key update',
});

/** A product option that can be a reward. */
const selectOptionOfReward = statement<{ id: number }, { id: number }>(
  'select_option_of_reward',
  `select o.id from product_options o
    where o.organization_id = :organizationId and o.id = :id and o.deleted_at is null`,
);

const requestExample = {
  name: '5 dollars off',
  type: 'flat',
  pointsRequirement: 100,
  discountAmount: 500,
} as const;

/** Rewards that customers get for points. Orders that redeemed one keep it as it was. */
export const loyaltyRewards = settingResource({
  table: rewardTable,
  noun: 'loyalty reward',
  called: 'reward',
  subject: 'loyalty_reward',
  idName: 'loyaltyRewardId',
  notFound: 'LOYALTY_REWARD_NOT_FOUND',
  staysArchived: true,
  // The type defines the unit of an amount, so both are audited.
  tells: ['type'],
  completing: (sent, former) => {
    refuseRewardContradictions({ ...former, ...sent } as RewardSetup);
    return {};
  },
  saving: async (tx, { former, next: { productOptionId: id } }) => {
    // The one that the reward already has may be deleted since.
    if (id === null || id === former?.productOptionId) return undefined;
    const [options] = await tx.run(selectOptionOfReward({ id }));
    if (options.length > 0) return undefined;
    throw failure('INVALID_PARAMS', 'productOptionId names no product option.');
  },
  path: '/staff/v1/loyalty-rewards',
  tag: 'Marketing',
  readers: ['owner', 'manager', 'budtender'],
  writers: ['owner', 'manager'],
  data: Named(
    'LoyaltyReward',
    Type.Object({
      id: Id(),
      name: Text({ max: 200 }),
      type: OneOf(types),
      pointsRequirement: DecimalNumber({ min: 0, max: amountMax }),
      discountAmount: Nullable(
        DecimalNumber({ min: 0, max: amountMax, description: 'Cents per point, cents, or percent, by type' }),
      ),
      productOptionId: Nullable(Id({ description: 'The free product' })),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
      endedAt: Nullable(Timestamp()),
    }),
  ),
  example: {
    id: 4301,
    ...requestExample,
    productOptionId: null,
    createdAt: '2026-03-01T17:05:09.123Z',
    updatedAt: '2026-03-01T17:05:09.123Z',
    endedAt: null,
  },
  list: {
    id: 'listLoyaltyRewards',
    summary: 'List loyalty rewards',
    description: 'The rewards that have not ended, by id. With `ended=true`, ended ones too.',
    max: 10_000,
    sorts: {
      id: 'ascending',
      name: 'ascending',
      pointsRequirement: 'ascending',
      createdAt: 'descending',
      endedAt: 'descending',
    },
  },
  get: {
    id: 'getLoyaltyReward',
    summary: 'Get a loyalty reward',
    description: 'One reward, which may have ended.',
  },
  create: {
    id: 'createLoyaltyReward',
    summary: 'Create a loyalty reward',
    description: 'A reward that customers get for points. Staff choose it on an order.',
    requestExample,
  },
  replace: {
    id: 'replaceLoyaltyReward',
    summary: 'Replace a loyalty reward',
    description: 'Absent fields get their defaults. Orders that redeemed it keep their reward.',
    requestExample,
  },
  update: {
    id: 'updateLoyaltyReward',
    summary: 'Update a loyalty reward',
    description: 'Changes the given fields only. Orders that redeemed it keep their reward.',
    requestExample: { pointsRequirement: 120 },
  },
  end: {
    id: 'endLoyaltyReward',
    summary: 'End a loyalty reward',
    description: 'Ends it now; it stays listed with `ended=true`. Ending it again changes nothing.',
    answers: 'The ended reward',
  },
});
