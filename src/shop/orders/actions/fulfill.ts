import type { Static } from 'typebox';
import { failure } from '../../../kernel/failure.ts';
import { orderRoles } from '../../../kernel/staff-roles.ts';
import { Cents } from '../../../platform/http/schemas.ts';
import { readPayments } from '../../carts/carts.ts';
import { FulfillBody } from '../fulfill-schema.ts';
import type { OrderRecord } from '../order-record.ts';
import { seenId } from '../seen-id.ts';
import { changeOf } from '../take-payments.ts';
import { orderAction } from './order-action.ts';

export const fulfill = orderAction<'fulfill', Static<typeof FulfillBody>>({
  id: 'fulfill',
  from: ['new', 'packed'],
  to: 'fulfilled',
  roles: orderRoles,
  approvable: 'payment',
  event: 'order.fulfilled',
  stock: 'none',
  promotions: 'earn-points',
  money: 'settle',
  checksLimits: true,
  tells: 'receipt',
  endsDispatchTask: 'completed',
  record: (order, { staff }, nowMs, { idCheck }) => {
    assertPaid(order);
    return {
      ...order,
      fulfilledBy: staff,
      head: {
        ...order.head,
        fulfilledAt: nowMs,
        fulfilledByStaffId: staff?.id ?? null,
        // The ID is seen at the hand-over: the person is known.
        isUnproven: false,
        ...(idCheck !== undefined && seenId(idCheck, staff?.id ?? null, nowMs)),
      },
    };
  },
  operation: {
    summary: 'Fulfill an order',
    description:
      'new or packed → fulfilled. Without `payments`, the intended payments count. With `payments`, the fees and ' +
      '`customerGrandTotal` follow from them. Payments cover the order exactly; cash `tendered` ' +
      'beyond that is returned as `change`. Purchase limits are checked again; points are earned. An open `dispatchTask` ' +
      'becomes `completed`. An order with `needsHistoryCheck` is checked with the history of its customer for the first time: limits, ' +
      'age, and discounts that the customer may use once. Where the law or the shop asks for an ID, it is seen on the same day: ' +
      '`idCheck`, or `POST …/id-check` before.',
    failures: [
      'PAYMENT_TYPE_NOT_FOUND',
      'INVALID_ORDER',
      'OUTSIDE_SALE_HOURS',
      'PATIENTS_ONLY_PRODUCT',
      'DELIVERY_NOT_ALLOWED',
      'VEHICLE_VALUE_EXCEEDED',
      'PURCHASE_LIMIT_EXCEEDED',
      'PACKAGE_BLOCKED',
      'ID_CHECK_REQUIRED',
      'CUSTOMER_UNDERAGE',
      'CAREGIVER_NOT_REGISTERED',
      'REGISTER_NOT_FOUND',
      'DRAWER_NOT_OPEN',
      'PAYMENT_IN_PROGRESS',
      'GIFT_CARD_NOT_FOUND',
      'GIFT_CARD_BALANCE',
    ],
    body: {
      schema: FulfillBody,
      example: { payments: [{ paymentTypeId: 2701, remaining: true }] },
      read: ({ payments, registerId, idCheck, leavesUnknownPayment }) => ({
        ...(idCheck !== undefined && { idCheck }),
        ...(leavesUnknownPayment !== undefined && { leavesUnknownPayment }),
        ...(registerId !== undefined && { registerId }),
        ...(payments !== undefined && {
          payments: readPayments(payments).map((payment, index) => ({
            ...payment,
            tenderedCents: payments[index]!.tendered ?? null,
            giftCard: payments[index]!.giftCard ?? null,
          })),
        }),
      }),
    },
    reply: {
      schemaName: 'FulfilledOrder',
      fields: { change: Cents({ description: 'Change due from the cash tendered' }) },
      example: { allowedActions: ['return'], change: 0 },
      of: ({ payments }, { payments: taken }) => ({
        change: taken === undefined ? 0 : changeOf(payments, taken),
      }),
    },
  },
  console: { verb: 'Take payment', done: 'The order is fulfilled.', opens: 'dialog', isRare: false },
});

/** D24: the payments of a fulfilled order cover it. */
function assertPaid(order: OrderRecord): void {
  if (order.payments.length === 0 && order.head.customerGrandTotalCents > 0) {
    throw failure(
      'INVALID_ORDER',
      `payments are required: the order has none and comes to ${order.head.customerGrandTotalCents} cents`,
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
