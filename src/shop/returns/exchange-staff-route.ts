import Type from 'typebox';
import { sumCents } from '../../engines/pricing/exact-amounts.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Cents, CentsTotal, Id, List, Named, OneOf, Text } from '../../platform/http/schemas.ts';
import { FulfillBody } from '../orders/fulfill-schema.ts';
import { returnLinesMax } from '../orders/order-return-schema.ts';
import { OrderId } from '../orders/order-schemas.ts';
import { orderActions } from '../orders/orders.ts';
import { exchangeGoods } from './exchange-goods.ts';
import { backAtLocation, ReturnedGoods, readReason, staffNameOf, unprovenRefund } from './return-body.ts';
import { returnExample, returnRequestExample } from './return-examples.ts';

const { leavesUnknownPayment: _, ...handOverFields } = FulfillBody.properties;

const ExchangeBody = Type.Object({
  ...handOverFields,
  returned: Type.Object({
    orderId: OrderId({ description: 'The fulfilled order whose goods come back' }),
    lineItems: List(ReturnedGoods, {
      min: 1,
      max: returnLinesMax,
      description: 'A line can occur more than once, with different inventory actions',
    }),
    brokenRewards: Type.Optional(
      OneOf(['keep', 'take-back'], { description: 'As in a return. Default: keep' }),
    ),
    inventoryLocationId: backAtLocation,
  }),
  refundPaymentTypeId: Type.Optional(
    Id({
      description:
        'How the customer gets the difference; left out where the customer owes it, or nothing is due',
    }),
  ),
  refundGiftCard: Type.Optional(
    Text({
      min: 1,
      max: 100,
      description:
        'The code of the card that gets the difference, by a payment type with `takesGiftCards`. Absent: the cards that the returned goods were paid with',
    }),
  ),
});

const Exchanged = Named(
  'Exchange',
  Type.Object({
    orderId: OrderId({ description: 'The order that was handed over' }),
    returnedOrderId: OrderId(),
    orderReturnId: Id(),
    refund: CentsTotal({ description: 'What the goods that came back came to' }),
    due: CentsTotal({
      description: 'What the customer paid before payment fees; negative: what the customer got',
    }),
    change: Cents({ description: 'Change due from the cash tendered' }),
  }),
);

const readHandOver = orderActions.find(({ id }) => id === 'fulfill')!.operation.body!.read;

/** Goods back and goods out as one act. */
export function exchangeEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'exchangeGoods',
    method: 'POST',
    path: '/staff/v1/orders/{orderId}/exchange',
    roles: ['owner', 'manager', 'budtender'],
    kind: 'write',
    recentProof: 'if the customer gets more than `refundProofAbove` of the rules of signing in',
    summary: 'Exchange goods',
    description:
      'Hands over a new or packed order for goods of another one that come back, all or nothing: `payments` cover what the new goods cost ' +
      'more, or the customer gets the difference by `refundPaymentTypeId`. The return has its own record, which is refunded in full; what of it ' +
      'pays for the new goods is one of the payments of the order, under the same payment type, so drawers and reports move by the difference. ' +
      'Stock, points, purchase limits and the reports to the state follow on both sides. Name the goods in `returned` when the order is priced ' +
      'and placed, too: limits then count without them.',
    tag: 'Returns',
    params: Type.Object({ orderId: OrderId() }),
    resourceParams: { orderId: 'ORDER_NOT_FOUND' },
    body: ExchangeBody,
    requestExample: {
      returned: {
        orderId: '0198c7c6-2f6b-7cc0-9d52-6c1a3c2e4f10',
        lineItems: returnRequestExample.lineItems.map(({ type: _, ...line }) => line),
      },
      payments: [{ paymentTypeId: 2701, remaining: true, tendered: 4_000 }],
    },
    success: {
      status: 200,
      data: Exchanged,
      description: 'The exchange',
      example: {
        orderId: '0198c7d0-5f1a-7a44-8c1b-2f4f1a9e7b21',
        returnedOrderId: '0198c7c6-2f6b-7cc0-9d52-6c1a3c2e4f10',
        ...{ orderReturnId: returnExample.id, refund: 2_750, due: 1_250, change: 2_750 },
      },
    },
    failures: [
      'INVALID_ORDER_QUANTITY',
      'ORDER_NOT_FOUND',
      'PAYMENT_TYPE_NOT_FOUND',
      'INVENTORY_LOCATION_NOT_FOUND',
      'INVALID_ORDER',
      'INVALID_ORDER_TRANSITION',
      'RETURN_QUANTITY_EXCEEDED',
      'RETURN_NOT_ALLOWED',
      'OUTSIDE_SALE_HOURS',
      'PATIENTS_ONLY_PRODUCT',
      'DELIVERY_NOT_ALLOWED',
      'VEHICLE_VALUE_EXCEEDED',
      'PURCHASE_LIMIT_EXCEEDED',
      'ID_CHECK_REQUIRED',
      'CUSTOMER_UNDERAGE',
      'CAREGIVER_NOT_REGISTERED',
      'REGISTER_NOT_FOUND',
      'DRAWER_NOT_OPEN',
      'PAYMENT_IN_PROGRESS',
      'GIFT_CARD_NOT_FOUND',
      'GIFT_CARD_BALANCE',
      'REFUND_EXCEEDS_PAYMENT',
      'TRANSACTION_RETRY_EXCEEDED',
    ],
    handle: async ({ staff, params, body, requestId, lackOfProof }) => {
      const handOver = readHandOver(body as never);
      const { returned, refundPaymentTypeId, refundGiftCard } = body;
      const made = await exchangeGoods(
        context,
        staffOrigin(staff, requestId),
        staff.organizationId,
        params.orderId,
        {
          returnedOrderId: returned.orderId,
          back: {
            lines: returned.lineItems.map((line, index) => ({
              ...line,
              type: 'exchange' as const,
              reason: readReason(line.reason, `returned.lineItems[${index}].reason`),
            })),
            ...{ brokenRewards: returned.brokenRewards ?? 'keep', role: staff.role },
            ...{
              giftCard: refundGiftCard ?? null,
              inventoryLocationId: returned.inventoryLocationId ?? null,
            },
          },
          refundPaymentTypeId: refundPaymentTypeId ?? null,
          handOver,
        },
        staffNameOf(staff),
        await unprovenRefund(staff, lackOfProof),
      );
      return reply({
        ...{ orderId: params.orderId, returnedOrderId: returned.orderId, orderReturnId: made.orderReturnId },
        ...{ refund: made.refundCents, due: made.dueCents },
        change: sumCents(made.order.payments, ({ tenderedCents, finalAmountCents, roundingCents }) =>
          tenderedCents === null ? 0 : tenderedCents - finalAmountCents - roundingCents,
        ),
      });
    },
  });
}
