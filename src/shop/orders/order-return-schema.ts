import Type, { type Static } from 'typebox';
import {
  CentsTotal,
  DecimalNumber,
  DecimalText,
  Described,
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
      Type.Object(
        {
          unit: Text({ description: 'Unit of the amount', max: 40 }),
          label: Text({ description: 'Label of the package', max: 100 }),
          costPerUnit: DecimalText({ description: 'Dollars' }),
        },
        { description: 'The package; null: stock without one' },
      ),
    ),
    optionSum: DecimalNumber({
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Stock put back; 0 if none',
    }),
    productOptionId: Id({ description: 'Id of the option' }),
    quantityFulfilled: DecimalText({ description: 'Number of the returned units' }),
  }),
);

export const OrderReturn = Named(
  'OrderReturn',
  Type.Object({
    id: Id(),
    refundType: OneOf(refundTypes, { description: 'How the customer is repaid' }),
    refundInitial: CentsTotal({
      description: 'The goods before discounts, with adjustments of the order; negative',
    }),
    refundTotal: CentsTotal({ description: 'What the customer gets; negative' }),
    cashRounding: Type.Optional(
      CentsTotal({
        description:
          'What rounding to five cents adds to a refund in cash, beside `refundTotal`; negative: the customer gets more',
      }),
    ),
    creditsTotal: CentsTotal({ description: 'The part paid by credits; reduces the refund' }),
    discountsTotal: CentsTotal({ description: 'The part that discounts took off; reduces the refund' }),
    adjustmentAmount: CentsTotal({ description: 'Negative: increases the refund; positive: reduces it' }),
    adjustmentDescription: Text({ description: 'Why the refund differs from the price', max: 500 }),
    paymentTypeName: Text({ max: 200, description: 'Empty unless a payment type pays the refund' }),
    loyaltyTotal: CentsTotal({ description: 'The part that rewards took off; reduces the refund' }),
    voidedAt: Nullable(Timestamp({ description: 'When the return was voided; null: it was not' })),
    voidedReason: Nullable(Text({ description: 'Why the return was voided', max: 500 })),
    createdAt: Timestamp(),
    createdBy: Described('The member of staff who made it', StaffUser),
    voidedBy: Described('The member of staff who voided it', StaffUser),
    lineItems: List(
      Type.Object({
        orderLineItemId: Id({ description: 'Id of the line of the order' }),
        type: OneOf(returnTypes, { description: 'Returned, or exchanged for the same goods' }),
        inventoryAction: OneOf(inventoryActions, { description: 'What happened to the goods' }),
        quantity: WholeNumber({ description: 'How many units', min: 1, max: 10_000 }),
        reason: Text({ description: 'Why the goods came back', max: 500 }),
        fulfillAs: List(ReturnedFrom, { description: 'The packages that the goods came from', max: 10_000 }),
      }),
      { description: 'The lines', max: returnLinesMax },
    ),
    taxes: List(
      Type.Object({
        taxId: Id({ description: 'Id of the tax' }),
        amount: CentsTotal({ description: 'Negative' }),
        description: Text({ description: 'Name of the tax, for the customer', max: 500 }),
        refunded: Flag({ description: '`false`: not included in `refundTotal`' }),
        rate: DecimalText({ description: 'Rate in percent, as a decimal' }),
        included: Flag({ description: 'Whether the tax is in the price already' }),
        exemptable: Flag({ description: 'Whether exempt customers do not owe it' }),
        type: OneOf(['standard', 'excise', 'california-excise'], { description: 'Kind of tax' }),
        tier: OneOf(['1', '2', '3', '4', '5'], {
          description: 'Order of calculation: a higher tier may include the taxes of lower ones',
        }),
      }),
      { description: 'The taxes, in the order of calculation', max: 10_000 },
    ),
  }),
);

export type ShownReturn = Static<typeof OrderReturn>;
