import Type from 'typebox';
import { cannabisTypes } from '../../engines/goods/cannabis-type.ts';
import { reportStates } from '../../engines/state-reports/report-lifecycle.ts';
import { stopStatuses } from '../../kernel/stop-statuses.ts';
import {
  Cents,
  CentsTotal,
  DecimalNumber,
  DecimalText,
  Described,
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
} from '../carts/cart-schemas.ts';
import { OrderReturn } from './order-return-schema.ts';
import { StaffUser } from './staff-user-schema.ts';

/** How far a delivery is (D26). */
export const dispatchStatuses = ['unassigned', 'assigned', 'active', 'completed', 'failed'] as const;

/** Why a sale that was made alone is to be reviewed (D75). */
export const offlineDoubts = [
  'not-signed',
  'seller-is-not-sender',
  'offline-off',
  'terms-expired',
  'clock',
  'sale-limit',
  'outage-limit',
  'number-used',
  'price-differs',
  'purchase-limit',
  'outside-sale-hours',
  'duty-broken',
  'stock-short',
  'customer-unknown',
  'customer-underage',
  'product-off-sale',
  'reduction-limit',
  'refused',
  'drawer-closed',
  'register-archived',
] as const;

/** What the state's traceability system knows of an order; told of a single order, to keys with `analytics`. */
const OrderStateReport = Type.Object(
  {
    state: OneOf(reportStates, {
      description:
        'Of the last report: `waiting`, `sending` or `unknown`: it is under way; `accepted`, `done-by-hand`: the state has it; `refused`: the shop decides',
    }),
    reportedAt: Nullable(
      Timestamp({ description: 'When the state accepted a report of the order last; null: it has none' }),
    ),
  },
  { description: "What the state's system knows of it; absent: it is not reported by a connection" },
);

/** Shapes of the order operations (D19, D20, D26). */

export const orderStatuses = ['draft', 'new', 'packed', 'fulfilled', 'canceled'] as const;
export const orderSources = ['open-api', 'web-admin', 'in-store', 'kiosk', 'menu'] as const;

export const strainTypes = [
  'sativa',
  'indica',
  'hybrid',
  'hybrid-sativa',
  'hybrid-indica',
  'cbd',
  'mixed',
  'none',
] as const;

/** The time slot that a customer chose. */
export const OrderSlot = Named(
  'OrderSlot',
  Type.Object(
    {
      from: Timestamp({ description: 'When it begins' }),
      to: Timestamp({ description: 'When it ends' }),
    },
    { description: 'When it is picked up or delivered; absent: no time was chosen' },
  ),
);

export const PlaceOrderBody = Named(
  'PlaceOrderRequest',
  Type.Object({
    ...cartFields,
    customer: CartCustomer,
    address: Type.Optional(
      Described('Where the order is delivered; null: it is picked up', Nullable(AddressBody)),
    ),
    idempotencyKey: withErrorCode(
      UuidV4({ description: 'A unique UUID v4; preferably the one of the last pricing reply' }),
      'INVALID_IDEMPOTENCY_KEY',
    ),
    deliveryNotes: Type.Optional(Nullable(Text({ description: 'Notes for the driver', max: 2000 }))),
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

/** A payment, as orders show it. */
export const PaymentShape = Named(
  'OrderPayment',
  Type.Object({
    id: Id(),
    paymentTypeId: Id({ description: 'Id of the payment type' }),
    amount: CentsTotal({ description: 'Without the fee' }),
    finalAmount: CentsTotal({ description: 'With the fee' }),
    name: Text({ max: 200 }),
    fee: Cents({ description: 'Flat part of the fee' }),
    feePercent: DecimalText({ description: 'Fee in percent of the payment, as a decimal' }),
    feeAmount: CentsTotal({ description: 'The whole fee' }),
    feeDescription: Nullable(Text({ description: 'Name of the fee, for the customer', max: 500 })),
    tendered: Type.Optional(
      Nullable(CentsTotal({ description: 'Cash received; null: not counted. Orders from before lack it' })),
    ),
    change: Type.Optional(
      Nullable(CentsTotal({ description: '`tendered` − `finalAmount` − `cashRounding`' })),
    ),
    cashRounding: Type.Optional(
      CentsTotal({
        description:
          'What rounding to five cents adds to a payment in cash, beside `finalAmount`; negative: it takes off',
      }),
    ),
  }),
);

/** Where an order is delivered. */
export const AddressShape = Named(
  'OrderAddress',
  Type.Object({
    street1: Text({ description: 'Street and number', max: 200 }),
    street2: Nullable(Text({ description: 'Apartment, floor or suite', max: 200 })),
    city: Text({ description: 'City', max: 100 }),
    state: Text({ description: 'State, as two letters', max: 50 }),
    postalCode: Text({ description: 'ZIP code', max: 20 }),
  }),
);

/** When a row was made and last changed. */
export const stamped = { createdAt: Timestamp(), updatedAt: Timestamp() };

const OrderCustomer = Named(
  'OrderCustomer',
  Type.Object(
    {
      id: Type.Optional(Id()),
      email: Type.Optional(Nullable(Text({ description: 'Email address', max: 254 }))),
      firstName: Type.Optional(Text({ description: 'First name', max: 100 })),
      lastName: Type.Optional(Text({ description: 'Last name', max: 100 })),
      phone: Type.Optional(Nullable(Text({ description: 'Phone number, in replies as E.164', max: 40 }))),
      hashId: Type.Optional(Text({ description: 'The id as text, for links', max: 8 })),
      birthday: Type.Optional(Nullable(LocalDate({ description: 'Date of birth' }))),
      sex: Type.Optional(Nullable(OneOf(['male', 'female', 'tertiary'], { description: 'Sex, as on file' }))),
      zip: Type.Optional(Nullable(Text({ description: 'ZIP code, as on file', max: 20 }))),
      licenseExpiry: Type.Optional(
        Nullable(LocalDate({ description: 'Last day on which the identity document is valid' })),
      ),
      medicalExpiration: Type.Optional(
        Nullable(LocalDate({ description: 'Last day of the medical recommendation' })),
      ),
    },
    { description: 'The current profile; `{}` without one' },
  ),
);

const cost = { min: 0, max: Number.MAX_SAFE_INTEGER };

const FulfillAs = Named(
  'FulfillAs',
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
    optionSum: DecimalNumber({ min: -Number.MAX_SAFE_INTEGER, max: 0, description: 'Stock taken' }),
    productOptionId: Id({ description: 'Id of the option' }),
    quantityFulfilled: DecimalText({ description: 'Units from this package, as a decimal' }),
  }),
);

export const Order = Named(
  'Order',
  Type.Object({
    id: OrderId(),
    organizationId: Id(),
    userId: Type.Optional(Id({ description: 'Present on orders with a customer' })),
    totalPrice: CentsTotal({ description: 'Cents: the sum of the lines' }),
    netPrice: CentsTotal({
      description: 'Cents with discounts, credits, adjustments and taxes, before fees',
    }),
    customerGrandTotal: CentsTotal({ description: 'Cents that the customer pays' }),
    createdAt: Timestamp(),
    updatedAt: Timestamp({
      description: 'Time of the last change of the order; changes of the profile in `customer` do not count',
    }),
    packedAt: Nullable(Timestamp({ description: 'When it was packed' })),
    fulfilledAt: Nullable(Timestamp({ description: 'When it was handed over' })),
    type: OneOf(orderTypes, { description: 'Kind of order' }),
    source: OneOf(orderSources, { description: 'Where the order was placed' }),
    status: OneOf(orderStatuses, { description: 'Where the order is in its life' }),
    cancelationReason: Nullable(Text({ description: 'Why it was canceled', max: 500 })),
    cancelAdminId: Nullable(Id({ description: 'Id of the member of staff who canceled it' })),
    canceledAt: Nullable(Timestamp({ description: 'When it was canceled' })),
    taxExempt: Flag({ description: 'Whether the customer is exempt from taxes' }),
    refundTotal: CentsTotal({ description: 'Sum of the returns that are not voided: negative' }),
    isMedical: Flag({ description: 'Whether it is an order of a patient' }),
    customerName: Nullable(Text({ description: 'First and last name of the customer', max: 200 })),
    deliveryFee: Nullable(CentsTotal({ description: 'Cents for the delivery; null: none' })),
    deliveryFeeDescription: Nullable(
      Text({ description: 'Name of the delivery fee, for the customer', max: 200 }),
    ),
    apiConsumerName: Nullable(
      Text({ description: 'Name of the integrator that placed it; null: staff did', max: 200 }),
    ),
    lineItems: List(
      Named(
        'OrderLineItem',
        Type.Object({
          id: Id(),
          quantity: WholeNumber({ description: 'How many units', min: 1, max: quantityMax }),
          productId: Id({ description: 'Id of the product' }),
          optionId: Id({ description: 'Id of the option' }),
          productName: Text({ description: 'Name of the product at the time of the order', max: 500 }),
          productUnit: Text({ description: 'Unit of the product at the time of the order', max: 20 }),
          productStrainType: OneOf(strainTypes, { description: 'Kind of strain at the time of the order' }),
          optionName: Text({ description: 'Name of the option at the time of the order', max: 200 }),
          productBrand: Nullable(
            Text({ description: 'Name of the brand at the time of the order', max: 200 }),
          ),
          optionAmount: Described('Stock that one unit takes', DecimalNumber(cost)),
          optionPrice: Cents({ description: 'Cents for one unit at the time of the order' }),
          unitPrice: CentsTotal({ description: 'Cents for one unit, before discounts' }),
          subtotalPrice: CentsTotal({ description: 'Cents for all units, before discounts' }),
          finalPrice: CentsTotal({ description: "Cents for all units, after the line's own discounts" }),
          optionSalesPrice: Nullable(
            Cents({ description: 'Reduced price at the time of the order; null: none' }),
          ),
          productBrandId: Nullable(Id({ description: 'Id of the brand' })),
          productMovingAverageCostPerUnit: Described(
            'Dollars that one unit of the product cost the shop',
            Nullable(DecimalNumber(cost)),
          ),
          optionMovingAverageCostPerUnit: Described(
            'Dollars that one unit of the option cost the shop',
            Nullable(DecimalNumber(cost)),
          ),
          packageLineCost: Described(
            'Dollars that the packages of the line cost the shop',
            Nullable(DecimalNumber(cost)),
          ),
          primaryCategory: Type.Object(
            {
              id: Id(),
              name: Text({ max: 200 }),
              cannabisType: OneOf(cannabisTypes, { description: 'How purchase limits and taxes count it' }),
            },
            { description: 'The category' },
          ),
          fulfillAs: List(FulfillAs, { description: 'The packages that the goods came from', max: listMax }),
          discounts: List(
            Type.Object({
              discountId: Id({ description: 'Id of the discount; null: it was given by hand' }),
              ...discountFields,
            }),
            { description: 'The discounts that apply', max: listMax },
          ),
        }),
      ),
      { description: 'The lines', max: linesPerCartMax },
    ),
    payments: List(PaymentShape, { description: 'How the customer pays', max: 100 }),
    placedBy: Described('The member of staff who placed it; null: an integrator did', StaffUser),
    fulfilledBy: Described('The member of staff who handed it over', StaffUser),
    adjustments: List(Type.Object(adjustmentFields), {
      description: 'Exemptions and other changes of the total',
      max: listMax,
    }),
    credits: List(
      Type.Object({
        creditId: Id({ description: 'Id of the credit' }),
        type: Text({ description: 'Kind of credit', max: 40 }),
        amountUsed: CentsTotal({ description: 'Cents that it took off' }),
        description: Text({ description: 'Name of the credit, for the customer', max: 500 }),
      }),
      { description: 'The credits that were used', max: listMax },
    ),
    discounts: List(
      Type.Object({
        discountId: Id({ description: 'Id of the discount; null: it was given by hand' }),
        ...discountFields,
      }),
      { description: 'The discounts that apply', max: listMax },
    ),
    loyaltyRedemptions: List(
      Type.Object({
        type: Text({ description: '`flat`: an amount in cents; `percent`: a part of the price', max: 40 }),
        description: Text({ description: 'Name of the reward', max: 500 }),
        pointsRequirement: DecimalText({ description: 'Points that the reward costs' }),
        pointsAmount: DecimalText({ sign: 'any', description: 'Points spent: negative' }),
        discountAmount: Nullable(DecimalText({ description: 'Cents that the reward took off' })),
        amountUsed: CentsTotal({ description: 'Cents that it took off' }),
        productOptionId: Nullable(Id({ description: 'Id of the option' })),
      }),
      { description: 'The rewards that were redeemed', max: listMax },
    ),
    taxes: List(
      Type.Object({
        taxId: Id({ description: 'Id of the tax' }),
        amount: CentsTotal({ description: 'Cents of tax to pay' }),
        description: Text({ description: 'Name of the tax, for the customer', max: 500 }),
        rate: DecimalText({ description: 'Rate in percent, as a decimal' }),
        amountBeforeExemption: CentsTotal({ description: 'Cents of tax without an exemption' }),
        amountExempted: CentsTotal({ description: 'Cents of tax that the customer does not owe' }),
        included: Flag({ description: 'Whether the tax is in the price already' }),
        exemptable: Flag({ description: 'Whether exempt customers do not owe it' }),
        tier: OneOf(['1', '2', '3', '4', '5'], {
          description: 'Order of calculation: a higher tier may include the taxes of lower ones',
        }),
        type: OneOf(['standard', 'excise', 'california-excise'], { description: 'Kind of tax' }),
        normalRate: DecimalText({ description: 'Rate in percent for customers without an exemption' }),
      }),
      { description: 'The taxes, in the order of calculation', max: listMax },
    ),
    returns: List(OrderReturn, { max: listMax, description: 'Oldest first, including voided ones' }),
    address: Described('Where the order is delivered; null: it is picked up', Nullable(AddressShape)),
    shift: Nullable(Type.Object({ name: Text({ max: 200 }) }, { description: 'The delivery shift' })),
    slot: Type.Optional(Described('The time slot; absent: none was chosen', OrderSlot)),
    dispatchTask: Nullable(
      Type.Object(
        {
          id: Id(),
          slot: Type.Optional(Described('The time slot; absent: none was chosen', OrderSlot)),
          status: OneOf(['unassigned', 'assigned', 'active', 'completed', 'failed'], {
            description: 'Where the delivery is',
          }),
          driverName: Nullable(Text({ description: 'Name of the driver', max: 200 })),
          trackingUrl: Nullable(Text({ description: 'Where the customer can follow it', max: 2000 })),
          estimatedArrivalAt: Nullable(Timestamp({ description: 'When it is expected to arrive' })),
          completedAt: Nullable(Timestamp({ description: 'When it arrived' })),
          trip: Type.Optional(
            Type.Object(
              {
                ...{
                  tripId: Id({ description: 'The trip' }),
                  driverId: Id({ description: 'The driver, as staff know them' }),
                  vehicleId: Id({ description: 'The vehicle, as staff know it' }),
                },
                stop: WholeNumber({ min: 1, max: 10_000, description: 'Its place among the stops, from 1' }),
                stopStatus: OneOf(stopStatuses, {
                  description:
                    '`waiting`, `arrived`; then `delivered`, `partly`, `refused`, or `notHome`: it stays open for another trip',
                }),
              },
              { description: 'The last trip of a driver of the shop that took it along; absent: none did' },
            ),
          ),
        },
        { description: 'The delivery' },
      ),
    ),
    customer: Described('Who buys', OrderCustomer),
    explanation: Type.Optional(Explanation),
    lawEdition: Type.Optional(
      Nullable(
        Text({
          max: 14,
          description:
            'With `explain`: the edition of legal facts by which the order was decided; null: it was imported',
        }),
      ),
    ),
    explanationPruned: Type.Optional(
      Flag({
        description:
          'The steps of the arithmetic were deleted: the organization keeps them only for a time that it sets',
      }),
    ),
    stateReport: Type.Optional(OrderStateReport),
  }),
);

export const OrderStatusReply = Type.Object({
  id: OrderId(),
  status: OneOf(orderStatuses, { description: 'Where the order is in its life' }),
});
