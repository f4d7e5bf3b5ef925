import { insertMany, statement } from '../../platform/statements/statement.ts';
import { type IntentStatus, openStatuses } from './intent-lifecycle.ts';
import type { IntentFacts } from './provider.ts';

/** All SQL on payments at providers, with the order that each is for, and on their ledger. */

export interface IntentRow {
  id: number;
  reference: string;
  connectionId: number;
  provider: string;
  orderId: string;
  orderPaymentId: number | null;
  paymentTypeId: number;
  source: 'e-commerce' | 'retail';
  registerId: number | null;
  staffId: number | null;
  userId: number | null;
  status: IntentStatus;
  amountCents: number;
  feeAmountCents: number;
  capturedCents: number;
  tipCents: number;
  cashBackCents: number;
  providerFeeCents: number;
  appliedCents: number;
  refundedCents: number;
  returnedCents: number;
  link: string | null;
  expiresAt: number | null;
  cancelAskedAt: number | null;
  providerId: string | null;
  facts: IntentFacts;
  absentCount: number;
  lookCount: number;
  createdAt: number;
  updatedAt: number;
}

const columns = `i.id, i.reference, i.payment_connection_id as "connectionId", c.provider, i.order_id as "orderId",
          i.order_payment_id as "orderPaymentId", i.payment_type_id as "paymentTypeId", i.source, i.register_id as "registerId",
          i.staff_id as "staffId", i.user_id as "userId", i.status, i.amount_cents as "amountCents",
          i.fee_amount_cents as "feeAmountCents", i.captured_cents as "capturedCents", i.tip_cents as "tipCents",
          i.cash_back_cents as "cashBackCents", i.provider_fee_cents as "providerFeeCents", i.applied_cents as "appliedCents",
          i.refunded_cents as "refundedCents", i.returned_cents as "returnedCents", i.link, i.expires_at as "expiresAt",
          i.cancel_asked_at as "cancelAskedAt", i.provider_id as "providerId", i.facts, i.absent_count as "absentCount",
          i.look_count as "lookCount", i.created_at as "createdAt", i.updated_at as "updatedAt"`;
const from = `payment_intents i
     join payment_connections c on c.organization_id = i.organization_id and c.id = i.payment_connection_id`;
const open = openStatuses.map((status) => `'${status}'`).join(', ');

export const selectIntent = statement<{ id: number }, IntentRow>(
  'select_payment_intent',
  `select ${columns} from ${from} where i.organization_id = :organizationId and i.id = :id`,
);

export const selectIntentByReference = statement<{ reference: string }, { id: number }>(
  'select_payment_intent_by_reference',
  `select id from payment_intents where organization_id = :organizationId and reference = :reference`,
);

/** All of an order, oldest first, locked until the commit. A write that changes one holds the order before. */
export const lockIntentsOfOrder = statement<{ orderId: string }, IntentRow>(
  'lock_payment_intents_of_order',
  `select ${columns} from ${from}
    where i.organization_id = :organizationId and i.order_id = :orderId order by i.id for update of i`,
);

export const selectIntentsOfOrder = statement<{ orderId: string }, IntentRow>(
  'select_payment_intents_of_order',
  `select ${columns} from ${from} where i.organization_id = :organizationId and i.order_id = :orderId order by i.id`,
);

/** The return whose goods pay for an order, unless it was voided. */
export const selectExchangedFor = statement<
  { orderId: string },
  { orderId: string; orderReturnId: number; paymentTypeId: number; amountCents: number }
>(
  'select_return_exchanged_for_order',
  `select r.order_id as "orderId", r.id as "orderReturnId", p.payment_type_id as "paymentTypeId",
          p.final_amount_cents as "amountCents"
     from order_payments p
     join order_returns r on r.organization_id = p.organization_id and r.id = p.order_return_id
    where p.organization_id = :organizationId and p.order_id = :orderId and r.voided_at is null`,
);

/** What a terminal or bank took beside an order, as its receipt says it; what the bank took back is left out. */
export interface ChargedRow {
  capturedCents: number;
  tipCents: number;
  cashBackCents: number;
  lastFour: string | null;
  authCode: string | null;
}

export const selectChargedOfOrder = statement<{ orderId: string }, ChargedRow>(
  'select_charged_of_order',
  `select i.captured_cents as "capturedCents", i.tip_cents as "tipCents", i.cash_back_cents as "cashBackCents",
          i.facts ->> 'lastFour' as "lastFour", i.facts ->> 'authCode' as "authCode"
     from payment_intents i
    where i.organization_id = :organizationId and i.order_id = :orderId and i.captured_cents > 0 and i.status <> 'returned'
    order by i.id`,
);

export interface PaidOrderRow {
  id: string;
  status: 'draft' | 'new' | 'packed' | 'fulfilled' | 'canceled';
  number: number | null;
  userId: number | null;
  integratorId: number | null;
  /** Without fees of payments, which follow from how it is paid. */
  goodsCents: number;
}

const paidOrder = `select id, status, number, user_id as "userId", integrator_id as "integratorId",
          customer_grand_total_cents - payment_fees_cents as "goodsCents"
     from orders where organization_id = :organizationId and id = :orderId`;

export const selectPaidOrder = statement<{ orderId: string }, PaidOrderRow>('select_paid_order', paidOrder);

/** The order that a payment is for, locked: its steps and edits wait, and the payment waits for them. */
export const lockPaidOrder = statement<{ orderId: string }, PaidOrderRow>(
  'lock_paid_order',
  `${paidOrder} for update`,
);

/** What an order says was paid by a type, in cents with fees. */
export const selectPaidByType = statement<{ orderId: string; paymentTypeId: number }, { cents: number }>(
  'select_paid_by_type_of_order',
  `select coalesce(sum(final_amount_cents), 0)::bigint as cents from order_payments
    where organization_id = :organizationId and order_id = :orderId and payment_type_id = :paymentTypeId
      and order_return_id is null`,
);

export const selectOrderPayment = statement<
  { id: number; integratorId: number | null },
  { orderId: string; paymentTypeId: number; amountCents: number; feeAmountCents: number }
>(
  'select_order_payment_to_intend',
  `select p.order_id as "orderId", p.payment_type_id as "paymentTypeId", p.amount_cents as "amountCents",
          p.fee_amount_cents as "feeAmountCents"
     from orders o
     join order_payments p on p.organization_id = o.organization_id and p.order_id = o.id
    where o.organization_id = :organizationId and p.id = :id
      and (:integratorId::bigint is null or o.integrator_id = :integratorId)`,
);

export const insertIntents = insertMany<{
  id: number;
  reference: string;
  connectionId: number;
  orderId: string;
  orderPaymentId: number | null;
  paymentTypeId: number;
  source: string;
  registerId: number | null;
  staffId: number | null;
  userId: number | null;
  status: string;
  amountCents: number;
  feeAmountCents: number;
  facts: string;
  expiresAt: string | null;
  nextLookAt: string;
  createdAt: string;
  updatedAt: string;
}>('payment_intents', {
  id: 'id',
  reference: 'reference',
  connectionId: 'payment_connection_id',
  orderId: 'order_id',
  orderPaymentId: 'order_payment_id',
  paymentTypeId: 'payment_type_id',
  source: 'source',
  registerId: 'register_id',
  staffId: 'staff_id',
  userId: 'user_id',
  status: 'status',
  amountCents: 'amount_cents',
  feeAmountCents: 'fee_amount_cents',
  facts: 'facts',
  expiresAt: 'expires_at',
  nextLookAt: 'next_look_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

/** The index that refuses the second of two payments that are asked for at once. */
export const oneOpenIntent = 'payment_intents_one_open';

/** What one sighting changes. */
export const updateIntent = statement<
  {
    id: number;
    status: string;
    capturedCents: number;
    tipCents: number;
    cashBackCents: number;
    providerFeeCents: number;
    appliedCents: number;
    returnedCents: number;
    refundedCents: number;
    link: string | null;
    expiresAt: string | null;
    providerId: string | null;
    facts: string;
    absentCount: number;
    lookCount: number;
    nextLookAt: string | null;
    at: string;
  },
  never
>(
  'update_payment_intent',
  `update payment_intents
      set status = :status, captured_cents = :capturedCents, tip_cents = :tipCents, cash_back_cents = :cashBackCents,
          provider_fee_cents = :providerFeeCents, applied_cents = :appliedCents, returned_cents = :returnedCents,
          refunded_cents = :refundedCents, link = :link, expires_at = :expiresAt, provider_id = :providerId, facts = :facts,
          absent_count = :absentCount, look_count = :lookCount, next_look_at = :nextLookAt, updated_at = :at,
          captured_at = case when captured_at is null and :capturedCents::bigint > 0 then :at::timestamptz else captured_at end
    where organization_id = :organizationId and id = :id`,
);

export const setApplied = statement<{ id: number; appliedCents: number; at: string }, never>(
  'set_payment_intent_applied',
  `update payment_intents set applied_cents = :appliedCents, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/** A wish to end it, for the worker. */
export const askToCancel = statement<{ id: number; at: string; lookAt: string }, never>(
  'ask_to_cancel_payment_intent',
  // One that is being sent has its answer still to come.
  `update payment_intents
      set cancel_asked_at = coalesce(cancel_asked_at, :at::timestamptz), look_count = 0,
          next_look_at = case when status = 'sending' then next_look_at else :lookAt::timestamptz end
    where organization_id = :organizationId and id = :id and status in (${open})`,
);

/** One of an order that an integrator placed. */
export const selectIntentOfIntegrator = statement<{ id: number; integratorId: number }, { id: number }>(
  'select_payment_intent_of_integrator',
  `select i.id from payment_intents i
     join orders o on o.organization_id = i.organization_id and o.id = i.order_id
    where i.organization_id = :organizationId and i.id = :id and o.integrator_id = :integratorId`,
);

/** Looked at as soon as a worker can. */
export const lookSoon = statement<{ reference: string; at: string }, { id: number }>(
  'look_at_payment_intent_soon',
  `update payment_intents set next_look_at = :at, look_count = 0
    where organization_id = :organizationId and reference = :reference
      and (next_look_at is null or next_look_at > :at) and status <> 'sending'
   returning id`,
);

/** Takes what is due, for a while: no other worker looks meanwhile, and one that dies lets it go. */
export const claimDueIntents = statement<{ at: string; until: string; limit: number }, { id: number }>(
  'claim_due_payment_intents',
  `update payment_intents set next_look_at = :until
    where organization_id = :organizationId and id in (
      select id from payment_intents where organization_id = :organizationId and next_look_at <= :at
       order by next_look_at limit :limit for update skip locked)
   returning id`,
);

export const selectOrganizationsWithPayments = statement<{ at: string }, { id: number }>(
  'select_organizations_with_payments',
  'select id from organizations_with_payments(:at)',
);

export type LedgerKind =
  | 'captured'
  | 'tip'
  | 'cash-back'
  | 'provider-fee'
  | 'refund'
  | 'refund-failed'
  | 'returned'
  | 'recovered';

export const insertLedger = insertMany<{
  id: number;
  intentId: number;
  kind: LedgerKind;
  amountCents: number;
  refundId: number | null;
  createdAt: string;
}>('payment_ledger_entries', {
  id: 'id',
  intentId: 'payment_intent_id',
  kind: 'kind',
  amountCents: 'amount_cents',
  refundId: 'payment_refund_id',
  createdAt: 'created_at',
});

/** Whom a link is for, and what people call the order. */
export const selectPayer = statement<
  { id: number },
  { number: number | null; phone: string | null; email: string | null }
>(
  'select_payer_of_intent',
  `select o.number, u.phone, u.email
     from payment_intents i
     join orders o on o.organization_id = i.organization_id and o.id = i.order_id
     left join customers u on u.organization_id = o.organization_id and u.id = o.user_id
    where i.organization_id = :organizationId and i.id = :id`,
);

/** What a provider said of a person; amounts stay. */
export const eraseFactsOfPayments = statement<{ orderIds: readonly string[] }, never>(
  'erase_facts_of_payments',
  `update payment_intents set facts = '{}', link = null
    where organization_id = :organizationId and order_id = any(:orderIds::uuid[])`,
);

/** What providers took for orders, with what they said of who paid. */
export const selectPaymentsForExport = statement<
  { orderIds: readonly string[] },
  {
    orderId: string;
    createdAt: number;
    status: IntentStatus;
    capturedCents: number;
    tipCents: number;
    refundedCents: number;
    returnedCents: number;
    facts: IntentFacts;
  }
>(
  'select_payments_for_export',
  `select order_id as "orderId", created_at as "createdAt", status, captured_cents as "capturedCents", tip_cents as "tipCents",
          refunded_cents as "refundedCents", returned_cents as "returnedCents", facts
     from payment_intents
    where organization_id = :organizationId and order_id = any(:orderIds::uuid[]) order by id limit 100000`,
);
