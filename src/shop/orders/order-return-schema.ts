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
} from '../../platform/http/schemas.ts';
import { StaffUser } from './staff-user-schema.ts';

/** A return, as its order shows it (D39). */

export const refundTypes = ['payment-method', 'store-credit', 'none'] as const;
export const returnTypes = ['return', 'exchange'] as const;
export const inventoryActions = ['inventory', 'quarantine', 'waste', 'vendor'] as const;

/** Each entry is some units of a line with the same treatment. */
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
      description: 'Stock put back; 0 if none',
    }),
    productOptionId: Id(),
    quantityFulfilled: DecimalText({ description: 'Number of the returned units' }),
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
    creditsTotal: CentsTotal({ description: 'The part paid by credits; reduces the refund' }),
    discountsTotal: CentsTotal({ description: 'The part that discounts took off; reduces the refund' }),
    adjustmentAmount: CentsTotal({ description: 'Negative: increases the refund; positive: reduces it' }),
    adjustmentDescription: Text({ max: 500 }),
    paymentTypeName: Text({ max: 200, description: 'Empty unless a payment type pays the refund' }),
    loyaltyTotal: CentsTotal({ description: 'The part that rewards took off; reduces the refund' }),
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
        refunded: Flag({ description: '`false`: not included in `refundTotal`' }),
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
