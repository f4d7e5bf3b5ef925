import Type from 'typebox';
import { assert } from '../../kernel/assert.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { DecimalText, Named, Timestamp } from '../../platform/http/schemas.ts';
import { DecimalAmount, readAmount } from './decimal-amount.ts';
import { loyaltyRewards } from './loyalty-reward-setting.ts';
import { type LoyaltyProgramRow, selectProgramSetup } from './promotion-queries.ts';
import { setLoyaltyProgram } from './set-loyalty-program.ts';

const writers = ['owner', 'manager'] as const;
const readers = ['owner', 'manager', 'budtender'] as const;
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
      exported: true,
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
    ...loyaltyRewards.routes(context),
  ];
}

function shownProgram({ points_per_dollar, updated_at }: LoyaltyProgramRow) {
  return { pointsPerDollar: canonicalDecimalText(points_per_dollar), updatedAt: isoTimestamp(updated_at) };
}
