import Type from 'typebox';
import {
  CentsTotal,
  DecimalText,
  Flag,
  Id,
  List,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { pricingExample } from '../carts/cart-examples.ts';
import { CartPricing, linesPerCartMax } from '../carts/cart-schemas.ts';
import { orderExample } from './order-examples.ts';
import { offeredActions } from './order-lifecycle.ts';
import { idCheckWays } from './order-record.ts';
import { returnLinesMax } from './order-return-schema.ts';
import { dispatchStatuses, Order, OrderId } from './order-schemas.ts';
import { StaffUser } from './staff-user-schema.ts';

/** Shapes of the staff's operations on orders, besides those of integrators. */

export const staffOrderFields = {
  ...Order.properties,
  number: Nullable(Id({ description: 'Short, for people; unique in the organization, not dense' })),
  deliveryNotes: Nullable(Text({ max: 2000 })),
  internalNotes: Nullable(Text({ max: 2000, description: 'Only staff see them' })),
  idempotencyKey: Nullable(Text({ max: 36 })),
  postalCode: Nullable(Text({ max: 20 })),
  needsHistoryCheck: Flag({
    description:
      'The customer was only claimed, so the order was checked without what the customer bought and used before. Editing or ' +
      'fulfilling it checks that: limits, age, and discounts for one use',
  }),
  discountsTotal: CentsTotal(),
  taxExemptReason: Nullable(Text({ max: 500, description: 'Why `taxExempt` was set by hand' })),
  priceOverrides: List(
    Type.Object({
      productOptionId: Id(),
      unitPrice: CentsTotal(),
      reason: Text({ max: 200 }),
      adminId: Nullable(Id({ description: 'The staff member who set it' })),
    }),
    {
      max: linesPerCartMax,
      description: 'Unit prices that were set by hand; `lineItems` have them as charged',
    },
  ),
  lineReductions: List(
    Type.Object({
      productOptionId: Id(),
      percent: Nullable(DecimalText({ description: 'Off each unit; null: an amount' })),
      amount: Nullable(CentsTotal({ description: 'Off each unit; null: a percent' })),
      reason: Text({ max: 200 }),
      adminId: Nullable(Id({ description: 'The staff member who gave it' })),
    }),
    { max: linesPerCartMax, description: 'Taken off by hand; `lineItems` have the unit prices as charged' },
  ),
  discountAmounts: List(
    Type.Object({
      discountId: Id(),
      percent: Nullable(DecimalText({ description: 'Null: an amount' })),
      amount: Nullable(CentsTotal({ description: 'The most that it takes off; null: a percent' })),
      reason: Text({ max: 200 }),
    }),
    { max: 20, description: 'What staff gave of manual discounts; `discounts` have what they took' },
  ),
  typedContact: Nullable(
    Type.Object(
      { email: Nullable(Text({ max: 254 })), phone: Nullable(Text({ max: 100 })) },
      {
        description:
          'The email and phone as they were typed, if one of them is a placeholder: no customer is found or made by it. Null: the customer has them',
      },
    ),
  ),
  packedBy: StaffUser,
  canceledBy: StaffUser,
  boughtBy: Nullable(
    Type.Object(
      { id: Id(), name: Text({ max: 201 }) },
      { description: 'The caregiver who bought for the customer, a patient' },
    ),
  ),
  idCheck: Nullable(
    Type.Object(
      { at: Timestamp(), by: StaffUser, how: OneOf(idCheckWays) },
      { description: 'Who saw an ID of who takes the goods, when and how' },
    ),
  ),
  lawEdition: Nullable(
    Text({
      max: 14,
      description:
        'The edition of legal facts by which the order was decided when it was placed or edited, then fulfilled; null: it was imported',
    }),
  ),
  exchange: Nullable(
    Type.Object(
      {
        orderId: OrderId({ description: 'The order whose goods came back' }),
        orderNumber: Nullable(Id()),
        orderReturnId: Id(),
        amount: CentsTotal({ description: 'What of the refund paid for this order, as one of `payments`' }),
        refund: CentsTotal({ description: 'What the goods came to; the customer got the rest' }),
        cashRounding: CentsTotal({
          description: 'What rounding to five cents adds to that rest, if it was given in cash',
        }),
        goods: List(
          Type.Object({ name: Text({ max: 500 }), quantity: WholeNumber({ min: 1, max: 10_000 }) }),
          {
            max: returnLinesMax,
          },
        ),
      },
      { description: 'The goods that came back in exchange for these' },
    ),
  ),
  allowedActions: List(OneOf(offeredActions), {
    max: 20,
    description: 'The actions that are possible now',
  }),
};

export const StaffCartPricing = Named(
  'StaffCartPricing',
  Type.Object({ ...CartPricing.properties, loyaltyRedemptions: Order.properties.loyaltyRedemptions }),
);

export const staffPricingExample = { ...pricingExample, loyaltyRedemptions: [] };

export const StaffOrder = Named('StaffOrder', Type.Object(staffOrderFields));

export const staffOrderExample = {
  ...orderExample,
  number: 4003,
  deliveryNotes: 'Blue door, ring twice',
  internalNotes: null,
  idempotencyKey: '7b0c9d7e-3f43-4f0e-9a51-0f6f0a4c1c55',
  postalCode: '94607',
  needsHistoryCheck: false,
  discountsTotal: 0,
  taxExemptReason: null,
  priceOverrides: [],
  lineReductions: [],
  discountAmounts: [],
  typedContact: null,
  packedBy: {},
  canceledBy: {},
  boughtBy: null,
  idCheck: null,
  lawEdition: '2026-11-27.1',
  exchange: null,
  allowedActions: ['unaccept', 'pack', 'fulfill', 'cancel', 'edit', 'dispatch'] as const,
};

export const DispatchBody = Type.Object({
  status: OneOf(dispatchStatuses),
  driverName: Type.Optional(Nullable(NonBlankText({ max: 200 }))),
  trackingUrl: Type.Optional(Nullable(Text({ min: 1, max: 2000, description: 'https; only shown' }))),
  estimatedArrivalAt: Type.Optional(Nullable(Timestamp())),
});
