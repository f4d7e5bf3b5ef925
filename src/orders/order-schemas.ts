import Type from 'typebox';
import {
  Cents,
  CentsTotal,
  DateSince1900,
  DecimalNumber,
  DecimalText,
  Flag,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  SayingText,
  Text,
  Timestamp,
  UuidV4,
  WholeNumber,
  withErrorCode,
} from '../http/schemas.ts';
import { cannabisTypes } from '../kernel/cannabis-type.ts';
import { contentUnitNames } from '../kernel/content-units.ts';
import { OrderReturn } from './return-schemas.ts';
import { StaffUser } from './staff-user-schema.ts';

/** Shapes of the order operations (D19, D20, D26). */

export const orderTypes = ['delivery', 'pickup', 'in-store'] as const;
export const orderStatuses = ['draft', 'new', 'packed', 'fulfilled', 'canceled'] as const;
export const orderSources = ['open-api', 'web-admin', 'in-store', 'kiosk', 'menu'] as const;

/** $1 trillion: above any cart, and 20 of them still add up to a safe integer. */
export const paymentCentsMax = 100_000_000_000_000;

/** D19. */
export const linesPerCartMax = 200;
export const quantityMax = 10_000;

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

export const CartLineItem = Type.Object({
  productOptionId: Id({ description: "The option's id on the menu (`data[].options[].id`)" }),
  quantity: withErrorCode(
    WholeNumber({ min: 1, max: quantityMax, description: 'Whole, 1 to 10,000' }),
    'INVALID_ORDER_QUANTITY',
  ),
});

export const CartCustomer = Type.Object(
  {
    firstName: SayingText({ max: 100 }),
    lastName: SayingText({ max: 100, description: 'Several last names are separated by a space' }),
    email: Type.Optional(Nullable(Text({ max: 254 }))),
    phone: Type.Optional(Nullable(Text({ max: 40, description: 'US when no country is given' }))),
    birthday: Type.Optional(Nullable(DateSince1900())),
  },
  { description: 'Needs at least one of `email` and `phone`' },
);

export const CartPayment = Type.Object(
  {
    paymentTypeId: Id(),
    amount: Type.Optional(Cents({ max: paymentCentsMax, description: 'In cents, without its fee' })),
    remaining: Type.Optional(
      Flag({ description: '`true`: what the other payments leave; where that is nothing, no fee is due' }),
    ),
  },
  { description: 'An intended payment: either `amount` or `remaining: true`' },
);

/** What orders and customers are answered with as null can be sent as null: it is as if it were left out. */
const cartFields = {
  lineItems: List(CartLineItem, { min: 1, max: linesPerCartMax }),
  type: OneOf(['delivery', 'pickup']),
  deliveryFee: Type.Optional(
    Nullable(
      Cents({ description: 'A fee to pass through in cents, instead of that of the delivery zone (D28)' }),
    ),
  ),
  deliveryFeeDescription: Type.Optional(Nullable(Text({ max: 200, description: 'Title of that fee' }))),
  discountCodes: Type.Optional(List(Text({ min: 1, max: 100 }), { max: 20 })),
  payments: Type.Optional(
    List(CartPayment, {
      max: 20,
      description:
        'Exactly one `remaining: true`, or amounts that add up to what is to be paid before payment fees',
    }),
  ),
};

/** D20: what an order takes a preview takes, too. */
export const IgnoredExpectation = Type.Optional(
  Cents({
    max: paymentCentsMax,
    description:
      'As in an order, so that one body serves both; a preview says what it would cost, whatever this is',
  }),
);

export const PricingBody = Named(
  'CartPricingRequest',
  Type.Object({
    ...cartFields,
    postalCode: Type.Optional(
      SayingText({ max: 20, description: 'Of the delivery: decides zone, order minimum and fee' }),
    ),
    customer: Type.Optional(Nullable(CartCustomer)),
    expectedCustomerGrandTotal: IgnoredExpectation,
  }),
);

export const AddressBody = Type.Object({
  street1: SayingText({ max: 200 }),
  street2: Type.Optional(Nullable(Text({ max: 200 }))),
  city: SayingText({ max: 100 }),
  state: SayingText({ max: 50 }),
  postalCode: SayingText({ max: 20 }),
});

export const PlaceOrderBody = Named(
  'PlaceOrderRequest',
  Type.Object({
    ...cartFields,
    customer: CartCustomer,
    address: Type.Optional(Nullable(AddressBody)),
    idempotencyKey: withErrorCode(
      UuidV4({ description: 'A unique UUID v4; best the one of the last pricing reply' }),
      'INVALID_IDEMPOTENCY_KEY',
    ),
    deliveryNotes: Type.Optional(Nullable(Text({ max: 2000 }))),
    expectedCustomerGrandTotal: Type.Optional(
      Cents({
        max: paymentCentsMax,
        description: 'When the order would cost something else, nothing is created: 409 PRICE_CHANGED (D30)',
      }),
    ),
  }),
);

/** D18: a UUID; v7, but that is our business. */
export function OrderId(options: { readonly description?: string } = {}) {
  return Type.String({
    ...options,
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    maxLength: 36,
    'x-expected': 'an order id',
  });
}

const listMax = 10_000;

/** Of a discount that was used; `type` is `flat` or `percent`. */
const discountFields = {
  type: Text({ max: 40 }),
  amount: DecimalNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  amountUsed: Cents({ max: Number.MAX_SAFE_INTEGER }),
  description: Text({ max: 500 }),
};

const taxFields = {
  amount: CentsTotal(),
  amountBeforeExemption: CentsTotal(),
  amountExempted: CentsTotal(),
  description: Text({ max: 500 }),
  rate: DecimalText({ description: 'Percent' }),
  normalRate: DecimalText({ description: 'Percent' }),
  included: Flag({ description: 'Already in the prices' }),
  exemptable: Flag(),
  encompass: Flag({ description: 'Also taxes the taxes of lower tiers' }),
  excludedProductCategoryIds: List(Id(), { max: listMax }),
  nonExemptableProductCategoryIds: List(Id(), { max: listMax }),
  type: OneOf(['standard', 'excise', 'california-excise']),
};

const adjustmentFields = {
  amount: CentsTotal({ description: 'Negative for a reduction' }),
  description: Text({ max: 500 }),
  isTaxExemption: Flag(),
  taxId: Nullable(Id()),
};

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

const PriceStepShape = Named(
  'PriceStep',
  Type.Object({
    step: Text({ max: 60 }),
    rule: Text({ max: 500 }),
    subject: Text({ max: 500 }),
    base: Text({ max: 200, description: 'In cents, exact' }),
    rate: Nullable(Text({ max: 200 })),
    exact: Text({ max: 200, description: 'In cents, exact' }),
    roundedCents: Nullable(CentsTotal()),
  }),
);

const Explanation = List(PriceStepShape, {
  max: 1_000_000,
  description: 'With `?explain=true`: the steps of the arithmetic (D31)',
});

const PurchaseLimit = Named(
  'PurchaseLimit',
  Type.Object({
    name: Text({ max: 200 }),
    cannabisType: OneOf(cannabisTypes, { description: 'In whose terms the limit is written' }),
    unit: OneOf(contentUnitNames),
    limit: DecimalText(),
    used: DecimalText({
      wholeDigitsMax: 24,
      description: 'By this cart and by what the customer bought in the window',
    }),
    remaining: DecimalText(),
    exceeded: Flag({ description: '`true`: an order of this cart is refused, if the cart adds to it' }),
  }),
);

export const CartPricing = Named(
  'CartPricing',
  Type.Object({
    lineItems: List(
      Type.Object({
        productOptionId: Id(),
        productCategoryId: Id(),
        quantity: WholeNumber({ min: 1, max: quantityMax }),
        unitPrice: CentsTotal({ description: 'Of one unit' }),
        subtotalPrice: CentsTotal({ description: 'Of all units, before discounts' }),
        finalPrice: CentsTotal({ description: 'After the discounts of the line' }),
        discounts: List(Type.Object({ id: Id(), ...discountFields }), { max: listMax }),
      }),
      { max: linesPerCartMax },
    ),
    totalPrice: CentsTotal({ description: 'Before order discounts, credits and adjustments' }),
    netPrice: CentsTotal({ description: 'With taxes, before delivery and payment fees' }),
    customerGrandTotal: CentsTotal({ description: 'What the customer pays' }),
    discounts: List(Type.Object({ id: Id(), ...discountFields }), { max: listMax }),
    credits: List(
      Type.Object({
        id: Id(),
        type: Text({ max: 40 }),
        amountUsed: CentsTotal(),
        description: Text({ max: 500 }),
        percent: Nullable(DecimalText({ description: 'Null for a credit of so many cents' })),
      }),
      { max: listMax },
    ),
    adjustments: List(Type.Object(adjustmentFields), { max: listMax }),
    taxes: List(Type.Object({ id: Id(), ...taxFields }), { max: listMax }),
    orderMinimum: CentsTotal({ description: 'In cents, for the postal code and order type' }),
    metOrderMinimum: Flag(),
    discountsTotal: CentsTotal(),
    discountsOverBudtenderLimit: Flag(),
    discountsOverManagerLimit: Flag(),
    idempotencyKey: UuidV4({ description: 'To submit with the order' }),
    deliveryFee: Nullable(CentsTotal()),
    deliveryFeeDescription: Nullable(Text({ max: 200 })),
    paymentFees: CentsTotal({ description: 'Fees of the intended payments' }),
    purchaseLimits: List(PurchaseLimit, {
      max: listMax,
      description: 'The legal limits that hold for the customer, those for adult use when nobody is named',
    }),
    warnings: List(Text({ max: 500 }), {
      max: 10_000,
      description:
        'What is uncertain about the amounts: a tax that a medical customer may owe and is not charged',
    }),
    explanation: Type.Optional(Explanation),
  }),
);

const stamped = { createdAt: Timestamp(), updatedAt: Timestamp() };

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
    customer: Nullable(
      Type.Object({
        id: Id({ description: 'Used for the document upload' }),
        fullName: Text({ max: 210 }),
      }),
    ),
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
    { description: 'The profile as it is now; `{}` when none (D26)' },
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
    packedAt: Nullable(Timestamp()),
    fulfilledAt: Nullable(Timestamp()),
    type: OneOf(orderTypes),
    source: OneOf(orderSources),
    status: OneOf(orderStatuses),
    cancelationReason: Nullable(Text({ max: 500 })),
    cancelAdminId: Nullable(Id()),
    canceledAt: Nullable(Timestamp()),
    taxExempt: Flag(),
    refundTotal: CentsTotal({ description: 'Of the returns that were not voided: negative' }),
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
        pointsAmount: DecimalText({ sign: 'any', description: 'Negative: what it takes' }),
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
    returns: List(OrderReturn, { max: listMax, description: 'Oldest first; voided ones too' }),
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
  }),
);

export const OrderStatusReply = Type.Object({
  id: OrderId(),
  status: OneOf(orderStatuses),
});
