import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { sortedList } from '../../platform/lists/sorted-list.ts';
import { idsOfActor } from '../../platform/statements/ids-of-actor.ts';
import { statement } from '../../platform/statements/statement.ts';

/** Reads of points; `move-points.ts` writes them. */

/** A unique constraint of the database: one entry for each key, also for concurrent requests. */
export const loyaltyKeyConstraint = 'loyalty_events_one_per_key';

/** Sources of point changes: integrators, orders, returns, and staff. */
export const loyaltyEventTypes = [
  'open-api',
  'earned',
  'redeemed',
  'given-back',
  'taken-back',
  'adjusted',
] as const;
type LoyaltyEventType = (typeof loyaltyEventTypes)[number];

export interface LoyaltyEventRow {
  id: number;
  user_id: number;
  points_amount: string;
  reason: string;
  created_at: number;
}

/** The entry with a key, if any. */
export const selectLoyaltyEventOfKey = statement<
  { integratorId: number; idempotencyKey: string },
  LoyaltyEventRow
>(
  'select_loyalty_event_of_key',
  `select id, user_id, points_amount, reason, created_at from loyalty_events
    where organization_id = :organizationId and integrator_id = :integratorId and idempotency_key = :idempotencyKey`,
);

/** Read under the lock on the customer. No row: no points. */
export const lockLoyaltyBalance = statement<{ userId: number }, { points: string }>(
  'lock_loyalty_balance',
  `select points from loyalty_balances where organization_id = :organizationId and user_id = :userId for update`,
);

/** For reads without lock. No row: no points. */
export const selectLoyaltyBalance = statement<{ userId: number }, { points: string }>(
  'select_loyalty_balance',
  `select points from loyalty_balances where organization_id = :organizationId and user_id = :userId`,
);

/** Cents of a refund for each point that is owed; null: the balance goes below zero (D89). */
export const selectOwedPointCents = statement<Record<never, never>, { owed_point_cents: number | null }>(
  'select_owed_point_cents',
  'select owed_point_cents from organizations where id = :organizationId',
);

export const loyaltyEventsPerPage = 50;

/** An entry with its source, if stored. */
export interface LoyaltyLedgerRow {
  id: number;
  type: LoyaltyEventType;
  points_amount: string;
  reason: string;
  order_id: string | null;
  actor: string;
  created_at: number;
  staff_first_name: string | null;
  staff_last_name: string | null;
  client_key_name: string | null;
}

/** How many entries a customer's ledger has, up to the bound of counting. */
export const countLoyaltyEvents = statement<{ userId: number }, { count: number }>(
  'count_loyalty_events',
  countOfRows('select from loyalty_events where organization_id = :organizationId and user_id = :userId'),
);

/*
 * A customer's ledger; no row if the cursor entry is not the customer's. Ids are in order of time within one process only, so
 * the order is by time first.
 */
export const loyaltyEventList = sortedList<LoyaltyLedgerRow, 'createdAt' | 'pointsAmount'>({
  name: 'list_loyalty_events',
  rows: 'from loyalty_events e where e.organization_id = :organizationId and e.user_id = :userId',
  ids: ['e.id'],
  sorts: {
    createdAt: { key: 'e.created_at', own: 'descending' },
    pointsAmount: { key: 'e.points_amount', own: 'descending' },
  },
  rowsPerPage: loyaltyEventsPerPage,
  show: (page) => `select e.id, e.type, e.points_amount, e.reason, e.order_id, e.actor, e.created_at,
          m.first_name as staff_first_name, m.last_name as staff_last_name, k.name as client_key_name
     from ${page}
     join loyalty_events e on e.organization_id = :organizationId and e.id = page.id0
     ${idsOfActor('e.actor')}
     left join staff_members m on m.organization_id = :organizationId and m.id = acting.staff_id
     left join client_keys k on k.organization_id = :organizationId and k.id = acting.key_id`,
});
