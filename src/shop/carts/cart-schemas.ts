import Type from 'typebox';
import { dutyCodes } from '../../engines/duties/judge-duties.ts';
import { cannabisTypes } from '../../engines/goods/cannabis-type.ts';
import { contentUnitNames } from '../../engines/goods/content-units.ts';
import {
  Cents,
  CentsTotal,
  DateSince1900,
  DecimalNumber,
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
  UuidV4,
  WholeNumber,
  withErrorCode,
} from '../../platform/http/schemas.ts';

/** Shapes of carts: the fields that previews and orders share, and the response of a preview (D19, D20). */

export const orderTypes = ['delivery', 'pickup', 'in-store'] as const;
export type OrderType = (typeof orderTypes)[number];

/** $1 trillion: above any cart; 20 of them still add up to a safe integer. */
export const paymentCentsMax = 100_000_000_000_000;

/** D19. */
export const linesPerCartMax = 200;
export const quantityMax = 10_000;

export const CartLineItem = Type.Object({
  productOptionId: Id({ description: "The option's id from the menu (`data[].options[].id`)" }),
  quantity: withErrorCode(
    WholeNumber({ min: 1, max: quantityMax, description: 'Whole, 1 to 10,000' }),
    'INVALID_ORDER_QUANTITY',
  ),
});

export const CartCustomer = Type.Object(
  {
    firstName: NonBlankText({ description: 'First name', max: 100 }),
    lastName: NonBlankText({ max: 100, description: 'Separate several last names with a space' }),
    email: Type.Optional(Nullable(Text({ description: 'Email address', max: 254 }))),
    phone: Type.Optional(Nullable(Text({ max: 40, description: 'Defaults to US' }))),
    birthday: Type.Optional(Nullable(DateSince1900({ description: 'Date of birth' }))),
    token: Type.Optional(
      Nullable(
        Text({
          max: 100,
          description:
            'Of a customer session: proves the email address, which then counts instead of `email`',
        }),
      ),
    ),
  },
  { description: 'Needs at least one of `email` and `phone`, or a `token`' },
);

export const CartPaymentBody = Type.Object(
  {
    paymentTypeId: Id({ description: 'Id of the payment type' }),
    amount: Type.Optional(
      Cents({ max: paymentCentsMax, description: "In cents, without the payment type's fee" }),
    ),
    remaining: Type.Optional(
      Flag({ description: '`true`: pays what the other payments leave; if that is nothing, no fee is due' }),
    ),
  },
  { description: 'An intended payment: either `amount` or `remaining: true`' },
);

/** The time slot that a cart chooses. */
export const slotFields = {
  pickupAt: Type.Optional(
    Nullable(
      Timestamp({
        description:
          'Of a pickup: the `from` of a time slot that the shop offers (`timeSlots` of GET /api/v1/shop)',
      }),
    ),
  ),
  deliverAt: Type.Optional(Nullable(Timestamp({ description: 'Of a delivery: as `pickupAt`' }))),
};

/** Fields that responses show as null accept null in requests; null means absent. */
export const cartFields = {
  lineItems: List(CartLineItem, { description: 'The lines', min: 1, max: linesPerCartMax }),
  type: OneOf(['delivery', 'pickup'], { description: 'Kind of order' }),
  deliveryFee: Type.Optional(
    Nullable(Cents({ description: "A delivery fee in cents that replaces the delivery zone's fee" })),
  ),
  deliveryFeeDescription: Type.Optional(
    Nullable(Text({ max: 200, description: 'Title of the delivery fee' })),
  ),
  discountCodes: Type.Optional(
    List(Text({ min: 1, max: 100 }), { description: 'Codes that the customer typed', max: 20 }),
  ),
  useCredits: Type.Optional(
    Nullable(Flag({ description: "false: the customer's credits stay out of this cart" })),
  ),
  ...slotFields,
  payments: Type.Optional(
    List(CartPaymentBody, {
      max: 20,
      description:
        'Exactly one `remaining: true`, or amounts that add up to the amount due before payment fees',
    }),
  ),
};

/** D20: a preview accepts every field that an order accepts. */
export const IgnoredExpectation = Type.Optional(
  Cents({
    max: paymentCentsMax,
    description: 'Accepted so that one body serves previews and orders; has no effect on a preview',
  }),
);

/** Where a cart that is priced would be delivered to (D79). */
export const placeFields = {
  address: Type.Optional(
    Nullable(
      Type.Object(
        {
          street1: Type.Optional(Nullable(Text({ description: 'Street and number', max: 200 }))),
          street2: Type.Optional(Nullable(Text({ description: 'Apartment, floor or suite', max: 200 }))),
          city: Type.Optional(Nullable(Text({ description: 'City', max: 100 }))),
          state: Type.Optional(Nullable(Text({ description: 'State, as two letters', max: 50 }))),
          postalCode: Type.Optional(Nullable(NonBlankText({ description: 'ZIP code', max: 20 }))),
        },
        {
          description:
            'Address of the delivery, as the order will have it. Its `postalCode` decides zone, order minimum and fee; what is not known yet can be left out',
        },
      ),
    ),
  ),
  postalCode: Type.Optional(
    Nullable(
      NonBlankText({
        max: 20,
        description: 'ZIP code of the delivery, while `address` does not name one',
      }),
    ),
  ),
};

export const PricingBody = Named(
  'CartPricingRequest',
  Type.Object({
    ...cartFields,
    ...placeFields,
    customer: Type.Optional(Nullable(CartCustomer)),
    expectedCustomerGrandTotal: IgnoredExpectation,
  }),
);

export const AddressBody = Type.Object({
  street1: NonBlankText({ description: 'Street and number', max: 200 }),
  street2: Type.Optional(Nullable(Text({ description: 'Apartment, floor or suite', max: 200 }))),
  city: NonBlankText({ description: 'City', max: 100 }),
  state: NonBlankText({ description: 'State, as two letters', max: 50 }),
  postalCode: NonBlankText({ description: 'ZIP code', max: 20 }),
});

export const listMax = 10_000;

/** A discount that was used; `type` is `flat` or `percent`. */
export const discountFields = {
  type: Text({ description: '`flat`: an amount in cents; `percent`: a part of the price', max: 40 }),
  amount: DecimalNumber({
    description: 'Cents or percent, as `type` says',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  }),
  amountUsed: Cents({ description: 'Cents that it took off', max: Number.MAX_SAFE_INTEGER }),
  description: Text({ description: 'Name of the discount, for the customer', max: 500 }),
};

export const taxFields = {
  amount: CentsTotal({ description: 'Cents of tax to pay' }),
  amountBeforeExemption: CentsTotal({ description: 'Cents of tax without an exemption' }),
  amountExempted: CentsTotal({ description: 'Cents of tax that the customer does not owe' }),
  description: Text({ description: 'Name of the tax, for the customer', max: 500 }),
  rate: DecimalText({ description: 'Percent' }),
  normalRate: DecimalText({ description: 'Percent' }),
  included: Flag({ description: 'Already included in the prices' }),
  exemptable: Flag({ description: 'Whether exempt customers do not owe it' }),
  encompass: Flag({ description: 'Also applies to the taxes of lower tiers' }),
  excludedProductCategoryIds: List(Id(), { description: 'Categories that are not taxed', max: listMax }),
  nonExemptableProductCategoryIds: List(Id(), {
    description: 'Categories for which there is no exemption',
    max: listMax,
  }),
  type: OneOf(['standard', 'excise', 'california-excise'], { description: 'Kind of tax' }),
};

export const adjustmentFields = {
  amount: CentsTotal({ description: 'Negative for a reduction' }),
  description: Text({ description: 'Name of the adjustment, for the customer', max: 500 }),
  isTaxExemption: Flag({ description: 'Whether it takes off a tax that the customer does not owe' }),
  taxId: Nullable(Id({ description: 'Id of the tax' })),
};

const PriceStepShape = Named(
  'PriceStep',
  Type.Object({
    step: Text({ description: 'Which step of the arithmetic', max: 60 }),
    rule: Text({ description: 'The rule that applies, in words', max: 500 }),
    subject: Text({ description: 'What the step is about', max: 500 }),
    base: Text({ max: 200, description: 'Exact, in cents' }),
    rate: Nullable(Text({ description: 'Rate of the step; null: it has none', max: 200 })),
    exact: Text({ max: 200, description: 'Exact, in cents' }),
    roundedCents: Nullable(
      CentsTotal({ description: 'Cents after rounding; null: the step does not round' }),
    ),
  }),
);

export const Explanation = List(PriceStepShape, {
  max: 1_000_000,
  description: 'With `?explain=true`: the steps of the calculation',
});

const PurchaseLimit = Named(
  'PurchaseLimit',
  Type.Object({
    name: Text({ max: 200 }),
    cannabisType: OneOf(cannabisTypes, { description: 'Unit of the limit' }),
    unit: OneOf(contentUnitNames, { description: 'Unit of the amounts' }),
    limit: DecimalText({ description: 'The limit, as a decimal in `unit`' }),
    used: DecimalText({
      wholeDigitsMax: 24,
      description: "Used by this cart and by the customer's purchases in the window",
    }),
    remaining: DecimalText({ description: 'What the customer may still buy, as a decimal' }),
    exceeded: Flag({
      description:
        '`true`: the limit is exceeded, and an order of this cart is refused if the cart adds to it',
    }),
  }),
);

/** What an order uses of a purchase limit. */
export const LimitShare = Named(
  'LimitShare',
  Type.Object({
    name: Text({ max: 200 }),
    cannabisType: OneOf(cannabisTypes, { description: 'Unit of the limit' }),
    unit: OneOf(contentUnitNames),
    limit: DecimalText(),
    used: DecimalText({ wholeDigitsMax: 24, description: 'By this order alone' }),
  }),
);

/** What a preview warns of, for programs (D79). */
/** The codes of warnings. A duty that is broken has the code of the error that an order would get. */
export const warningCodes = [
  'DELIVERY_ZONE_UNKNOWN',
  'OUT_OF_STOCK',
  'TIME_SLOT_NOT_AVAILABLE',
  ...dutyCodes,
  'DISCOUNT_NOT_ALLOWED_BY_LAW',
  'ID_CHECK_REQUIRED',
  'RESIDENCE_UNKNOWN',
  'PATIENT_LIMITS_UNKNOWN',
] as const;

export interface CartWarning {
  readonly code: (typeof warningCodes)[number];
  readonly message: string;
  /** With OUT_OF_STOCK. */
  readonly productOptionId?: number;
  readonly maxQuantity?: number;
}

const CartWarningShape = Type.Unsafe<string | CartWarning>({
  anyOf: [
    Named(
      'CartWarning',
      Type.Object({
        code: OneOf(warningCodes, {
          description:
            '`DELIVERY_ZONE_UNKNOWN`: fee, minimum and taxes depend on a ZIP code that the cart does not name. `DISCOUNT_NOT_ALLOWED_BY_LAW`: a discount is not given on cannabis. `RESIDENCE_UNKNOWN`: the narrower limits of people from other states hold. `PATIENT_LIMITS_UNKNOWN`: no limit of the state is known for this patient. All others: an order of this cart would be refused now, with this code',
        }),
        message: Text({ max: 500, description: 'The warning in words' }),
        productOptionId: Type.Optional(Id({ description: 'With OUT_OF_STOCK' })),
        maxQuantity: Type.Optional(
          WholeNumber({
            min: 0,
            max: Number.MAX_SAFE_INTEGER,
            description: 'With OUT_OF_STOCK: how many of the option this cart can have',
          }),
        ),
      }),
    ),
    Text({ max: 500 }),
  ],
});

export const ExplainQuery = Type.Object({
  explain: Type.Optional(Flag({ description: 'Adds `explanation`: the steps of the arithmetic' })),
});

/** Refusals that previews and orders share. */
export const cartFailures = [
  'CUSTOMER_SESSION_ENDED',
  'INVALID_ORDER_QUANTITY',
  'PRODUCT_OPTION_NOT_FOUND',
  'PAYMENT_TYPE_NOT_FOUND',
  'PRODUCT_IS_INACTIVE',
  'INVALID_ORDER_TYPE',
  'DELIVERY_AREA_NOT_SERVED',
  'CUSTOMER_UNDERAGE',
  'DISCOUNT_CODE_INVALID',
  'DISCOUNT_NOT_ALLOWED_BY_LAW',
  'INVALID_ORDER',
] as const;

export const CartPricing = Named(
  'CartPricing',
  Type.Object({
    lineItems: List(
      Type.Object({
        productOptionId: Id({ description: 'Id of the option' }),
        productCategoryId: Id({ description: 'Id of the category' }),
        quantity: WholeNumber({ description: 'How many units', min: 1, max: quantityMax }),
        unitPrice: CentsTotal({ description: 'Price of one unit' }),
        subtotalPrice: CentsTotal({ description: 'Price of all units, before discounts' }),
        finalPrice: CentsTotal({ description: "Price after the line's discounts" }),
        discounts: List(Type.Object({ id: Id(), ...discountFields }), {
          description: 'The discounts that apply',
          max: listMax,
        }),
      }),
      { description: 'The lines', max: linesPerCartMax },
    ),
    totalPrice: CentsTotal({ description: 'Price before order discounts, credits and adjustments' }),
    netPrice: CentsTotal({ description: 'Price with taxes, before delivery and payment fees' }),
    customerGrandTotal: CentsTotal({ description: 'The amount the customer pays' }),
    discounts: List(Type.Object({ id: Id(), ...discountFields }), {
      description: 'The discounts that apply',
      max: listMax,
    }),
    credits: List(
      Type.Object({
        id: Id(),
        type: Text({ description: 'Kind of credit', max: 40 }),
        amountUsed: CentsTotal({ description: 'Cents that it took off' }),
        description: Text({ description: 'Name of the credit, for the customer', max: 500 }),
        percent: Nullable(DecimalText({ description: 'Null for a fixed-amount credit' })),
      }),
      { description: 'The credits that were used', max: listMax },
    ),
    adjustments: List(Type.Object(adjustmentFields), {
      description: 'Exemptions and other changes of the total',
      max: listMax,
    }),
    taxes: List(Type.Object({ id: Id(), ...taxFields }), {
      description: 'The taxes, in the order of calculation',
      max: listMax,
    }),
    orderMinimum: CentsTotal({ description: 'In cents, for the ZIP code and order type' }),
    metOrderMinimum: Flag({ description: 'Whether the cart reaches the minimum' }),
    discountsTotal: CentsTotal({ description: 'Cents of all discounts' }),
    discountsOverBudtenderLimit: Flag({
      description: 'Whether the discounts exceed what a budtender may give',
    }),
    discountsOverManagerLimit: Flag({ description: 'Whether the discounts exceed what a manager may give' }),
    idempotencyKey: UuidV4({ description: 'Submit it with the order' }),
    deliveryFee: Nullable(CentsTotal({ description: 'Cents for the delivery; null: none' })),
    deliveryFeeDescription: Nullable(
      Text({ description: 'Name of the delivery fee, for the customer', max: 200 }),
    ),
    paymentFees: CentsTotal({ description: 'Fees of the intended payments' }),
    purchaseLimits: List(PurchaseLimit, {
      max: listMax,
      description:
        'The legal limits that apply to the customer; the adult-use limits if the request names no customer',
    }),
    warnings: List(CartWarningShape, {
      max: 10_000,
      description:
        'What is uncertain, and what an order of this cart would be refused for: an object with `code`, or a text about a tax that a medical customer may owe but is not charged',
    }),
    explanation: Type.Optional(Explanation),
    lawEdition: Type.Optional(
      Text({
        max: 14,
        description: 'With `explain`: the edition of legal facts by which the cart was decided',
      }),
    ),
  }),
);
