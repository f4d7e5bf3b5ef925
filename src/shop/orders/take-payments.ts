import { sumCents } from '../../engines/pricing/exact-amounts.ts';
import { pricePayments } from '../../engines/pricing/payment-fees.ts';
import { failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { CartPayment } from '../carts/cart-request.ts';
import { intendedPayments, knownPaymentTypes } from '../carts/carts.ts';
import { selectPaymentTypes } from '../settings/terms-of-sale.ts';
import type { OrderPayment, OrderRecord } from './order-record.ts';

/** A payment that a customer makes. */
export interface TakenPayment extends CartPayment {
  /** The cash received; null: exactly the amount due. */
  readonly tenderedCents: number | null;
}

/**
 * The order with these payments and their fees (D28) in place of the intended ones, and the amounts that
 * follow. Fails with PAYMENT_TYPE_NOT_FOUND, and with INVALID_ORDER when they do not add up to the amount due.
 */
export async function takePayments(
  tx: TenantTransaction,
  context: Context,
  order: OrderRecord,
  taken: readonly TakenPayment[],
  nowMs: number,
): Promise<OrderRecord> {
  const [types] = await tx.run(selectPaymentTypes({}));
  const { head } = order;
  const dueCents = head.netPriceCents + (head.deliveryFeeCents ?? 0);
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
  const ids = await context.ids.take(priced.length);
  const payments = priced.map(
    (payment, position): OrderPayment => ({
      ...payment,
      ...{ id: ids[position]!, position, createdAt: nowMs },
      tenderedCents: taken[position]!.tenderedCents,
    }),
  );
  for (const [index, { paymentTypeId, tenderedCents }] of taken.entries()) {
    if (tenderedCents === null) continue;
    const { name, finalAmountCents } = payments[index]!;
    if (types.find(({ id }) => id === paymentTypeId)?.method !== 'cash') {
      throw failure('INVALID_ORDER', `payments[${index}].tendered is for cash only, not for ${name}`);
    }
    if (tenderedCents < finalAmountCents) {
      throw failure(
        'INVALID_ORDER',
        `payments[${index}].tendered must be at least ${finalAmountCents} cents, not ${tenderedCents}`,
      );
    }
  }
  const paymentFeesCents = sumCents(payments, ({ feeAmountCents }) => feeAmountCents);
  return {
    ...order,
    payments,
    head: { ...head, paymentFeesCents, customerGrandTotalCents: dueCents + paymentFeesCents },
  };
}

/** The change in cash. */
export function changeOf(
  payments: readonly Pick<OrderPayment, 'finalAmountCents'>[],
  taken: readonly TakenPayment[],
): number {
  return taken.reduce(
    (sum, { tenderedCents }, index) =>
      sum + (tenderedCents === null ? 0 : tenderedCents - payments[index]!.finalAmountCents),
    0,
  );
}
