import { insertMany, statement } from '../../platform/statements/statement.ts';

/** All SQL on money that goes back. */

export const claimDueRefunds = statement<{ at: string; until: string; limit: number }, { id: number }>(
  'claim_due_payment_refunds',
  `update payment_refunds set next_look_at = :until
    where organization_id = :organizationId and id in (
      select id from payment_refunds where organization_id = :organizationId and next_look_at <= :at
       order by next_look_at limit :limit for update skip locked)
   returning id`,
);

export interface RefundRow {
  id: number;
  intentId: number;
  reference: string;
  amountCents: number;
  status: 'requested' | 'sending' | 'unknown' | 'pending' | 'paid' | 'failed';
  reason: string;
  orderReturnId: number | null;
  hasCard: boolean;
  lookCount: number;
  createdAt: number;
}

const refundColumns = `id, payment_intent_id as "intentId", reference, amount_cents as "amountCents", status, reason,
          order_return_id as "orderReturnId", has_card as "hasCard", look_count as "lookCount", created_at as "createdAt"`;

export const selectRefund = statement<{ id: number }, RefundRow>(
  'select_payment_refund',
  `select ${refundColumns} from payment_refunds where organization_id = :organizationId and id = :id`,
);

export const lockRefund = statement<{ id: number }, RefundRow>(
  'lock_payment_refund',
  `select ${refundColumns} from payment_refunds where organization_id = :organizationId and id = :id for update`,
);

export const selectRefundsOfIntent = statement<{ intentId: number }, RefundRow>(
  'select_payment_refunds_of_intent',
  `select ${refundColumns} from payment_refunds
    where organization_id = :organizationId and payment_intent_id = :intentId order by id`,
);

export const insertRefunds = insertMany<{
  id: number;
  intentId: number;
  reference: string;
  amountCents: number;
  status: string;
  reason: string;
  orderReturnId: number | null;
  staffId: number | null;
  hasCard: boolean;
  nextLookAt: string;
  createdAt: string;
  updatedAt: string;
}>('payment_refunds', {
  id: 'id',
  intentId: 'payment_intent_id',
  reference: 'reference',
  amountCents: 'amount_cents',
  status: 'status',
  reason: 'reason',
  orderReturnId: 'order_return_id',
  staffId: 'staff_id',
  hasCard: 'has_card',
  nextLookAt: 'next_look_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

export const updateRefund = statement<
  {
    id: number;
    status: string;
    detail: string | null;
    lookCount: number;
    nextLookAt: string | null;
    at: string;
  },
  never
>(
  'update_payment_refund',
  `update payment_refunds
      set status = :status, detail = :detail, look_count = :lookCount, next_look_at = :nextLookAt, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/** Only one of two callers sends it. */
export const beginRefund = statement<{ id: number; nextLookAt: string; at: string }, { id: number }>(
  'begin_payment_refund',
  `update payment_refunds set status = 'sending', next_look_at = :nextLookAt, updated_at = :at
    where organization_id = :organizationId and id = :id and status = 'requested' returning id`,
);

export const addRefunded = statement<
  {
    id: number;
    refundedCents: number;
    appliedCents: number;
    returnedCents: number;
    status: string;
    at: string;
  },
  never
>(
  'add_payment_refunded',
  `update payment_intents
      set refunded_cents = refunded_cents + :refundedCents, applied_cents = applied_cents + :appliedCents,
          returned_cents = returned_cents + :returnedCents, status = :status, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

export const selectRefundsOfReturn = statement<{ orderReturnId: number }, { id: number }>(
  'select_payment_refunds_of_return',
  `select id from payment_refunds
    where organization_id = :organizationId and order_return_id = :orderReturnId and status <> 'failed'`,
);
