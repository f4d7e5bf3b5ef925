import Type, { type Static } from 'typebox';
import {
  CentsTotal,
  DecimalNumber,
  DecimalText,
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../http/schemas.ts';
import { StaffUser } from './staff-user-schema.ts';

/** The shape of a return, as its order shows it (D39). */

export const refundTypes = ['payment-method', 'store-credit', 'none'] as const;
export const returnTypes = ['return', 'exchange'] as const;
export const inventoryActions = ['inventory', 'waste', 'vendor'] as const;

/** Each is some units of a line that went the same way. */
export const returnLinesMax = 400;

const ReturnedFrom = Named(
  'ReturnedFrom',
  Type.Object({
    pkg: Nullable(
      Type.Object({
        unit: Text({ max: 40 }),
        label: Text({ max: 100 }),
        costPerUnit: DecimalText({ description: 'Dollars' }),
      }),
    ),
    optionSum: DecimalNumber({
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Stock put back; 0 when it was not',
    }),
    productOptionId: Id(),
    quantityFulfilled: DecimalText({ description: 'How many of the returned units it is' }),
  }),
);

export const OrderReturn = Named(
  'OrderReturn',
  Type.Object({
    id: Id(),
    refundType: OneOf(refundTypes),
    refundInitial: CentsTotal({
      description: 'The goods before discounts, with adjustments of the order; negative',
    }),
    refundTotal: CentsTotal({ description: 'What the customer gets; negative' }),
    creditsTotal: CentsTotal({ description: 'Was paid by credits: comes off' }),
    discountsTotal: CentsTotal({ description: 'Was not paid because of discounts: comes off' }),
    adjustmentAmount: CentsTotal({ description: 'Negative: more for the customer; positive comes off' }),
    adjustmentDescription: Text({ max: 500 }),
    paymentTypeName: Text({ max: 200, description: 'Empty unless paid back by a payment type' }),
    loyaltyTotal: CentsTotal({ description: 'Was not paid because of rewards: comes off' }),
    voidedAt: Nullable(Timestamp()),
    voidedReason: Nullable(Text({ max: 500 })),
    createdAt: Timestamp(),
    createdBy: StaffUser,
    voidedBy: StaffUser,
    lineItems: List(
      Type.Object({
        orderLineItemId: Id(),
        type: OneOf(returnTypes),
        inventoryAction: OneOf(inventoryActions),
        quantity: WholeNumber({ min: 1, max: 10_000 }),
        reason: Text({ max: 500 }),
        fulfillAs: List(ReturnedFrom, { max: 10_000 }),
      }),
      { max: returnLinesMax },
    ),
    taxes: List(
      Type.Object({
        taxId: Id(),
        amount: CentsTotal({ description: 'Negative' }),
        description: Text({ max: 500 }),
        refunded: Flag({ description: '`false`: not part of `refundTotal` beside the other amounts' }),
        rate: DecimalText(),
        included: Flag(),
        exemptable: Flag(),
        type: OneOf(['standard', 'excise', 'california-excise']),
        tier: OneOf(['1', '2', '3', '4', '5']),
      }),
      { max: 10_000 },
    ),
  }),
);

export type ShownReturn = Static<typeof OrderReturn>;
