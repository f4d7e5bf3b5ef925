import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { assertNoMoneyAtProviders } from '../payments/payments.ts';
import { correctSaleAtRegister } from '../registers/registers.ts';
import type { PaymentTypeRow } from '../settings/payment-type-queries.ts';
import { selectPaymentTypeSettings } from '../settings/terms-of-sale.ts';
import { orderChanges } from './edited-order.ts';
import { loadOrder } from './loaded-order-queries.ts';
import { assertAllowed } from './order-lifecycle.ts';
import { correctPaymentRow, updateOrderHead } from './order-queries.ts';
import type { OrderPayment, OrderRecord } from './order-record.ts';
import { paidCents, withCashRounded } from './take-payments.ts';
import { assertOnDayOfSale } from './undo-sale.ts';

/** What a manager says of a payment. */
export interface PaymentCorrection {
  readonly orderPaymentId: number;
  /** How it was paid in truth. */
  readonly paymentTypeId: number;
  readonly reason: string;
}

/**
 * Says how a payment of a fulfilled order was made in truth, under a lock on the order. The amount and its fee stay as the receipt says them;
 * cash is rounded, and other money is not. The drawer, its report and the reports by payment type follow; the audit log keeps both ways. Fails
 * with PAYMENT_NOT_CORRECTABLE after the business day, after the close of the drawer, with returns, and for money whose way is known elsewhere: of a
 * provider, a gift card or an exchange.
 */
export async function correctPayment(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  orderId: string,
  staffId: number,
  { orderPaymentId, paymentTypeId, reason }: PaymentCorrection,
): Promise<void> {
  await context.database.write(organization, async (tx) => {
    const before = await loadOrder(tx, orderId, { lock: true });
    if (before === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
    const payment = before.payments.find(({ id }) => id === orderPaymentId);
    if (payment === undefined) {
      throw failure('ORDER_PAYMENT_NOT_FOUND', 'The order has no such payment.');
    }
    const [types] = await tx.run(selectPaymentTypeSettings({}));
    const type = types.find(({ id, archived_at }) => id === paymentTypeId && archived_at === null);
    if (type === undefined) throw failure('PAYMENT_TYPE_NOT_FOUND', 'paymentTypeId names no payment type.');
    assertAllowed(before, 'correct a payment of', ['fulfilled']);
    const nowMs = context.clock.now();
    await assertCorrectable(tx, before, payment, type, types, nowMs);
    if (payment.paymentTypeId === type.id) return;
    const corrected = { ...payment, paymentTypeId: type.id, name: type.name, tenderedCents: null };
    const payments = withCashRounded(
      before.payments.map((it) => ({ ...(it === payment ? corrected : it), roundingCents: 0 })),
      types,
    );
    const after: OrderRecord = { ...before, payments, head: { ...before.head, updatedAt: nowMs } };
    await writeCorrection(tx, context, before, after, staffId, nowMs);
    await announce(tx, context, origin, nowMs, {
      event: 'order.updated',
      subjectType: 'order',
      subjectId: orderId,
      payload: { orderId, status: before.head.status },
      details: { orderId, ...orderChanges(before, after), reason },
    });
  });
}

async function assertCorrectable(
  tx: TenantTransaction,
  order: OrderRecord,
  payment: OrderPayment,
  type: PaymentTypeRow,
  types: readonly PaymentTypeRow[],
  nowMs: number,
): Promise<void> {
  const refuse = (reason: string, message: string) => failure('PAYMENT_NOT_CORRECTABLE', message, { reason });
  await assertOnDayOfSale(tx, order, nowMs, {
    hasReturns: () =>
      refuse('has-returns', 'Goods of this sale were returned: its payments stay as they are.'),
    isOver: () =>
      refuse('day-is-over', 'The business day of this sale is over: its payments stay as they are.'),
  });
  if (payment.orderReturnId !== null) {
    throw refuse('exchanged', 'No money moved for this payment: goods were exchanged.');
  }
  const former = types.find(({ id }) => id === payment.paymentTypeId);
  if (type.takes_gift_cards || former?.takes_gift_cards === true) {
    throw refuse('gift-card', 'A gift card knows what was paid with it: void the sale, and take it again.');
  }
  await assertNoMoneyAtProviders(tx, order.head.id, [payment.paymentTypeId, type.id], () =>
    refuse(
      'at-provider',
      'A terminal or a bank knows what was paid by it: void the sale, and take it again.',
    ),
  );
}

/** Queues the changed payments, and what the drawer moves from one type to another. */
async function writeCorrection(
  tx: TenantTransaction,
  context: Context,
  before: OrderRecord,
  { head, payments, ...rest }: OrderRecord,
  staffId: number,
  nowMs: number,
): Promise<void> {
  const changed = payments.flatMap((now, index) => {
    const then = before.payments[index]!;
    const isSame = now.paymentTypeId === then.paymentTypeId && now.roundingCents === then.roundingCents;
    return isSame ? [] : [{ then, now }];
  });
  const moved = changed.flatMap(({ then, now }) => [
    { paymentTypeId: then.paymentTypeId, amountCents: -paidCents(then) },
    { paymentTypeId: now.paymentTypeId, amountCents: paidCents(now) },
  ]);
  await correctSaleAtRegister(tx, context, { orderId: head.id, staffId, atMs: nowMs, moved });
  tx.queue(
    ...changed.map(({ now: { id, paymentTypeId, name, roundingCents, tenderedCents } }) =>
      correctPaymentRow({ orderId: head.id, id, paymentTypeId, name, roundingCents, tenderedCents }),
    ),
    ...updateOrderHead({ ...rest, head, payments }),
  );
}
