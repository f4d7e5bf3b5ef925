import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { statement } from '../../platform/statements/statement.ts';
import { insertCustomerCredits } from './promotion-queries.ts';

/** Changes of customers' accounts by returns. The caller holds the lock on the customer. */

interface RefundCredit {
  readonly userId: number;
  readonly cents: number;
  readonly description: string;
  readonly atMs: number;
}

/** Queues a store credit that does not expire. Resolves to its id. */
export async function issueRefundCredit(
  tx: TenantTransaction,
  context: Pick<Context, 'ids'>,
  { userId, cents, description, atMs }: RefundCredit,
): Promise<number> {
  const id = await context.ids.takeOne();
  const at = isoTimestamp(atMs);
  tx.queue(
    ...insertCustomerCredits([
      {
        id,
        userId,
        type: 'store-credit',
        description,
        amountCents: cents,
        remainingCents: cents,
        percent: null,
        remainingUses: null,
        expiresAt: null,
        createdAt: at,
        updatedAt: at,
      },
    ]),
  );
  return id;
}

const lockCredit = statement<{ id: number }, { is_unspent: boolean }>(
  'lock_refund_credit',
  `select remaining_cents = amount_cents as is_unspent from customer_credits
    where organization_id = :organizationId and id = :id for update`,
);

const expireCredit = statement<{ id: number; at: string }, never>(
  'expire_refund_credit',
  `update customer_credits set expires_at = :at, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/**
 * Queues the end of a store credit: it expires, so that the account still shows it. Fails with
 * STORE_CREDIT_SPENT if any of it is used.
 */
export async function withdrawRefundCredit(tx: TenantTransaction, id: number, atMs: number): Promise<void> {
  const [[credit]] = await tx.run(lockCredit({ id }));
  assert(credit !== undefined, 'the issued credit does not exist');
  if (!credit.is_unspent) {
    throw failure(
      'STORE_CREDIT_SPENT',
      'An order has used all or a part of the store credit of this return.',
      {
        customerCreditId: id,
      },
    );
  }
  tx.queue(expireCredit({ id, at: isoTimestamp(atMs) }));
}

/** The points that an order earned. */
export const selectEarnedPoints = statement<{ userId: number; orderId: string }, { points: string }>(
  'select_points_earned_by_order',
  `select coalesce(sum(points_amount), 0)::text as points from loyalty_events
    where organization_id = :organizationId and user_id = :userId and order_id = :orderId and type = 'earned'`,
);
