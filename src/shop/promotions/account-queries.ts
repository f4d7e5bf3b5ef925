import { insertMany, statement } from '../../platform/statements/statement.ts';

/** Changes of customers' accounts: credits and points. The caller holds the lock on the customer. */

/** A credit in cents gives cents, a percentage one of its uses. */
export const takeCredits = statement<{ ids: readonly number[]; cents: readonly number[]; at: string }, never>(
  'take_credits',
  `update customer_credits c
      set remaining_cents = c.remaining_cents - used.cents, remaining_uses = c.remaining_uses - 1,
          updated_at = :at
     from unnest(:ids::bigint[], :cents::bigint[]) as used(id, cents)
    where c.organization_id = :organizationId and c.id = used.id`,
);

export const giveBackCredits = statement<
  { ids: readonly number[]; cents: readonly number[]; at: string },
  never
>(
  'give_back_credits',
  `update customer_credits c
      set remaining_cents = c.remaining_cents + used.cents, remaining_uses = c.remaining_uses + 1,
          updated_at = :at
     from unnest(:ids::bigint[], :cents::bigint[]) as used(id, cents)
    where c.organization_id = :organizationId and c.id = used.id`,
);

export const insertLoyaltyEvents = insertMany<{
  id: number;
  userId: number;
  type: string;
  pointsAmount: string;
  reason: string;
  orderId: string | null;
  causeId: number | null;
  integratorId: number | null;
  idempotencyKey: string | null;
  actor: string;
  createdAt: string;
}>('loyalty_events', {
  id: 'id',
  userId: 'user_id',
  type: 'type',
  pointsAmount: 'points_amount',
  reason: 'reason',
  orderId: 'order_id',
  causeId: 'cause_id',
  integratorId: 'integrator_id',
  idempotencyKey: 'idempotency_key',
  actor: 'actor',
  createdAt: 'created_at',
});

/** Inserts a balance of 0 where there is none yet. */
export const openLoyaltyBalances = statement<{ userIds: readonly number[]; at: string }, never>(
  'open_loyalty_balances',
  `insert into loyalty_balances (organization_id, user_id, points, updated_at)
   select :organizationId, opened.user_id, 0, :at from unnest(:userIds::bigint[]) as opened(user_id)
    order by opened.user_id
   on conflict (organization_id, user_id) do nothing`,
);

/**
 * Each customer once; the table's check refuses a balance below zero, except by points that a return takes back (D89). Not one upsert with the insert above: its
 * check would test the change itself before it finds the existing balance.
 */
export const moveLoyaltyBalances = statement<
  { userIds: readonly number[]; deltas: readonly string[]; owingIds: readonly number[]; at: string },
  never
>(
  'move_loyalty_balances',
  `update loyalty_balances b
      set points = b.points + moved.delta, updated_at = :at,
          owed = case when moved.user_id = any(:owingIds::bigint[]) then greatest(0, -b.points - moved.delta)
                      else least(b.owed, greatest(0, -b.points - moved.delta)) end
     from unnest(:userIds::bigint[], :deltas::numeric[]) as moved(user_id, delta)
    where b.organization_id = :organizationId and b.user_id = moved.user_id`,
);

/** Guards against spending credits and points twice; a transaction that fails one should run again. */
export const accountGuards = ['customer_credits_never_negative', 'loyalty_balances_never_negative'] as const;
