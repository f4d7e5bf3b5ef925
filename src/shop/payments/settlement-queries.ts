import { insertMany, statement } from '../../platform/statements/statement.ts';
import type { IntentStatus } from './intent-lifecycle.ts';
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

/** What our books hold of a payment at a terminal, and no batch has told of yet. */
export interface TerminalMoney {
  /** Its own, and those of what was returned of it. */
  references: string[];
  intentId: number;
  orderId: string;
  status: IntentStatus;
  /** The batch that the terminal named for it; null: none. */
  batch: string | null;
  askedCents: number;
  cents: number;
}

/** Payments that have one of these references; and of late ones, those that moved or are in doubt. */
export const selectTerminalMoney = statement<
  { connectionId: number; references: readonly string[]; from: string },
  TerminalMoney
>(
  'select_terminal_money',
  `select own.all as references, i.id as "intentId", i.order_id as "orderId", i.status,
          i.facts ->> 'batch' as batch, (i.amount_cents + i.fee_amount_cents)::bigint as "askedCents",
          coalesce((select sum(l.amount_cents) from payment_ledger_entries l
                     where l.organization_id = :organizationId and l.payment_intent_id = i.id), 0)::bigint
          - coalesce((select sum(s.amount_cents) from payment_settlement_lines s
                       where s.organization_id = :organizationId and s.payment_connection_id = :connectionId
                         and s.reference = any(own.all)), 0)::bigint as cents
     from payment_intents i
     cross join lateral (
       select array_prepend(i.reference, array_agg(r.reference) filter (where r.reference is not null)) as all
         from payment_refunds r where r.organization_id = :organizationId and r.payment_intent_id = i.id
     ) own
    where i.organization_id = :organizationId and i.payment_connection_id = :connectionId
      and (i.reference = any(:references::text[])
           or i.id in (select r.payment_intent_id from payment_refunds r
                        where r.organization_id = :organizationId and r.reference = any(:references::text[]))
           or i.updated_at >= :from
              and (i.status in ('sending', 'waiting', 'unknown', 'refund-pending')
                   or i.status <> 'settled' and exists (
                        select from payment_ledger_entries l
                         where l.organization_id = :organizationId and l.payment_intent_id = i.id and l.created_at >= :from)))
    order by i.id`,
);

/** The last payments of an account whose provider may know more of them than we do. */
export const selectUnclear = statement<{ connectionId: number }, { id: number }>(
  'select_unclear_payments',
  `select id from payment_intents
    where organization_id = :organizationId and payment_connection_id = :connectionId and status in ('waiting', 'unknown')
    order by id desc limit 10`,
);

/** Which of these a batch has told of, and where the next line of a day goes. */
export const selectReported = statement<
  { connectionId: number; references: readonly string[]; day: string },
  { references: string[]; nextPosition: number }
>(
  'select_reported_references',
  `select array(select distinct reference from payment_settlement_lines
                 where organization_id = :organizationId and payment_connection_id = :connectionId
                   and reference = any(:references::text[])) as references,
          (select coalesce(max(position), -1) + 1 from payment_settlement_lines
            where organization_id = :organizationId and payment_connection_id = :connectionId and day = :day::date)
          as "nextPosition"`,
);

/** The batch that was seen last is closed: a payment of it proves nothing any more. One that was seen meanwhile stays. */
export const noteBatchClosed = statement<
  { id: number; day: string; batch: string | null; next: string },
  never
>(
  'note_payment_batch_closed',
  `update payment_connections
      set settled_day = greatest(settled_day, :day::date), settle_after = :next,
          batch_reference = case when batch is not distinct from :batch then null else batch_reference end,
          batch = case when batch is not distinct from :batch then null else batch end
    where organization_id = :organizationId and id = :id`,
);

/** Terminals whose day is over; each is tried once an hour. */
export const claimOpenBatches = statement<{ at: string; next: string }, { id: number }>(
  'claim_open_payment_batches',
  `update payment_connections set settle_after = :next
    where organization_id = :organizationId and provider = 'terminal' and archived_at is null and settle_after <= :at
   returning id`,
);

export const selectSettlementTasks = statement<
  { connectionId: number },
  { reason: string; reference: string; intentId: number | null }
>(
  'select_payment_settlement_tasks',
  `select reason, reference, payment_intent_id as "intentId" from payment_tasks
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
