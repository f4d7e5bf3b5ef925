import Type from 'typebox';
import {
  Cents,
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
import {
  adjustmentFields,
  discountFields,
  linesPerCartMax,
  listMax,
  orderTypes,
  quantityMax,
  taxFields,
} from '../carts/cart-schemas.ts';
import {
  AddressShape,
  OrderId,
  OrderSlot,
  orderSources,
  orderStatuses,
  PaymentShape,
  stamped,
  strainTypes,
} from './order-schemas.ts';

/** An order as it is answered to who placed it (D19). */

const Buyer = Type.Object({
  id: Id({ description: 'Used for the document upload' }),
  fullName: Text({ description: 'First and last name', max: 210 }),
});

export const CreatedOrder = Named(
  'CreatedOrder',
  Type.Object({
    id: OrderId(),
    organizationId: Id(),
    totalPrice: CentsTotal({ description: 'Cents: the sum of the lines' }),
    netPrice: CentsTotal({
      description: 'Cents with discounts, credits, adjustments and taxes, before fees',
    }),
    deliveryNotes: Nullable(Text({ description: 'Notes for the driver', max: 2000 })),
    ...stamped,
    customerGrandTotal: CentsTotal({ description: 'Cents that the customer pays' }),
    type: OneOf(orderTypes, { description: 'Kind of order' }),
    source: OneOf(orderSources, { description: 'Where the order was placed' }),
    status: OneOf(orderStatuses, { description: 'Where the order is in its life' }),
    taxExempt: Flag({ description: 'Whether the customer is exempt from taxes' }),
    isMedical: Flag({ description: 'Whether it is an order of a patient' }),
    idempotencyKey: Nullable(Text({ description: 'The key with which the order was placed', max: 36 })),
    deliveryFee: Nullable(CentsTotal({ description: 'Cents for the delivery; null: none' })),
    deliveryFeeDescription: Nullable(
      Text({ description: 'Name of the delivery fee, for the customer', max: 200 }),
    ),
    apiConsumerName: Nullable(
      Text({ description: 'Name of the integrator that placed it; null: staff did', max: 200 }),
    ),
    address: Described('Where the order is delivered; null: it is picked up', Nullable(AddressShape)),
    slot: Type.Optional(Described('The time slot; absent: none was chosen', OrderSlot)),
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
        creditId: Id({ description: 'Id of the credit' }),
        orderId: OrderId({ description: 'Id of the order' }),
        type: Text({ description: 'Kind of credit', max: 40 }),
        amountUsed: CentsTotal({ description: 'Cents that it took off' }),
        description: Text({ description: 'Name of the credit, for the customer', max: 500 }),
        ...stamped,
        percent: Nullable(DecimalText({ description: 'Percent, for a credit that is a part of the price' })),
      }),
      { description: 'The credits that were used', max: listMax },
    ),
    lineItems: List(
      Type.Object({
        id: Id(),
        orderId: OrderId({ description: 'Id of the order' }),
        productOptionId: Id({ description: 'Id of the option' }),
        quantity: WholeNumber({ description: 'How many units', min: 1, max: quantityMax }),
        productId: Id({ description: 'Id of the product' }),
        productName: Text({ description: 'Name of the product at the time of the order', max: 500 }),
        productUnit: OneOf(['gram', 'item'], { description: 'Unit of the product at the time of the order' }),
        productUnitPlural: Text({ description: 'The unit, for more than one', max: 20 }),
        productStrainType: OneOf(strainTypes, { description: 'Kind of strain at the time of the order' }),
        optionName: Text({ description: 'Name of the option at the time of the order', max: 200 }),
        optionAmount: DecimalNumber({
          description: 'Stock that one unit takes',
          min: 0,
          max: Number.MAX_SAFE_INTEGER,
        }),
        optionPrice: Cents({ description: 'Cents for one unit at the time of the order' }),
        optionSalesPrice: Nullable(
          Cents({ description: 'Reduced price at the time of the order; null: none' }),
        ),
        ...stamped,
        productIsFeatured: Flag({ description: 'Whether the product was featured at the time of the order' }),
        productCategoryId: Id({ description: 'Id of the category' }),
        productSubCategoryIds: List(Id(), { description: 'Ids of the sub-categories', max: listMax }),
        productBrand: Nullable(Text({ description: 'Name of the brand at the time of the order', max: 200 })),
        productBrandId: Nullable(Id({ description: 'Id of the brand' })),
        deletedAt: Nullable(Timestamp()),
        unitPrice: CentsTotal({ description: 'Cents for one unit, before discounts' }),
        subtotalPrice: CentsTotal({ description: 'Cents for all units, before discounts' }),
        finalPrice: CentsTotal({ description: "Cents for all units, after the line's own discounts" }),
        discounts: List(
          Type.Object({
            id: Id(),
            orderId: OrderId({ description: 'Id of the order' }),
            orderLineItemId: Id({ description: 'Id of the line of the order' }),
            discountId: Id({ description: 'Id of the discount; null: it was given by hand' }),
            ...discountFields,
            ...stamped,
            deletedAt: Nullable(Timestamp()),
            adminId: Nullable(Id({ description: 'Id of the member of staff who gave it; null: automatic' })),
          }),
          { description: 'The discounts that apply', max: listMax },
        ),
      }),
      { description: 'The lines', max: linesPerCartMax },
    ),
    taxes: List(
      Type.Object({
        id: Id(),
        orderId: OrderId({ description: 'Id of the order' }),
        ...stamped,
        deletedAt: Nullable(Timestamp()),
        taxId: Id({ description: 'Id of the tax' }),
        ...taxFields,
      }),
      { description: 'The taxes, in the order of calculation', max: listMax },
    ),
    discounts: List(
      Type.Object({
        id: Id(),
        discountId: Id({ description: 'Id of the discount; null: it was given by hand' }),
        orderId: OrderId({ description: 'Id of the order' }),
        ...discountFields,
        ...stamped,
        deletedAt: Nullable(Timestamp()),
        adminId: Nullable(Id({ description: 'Id of the member of staff who gave it; null: automatic' })),
      }),
      { description: 'The discounts that apply', max: listMax },
    ),
    adjustments: List(
      Type.Object({
        id: Id(),
        orderId: OrderId({ description: 'Id of the order' }),
        ...adjustmentFields,
        ...stamped,
        deletedAt: Nullable(Timestamp()),
        adminId: Nullable(Id({ description: 'Id of the member of staff who gave it; null: automatic' })),
      }),
      { description: 'Exemptions and other changes of the total', max: listMax },
    ),
    payments: List(PaymentShape, { description: 'How the customer pays', max: 100 }),
    customer: Described('Who buys', Nullable(Buyer)),
  }),
);

/** What a secret key with vouched customers is answered: it names the customer, so the order has one. */
export const VouchedCreatedOrder = Named(
  'VouchedCreatedOrder',
  Type.Intersect([CreatedOrder, Type.Object({ customer: Described('Who buys', Buyer) })], {
    description:
      'The order as a secret key is answered whose customers are `vouched`, and any key that sends `customer.token`: `customer` is always there',
  }),
);
