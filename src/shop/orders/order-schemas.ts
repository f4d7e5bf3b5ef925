import Type from 'typebox';
import { cannabisTypes } from '../../kernel/cannabis-type.ts';
import {
  Cents,
  CentsTotal,
  DecimalNumber,
  DecimalText,
  Flag,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  UuidV4,
  WholeNumber,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import {
  AddressBody,
  adjustmentFields,
  CartCustomer,
  cartFields,
  discountFields,
  Explanation,
  linesPerCartMax,
  listMax,
  orderTypes,
  paymentCentsMax,
  quantityMax,
  taxFields,
} from '../carts/carts.ts';
import { OrderReturn } from './order-return-schema.ts';
import { StaffUser } from './staff-user-schema.ts';

/** Shapes of the order operations (D19, D20, D26). */

export const orderStatuses = ['draft', 'new', 'packed', 'fulfilled', 'canceled'] as const;
export const orderSources = ['open-api', 'web-admin', 'in-store', 'kiosk', 'menu'] as const;

const strainTypes = [
  'sativa',
  'indica',
  'hybrid',
  'hybrid-sativa',
  'hybrid-indica',
  'cbd',
  'mixed',
  'none',
] as const;

export const PlaceOrderBody = Named(
  'PlaceOrderRequest',
  Type.Object({
    ...cartFields,
    customer: CartCustomer,
    address: Type.Optional(Nullable(AddressBody)),
    idempotencyKey: withErrorCode(
      UuidV4({ description: 'A unique UUID v4; preferably the one of the last pricing reply' }),
      'INVALID_IDEMPOTENCY_KEY',
    ),
    deliveryNotes: Type.Optional(Nullable(Text({ max: 2000 }))),
    expectedCustomerGrandTotal: Type.Optional(
      Cents({
        max: paymentCentsMax,
        description: 'If the order would cost another amount, nothing is created: 409 PRICE_CHANGED',
      }),
    ),
  }),
);

/** D18: a UUID; that it is v7 is an internal detail. */
export function OrderId(options: { readonly description?: string } = {}) {
  return Type.String({
    ...options,
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    maxLength: 36,
    'x-expected': 'an order id',
  });
}

const PaymentShape = Named(
  'OrderPayment',
  Type.Object({
    id: Id(),
    paymentTypeId: Id(),
    amount: CentsTotal({ description: 'Without the fee' }),
    finalAmount: CentsTotal({ description: 'With the fee' }),
    name: Text({ max: 200 }),
    fee: Cents({ description: 'Flat part of the fee' }),
    feePercent: DecimalText(),
    feeAmount: CentsTotal({ description: 'The whole fee' }),
    feeDescription: Nullable(Text({ max: 500 })),
    tendered: Type.Optional(
      Nullable(CentsTotal({ description: 'Cash received; null: not counted. Orders from before lack it' })),
    ),
    change: Type.Optional(Nullable(CentsTotal({ description: '`tendered` − `finalAmount`' }))),
  }),
);

const AddressShape = Named(
  'OrderAddress',
  Type.Object({
    street1: Text({ max: 200 }),
    street2: Nullable(Text({ max: 200 })),
    city: Text({ max: 100 }),
    state: Text({ max: 50 }),
    postalCode: Text({ max: 20 }),
  }),
);

const stamped = { createdAt: Timestamp(), updatedAt: Timestamp() };

const Buyer = Type.Object({
  id: Id({ description: 'Used for the document upload' }),
  fullName: Text({ max: 210 }),
});

export const CreatedOrder = Named(
  'CreatedOrder',
  Type.Object({
    id: OrderId(),
    organizationId: Id(),
    totalPrice: CentsTotal(),
    netPrice: CentsTotal(),
    deliveryNotes: Nullable(Text({ max: 2000 })),
    ...stamped,
    customerGrandTotal: CentsTotal(),
    type: OneOf(orderTypes),
    source: OneOf(orderSources),
    status: OneOf(orderStatuses),
    taxExempt: Flag(),
    isMedical: Flag(),
    idempotencyKey: Nullable(Text({ max: 36 })),
    deliveryFee: Nullable(CentsTotal()),
    deliveryFeeDescription: Nullable(Text({ max: 200 })),
    apiConsumerName: Nullable(Text({ max: 200 })),
    address: Nullable(AddressShape),
    orderToken: Type.Optional(
      Text({
        max: 100,
        description:
          'With a publishable key only: reads this order for 90 days, in the header X-Order-Token. Keep it secret',
      }),
    ),
    credits: List(
      Type.Object({
        id: Id(),
        creditId: Id(),
        orderId: OrderId(),
        type: Text({ max: 40 }),
        amountUsed: CentsTotal(),
        description: Text({ max: 500 }),
        ...stamped,
        percent: Nullable(DecimalText()),
      }),
      { max: listMax },
    ),
    lineItems: List(
      Type.Object({
        id: Id(),
        orderId: OrderId(),
        productOptionId: Id(),
        quantity: WholeNumber({ min: 1, max: quantityMax }),
        productId: Id(),
        productName: Text({ max: 500 }),
        productUnit: OneOf(['gram', 'item']),
        productUnitPlural: Text({ max: 20 }),
        productStrainType: OneOf(strainTypes),
        optionName: Text({ max: 200 }),
        optionAmount: DecimalNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        optionPrice: Cents(),
        optionSalesPrice: Nullable(Cents()),
        ...stamped,
        productIsFeatured: Flag(),
        productCategoryId: Id(),
        productSubCategoryIds: List(Id(), { max: listMax }),
        productBrand: Nullable(Text({ max: 200 })),
        productBrandId: Nullable(Id()),
        deletedAt: Nullable(Timestamp()),
        unitPrice: CentsTotal(),
        subtotalPrice: CentsTotal(),
        finalPrice: CentsTotal(),
        discounts: List(
          Type.Object({
            id: Id(),
            orderId: OrderId(),
            orderLineItemId: Id(),
            discountId: Id(),
            ...discountFields,
            ...stamped,
            deletedAt: Nullable(Timestamp()),
            adminId: Nullable(Id()),
          }),
          { max: listMax },
        ),
      }),
      { max: linesPerCartMax },
    ),
    taxes: List(
      Type.Object({
        id: Id(),
        orderId: OrderId(),
        ...stamped,
        deletedAt: Nullable(Timestamp()),
        taxId: Id(),
        ...taxFields,
      }),
      { max: listMax },
    ),
    discounts: List(
      Type.Object({
        id: Id(),
        discountId: Id(),
        orderId: OrderId(),
        ...discountFields,
        ...stamped,
        deletedAt: Nullable(Timestamp()),
        adminId: Nullable(Id()),
      }),
      { max: listMax },
    ),
    adjustments: List(
      Type.Object({
        id: Id(),
        orderId: OrderId(),
        ...adjustmentFields,
        ...stamped,
        deletedAt: Nullable(Timestamp()),
        adminId: Nullable(Id()),
      }),
      { max: listMax },
    ),
    payments: List(PaymentShape, { max: 100 }),
    customer: Nullable(Buyer),
  }),
);

/** What a secret key with vouched customers is answered: it names the customer, so the order has one. */
export const VouchedCreatedOrder = Named(
  'VouchedCreatedOrder',
  Type.Intersect([CreatedOrder, Type.Object({ customer: Buyer })], {
    description:
      'The order as a secret key is answered whose customers are `vouched`, and any key that sends `customer.token`: `customer` is always there',
  }),
);

const OrderCustomer = Named(
  'OrderCustomer',
  Type.Object(
    {
      id: Type.Optional(Id()),
      email: Type.Optional(Nullable(Text({ max: 254 }))),
      firstName: Type.Optional(Text({ max: 100 })),
      lastName: Type.Optional(Text({ max: 100 })),
      phone: Type.Optional(Nullable(Text({ max: 40 }))),
      hashId: Type.Optional(Text({ max: 8 })),
      birthday: Type.Optional(Nullable(LocalDate())),
      sex: Type.Optional(Nullable(OneOf(['male', 'female', 'tertiary']))),
      zip: Type.Optional(Nullable(Text({ max: 20 }))),
      licenseExpiry: Type.Optional(Nullable(LocalDate())),
      medicalExpiration: Type.Optional(Nullable(LocalDate())),
    },
    { description: 'The current profile; `{}` without one' },
  ),
);

const cost = { min: 0, max: Number.MAX_SAFE_INTEGER };

const FulfillAs = Named(
  'FulfillAs',
  Type.Object({
    pkg: Nullable(
      Type.Object({
        unit: Text({ max: 40 }),
        label: Text({ max: 100 }),
        costPerUnit: DecimalText({ description: 'Dollars' }),
      }),
    ),
    optionSum: DecimalNumber({ min: -Number.MAX_SAFE_INTEGER, max: 0, description: 'Stock taken' }),
    productOptionId: Id(),
    quantityFulfilled: DecimalText(),
  }),
);

export const Order = Named(
  'Order',
  Type.Object({
    id: OrderId(),
    organizationId: Id(),
    userId: Type.Optional(Id({ description: 'Present on orders with a customer' })),
    totalPrice: CentsTotal(),
    netPrice: CentsTotal(),
    customerGrandTotal: CentsTotal(),
    createdAt: Timestamp(),
    updatedAt: Timestamp({
      description: 'Time of the last change of the order; changes of the profile in `customer` do not count',
    }),
    packedAt: Nullable(Timestamp()),
    fulfilledAt: Nullable(Timestamp()),
    type: OneOf(orderTypes),
    source: OneOf(orderSources),
    status: OneOf(orderStatuses),
    cancelationReason: Nullable(Text({ max: 500 })),
    cancelAdminId: Nullable(Id()),
    canceledAt: Nullable(Timestamp()),
    taxExempt: Flag(),
    refundTotal: CentsTotal({ description: 'Sum of the returns that are not voided: negative' }),
    isMedical: Flag(),
    customerName: Nullable(Text({ max: 200 })),
    deliveryFee: Nullable(CentsTotal()),
    deliveryFeeDescription: Nullable(Text({ max: 200 })),
    apiConsumerName: Nullable(Text({ max: 200 })),
    lineItems: List(
      Named(
        'OrderLineItem',
        Type.Object({
          id: Id(),
          quantity: WholeNumber({ min: 1, max: quantityMax }),
          productId: Id(),
          optionId: Id(),
          productName: Text({ max: 500 }),
          productUnit: Text({ max: 20 }),
          productStrainType: OneOf(strainTypes),
          optionName: Text({ max: 200 }),
          productBrand: Nullable(Text({ max: 200 })),
          optionAmount: DecimalNumber(cost),
          optionPrice: Cents(),
          unitPrice: CentsTotal(),
          subtotalPrice: CentsTotal(),
          finalPrice: CentsTotal(),
          optionSalesPrice: Nullable(Cents()),
          productBrandId: Nullable(Id()),
          productMovingAverageCostPerUnit: Nullable(DecimalNumber(cost)),
          optionMovingAverageCostPerUnit: Nullable(DecimalNumber(cost)),
          packageLineCost: Nullable(DecimalNumber(cost)),
          primaryCategory: Type.Object({
            id: Id(),
            name: Text({ max: 200 }),
            cannabisType: OneOf(cannabisTypes),
          }),
          fulfillAs: List(FulfillAs, { max: listMax }),
          discounts: List(Type.Object({ discountId: Id(), ...discountFields }), { max: listMax }),
        }),
      ),
      { max: linesPerCartMax },
    ),
    payments: List(PaymentShape, { max: 100 }),
    placedBy: StaffUser,
    fulfilledBy: StaffUser,
    adjustments: List(Type.Object(adjustmentFields), { max: listMax }),
    credits: List(
      Type.Object({
        creditId: Id(),
        type: Text({ max: 40 }),
        amountUsed: CentsTotal(),
        description: Text({ max: 500 }),
      }),
      { max: listMax },
    ),
    discounts: List(Type.Object({ discountId: Id(), ...discountFields }), { max: listMax }),
    loyaltyRedemptions: List(
      Type.Object({
        type: Text({ max: 40 }),
        description: Text({ max: 500 }),
        pointsRequirement: DecimalText(),
        pointsAmount: DecimalText({ sign: 'any', description: 'Points spent: negative' }),
        discountAmount: Nullable(DecimalText()),
        amountUsed: CentsTotal(),
        productOptionId: Nullable(Id()),
      }),
      { max: listMax },
    ),
    taxes: List(
      Type.Object({
        taxId: Id(),
        amount: CentsTotal(),
        description: Text({ max: 500 }),
        rate: DecimalText(),
        amountBeforeExemption: CentsTotal(),
        amountExempted: CentsTotal(),
        included: Flag(),
        exemptable: Flag(),
        tier: OneOf(['1', '2', '3', '4', '5']),
        type: OneOf(['standard', 'excise', 'california-excise']),
        normalRate: DecimalText(),
      }),
      { max: listMax },
    ),
    returns: List(OrderReturn, { max: listMax, description: 'Oldest first, including voided ones' }),
    address: Nullable(AddressShape),
    shift: Nullable(Type.Object({ name: Text({ max: 200 }) })),
    dispatchTask: Nullable(
      Type.Object({
        id: Id(),
        status: OneOf(['unassigned', 'assigned', 'active', 'completed', 'failed']),
        driverName: Nullable(Text({ max: 200 })),
        trackingUrl: Nullable(Text({ max: 2000 })),
        estimatedArrivalAt: Nullable(Timestamp()),
        completedAt: Nullable(Timestamp()),
      }),
    ),
    customer: OrderCustomer,
    explanation: Type.Optional(Explanation),
    explanationPruned: Type.Optional(
      Flag({
        description: 'The steps of the arithmetic were deleted: the organization keeps them for a time only',
      }),
    ),
  }),
);

export const OrderStatusReply = Type.Object({
  id: OrderId(),
  status: OneOf(orderStatuses),
});
