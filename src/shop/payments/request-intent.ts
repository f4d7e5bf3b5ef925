import { pricePayments } from '../../engines/pricing/payment-fees.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { selectRegister } from '../registers/registers.ts';
import { selectPaymentTypes } from '../settings/terms-of-sale.ts';
import { isOpen } from './intent-lifecycle.ts';
import {
  type IntentRow,
  insertIntents,
  lockIntentsOfOrder,
  lockPaidOrder,
  oneOpenIntent,
  selectIntent,
  selectIntentOfIntegrator,
  selectOrderPayment,
} from './intent-queries.ts';
import { announceIntent, paidGoodsCents, takesMoney } from './note-sighting.ts';
import { type ConnectionRow, selectConnectionFor } from './payment-connection-queries.ts';
import type { PaymentDesk } from './payment-desk.ts';
import { startIntent } from './start-intent.ts';

/** Longer than the longest answer: a payment that is still being sent then was left behind by a process that ended. */
const graceMs = 15_000;
const referenceLength = 16;
const referenceLetters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Money that is asked for at a counter. */
export interface AskedAtCounter {
  readonly orderId: string;
  readonly paymentTypeId: number;
  /** Without fee, in cents. */
  readonly amountCents: number;
  readonly registerId: number | null;
  readonly staffId: number;
}

/**
 * Asks for an intended payment of an order (D106). One payment of an order is asked for at a time: asking again answers the one that
 * is open. Fails with ORDER_PAYMENT_NOT_FOUND, INVALID_ORDER, PAYMENT_TYPE_NOT_CONNECTED, PAYMENT_IN_PROGRESS. Resolves when the
 * provider has answered, or was silent.
 */
export async function requestOrderPayment(
  desk: PaymentDesk,
  origin: Origin,
  organization: OrganizationId,
  asked: {
    readonly orderPaymentId: number;
    readonly source: 'e-commerce' | 'retail';
    readonly integratorId: number | null;
  },
): Promise<IntentRow> {
  const { orderPaymentId, integratorId, source } = asked;
  const [[payment]] = await desk.context.database.read(
    organization,
    selectOrderPayment({ id: orderPaymentId, integratorId }),
  );
  if (payment === undefined) {
    throw failure('ORDER_PAYMENT_NOT_FOUND', 'orderPaymentId must be the id of a payment of an order.');
  }
  const request = { ...payment, orderPaymentId, source, registerId: null, staffId: null };
  const { intent, isNew } = await insertIntent(desk.context, origin, organization, request);
  return isNew ? startIntent(desk, origin, organization, intent.id) : intent;
}

/**
 * Asks for money at a counter, by the terminal of the register or by a link. Resolves once the payment is committed: a terminal
 * takes as long as its customer. Fails like `requestOrderPayment`, and with ORDER_NOT_FOUND and REGISTER_NOT_FOUND.
 */
export async function requestAtCounter(
  desk: PaymentDesk,
  origin: Origin,
  organization: OrganizationId,
  asked: AskedAtCounter,
): Promise<IntentRow> {
  const feeAmountCents = await feeOf(desk.context, organization, asked);
  const request = { ...asked, feeAmountCents, orderPaymentId: null, source: 'retail' } as const;
  const { intent, isNew } = await insertIntent(desk.context, origin, organization, request);
  if (!isNew) throw inProgress(intent);
  desk.letGoOn(startIntent(desk, origin, organization, intent.id));
  return intent;
}

/** The fee of the payment type (D28). */
async function feeOf(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  { paymentTypeId, amountCents }: AskedAtCounter,
): Promise<number> {
  const [types] = await database.read(organization, selectPaymentTypes({}));
  const type = types.find(({ id }) => id === paymentTypeId);
  if (type === undefined) throw failure('PAYMENT_TYPE_NOT_FOUND', 'There is no such payment type.');
  const { name, fee_cents: feeCents, fee_percent: feePercent, fee_description: feeDescription } = type;
  const intended = { paymentTypeId, name, amountCents, feeCents, feePercent, feeDescription };
  return pricePayments([intended], amountCents, null).payments[0]!.feeAmountCents;
}

interface Request {
  readonly orderId: string;
  readonly orderPaymentId: number | null;
  readonly paymentTypeId: number;
  readonly amountCents: number;
  readonly feeAmountCents: number;
  readonly source: 'e-commerce' | 'retail';
  readonly registerId: number | null;
  readonly staffId: number | null;
}

/** Commits the payment as `sending`: whatever happens from here on, it is not asked for again. */
async function insertIntent(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  request: Request,
): Promise<{ readonly intent: IntentRow; readonly isNew: boolean }> {
  const reference = newReference(context);
  return context.database.write(
    organization,
    async (tx) => {
      const { orderId, paymentTypeId, registerId } = request;
      const [[order], [connection], [register]] = await tx.run(
        lockPaidOrder({ orderId }),
        selectConnectionFor({ paymentTypeId, registerId }),
        registerId === null ? null : selectRegister({ id: registerId }),
      );
      if (order === undefined) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
      if (registerId !== null && register === undefined) {
        throw failure('REGISTER_NOT_FOUND', 'There is no such register.');
      }
      const [intents] = await tx.run(lockIntentsOfOrder({ orderId }));
      const open = intents.find(({ status }) => isOpen(status));
      if (open !== undefined) {
        if (open.orderPaymentId !== null && open.orderPaymentId === request.orderPaymentId) {
          return { intent: open, isNew: false };
        }
        throw inProgress(open);
      }
      if (!takesMoney(order.status)) {
        throw failure('INVALID_ORDER', `An order that is ${order.status} cannot be paid.`);
      }
      if (connection === undefined) {
        throw failure('PAYMENT_TYPE_NOT_CONNECTED', 'The payment type is not connected to a provider here.');
      }
      refuseMoreThanDue(request, order.goodsCents, intents);
      const intent = await queueIntent(tx, context, request, connection, order.userId, reference);
      await announceIntent(tx, context, origin, intent, intent.createdAt);
      return { intent, isNew: true };
    },
    { retryOnConstraints: [oneOpenIntent] },
  );
}

function refuseMoreThanDue(
  { amountCents }: Request,
  goodsCents: number,
  intents: readonly IntentRow[],
): void {
  const leftCents = goodsCents - paidGoodsCents(intents);
  if (amountCents > 0 && amountCents <= leftCents) return;
  throw failure(
    'INVALID_ORDER',
    `amount must be 1 to ${leftCents} cents, which is what is left to pay, not ${amountCents}.`,
  );
}

async function queueIntent(
  tx: TenantTransaction,
  context: Context,
  request: Request,
  connection: ConnectionRow,
  userId: number | null,
  reference: string,
): Promise<IntentRow> {
  const id = await context.ids.takeOne();
  const nowMs = context.clock.now();
  const { payWithinMinutes, batch } = connection;
  const facts = batch === null ? {} : { askedInBatch: batch };
  const isTimed = request.source === 'e-commerce' && payWithinMinutes !== null;
  const expiresAt = isTimed ? nowMs + payWithinMinutes * 60_000 : null;
  const { startMsMax } = limitsOf(connection);
  tx.queue(
    ...insertIntents([
      {
        ...{ ...request, id, reference, userId, connectionId: connection.id, status: 'sending' },
        facts: JSON.stringify(facts),
        expiresAt: expiresAt === null ? null : isoTimestamp(expiresAt),
        nextLookAt: isoTimestamp(context.wallClock.now() + startMsMax + graceMs),
        ...{ createdAt: isoTimestamp(nowMs), updatedAt: isoTimestamp(nowMs) },
      },
    ]),
  );
  return {
    ...{ ...request, id, reference, userId, connectionId: connection.id, provider: connection.provider },
    ...{ status: 'sending', capturedCents: 0, tipCents: 0, cashBackCents: 0, providerFeeCents: 0 },
    ...{ appliedCents: 0, refundedCents: 0, returnedCents: 0, link: null, expiresAt, cancelAskedAt: null },
    ...{ providerId: null, facts, absentCount: 0, lookCount: 0, createdAt: nowMs, updatedAt: nowMs },
  };
}

/** Terminals hold their answer until the customer is done. */
function limitsOf({ provider }: ConnectionRow): { readonly startMsMax: number } {
  return { startMsMax: provider === 'terminal' ? 130_000 : 40_000 };
}

function inProgress({ id, status }: IntentRow) {
  const words =
    status === 'unknown'
      ? 'What became of a payment of this order is not known yet: it must not be asked for again.'
      : 'A payment of this order is under way: wait for it, or cancel it.';
  return failure('PAYMENT_IN_PROGRESS', words, { paymentIntentId: id, status });
}

/** Letters and digits that no one mixes up; never used again. */
function newReference({ randomBytes }: Pick<Context, 'randomBytes'>): string {
  return [...randomBytes(referenceLength)].map((byte) => referenceLetters[byte % 32]).join('');
}

/** The payment as it is; fails with PAYMENT_INTENT_NOT_FOUND. */
export async function readIntent(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  id: number,
): Promise<IntentRow> {
  const [[intent]] = await database.read(organization, selectIntent({ id }));
  if (intent === undefined) throw failure('PAYMENT_INTENT_NOT_FOUND', 'There is no such payment.');
  return intent;
}

/** The same, of an order that an integrator placed. */
export async function readOwnIntent(
  context: Pick<Context, 'database'>,
  organization: OrganizationId,
  id: number,
  integratorId: number,
): Promise<IntentRow> {
  const [[own]] = await context.database.read(organization, selectIntentOfIntegrator({ id, integratorId }));
  if (own === undefined) throw failure('PAYMENT_INTENT_NOT_FOUND', 'There is no such payment.');
  return readIntent(context, organization, id);
}
