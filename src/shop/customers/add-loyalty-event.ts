import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import type { LoyaltyEventRow } from '../promotions/loyalty-queries.ts';
import {
  lockLoyaltyBalance,
  loyaltyKeyConstraint,
  movePoints,
  selectLoyaltyEventOfKey,
} from '../promotions/promotions.ts';
import { takesMoreThan } from './adjust-loyalty-points.ts';
import { lockCustomer } from './customer-queries.ts';
import { customerLookups, customerNotFound, oneCustomer, type SaidOfCustomer } from './find-customer.ts';

/** Points that an integrator adds or removes. */
interface NewLoyaltyEvent {
  readonly customer: SaidOfCustomer;
  /** Decimal text, not 0. */
  readonly pointsAmount: string;
  readonly reason: string;
  readonly idempotencyKey: string | null;
}

/**
 * Adds points to a customer's balance or removes them (D38). If the key was already used, the first event is the
 * response, whatever else is sent. Fails with INVALID_PARAMS when an email or phone is invalid, or when the balance is
 * too low; with USER_NOT_FOUND when the customer fields match no customer, different customers, or an erased one.
 */
export async function addLoyaltyEvent(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  integratorId: number,
  { customer, pointsAmount, reason, idempotencyKey }: NewLoyaltyEvent,
): Promise<{ readonly event: LoyaltyEventRow; readonly replayed: boolean }> {
  const lookups = customerLookups(customer, { email: 'customerEmail', phone: 'customerPhone' });
  const ofKey = idempotencyKey === null ? null : selectLoyaltyEventOfKey({ integratorId, idempotencyKey });
  const nowMs = context.clock.now();
  return context.database.write(
    organization,
    async (tx) => {
      const [[known], ...found] = await tx.run(ofKey, ...lookups);
      if (known !== undefined) return { event: known, replayed: true };
      const userId = oneCustomer(lookups, found);
      if (userId === null) throw customerNotFound();
      // Checks again under the lock: a concurrent request may have used the same key.
      const [[customer], [made], [balance]] = await tx.run(
        lockCustomer({ id: userId }),
        ofKey,
        lockLoyaltyBalance({ userId }),
      );
      if (made !== undefined) return { event: made, replayed: true };
      // Integrators have no staff id.
      if (customer === undefined || customer.erased_at !== null) throw customerNotFound();
      if (takesMoreThan(balance?.points ?? '0', pointsAmount)) {
        throw failure('INVALID_PARAMS', 'pointsAmount must not take more points than the customer has.');
      }
      const [id] = await movePoints(tx, context, origin, {
        userId,
        type: 'open-api',
        points: pointsAmount,
        reason,
        orderId: null,
        causeId: null,
        atMs: nowMs,
        ...(idempotencyKey !== null && { integratorId, idempotencyKey }),
      });
      assert(id !== undefined, 'points other than 0 make an entry');
      await announce(tx, context, origin, nowMs, {
        event: 'loyalty_event.created',
        subjectType: 'loyalty_event',
        subjectId: id,
        payload: { loyaltyEventId: id, customerId: userId, type: 'open-api' },
        details: {
          loyaltyEventId: id,
          customerId: userId,
          type: 'open-api',
          pointsAmount: Number(pointsAmount),
        },
      });
      const event = { id, user_id: userId, points_amount: pointsAmount, reason, created_at: nowMs };
      return { event, replayed: false };
    },
    { retryOnConstraints: [loyaltyKeyConstraint] },
  );
}
