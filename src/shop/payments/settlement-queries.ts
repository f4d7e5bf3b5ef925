import { insertMany, statement } from '../../platform/statements/statement.ts';
import type { PaidOutLine } from './provider.ts';

/** All SQL on what providers paid out. */

export const deleteSettlement = statement<{ connectionId: number; day: string }, never>(
  'delete_payment_settlement',
  `delete from payment_settlement_lines
    where organization_id = :organizationId and payment_connection_id = :connectionId and day = :day::date`,
);

export const insertSettlementLines = insertMany<{
  connectionId: number;
  day: string;
  position: number;
  reference: string;
  kind: string;
  amountCents: number;
  feeCents: number;
  createdAt: string;
}>('payment_settlement_lines', {
  connectionId: 'payment_connection_id',
  day: 'day',
  position: 'position',
  reference: 'reference',
  kind: 'kind',
  amountCents: 'amount_cents',
  feeCents: 'fee_cents',
  createdAt: 'created_at',
});

/** What our books say of a payment, and no other day has reported. */
export interface KnownMoney {
  reference: string;
  intentId: number;
  orderId: string;
  /** Null: known, and nothing of it is booked. */
  kind: PaidOutLine['kind'] | null;
  cents: number;
}

export const selectKnownMoney = statement<
  { connectionId: number; references: readonly string[] },
  KnownMoney
>(
  'select_known_money',
  `select i.reference, i.id as "intentId", i.order_id as "orderId", booked.kind,
          booked.cents - coalesce((select sum(s.amount_cents) from payment_settlement_lines s
                                    where s.organization_id = :organizationId and s.payment_connection_id = :connectionId
                                      and s.reference = i.reference and s.kind = booked.kind), 0)::bigint as cents
     from payment_intents i
     left join lateral (
       select case when l.kind in ('captured', 'tip', 'cash-back', 'provider-fee') then 'payment'
                   when l.kind in ('refund', 'refund-failed') then 'refund' when l.kind = 'returned' then 'return'
                   else 'recovery' end as kind, sum(l.amount_cents)::bigint as cents
         from payment_ledger_entries l
        where l.organization_id = :organizationId and l.payment_intent_id = i.id group by 1
     ) booked on true
    where i.organization_id = :organizationId and i.payment_connection_id = :connectionId
      and i.reference = any(:references)`,
);

/** Payments that were captured in a period and that no settlement has reported. */
export const selectUnsettled = statement<{ connectionId: number; from: string; until: string }, KnownMoney>(
  'select_unsettled_payments',
  `select i.reference, i.id as "intentId", i.order_id as "orderId", 'payment' as kind, sum(l.amount_cents)::bigint as cents
     from payment_ledger_entries l
     join payment_intents i on i.organization_id = :organizationId and i.id = l.payment_intent_id
    where l.organization_id = :organizationId and i.payment_connection_id = :connectionId
      and l.created_at >= :from and l.created_at < :until and l.kind in ('captured', 'tip', 'cash-back', 'provider-fee')
      and not exists (select from payment_settlement_lines s
                       where s.organization_id = :organizationId and s.payment_connection_id = :connectionId
                         and s.reference = i.reference and s.kind = 'payment')
    group by 1, 2, 3 order by 2`,
);

export const selectSettlementTasks = statement<
  { connectionId: number },
  { reason: string; reference: string }
>(
  'select_payment_settlement_tasks',
  `select reason, reference from payment_tasks
    where organization_id = :organizationId and payment_connection_id = :connectionId and kind = 'settlement'`,
);

/** What the provider has paid out as it was booked. */
export const settleIntents = statement<{ ids: readonly number[]; at: string }, never>(
  'settle_payment_intents',
  `update payment_intents set status = 'settled', updated_at = :at
    where organization_id = :organizationId and id = any(:ids) and status = 'captured'`,
);

/** The last day that was read. */
export const noteSettled = statement<{ id: number; day: string }, never>(
  'note_payment_settlement',
  `update payment_connections set settled_day = greatest(settled_day, :day::date)
    where organization_id = :organizationId and id = :id`,
);

/** Accounts of which days are not read yet, with how long before `day` the first of these was; each is tried once an hour. */
export const claimUnsettledConnections = statement<
  { day: string; at: string; next: string },
  { id: number; daysBack: number }
>(
  'claim_unsettled_payment_connections',
  `update payment_connections set settle_after = :next
    where organization_id = :organizationId and provider = 'bank' and archived_at is null
      and created_at at time zone 'UTC' < :day::date + interval '1 day'
      and (settled_day is null or settled_day < :day::date) and (settle_after is null or settle_after <= :at)
   returning id, least(:day::date - coalesce(settled_day + 1, (created_at at time zone 'UTC')::date), 31) as "daysBack"`,
);
