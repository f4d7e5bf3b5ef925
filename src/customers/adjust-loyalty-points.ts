import type { Context, Origin } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import { assert } from '../kernel/assert.ts';
import { decimal } from '../kernel/decimal.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { type LoyaltyEventRow, lockLoyaltyBalance, movePoints } from '../promotions/promotions.ts';
import { lockCustomer } from './customer-queries.ts';
import { customerErased, customerNotFound } from './find-customer.ts';

export interface LoyaltyAdjustment {
  /** Decimal text, not 0; negative removes points. */
  readonly pointsAmount: string;
  readonly reason: string;
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
    if (
      decimal(balance?.points ?? '0')
        .plus(pointsAmount)
        .lt(0)
    ) {
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
