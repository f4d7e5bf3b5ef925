import Type, { type Static } from 'typebox';
import { canonicalDecimalText, decimal, decimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import {
  Cents,
  DecimalText,
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  UuidV4,
  WholeNumber,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import type {
  CartBody,
  CartRequest,
  ChosenPackage,
  LineReduction,
  PriceOverride,
} from '../carts/cart-request.ts';
import {
  AddressBody,
  CartCustomer,
  CartLineItem,
  CartPaymentBody,
  IgnoredExpectation,
  linesPerCartMax,
  orderTypes,
  paymentCentsMax,
  placeFields,
  quantityMax,
  slotFields,
} from '../carts/cart-schemas.ts';
import { readCart, readLines, readPayments } from '../carts/carts.ts';
import { identifyCustomer } from '../customers/customers.ts';
import type { GivenAmount } from '../promotions/cart-promotions.ts';
import type { OrderChange } from './edited-order.ts';
import { returnLinesMax } from './order-return-schema.ts';
import { OrderId } from './order-schemas.ts';

/** The request of staff, and how it is read: the fields of integrators, and manual reductions. */

/** $1 million: more than any real adjustment, and 20 of them still add up to a safe integer. */
const adjustmentCentsMax = 100_000_000;

const Adjustments = List(
  Type.Object({
    amount: Cents({
      min: -adjustmentCentsMax,
      max: adjustmentCentsMax,
      description: 'In cents, not 0; a negative amount reduces the total, never below 0',
    }),
    description: Text({ min: 1, max: 200 }),
  }),
  { max: 20, description: 'After taxes, before credits' },
);

const TaxExempt = Type.Object(
  { exempt: Flag(), reason: Text({ min: 1, max: 500 }) },
  {
    description:
      "Overrides the customer's own status. Only an owner or a manager exempts; the taxes count against the limit of the role",
  },
);

const PriceOverrides = List(
  Type.Object({
    productOptionId: Id({ description: 'An option of `lineItems`, once' }),
    unitPrice: Cents({ description: 'Replaces price and sales price of each unit, before discounts' }),
    reason: Text({ min: 1, max: 200 }),
  }),
  {
    max: linesPerCartMax,
    description:
      'Unit prices by hand: only of an owner or a manager. What they take off counts against the limit of the role',
  },
);

const LineReductions = List(
  Type.Object({
    productOptionId: Id({
      description: 'An option of `lineItems`, once, without an entry in `priceOverrides`',
    }),
    percent: Type.Optional(
      DecimalText({
        wholeDigitsMax: 3,
        decimalsMax: 6,
        sign: 'positive',
        description: 'Off each unit, at most 100',
      }),
    ),
    amount: Type.Optional(Cents({ min: 1, description: 'Off each unit, at most its price' })),
    reason: Text({ min: 1, max: 200 }),
  }),
  {
    max: linesPerCartMax,
    description:
      'Taken off lines by hand, before discounts and taxes: exactly one of `percent` and `amount` each',
  },
);

const NullableTaxExempt = Nullable(TaxExempt);

const LineItems = List(
  Type.Object({
    ...CartLineItem.properties,
    weight: Type.Optional(
      DecimalText({
        wholeDigitsMax: 4,
        decimalsMax: 2,
        sign: 'positive',
        description:
          'Grams of a product that is sold loose, to 0.01: the quantity is 1, and the sizes of the product set the price',
      }),
    ),
    packageId: Type.Optional(
      Id({
        description:
          'The package that this line is taken from; otherwise the oldest first. Several lines of an option may name several. An edit without it keeps the package of the option',
      }),
    ),
  }),
  { min: 1, max: linesPerCartMax },
);
const DiscountIds = List(Id(), { max: 20, description: 'Manual discounts' });
const DiscountAmounts = List(
  Type.Object({
    discountId: Id({ description: 'One of `discountIds`, once, on the order' }),
    percent: Type.Optional(
      DecimalText({
        wholeDigitsMax: 3,
        decimalsMax: 6,
        sign: 'positive',
        description: "In place of the discount's own percent, at most that",
      }),
    ),
    amount: Type.Optional(Cents({ min: 1, description: 'The most that it takes off the order' })),
    reason: Text({ min: 1, max: 200 }),
  }),
  {
    max: 20,
    description:
      'What staff give of a manual discount on the order, either `percent` or `amount`, before taxes; only staff see the reason',
  },
);
const DiscountCodes = List(Text({ min: 1, max: 100 }), { max: 20 });
const Payments = List(CartPaymentBody, {
  max: 20,
  description: 'Exactly one `remaining: true`, or amounts that add up to the amount due before payment fees',
});
const DeliveryNotes = Text({ max: 2000 });
const InternalNotes = Text({ max: 2000, description: 'Only staff see them' });

const LoyaltyRewards = List(
  Type.Object({
    rewardId: Id(),
    points: Type.Optional(
      DecimalText({
        wholeDigitsMax: 10,
        decimalsMax: 2,
        sign: 'positive',
        description: 'For cash-back; by default what the reward requires',
      }),
    ),
  }),
  { max: 20 },
);

const cartFields = {
  type: OneOf(orderTypes),
  lineItems: LineItems,
  customer: Type.Optional(CartCustomer),
  customerId: Type.Optional(Id({ description: 'A customer on file, instead of `customer`' })),
  customerName: Type.Optional(Text({ min: 1, max: 200, description: 'For a customer without a profile' })),
  boughtById: Type.Optional(
    Id({ description: 'The caregiver who buys for `customerId`: one of their patients' }),
  ),
  deliveryFee: Type.Optional(Cents({ description: 'Overrides the fee of the delivery zone' })),
  deliveryFeeDescription: Type.Optional(Text({ max: 200 })),
  discountCodes: Type.Optional(DiscountCodes),
  discountIds: Type.Optional(DiscountIds),
  discountAmounts: Type.Optional(DiscountAmounts),
  loyaltyRewards: Type.Optional(LoyaltyRewards),
  adjustments: Type.Optional(Adjustments),
  priceOverrides: Type.Optional(PriceOverrides),
  lineReductions: Type.Optional(LineReductions),
  taxExempt: Type.Optional(TaxExempt),
  applyCredits: Type.Optional(
    Flag({ description: "Whether the customer's credits pay; by default the organization's setting" }),
  ),
  payments: Type.Optional(Payments),
};

const Returned = Type.Object(
  {
    orderId: OrderId(),
    lineItems: List(
      Type.Object({ orderLineItemId: Id(), quantity: WholeNumber({ min: 1, max: quantityMax }) }),
      { min: 1, max: returnLinesMax },
    ),
  },
  {
    description:
      'Goods of an earlier order that come back in exchange (`POST …/exchange`): purchase limits count without them',
  },
);

export const StaffPricingBody = Named(
  'StaffCartPricingRequest',
  Type.Object({
    ...cartFields,
    ...placeFields,
    returned: Type.Optional(Returned),
    inventoryLocationId: Type.Optional(
      Id({ description: 'The location that the order will take its stock from, for the warnings' }),
    ),
    expectedCustomerGrandTotal: IgnoredExpectation,
  }),
);

export const StaffPlaceOrderBody = Named(
  'StaffPlaceOrderRequest',
  Type.Object({
    ...cartFields,
    returned: Type.Optional(Returned),
    address: Type.Optional(AddressBody),
    ...slotFields,
    source: Type.Optional(
      OneOf(['web-admin', 'in-store'], {
        description: 'By default `in-store` for orders of that type, `web-admin` for others',
      }),
    ),
    deliveryNotes: Type.Optional(DeliveryNotes),
    internalNotes: Type.Optional(InternalNotes),
    shiftName: Type.Optional(
      Text({ min: 1, max: 200, description: 'The shift in which the order was taken' }),
    ),
    inventoryLocationId: Type.Optional(Id({ description: 'Take stock only from this location' })),
    expectedCustomerGrandTotal: Type.Optional(
      Cents({
        max: paymentCentsMax,
        description: 'If the order would cost another amount: 409 PRICE_CHANGED',
      }),
    ),
    idempotencyKey: withErrorCode(
      UuidV4({ description: 'A unique UUID v4 for safe retries: sent again, it returns the same order' }),
      'INVALID_IDEMPOTENCY_KEY',
    ),
  }),
);

export const EditOrderBody = Named(
  'EditOrderRequest',
  Type.Object({
    lineItems: Type.Optional(LineItems),
    deliveryNotes: Type.Optional(Nullable(DeliveryNotes)),
    internalNotes: Type.Optional(Nullable(InternalNotes)),
    discountIds: Type.Optional(DiscountIds),
    discountAmounts: Type.Optional(DiscountAmounts),
    discountCodes: Type.Optional(DiscountCodes),
    loyaltyRewards: Type.Optional(LoyaltyRewards),
    adjustments: Type.Optional(Adjustments),
    priceOverrides: Type.Optional(PriceOverrides),
    lineReductions: Type.Optional(LineReductions),
    taxExempt: Type.Optional(NullableTaxExempt),
    address: Type.Optional(AddressBody),
    payments: Type.Optional(Payments),
  }),
);

/** Checks what a schema cannot express, before anything is looked up. Fails with 400 codes only. */
export function readStaffCart(
  body: Static<typeof StaffPricingBody> & Pick<CartBody, 'pickupAt' | 'deliverAt'>,
  postalCode: string | null,
): CartRequest {
  const { customer, customerId, customerName } = body;
  if ([customer, customerId, customerName].filter((who) => who !== undefined).length > 1) {
    throw failure('INVALID_PARAMS', 'Only one of customer, customerId and customerName is allowed');
  }
  if (body.boughtById !== undefined && customerId === undefined) {
    throw failure('INVALID_PARAMS', 'boughtById needs customerId, the patient');
  }
  const { customer: _, ...cart } = body;
  return {
    ...readCart(cart, postalCode),
    // What staff charge for a delivery is the shop's own fee.
    deliveryFeeIsTaxed: true,
    customer: customer === undefined ? null : identifyCustomer(customer),
    ...(customerId !== undefined && { customerId }),
    ...(body.boughtById !== undefined && { boughtById: body.boughtById }),
    chosenDiscountIds: readDiscountIds(body.discountIds ?? []),
    givenAmounts: readDiscountAmounts(body.discountAmounts ?? []),
    loyaltyRewards: body.loyaltyRewards ?? [],
    chosenPackages: readPackages(body.lineItems),
    adjustments: readAdjustments(body.adjustments ?? []),
    ...readPrices(body.priceOverrides ?? [], body.lineReductions ?? []),
    ...(body.taxExempt && { taxExempt: readTaxExempt(body.taxExempt) }),
    ...(body.applyCredits !== undefined && { autoApplyCredits: body.applyCredits }),
  };
}

/** The same for an edit. */
export function readChange(body: Static<typeof EditOrderBody>): OrderChange {
  const { lineItems, address, taxExempt } = body;
  return {
    lineItems: lineItems && readLines(lineItems),
    chosenPackages: lineItems && readPackages(lineItems),
    deliveryNotes: body.deliveryNotes,
    internalNotes: body.internalNotes,
    discountIds: body.discountIds && readDiscountIds(body.discountIds),
    discountAmounts: body.discountAmounts && readDiscountAmounts(body.discountAmounts),
    discountCodes: body.discountCodes,
    loyaltyRewards: body.loyaltyRewards,
    adjustments: body.adjustments && readAdjustments(body.adjustments),
    ...readChangedPrices(body),
    taxExempt: taxExempt && readTaxExempt(taxExempt),
    address: address && { ...address, street2: address.street2 ?? null },
    payments: body.payments && readPayments(body.payments),
  };
}

/** What lines say of packages, each package of an option once. */
function readPackages(lineItems: Static<typeof LineItems>): ChosenPackage[] {
  const named = new Map<string, ChosenPackage>();
  for (const { productOptionId, quantity, weight, packageId } of lineItems) {
    if (packageId === undefined) continue;
    const key = `${productOptionId} ${packageId}`;
    const before = named.get(key);
    named.set(key, {
      ...{ productOptionId, packageId },
      ...(weight === undefined
        ? { quantity: (before?.quantity ?? 0) + quantity }
        : { quantity, weight: decimalText(decimal(weight).plus(before?.weight ?? 0)) }),
    });
  }
  return [...named.values()];
}

/** A discount is applied once, also when it is named twice. */
function readDiscountIds(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}

function readDiscountAmounts(amounts: Static<typeof DiscountAmounts>): GivenAmount[] {
  const seen = new Set<number>();
  return amounts.map(({ discountId, percent, amount, reason }, index) => {
    const at = `discountAmounts[${index}]`;
    if (seen.has(discountId)) throw failure('INVALID_PARAMS', `${at}.discountId must be named once`);
    seen.add(discountId);
    const common = { discountId, reason: notBlank(reason, `${at}.reason`) };
    if (amount !== undefined && percent === undefined) return { ...common, type: 'flat', cents: amount };
    if (amount !== undefined || percent === undefined) {
      throw failure('INVALID_PARAMS', `${at} must have either percent or amount`);
    }
    return { ...common, type: 'percent', percent: canonicalDecimalText(percent) };
  });
}

function readAdjustments(adjustments: Static<typeof Adjustments>) {
  return adjustments.map(({ amount, description }, index) => {
    if (amount === 0) throw failure('INVALID_PARAMS', `adjustments[${index}].amount must not be 0`);
    return {
      amountCents: amount,
      description: notBlank(description, `adjustments[${index}].description`),
    };
  });
}

function readPriceOverrides(overrides: Static<typeof PriceOverrides>): PriceOverride[] {
  const seen = new Set<number>();
  return overrides.map(({ productOptionId, unitPrice, reason }, index) => {
    if (seen.has(productOptionId)) {
      throw failure('INVALID_PARAMS', `priceOverrides[${index}].productOptionId must be named once`);
    }
    seen.add(productOptionId);
    return {
      productOptionId,
      unitPriceCents: unitPrice,
      reason: notBlank(reason, `priceOverrides[${index}].reason`),
    };
  });
}

function readLineReductions(reductions: Static<typeof LineReductions>): LineReduction[] {
  const seen = new Set<number>();
  return reductions.map(({ productOptionId, percent, amount, reason }, index) => {
    const at = `lineReductions[${index}]`;
    if (seen.has(productOptionId))
      throw failure('INVALID_PARAMS', `${at}.productOptionId must be named once`);
    seen.add(productOptionId);
    const common = { productOptionId, reason: notBlank(reason, `${at}.reason`) };
    if (amount !== undefined && percent === undefined) return { ...common, type: 'flat', cents: amount };
    if (amount !== undefined || percent === undefined) {
      throw failure('INVALID_PARAMS', `${at} must have either percent or amount`);
    }
    if (decimal(percent).gt(100)) throw failure('INVALID_PARAMS', `${at}.percent must be at most 100`);
    return { ...common, type: 'percent', percent: canonicalDecimalText(percent) };
  });
}

/** An option has a price by hand or a reduction, not both. */
function readPrices(
  overrides: Static<typeof PriceOverrides>,
  reductions: Static<typeof LineReductions>,
): { priceOverrides: PriceOverride[]; lineReductions: LineReduction[] } {
  const priceOverrides = readPriceOverrides(overrides);
  const lineReductions = readLineReductions(reductions);
  const index = lineReductions.findIndex(({ productOptionId }) =>
    priceOverrides.some((it) => it.productOptionId === productOptionId),
  );
  if (index >= 0) {
    throw failure('INVALID_PARAMS', `lineReductions[${index}] must not be of an option of priceOverrides`);
  }
  return { priceOverrides, lineReductions };
}

/** In an edit, either list replaces both: what one has replaces what the other had of an option. */
function readChangedPrices({ priceOverrides, lineReductions }: Static<typeof EditOrderBody>) {
  const read = readPrices(priceOverrides ?? [], lineReductions ?? []);
  return {
    priceOverrides: priceOverrides && read.priceOverrides,
    lineReductions: lineReductions && read.lineReductions,
  };
}

function readTaxExempt({ exempt, reason }: Static<typeof TaxExempt>) {
  return { exempt, reason: notBlank(reason, 'taxExempt.reason') };
}

/** The trimmed text. Fails with INVALID_PARAMS when it is empty. */
export function notBlank(text: string, field: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw failure('INVALID_PARAMS', `${field} must not be blank`);
  return trimmed;
}
