import Type, { type Static } from 'typebox';
import { Cents, CentsTotal, DecimalText, Id, List, Named, Text, WholeNumber } from '../http/schemas.ts';
import { OrderReturn, returnLinesMax } from '../orders/orders.ts';

/** Shapes of returns (D39). */

/** What a return would be, in the shape of one. */
const { refundType, refundInitial, refundTotal, creditsTotal, discountsTotal, loyaltyTotal, taxes } =
  OrderReturn.properties;
export const ReturnPreview = Named(
  'ReturnPreview',
  Type.Object({
    refundType,
    refundInitial,
    refundTotal,
    creditsTotal,
    discountsTotal,
    loyaltyTotal,
    adjustmentAmount: OrderReturn.properties.adjustmentAmount,
    lineItems: List(
      Type.Object({
        orderLineItemId: Id(),
        quantity: WholeNumber({ min: 1, max: 10_000 }),
        refund: CentsTotal({ description: 'Its part of `refundTotal`, before the adjustment; negative' }),
      }),
      { max: returnLinesMax, description: 'As they were sent' },
    ),
    taxes,
    storeCredit: Cents({
      description:
        'What the customer gets as a new store credit: the refund, if it is to be one, and what store credit had paid',
    }),
    pointsTakenBack: DecimalText({
      description: 'That the goods had earned, as far as they are still there',
    }),
    pointsGivenBack: DecimalText({ description: 'That rewards had taken' }),
  }),
);

export type ShownReturnPreview = Static<typeof ReturnPreview>;

export const ListedOrderReturn = Named(
  'ListedOrderReturn',
  Type.Object({
    ...OrderReturn.properties,
    orderId: Text({ max: 36 }),
    organizationId: Id(),
  }),
);
