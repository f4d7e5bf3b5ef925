import Type from 'typebox';
import { CartPricing, paymentCentsMax, pricingExample } from '../carts/carts.ts';
import {
  Cents,
  CentsTotal,
  Id,
  List,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../http/schemas.ts';
import { orderExample } from './order-examples.ts';
import { dispatchStatuses } from './order-record.ts';
import { Order } from './order-schemas.ts';
import { StaffUser } from './staff-user-schema.ts';

/** Shapes of the staff's operations on orders, beside those of integrators. */

/** What an order offers to its staff. */
const offeredActions = [
  'accept',
  'unaccept',
  'pack',
  'unpack',
  'fulfill',
  'cancel',
  'edit',
  'dispatch',
  'return',
] as const;

const staffOrderFields = {
  ...Order.properties,
  number: Nullable(Id({ description: 'Short, for people; unique in the organization, not dense' })),
  deliveryNotes: Nullable(Text({ max: 2000 })),
  internalNotes: Nullable(Text({ max: 2000, description: 'Only staff see them' })),
  idempotencyKey: Nullable(Text({ max: 36 })),
  postalCode: Nullable(Text({ max: 20 })),
  updatedAt: Timestamp(),
  discountsTotal: CentsTotal(),
  taxExemptReason: Nullable(Text({ max: 500, description: 'Why `taxExempt` was set by hand' })),
  packedBy: StaffUser,
  canceledBy: StaffUser,
  allowedActions: List(OneOf(offeredActions), { max: 20, description: 'What can be done with it now (D24)' }),
};

export const StaffCartPricing = Named(
  'StaffCartPricing',
  Type.Object({ ...CartPricing.properties, loyaltyRedemptions: Order.properties.loyaltyRedemptions }),
);

export const staffPricingExample = { ...pricingExample, loyaltyRedemptions: [] };

export const StaffOrder = Named('StaffOrder', Type.Object(staffOrderFields));

export const FulfilledOrder = Named(
  'FulfilledOrder',
  Type.Object({ ...staffOrderFields, change: Cents({ description: 'Of the cash that was tendered' }) }),
);

export const staffOrderExample = {
  ...orderExample,
  number: 4003,
  deliveryNotes: 'Blue door, ring twice',
  internalNotes: null,
  idempotencyKey: '7b0c9d7e-3f43-4f0e-9a51-0f6f0a4c1c55',
  postalCode: '94607',
  updatedAt: '2026-03-01T17:05:09.123Z',
  discountsTotal: 0,
  taxExemptReason: null,
  packedBy: {},
  canceledBy: {},
  allowedActions: ['unaccept', 'pack', 'fulfill', 'cancel', 'edit', 'dispatch'] as const,
};

export const AcceptBody = Type.Object({
  inventoryLocationId: Type.Optional(Id({ description: 'Take stock from there only' })),
});

export const CancelBody = Type.Object({ reason: Text({ min: 1, max: 500 }) });

export const FulfillBody = Type.Object({
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

export const DispatchBody = Type.Object({
  status: OneOf(dispatchStatuses),
  driverName: Type.Optional(Nullable(NonBlankText({ max: 200 }))),
  trackingUrl: Type.Optional(Nullable(Text({ min: 1, max: 2000, description: 'https; only shown' }))),
  estimatedArrivalAt: Type.Optional(Nullable(Timestamp())),
});
