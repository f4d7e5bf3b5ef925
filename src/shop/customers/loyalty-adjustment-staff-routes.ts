import Type from 'typebox';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { DecimalNumber, Id, Named, OneOf, Text, Timestamp } from '../../platform/http/schemas.ts';
import { adjustLoyaltyPoints } from './adjust-loyalty-points.ts';

const pointsMax = 1_000_000_000;

const PointsAmount = Type.Unsafe<number | string>({
  type: ['number', 'string'],
  minimum: -pointsMax,
  maximum: pointsMax,
  maxLength: 14,
  pattern: String.raw`^-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,2})?$`,
  description: 'Not 0, at most 2 decimals; negative removes points, never below 0',
  'x-reads': 'decimal',
  'x-expected':
    'a number other than 0 from -1000000000 to 1000000000 with at most 2 decimals, or the same as text',
});

const LoyaltyAdjustment = Named(
  'LoyaltyAdjustment',
  Type.Object({
    id: Id(),
    organizationId: Id(),
    userId: Id({ description: 'The customer' }),
    type: OneOf(['adjusted']),
    pointsAmount: DecimalNumber({ min: -pointsMax, max: pointsMax }),
    reason: Text({ max: 500 }),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

/** Staff operation on customers' points. */
export function loyaltyAdjustmentStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'adjustLoyaltyPoints',
      method: 'POST',
      path: '/staff/v1/customers/{customerId}/loyalty-adjustments',
      roles: ['owner', 'manager'],
      kind: 'write',
      summary: "Adjust a customer's points",
      description: 'Adds or removes points; never more than the customer has.',
      tag: 'Customers',
      params: Type.Object({ customerId: Id() }),
      resourceParams: { customerId: 'USER_NOT_FOUND' },
      body: Type.Object({ pointsAmount: PointsAmount, reason: Text({ min: 1, max: 500 }) }),
      requestExample: { pointsAmount: 50, reason: 'Points of a lost receipt' },
      success: {
        status: 201,
        data: LoyaltyAdjustment,
        description: 'The entry in the points ledger',
        example: {
          id: 5301,
          organizationId: 1001,
          userId: 3101,
          type: 'adjusted',
          pointsAmount: 50,
          reason: 'Points of a lost receipt',
          createdAt: '2026-03-10T17:05:09.123Z',
          updatedAt: '2026-03-10T17:05:09.123Z',
        },
      },
      failures: ['USER_NOT_FOUND', 'CUSTOMER_ERASED'],
      handle: async ({ staff, params, body, requestId }) => {
        const event = await adjustLoyaltyPoints(
          context,
          { actor: `staff:${staff.staffId}`, requestId },
          staff.organizationId,
          params.customerId,
          { pointsAmount: readPoints(body.pointsAmount), reason: readReason(body.reason) },
        );
        const at = isoTimestamp(event.created_at);
        return reply({
          id: event.id,
          organizationId: staff.organizationId,
          userId: event.user_id,
          type: 'adjusted',
          pointsAmount: Number(event.points_amount),
          reason: event.reason,
          createdAt: at,
          updatedAt: at,
        });
      },
    }),
  ];
}

/** The number as text: a number's shortest text is what was sent, so no float arithmetic is involved (D4). */
function readPoints(points: number | string): string {
  const text = canonicalDecimalText(String(points));
  if (!/^-?\d+(\.\d{1,2})?$/.test(text) || Number(text) === 0) {
    throw failure('INVALID_PARAMS', 'pointsAmount must be a number other than 0 with at most 2 decimals.');
  }
  return text;
}

function readReason(reason: string): string {
  const text = reason.trim();
  if (text === '') throw failure('INVALID_PARAMS', 'reason must not be blank.');
  return text;
}
