import Type from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import {
  Cents,
  CentsTotal,
  Id,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { intentStatuses } from './intent-lifecycle.ts';
import type { IntentRow } from './intent-queries.ts';
import type { ConnectionRow } from './payment-connection-queries.ts';
import type { TaskRow } from './payment-task-queries.ts';
import type { ProviderKind } from './provider.ts';
import { providerIds, providerKinds } from './provider-kinds.ts';

/** As orders declare it, which this room is below. */
export function PaidOrderId() {
  return Type.String({
    description: 'The order',
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    maxLength: 36,
    'x-expected': 'an order id',
  });
}

const intentFields = {
  id: Id({ description: 'The payment intent' }),
  organizationId: Id({ description: 'The organization' }),
  userId: Nullable(Id({ description: 'The customer of the order; null: none is on file' })),
  paymentTypeId: Id({ description: 'How it is paid' }),
  amount: Cents({ description: 'Asked for, without the fee' }),
  feeAmount: Cents({ description: 'The fee of the payment type, which is asked for beside the amount' }),
  link: Nullable(Text({ max: 2_000, description: 'Where the customer pays; null: not by a link' })),
  status: OneOf(intentStatuses, {
    description:
      '`captured`, `settled`: paid. `canceled`, `failed`, `expired`: not paid. `unknown`: the provider does not answer; the ' +
      'service asks until it is known, and the payment must not be asked for again. `returned`: the bank took it back',
  }),
  source: OneOf(['e-commerce', 'retail'], { description: 'Where the customer is' }),
  createdAt: Timestamp({ description: 'When it was asked for' }),
  updatedAt: Timestamp({ description: 'When it changed last' }),
};

export const PaymentIntent = Named('PaymentIntent', Type.Object(intentFields));

export const intentExample = {
  id: 88_001,
  organizationId: 1001,
  userId: 3102,
  paymentTypeId: 2301,
  amount: 4130,
  feeAmount: 0,
  link: 'https://pay.example.com/5f0d6c1e',
  status: 'waiting',
  source: 'e-commerce',
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:10.456Z',
} as const;

/** A payment as integrators see it (D106). */
export function shownIntent(row: IntentRow, organizationId: number) {
  const { id, userId, paymentTypeId, amountCents, feeAmountCents, link, status, source } = row;
  return {
    ...{ id, organizationId, userId, paymentTypeId, amount: amountCents, feeAmount: feeAmountCents },
    ...{ link, status, source },
    createdAt: isoTimestamp(row.createdAt),
    updatedAt: isoTimestamp(row.updatedAt),
  };
}

export const StaffPaymentIntent = Named(
  'StaffPaymentIntent',
  Type.Object({
    ...intentFields,
    orderId: PaidOrderId(),
    registerId: Nullable(Id({ description: 'The register whose terminal was asked' })),
    captured: Cents({ description: 'Taken for the order' }),
    tip: Cents({ description: 'Taken beside that, for staff' }),
    cashBack: Cents({ description: 'Taken beside that, and given to the customer in cash by the terminal' }),
    refunded: Cents({ description: 'Given back, or on its way' }),
    returned: Cents({ description: 'Taken back by the bank' }),
    applied: Cents({ description: 'What the order counts as paid by it' }),
    code: Nullable(Text({ max: 100, description: "The provider's code of a refusal or a doubt" })),
    advice: Nullable(Text({ max: 300, description: 'What to do about it' })),
    payerName: Nullable(
      Text({ max: 200, description: 'As the bank names the payer: compare it with the ID' }),
    ),
    lastFour: Nullable(Text({ max: 4, description: 'Of the card' })),
    authCode: Nullable(
      Text({ max: 100, description: 'The approval, as the bank of the card knows it; receipts say it' }),
    ),
  }),
);

export const staffIntentExample = {
  ...intentExample,
  orderId: '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37',
  registerId: null,
  captured: 0,
  tip: 0,
  cashBack: 0,
  refunded: 0,
  returned: 0,
  applied: 0,
  code: null,
  advice: null,
  payerName: null,
  lastFour: null,
  authCode: null,
} as const;

/** A payment as staff see it, with what the provider said. */
export function shownToStaff(row: IntentRow, organizationId: number) {
  const { facts } = row;
  return {
    ...shownIntent(row, organizationId),
    ...{ orderId: row.orderId, registerId: row.registerId, captured: row.capturedCents, tip: row.tipCents },
    ...{ cashBack: row.cashBackCents, refunded: row.refundedCents, returned: row.returnedCents },
    ...{ applied: row.appliedCents, code: facts.returnCode ?? facts.code ?? null },
    ...{ advice: facts.advice ?? null, payerName: facts.payerName ?? null, lastFour: facts.lastFour ?? null },
    authCode: facts.authCode ?? null,
  };
}

export const PaymentTask = Named(
  'PaymentTask',
  Type.Object({
    id: Id(),
    kind: OneOf(['refund', 'collect', 'unknown', 'dispute', 'cash-back', 'settlement'], {
      description:
        '`refund`: money to give back. `collect`: the bank took a payment back; the customer owes it. `unknown`: a provider does ' +
        'not say what became of a payment. `settlement`: what a provider paid out differs from what was captured',
    }),
    paymentIntentId: Nullable(
      Id({ description: 'The payment; null: the provider reports one that is not ours' }),
    ),
    orderId: Nullable(PaidOrderId()),
    reference: Nullable(Text({ max: 100, description: "Of a difference: the provider's reference" })),
    orderNumber: Nullable(WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER })),
    amount: CentsTotal({
      description:
        'How much it is about; of a difference: what was paid out too much, or, negative, too little',
    }),
    reason: Text({ max: 200, description: 'Why, in a word' }),
    createdAt: Timestamp(),
  }),
);

export const taskExample = {
  id: 88_101,
  kind: 'refund',
  paymentIntentId: 88_001,
  orderId: '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37',
  reference: null,
  orderNumber: 1093,
  amount: 4130,
  reason: 'late',
  createdAt: '2026-03-01T17:05:09.123Z',
} as const;

/** A task as staff see it. */
export function shownTask(row: TaskRow) {
  const { id, kind, reference, intentId, orderId, orderNumber, amountCents, reason, createdAt } = row;
  return {
    ...{ id, kind, paymentIntentId: intentId, orderId, orderNumber, reference, reason },
    ...{ amount: amountCents, createdAt: isoTimestamp(createdAt) },
  };
}

/** The fields of all providers: which of them are required, the provider decides. */
function textsOf(field: 'accountFields' | 'secretFields') {
  const names = new Set(providerKinds.flatMap((kind: ProviderKind) => kind[field]));
  const texts = [...names].map((name) => [name, Type.Optional(Text({ max: 500 }))] as const);
  return Type.Unsafe<Record<string, string>>(Type.Object(Object.fromEntries(texts)));
}

export const ProviderAccount = textsOf('accountFields');
export const ProviderSecrets = textsOf('secretFields');

export const connectionFields = {
  name: Text({ min: 1, max: 200 }),
  baseUrl: Text({
    min: 1,
    max: 500,
    description: 'Where the provider is asked: https, in the own network also http',
  }),
  payWithinMinutes: Nullable(
    WholeNumber({
      min: 5,
      max: 10_080,
      description: 'An online order that is not paid by then is canceled; null: never',
    }),
  ),
};

export const PaymentConnection = Named(
  'PaymentConnection',
  Type.Object({
    id: Id(),
    ...connectionFields,
    provider: OneOf(providerIds, { description: 'A terminal at a counter, or pay by bank' }),
    paymentTypeId: Id({ description: 'Payments by this type go through it' }),
    registerId: Nullable(
      Id({ description: 'The register where the terminal stands; null: it has no terminal' }),
    ),
    account: ProviderAccount,
    eventsUrl: Nullable(
      Text({
        max: 1_000,
        description: 'Where the provider sends its webhooks, to be registered there; null: it sends none',
      }),
    ),
    settledDay: Nullable(
      LocalDate({
        description: 'The last day that was compared: what a bank paid out, or a batch that closed',
      }),
    ),
    archivedAt: Nullable(Timestamp({ description: 'It takes no new payments since then' })),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

export const connectionExample = {
  id: 87_001,
  name: 'Counter 1',
  baseUrl: 'https://spinpos.net',
  payWithinMinutes: null,
  provider: 'terminal',
  paymentTypeId: 2301,
  registerId: 5201,
  account: { tpn: '224900017731', paymentType: 'Debit' },
  eventsUrl: null,
  settledDay: null,
  archivedAt: null,
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
} as const;

/** Where webhooks of an account arrive. */
export function eventsPath(organizationId: number, connectionId: number): string {
  return `/staff/v1/payment-events/${organizationId}/${connectionId}`;
}

/** An account without its keys. `urlOf`: where its webhooks arrive. */
export function shownConnection(row: ConnectionRow, urlOf: (id: number) => string) {
  const { id, name, baseUrl, payWithinMinutes, provider, paymentTypeId, registerId, account } = row;
  return {
    ...{ id, name, baseUrl, payWithinMinutes, paymentTypeId, registerId, account },
    provider: provider as (typeof providerIds)[number],
    eventsUrl: provider === 'terminal' ? null : urlOf(id),
    settledDay: row.settledDay,
    archivedAt: row.archivedAt === null ? null : isoTimestamp(row.archivedAt),
    createdAt: isoTimestamp(row.createdAt),
    updatedAt: isoTimestamp(row.updatedAt),
  };
}
