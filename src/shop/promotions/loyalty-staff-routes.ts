import Type, { type Static } from 'typebox';
import { assert } from '../../kernel/assert.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, type Origin, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  DecimalNumber,
  DecimalText,
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { createLoyaltyReward } from './create-loyalty-reward.ts';
import { DecimalAmount, decimalTextOf, NullableDecimalAmount } from './decimal-amount.ts';
import { endLoyaltyReward } from './end-loyalty-reward.ts';
import { type LoyaltyProgramRow, type LoyaltyRewardRow, selectProgramSetup } from './promotion-queries.ts';
import type { RewardSetup } from './reward-setup.ts';
import { selectRewardSetup, selectRewardSetups } from './reward-setup-queries.ts';
import { setLoyaltyProgram } from './set-loyalty-program.ts';
import { updateLoyaltyReward } from './update-loyalty-reward.ts';

const writers = ['owner', 'manager'] as const;
const readers = ['owner', 'manager', 'budtender'] as const;
const params = Type.Object({ loyaltyRewardId: Id() });
const resourceParams = { loyaltyRewardId: 'LOYALTY_REWARD_NOT_FOUND' } as const;
const rewardsMax = 10_000;
const amountMax = 1_000_000_000;
const pointsPerDollarMax = 1000;

const LoyaltyProgram = Named(
  'LoyaltyProgram',
  Type.Object({
    pointsPerDollar: DecimalText({
      description: 'Points per dollar of merchandise after discounts; 0: no points',
    }),
    updatedAt: Timestamp(),
  }),
);

const LoyaltyReward = Named(
  'LoyaltyReward',
  Type.Object({
    id: Id(),
    name: Text({ max: 200 }),
    type: OneOf(['cash-back', 'flat', 'percent', 'free-product']),
    pointsRequirement: DecimalNumber({ min: 0, max: amountMax }),
    discountAmount: Nullable(
      DecimalNumber({ min: 0, max: amountMax, description: 'Cents per point, cents, or percent, by type' }),
    ),
    productOptionId: Nullable(Id({ description: 'The free product' })),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
    endedAt: Nullable(Timestamp()),
  }),
);

const requiredFields = {
  name: Text({ min: 1, max: 200, description: 'Shown to the customer' }),
  type: OneOf(['cash-back', 'flat', 'percent', 'free-product']),
  pointsRequirement: DecimalAmount({ description: 'The price in points; for cash-back the minimum' }),
};
const optionalFields = {
  discountAmount: Type.Optional(
    NullableDecimalAmount({ sign: 'positive', description: 'Cents per point, cents, or percent, by type' }),
  ),
  productOptionId: Type.Optional(Nullable(Id({ description: 'The free product, for type free-product' }))),
};
const RewardBody = Type.Object({ ...requiredFields, ...optionalFields });
const RewardChanges = Type.Object({
  ...Type.Partial(Type.Object(requiredFields)).properties,
  ...optionalFields,
});

const requestExample = {
  name: '5 dollars off',
  type: 'flat' as const,
  pointsRequirement: 100,
  discountAmount: 500,
};
const example = {
  id: 4301,
  ...requestExample,
  productOptionId: null,
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
  endedAt: null,
};

const programExample = { pointsPerDollar: '1', updatedAt: '2026-03-01T17:05:09.123Z' };

/** The staff's operations on the earning rule and on rewards. */
export function loyaltyStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'getLoyaltyProgram',
      method: 'GET',
      path: '/staff/v1/loyalty-program',
      roles: readers,
      kind: 'read',
      summary: 'Get the earning rule',
      description: 'How many points a customer earns when an order is fulfilled.',
      tag: 'Marketing',
      success: {
        status: 200,
        data: LoyaltyProgram,
        description: 'The rule',
        example: programExample,
      },
      failures: [],
      handle: async ({ staff }) => {
        const [[row]] = await context.database.read(staff.organizationId, selectProgramSetup({}));
        assert(row !== undefined, 'an organization with staff exists');
        return reply(shownProgram(row));
      },
    }),
    staffEndpoint({
      id: 'setLoyaltyProgram',
      method: 'PUT',
      path: '/staff/v1/loyalty-program',
      roles: writers,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Set the earning rule',
      description: 'For orders that are fulfilled from now on. 0 stops earning; existing points stay.',
      tag: 'Marketing',
      body: Type.Object({
        pointsPerDollar: DecimalAmount({ description: `At most ${pointsPerDollarMax}` }),
      }),
      requestExample: { pointsPerDollar: '1' },
      success: {
        status: 200,
        data: LoyaltyProgram,
        description: 'The rule',
        example: programExample,
      },
      failures: [],
      handle: async ({ staff, body, requestId, expectedUpdatedAtMs }) => {
        const pointsPerDollar = readAmount('pointsPerDollar', body.pointsPerDollar);
        if (Number(pointsPerDollar) > pointsPerDollarMax) {
          throw failure('INVALID_PARAMS', `pointsPerDollar must be at most ${pointsPerDollarMax}.`);
        }
        const by = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        return reply(
          shownProgram(await setLoyaltyProgram(context, by, staff.organizationId, pointsPerDollar)),
        );
      },
    }),
    staffEndpoint({
      id: 'listLoyaltyRewards',
      method: 'GET',
      path: '/staff/v1/loyalty-rewards',
      roles: readers,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List loyalty rewards',
      description: 'The rewards that have not ended, by id. With `ended=true`, ended ones too.',
      source: ['D16'],
      tag: 'Marketing',
      query: Type.Object({ ended: Type.Optional(Flag()) }),
      sorts: {
        id: 'ascending',
        name: 'ascending',
        pointsRequirement: 'ascending',
        createdAt: 'descending',
        endedAt: 'descending',
      },
      success: {
        status: 200,
        data: List(LoyaltyReward, { max: rewardsMax }),
        description: 'The rewards',
        example: [example],
      },
      failures: [],
      handle: async ({ staff, query }) => {
        const at = isoTimestamp(context.clock.now());
        const [rows] = await context.database.read(
          staff.organizationId,
          selectRewardSetups({ at, ended: query.ended ?? false }),
        );
        return reply(rows.map(shown));
      },
    }),
    staffEndpoint({
      id: 'getLoyaltyReward',
      method: 'GET',
      path: '/staff/v1/loyalty-rewards/{loyaltyRewardId}',
      roles: readers,
      kind: 'read',
      summary: 'Get a loyalty reward',
      description: 'One reward, which may have ended.',
      tag: 'Marketing',
      params,
      resourceParams,
      success: { status: 200, data: LoyaltyReward, description: 'The reward', example },
      failures: ['LOYALTY_REWARD_NOT_FOUND'],
      handle: async ({ staff, params }) => {
        const [[row]] = await context.database.read(
          staff.organizationId,
          selectRewardSetup({ id: params.loyaltyRewardId }),
        );
        if (row === undefined) throw failure('LOYALTY_REWARD_NOT_FOUND', 'There is no such loyalty reward.');
        return reply(shown(row));
      },
    }),
    staffEndpoint({
      id: 'createLoyaltyReward',
      method: 'POST',
      path: '/staff/v1/loyalty-rewards',
      roles: writers,
      kind: 'write',
      summary: 'Create a loyalty reward',
      description: 'A reward that customers get for points. Staff choose it on an order.',
      tag: 'Marketing',
      body: RewardBody,
      requestExample,
      success: { status: 201, data: LoyaltyReward, description: 'The reward', example },
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const by = staffOrigin(staff, requestId);
        return reply(shown(await createLoyaltyReward(context, by, staff.organizationId, readReward(body))));
      },
    }),
    staffEndpoint({
      id: 'replaceLoyaltyReward',
      method: 'PUT',
      path: '/staff/v1/loyalty-rewards/{loyaltyRewardId}',
      roles: writers,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Replace a loyalty reward',
      description: 'Absent fields get their defaults. Orders that redeemed it keep their reward.',
      tag: 'Marketing',
      params,
      resourceParams,
      body: RewardBody,
      requestExample,
      success: { status: 200, data: LoyaltyReward, description: 'The reward', example },
      failures: ['LOYALTY_REWARD_NOT_FOUND'],
      handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) => {
        const setup = readReward(body);
        return reply(
          await change(
            staffOrigin(staff, requestId, expectedUpdatedAtMs),
            staff.organizationId,
            params.loyaltyRewardId,
            () => setup,
          ),
        );
      },
    }),
    staffEndpoint({
      id: 'updateLoyaltyReward',
      method: 'PATCH',
      path: '/staff/v1/loyalty-rewards/{loyaltyRewardId}',
      roles: writers,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Update a loyalty reward',
      description: 'Changes the given fields only. Orders that redeemed it keep their reward.',
      tag: 'Marketing',
      params,
      resourceParams,
      body: RewardChanges,
      requestExample: { pointsRequirement: 120 },
      success: { status: 200, data: LoyaltyReward, description: 'The reward', example },
      failures: ['LOYALTY_REWARD_NOT_FOUND'],
      handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) =>
        reply(
          await change(
            staffOrigin(staff, requestId, expectedUpdatedAtMs),
            staff.organizationId,
            params.loyaltyRewardId,
            (before) => withRewardChanges(before, body),
          ),
        ),
    }),
    staffEndpoint({
      id: 'endLoyaltyReward',
      method: 'DELETE',
      path: '/staff/v1/loyalty-rewards/{loyaltyRewardId}',
      roles: writers,
      kind: 'write',
      summary: 'End a loyalty reward',
      description: 'Ends it now; it stays listed with `ended=true`. Ending it again changes nothing.',
      tag: 'Marketing',
      params,
      resourceParams,
      success: { status: 200, data: LoyaltyReward, description: 'The ended reward', example },
      failures: ['LOYALTY_REWARD_NOT_FOUND'],
      handle: async ({ staff, params, requestId }) => {
        const by = staffOrigin(staff, requestId);
        return reply(
          shown(await endLoyaltyReward(context, by, staff.organizationId, params.loyaltyRewardId)),
        );
      },
    }),
  ];

  async function change(
    by: Origin,
    organization: OrganizationId,
    id: number,
    changed: (before: RewardSetup) => RewardSetup,
  ) {
    return shown(await updateLoyaltyReward(context, by, organization, id, changed));
  }
}

function readReward(body: Static<typeof RewardBody>): RewardSetup {
  const { name, type } = body;
  const blank = { name, type, pointsRequirement: '0', discountAmount: null, productOptionId: null };
  return withRewardChanges(blank, body);
}

function withRewardChanges(before: RewardSetup, body: Static<typeof RewardChanges>): RewardSetup {
  const { name, type, pointsRequirement, discountAmount, productOptionId } = body;
  return {
    name: name === undefined ? before.name : name.trim(),
    type: type ?? before.type,
    pointsRequirement:
      pointsRequirement === undefined
        ? before.pointsRequirement
        : readAmount('pointsRequirement', pointsRequirement),
    discountAmount:
      discountAmount === undefined
        ? before.discountAmount
        : discountAmount === null
          ? null
          : readAmount('discountAmount', discountAmount),
    productOptionId: productOptionId === undefined ? before.productOptionId : productOptionId,
  };
}

function readAmount(field: string, amount: number | string): string {
  const text = decimalTextOf(amount);
  if (text === null) throw failure('INVALID_PARAMS', `${field} must have at most 6 decimals.`);
  return text;
}

function shownProgram({ points_per_dollar, updated_at }: LoyaltyProgramRow) {
  return { pointsPerDollar: canonicalDecimalText(points_per_dollar), updatedAt: isoTimestamp(updated_at) };
}

function shown(row: LoyaltyRewardRow) {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    pointsRequirement: Number(row.points_requirement),
    discountAmount: row.discount_amount === null ? null : Number(row.discount_amount),
    productOptionId: row.product_option_id,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
    endedAt: row.ended_at === null ? null : isoTimestamp(row.ended_at),
  };
}
