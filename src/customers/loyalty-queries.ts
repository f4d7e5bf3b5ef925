import { statement } from '../database/statement.ts';

/** What is read of points here; promotions moves them. */

/** Held by the database: a key makes one entry, also when it is sent from many sides at once. */
export const loyaltyKeyConstraint = 'loyalty_events_one_per_key';

export interface LoyaltyEventRow {
  id: number;
  user_id: number;
  points_amount: string;
  reason: string;
  created_at: number;
}

/** What a key has made, if anything. */
export const selectLoyaltyEventOfKey = statement<
  { integratorId: number; idempotencyKey: string },
  LoyaltyEventRow
>(
  'select_loyalty_event_of_key',
  `select id, user_id, points_amount, reason, created_at from loyalty_events
    where organization_id = :organizationId and integrator_id = :integratorId and idempotency_key = :idempotencyKey`,
);

/** Behind the lock on the customer, as everywhere. No row: no points. */
export const lockLoyaltyBalance = statement<{ userId: number }, { points: string }>(
  'lock_loyalty_balance',
  `select points from loyalty_balances where organization_id = :organizationId and user_id = :userId for update`,
);
