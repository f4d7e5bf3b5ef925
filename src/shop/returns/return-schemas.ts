import Type, { type Static } from 'typebox';
import {
  Cents,
  CentsTotal,
  DecimalText,
  Id,
  List,
  Named,
  Text,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { OrderReturn, returnLinesMax } from '../orders/order-return-schema.ts';

/** Shapes of returns (D39). */

/** A previewed return, in the shape of a return. */
const {
  refundType,
  refundInitial,
  refundTotal,
  cashRounding,
  creditsTotal,
  discountsTotal,
  loyaltyTotal,
  taxes,
} = OrderReturn.properties;
export const ReturnPreview = Named(
  'ReturnPreview',
  Type.Object({
    refundType,
    refundInitial,
    refundTotal,
    cashRounding,
    creditsTotal,
    discountsTotal,
    loyaltyTotal,
    adjustmentAmount: OrderReturn.properties.adjustmentAmount,
    lineItems: List(
      Type.Object({
        orderLineItemId: Id(),
        quantity: WholeNumber({ min: 1, max: 10_000 }),
        refund: CentsTotal({
          description: "The line's part of `refundTotal`, before the adjustment; negative",
        }),
      }),
      { max: returnLinesMax, description: 'As in the request' },
    ),
    taxes,
    storeCredit: Cents({
      description:
        'New store credit of the customer: the refund if it is paid as store credit, and the store credit that paid for the goods',
    }),
    pointsTakenBack: DecimalText({
      description:
        'Points the goods earned. Points that were spent since take the balance below zero, or are in `pointsCharged`, as the organization has set',
    }),
    pointsGivenBack: DecimalText({ description: 'Points that rewards redeemed' }),
    pointsCharged: Cents({
      description: 'The part of `adjustmentAmount` for points that were spent since (`owedPointCents`)',
    }),
    brokenRewards: List(
      Type.Object({
        discountId: Id(),
        description: Text({ max: 500 }),
        amount: Cents({ description: 'What the goods that stay cost less by it than they would alone' }),
      }),
      {
        max: 1000,
        description:
          'Discounts whose condition the goods that stay no longer fulfil: the paid half of a pair, a threshold',
      },
    ),
    rewardTakenBack: CentsTotal({
      description:
        'The part of `adjustmentAmount` for them, if the request takes them back; negative: given back again of earlier returns',
    }),
  }),
);

export type ShownReturnPreview = Static<typeof ReturnPreview>;

export const ListedOrderReturn = Named(
  'ListedOrderReturn',
  Type.Object({
    ...OrderReturn.properties,
    orderId: Text({ description: 'Id of the order', max: 36 }),
    organizationId: Id(),
  }),
);
