import { cashRoundingCents } from '../../engines/offline-pricing/cash-rounding.ts';
import { cashRoundingOf } from '../../engines/offline-pricing/cash-rounding-rules.ts';
import { sumCents } from '../../engines/pricing/exact-amounts.ts';
import { pricePayments } from '../../engines/pricing/payment-fees.ts';
import { failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { CartPayment } from '../carts/cart-request.ts';
import { intendedPayments, knownPaymentTypes } from '../carts/carts.ts';
import type { PaymentTypeRow } from '../settings/payment-type-queries.ts';
import { selectPaymentTypeSettings, selectPaymentTypes } from '../settings/terms-of-sale.ts';
import type { OrderPayment, OrderRecord } from './order-record.ts';

/** A payment that a customer makes. */
export interface TakenPayment extends CartPayment {
  /** The cash received; null: exactly the amount due. */
  readonly tenderedCents: number | null;
  /** The code of the gift card that pays; null: none does. */
  readonly giftCard: string | null;
}

/** The refund of a return that pays for an order, wholly or in part: the goods were exchanged. */
export interface ExchangedRefund {
  readonly returnedOrderId: string;
  readonly orderReturnId: number;
  readonly cents: number;
  /** Under which the refund and this payment stand in the books; no money moves. */
  readonly paymentTypeId: number;
  readonly paymentTypeName: string;
}

/**
 * The order as it is paid at its hand-over: with these payments and their fees (D28) in place of the intended ones, cash rounded, and the
 * amounts that follow. Without `taken` the intended payments count. With an exchange, `taken` are for the rest, and its refund is the last
 * payment, without a fee and not rounded. Fails with PAYMENT_TYPE_NOT_FOUND, and with INVALID_ORDER when they do not add up to the amount due.
 */
export async function takePayments(
  tx: TenantTransaction,
  context: Context,
  order: OrderRecord,
  taken: readonly TakenPayment[] | undefined,
  nowMs: number,
  exchange: ExchangedRefund | null = null,
): Promise<OrderRecord> {
  if (taken === undefined) {
    if (order.payments.length === 0) return order;
    const [types] = await tx.run(selectPaymentTypeSettings({}));
    refuseWrongCards(
      order.payments.map((it) => ({ ...it, giftCard: null })),
      order.payments,
      types,
    );
    const payments = withCashRounded(order.payments, types);
    return payments.every(({ roundingCents }) => roundingCents === 0) ? order : { ...order, payments };
  }
  const [types] = await tx.run(selectPaymentTypes({}));
  const { head } = order;
  const totalCents = head.netPriceCents + (head.deliveryFeeCents ?? 0);
  const dueCents = totalCents - (exchange?.cents ?? 0);
  const { payments: priced, paymentsVerdict } = pricePayments(
    intendedPayments(taken, knownPaymentTypes(taken, types), head.type),
    dueCents,
    null,
  );
  if (!paymentsVerdict.ok) {
    throw failure(
      'INVALID_ORDER',
      `payments must add up to ${dueCents} cents (the amount due before payment fees), not ${paymentsVerdict.givenCents}`,
    );
  }
  const ids = await context.ids.take(priced.length + (exchange === null ? 0 : 1));
  const payments = withCashRounded(
    priced.map(
      (payment, position): OrderPayment => ({
        ...payment,
        ...{ id: ids[position]!, position, createdAt: nowMs, roundingCents: 0, orderReturnId: null },
        tenderedCents: taken[position]!.tenderedCents,
      }),
    ),
    types,
  );
  refuseWrongCash(payments, types);
  refuseWrongCards(taken, payments, types);
  const paymentFeesCents = sumCents(payments, ({ feeAmountCents }) => feeAmountCents);
  return {
    ...order,
    payments:
      exchange === null
        ? payments
        : [...payments, exchangedPayment(exchange, ids.at(-1)!, payments.length, nowMs)],
    head: { ...head, paymentFeesCents, customerGrandTotalCents: totalCents + paymentFeesCents },
  };
}

function exchangedPayment(
  exchange: ExchangedRefund,
  id: number,
  position: number,
  nowMs: number,
): OrderPayment {
  return {
    ...{ id, position, paymentTypeId: exchange.paymentTypeId, name: exchange.paymentTypeName },
    ...{ amountCents: exchange.cents, finalAmountCents: exchange.cents },
    ...{ feeCents: 0, feePercent: '0', feeAmountCents: 0, feeDescription: null, roundingCents: 0 },
    ...{ tenderedCents: null, orderReturnId: exchange.orderReturnId, createdAt: nowMs },
  };
}

/**
 * The cash of an order is rounded as one amount, which its largest payment in cash bears. Where goods were exchanged no money moves, and
 * nothing is rounded.
 */
export function withCashRounded(
  payments: readonly OrderPayment[],
  types: readonly PaymentTypeRow[],
): readonly OrderPayment[] {
  const ruleOf = ({ paymentTypeId }: OrderPayment) => {
    const type = types.find(({ id }) => id === paymentTypeId);
    return type === undefined ? 'off' : cashRoundingOf(type);
  };
  const cash = payments.filter((payment) => payment.orderReturnId === null && ruleOf(payment) !== 'off');
  if (cash.length === 0) return payments;
  const largest = cash.reduce((one, other) => (other.finalAmountCents > one.finalAmountCents ? other : one));
  const cashCents = sumCents(cash, ({ finalAmountCents }) => finalAmountCents);
  const roundingCents = cashRoundingCents(cashCents, ruleOf(largest));
  return payments.map((payment) => (payment === largest ? { ...payment, roundingCents } : payment));
}

/** A type of gift cards is paid by a card, and no other is. */
function refuseWrongCards(
  taken: readonly Pick<TakenPayment, 'giftCard'>[],
  payments: readonly OrderPayment[],
  types: readonly PaymentTypeRow[],
): void {
  for (const [index, { name, paymentTypeId, amountCents }] of payments.entries()) {
    const takesCards = types.find(({ id }) => id === paymentTypeId)?.takes_gift_cards === true;
    const { giftCard } = taken[index]!;
    if (takesCards === (giftCard !== null) || (takesCards && amountCents === 0)) continue;
    throw failure(
      'INVALID_ORDER',
      takesCards
        ? `payments[${index}].giftCard must be the code of a card: ${name} is paid by gift cards`
        : `payments[${index}].giftCard is for payment types of gift cards only, not for ${name}`,
    );
  }
}

function refuseWrongCash(payments: readonly OrderPayment[], types: readonly PaymentTypeRow[]): void {
  for (const [index, payment] of payments.entries()) {
    const { name, paymentTypeId, tenderedCents } = payment;
    if (tenderedCents === null) continue;
    if (types.find(({ id }) => id === paymentTypeId)?.method !== 'cash') {
      throw failure('INVALID_ORDER', `payments[${index}].tendered is for cash only, not for ${name}`);
    }
    if (tenderedCents < paidCents(payment)) {
      throw failure(
        'INVALID_ORDER',
        `payments[${index}].tendered must be at least ${paidCents(payment)} cents, not ${tenderedCents}`,
      );
    }
  }
}

/** What the customer pays: with the fee, cash rounded. */
export function paidCents({
  finalAmountCents,
  roundingCents,
}: Pick<OrderPayment, 'finalAmountCents' | 'roundingCents'>): number {
  return finalAmountCents + roundingCents;
}

/** The change in cash. */
export function changeOf(
  payments: readonly Pick<OrderPayment, 'finalAmountCents' | 'roundingCents'>[],
  taken: readonly TakenPayment[],
): number {
  return taken.reduce(
    (sum, { tenderedCents }, index) =>
      sum + (tenderedCents === null ? 0 : tenderedCents - paidCents(payments[index]!)),
    0,
  );
}
