import { assert } from '../../kernel/assert.ts';
import { decimal } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { LoyaltyEventRow } from '../promotions/loyalty-queries.ts';
import { lockLoyaltyBalance, movePoints } from '../promotions/promotions.ts';
import { lockCustomer } from './customer-queries.ts';
import { customerErased, customerNotFound } from './find-customer.ts';

interface LoyaltyAdjustment {
  /** Decimal text, not 0; negative removes points. */
  readonly pointsAmount: string;
  readonly reason: string;
}

/** Points may always be given, also to a customer who owes some (D89): such a balance is below zero. */
export function takesMoreThan(points: string, pointsAmount: string): boolean {
  return decimal(pointsAmount).lt(0) && decimal(points).plus(pointsAmount).lt(0);
}

/**
 * Adds or removes points by staff. Fails with USER_NOT_FOUND, CUSTOMER_ERASED, or INVALID_PARAMS when the balance is
 * too low.
 */
export async function adjustLoyaltyPoints(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  userId: number,
  { pointsAmount, reason }: LoyaltyAdjustment,
): Promise<LoyaltyEventRow> {
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const [[customer], [balance]] = await tx.run(
      lockCustomer({ id: userId }),
      lockLoyaltyBalance({ userId }),
    );
    if (customer === undefined) throw customerNotFound();
    if (customer.erased_at !== null) throw customerErased();
    if (takesMoreThan(balance?.points ?? '0', pointsAmount)) {
      throw failure('INVALID_PARAMS', 'pointsAmount must not take more points than the customer has.');
    }
    const [id] = await movePoints(tx, context, origin, {
      userId,
      type: 'adjusted',
      points: pointsAmount,
      reason,
      orderId: null,
      causeId: null,
      atMs: nowMs,
    });
    assert(id !== undefined, 'points other than 0 make an entry');
    await announce(tx, context, origin, nowMs, {
      event: 'loyalty_event.created',
      subjectType: 'loyalty_event',
      subjectId: id,
      payload: { loyaltyEventId: id, customerId: userId, type: 'adjusted' },
      details: {
        loyaltyEventId: id,
        customerId: userId,
        type: 'adjusted',
        pointsAmount: Number(pointsAmount),
      },
    });
    return { id, user_id: userId, points_amount: pointsAmount, reason, created_at: nowMs };
  });
}
