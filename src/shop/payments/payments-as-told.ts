import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { statement } from '../../platform/statements/statement.ts';
import type { IntentStatus } from './intent-lifecycle.ts';
import type { IntentFacts } from './provider.ts';

/** A payment as its provider told of it, in cents. */
export interface PaymentAsTold {
  id: number;
  reference: string;
  connectionId: number;
  status: IntentStatus;
  /** With our fee. */
  askedCents: number;
  capturedCents: number;
  tipCents: number;
  cashBackCents: number;
  providerFeeCents: number;
  link: string | null;
  providerId: string | null;
  facts: IntentFacts;
  createdAt: number;
  capturedAt: number | null;
  updatedAt: number;
}

/** What went back, or is on its way. */
export interface RefundAsTold {
  intentId: number;
  reference: string;
  amountCents: number;
  isPaid: boolean;
  updatedAt: number;
}

/** What is not known, or was never sent, the provider has not told of. */
const selectPaymentsAsTold = statement<Record<never, never>, PaymentAsTold>(
  'select_payments_as_told',
  `select i.id, i.reference, i.payment_connection_id as "connectionId", i.status,
          i.amount_cents + i.fee_amount_cents as "askedCents", i.captured_cents as "capturedCents", i.tip_cents as "tipCents",
          i.cash_back_cents as "cashBackCents", i.provider_fee_cents as "providerFeeCents", i.link,
          i.provider_id as "providerId", i.facts, i.created_at as "createdAt", i.captured_at as "capturedAt",
          i.updated_at as "updatedAt"
     from payment_intents i
    where i.organization_id = :organizationId and (i.link is not null or i.captured_cents > 0)
    order by i.id desc limit 10000`,
);

const selectRefundsAsTold = statement<Record<never, never>, RefundAsTold>(
  'select_refunds_as_told',
  `select payment_intent_id as "intentId", reference, amount_cents as "amountCents", status = 'paid' as "isPaid",
          updated_at as "updatedAt"
     from payment_refunds
    where organization_id = :organizationId and status in ('pending', 'paid') order by id desc limit 10000`,
);

/** What the providers of a shop have told of its payments, oldest first: a provider that is played holds it again after a restart. */
export async function paymentsAsTold(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
): Promise<{ readonly payments: readonly PaymentAsTold[]; readonly refunds: readonly RefundAsTold[] }> {
  const [payments, refunds] = await database.read(
    organization,
    selectPaymentsAsTold({}),
    selectRefundsAsTold({}),
  );
  return { payments: payments.toReversed(), refunds: refunds.toReversed() };
}
