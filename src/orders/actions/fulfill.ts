import Type, { type Static } from 'typebox';
import { orderRoles, paymentCentsMax } from '../../carts/carts.ts';
import { Cents, Id, List } from '../../http/schemas.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrderRecord } from '../order-record.ts';
import { changeOf } from '../take-payments.ts';
import { orderAction } from './order-action.ts';

const FulfillBody = Type.Object({
  payments: Type.Optional(
    List(
      Type.Object({
        paymentTypeId: Id(),
        amount: Cents({ max: paymentCentsMax, description: 'Paid with that type, before its fee' }),
        tendered: Type.Optional(
          Cents({ max: paymentCentsMax, description: 'Cash that was given; the rest is `change`' }),
        ),
      }),
      {
        max: 20,
        description:
          'How it was paid, instead of what was intended; the amounts add up to `netPrice` + `deliveryFee`',
      },
    ),
  ),
});

export const fulfill = orderAction<'fulfill', Static<typeof FulfillBody>>({
  id: 'fulfill',
  from: ['new', 'packed'],
  to: 'fulfilled',
  roles: orderRoles,
  event: 'order.fulfilled',
  stock: 'none',
  promotions: 'earn-points',
  checksLimits: true,
  endsDispatchTask: 'completed',
  record: (order, { staff }, nowMs) => {
    assertPaid(order);
    return {
      ...order,
      fulfilledBy: staff,
      head: { ...order.head, fulfilledAt: nowMs, fulfilledByStaffId: staff?.id ?? null },
    };
  },
  operation: {
    source: ['D24', 'D28', 'D36'],
    summary: 'Hand over',
    description:
      'new or packed → fulfilled. Without `payments` the intended ones count; with them, fees and ' +
      '`customerGrandTotal` become those of how it was paid. They cover the order exactly; cash that was `tendered` ' +
      'beyond it is answered as `change`. Limits are checked once more; points are earned. A `dispatchTask` that is open ' +
      'becomes `completed`.',
    failures: ['PAYMENT_TYPE_NOT_FOUND', 'INVALID_ORDER', 'PURCHASE_LIMIT_EXCEEDED'],
    body: {
      schema: FulfillBody,
      example: {},
      read: ({ payments }) =>
        payments === undefined
          ? {}
          : {
              payments: payments.map(({ paymentTypeId, amount, tendered = null }) => ({
                paymentTypeId,
                amountCents: amount,
                tenderedCents: tendered,
              })),
            },
    },
    reply: {
      schemaName: 'FulfilledOrder',
      fields: { change: Cents({ description: 'Of the cash that was tendered' }) },
      example: { allowedActions: ['return'], change: 0 },
      of: ({ payments }, { payments: taken }) => ({
        change: taken === undefined ? 0 : changeOf(payments, taken),
      }),
    },
  },
  console: { verb: 'Take payment', done: 'The order is handed over.', opens: 'dialog', isRare: false },
});

/** D24: an order is fulfilled when its payments cover it. */
function assertPaid(order: OrderRecord): void {
  if (order.payments.length === 0 && order.head.customerGrandTotalCents > 0) {
    throw failure(
      'INVALID_ORDER',
      `payments must say how ${order.head.customerGrandTotalCents} cents were paid: the order has none`,
    );
  }
  const paidCents = order.payments.reduce((sum, payment) => sum + payment.finalAmountCents, 0);
  if (paidCents !== order.head.customerGrandTotalCents) {
    throw failure(
      'INVALID_ORDER',
      `The payments come to ${paidCents} cents, the order to ${order.head.customerGrandTotalCents}`,
    );
  }
}
