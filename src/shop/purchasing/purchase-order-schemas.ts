import Type, { type Static } from 'typebox';
import type { AbsentField } from '../../platform/http/endpoint.ts';
import {
  Cents,
  CentsTotal,
  DecimalText,
  Described,
  Id,
  List,
  LocalDate,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { confirmExcess, ReceivedPackageBody } from '../inventory/package-schemas.ts';
import {
  TradedOption,
  TradedProduct,
  tradedOptionExample,
  tradedProductExample,
} from '../inventory/stock.ts';
import { paymentTerms } from './payment-terms.ts';

/** Shape of a purchase order and of requests that write one. */

const linesMax = 200;
const receptionsMax = 10_000;

const nullableText = (max: number, description?: string) =>
  Nullable(Text({ max, ...(description !== undefined && { description }) }));

export const vendorFields = {
  email: nullableText(320, 'Email address'),
  phone: nullableText(50, 'Phone number, in replies as E.164'),
  notes: nullableText(10_000, 'Notes of the staff'),
  sellerPermitNumber: nullableText(100, "The vendor's seller's permit"),
  street1: nullableText(200, 'Street and number'),
  street2: nullableText(200, 'Apartment, floor or suite'),
  city: nullableText(100, 'City'),
  state: nullableText(100, 'State, as two letters'),
  postalCode: nullableText(20, 'ZIP code'),
};

export const VendorName = () =>
  NonBlankText({ max: 200, description: 'Matched without case and outer spaces' });

export const Vendor = Named(
  'InventoryVendor',
  Type.Object({
    id: Id(),
    organizationId: Id(),
    name: Text({ max: 200 }),
    phone: vendorFields.phone,
    notes: vendorFields.notes,
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
    archivedAt: Nullable(Timestamp()),
    email: vendorFields.email,
    sellerPermitNumber: vendorFields.sellerPermitNumber,
    street1: vendorFields.street1,
    street2: vendorFields.street2,
    city: vendorFields.city,
    state: vendorFields.state,
    postalCode: vendorFields.postalCode,
  }),
);

const optional = <Fields extends Readonly<Record<string, Type.TSchema>>>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as unknown as { readonly [Name in keyof Fields]: Type.TOptional<Fields[Name]> };

export const VendorBody = Type.Object({ name: VendorName(), ...optional(vendorFields) });

export const PurchaseOrderLine = Named(
  'PurchaseOrderLineItem',
  Type.Object({
    id: Id(),
    amount: DecimalText({ description: 'Units bought' }),
    caExcisePerUnit: DecimalText({ description: 'Excise in dollars that the vendor charges per unit' }),
    caExciseTotal: CentsTotal({ description: 'amount × caExcisePerUnit, half-up' }),
    costPerUnit: DecimalText({ description: 'Dollars' }),
    invoicedCostPerUnit: Nullable(DecimalText({ description: 'Dollars; null: as ordered' })),
    amountOwed: CentsTotal({
      description:
        'For what came, at the invoiced price; while the order is open, also for what is still to come',
    }),
    finalTotal: CentsTotal({ description: '`subtotal` and excise' }),
    subtotal: CentsTotal({ description: 'amount × costPerUnit, half-up' }),
    productId: Id({ description: 'Id of the product' }),
    productOptionId: Nullable(Id({ description: 'Null unless stock is kept per option' })),
    product: Described('The product; null: it has none yet', TradedProduct),
    productOption: Described('The option; null: it is of a whole product', Nullable(TradedOption)),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
    amountReceived: DecimalText({ description: 'Amount that was received, as a decimal' }),
    receptions: List(
      Type.Object({
        inventoryLocationId: Id({ description: 'Id of the inventory location' }),
        amount: DecimalText({ description: 'Amount that was received, as a decimal' }),
        createdAt: Timestamp(),
      }),
      { description: 'When and where it was received', max: receptionsMax },
    ),
  }),
);

export const PurchaseOrder = Named(
  'PurchaseOrder',
  Type.Object({
    id: Id(),
    organizationId: Id(),
    status: OneOf(['open', 'closed'], { description: 'A closed order cannot be edited' }),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
    expectedAt: Nullable(LocalDate({ description: 'When the goods are expected' })),
    finalTotal: CentsTotal({ description: 'Cents of the purchase order in all' }),
    subtotal: CentsTotal({ description: 'Without shipping and handling' }),
    shippingHandlingFee: CentsTotal({ description: 'Cents for shipping and handling' }),
    totalAmount: DecimalText({ wholeDigitsMax: 15, description: 'Units bought' }),
    notes: nullableText(10_000, 'Notes of the staff'),
    paymentTerms: Nullable(OneOf(paymentTerms, { description: 'The payment terms' })),
    paymentTermsDueDate: Nullable(LocalDate({ description: 'Day on which the payment is due' })),
    paymentStatus: OneOf(['paid', 'unpaid', 'partial'], {
      description: 'How far the purchase order is paid',
    }),
    totalAmountReceived: DecimalText({
      description: 'Cents of the goods that were received',
      wholeDigitsMax: 15,
    }),
    caExciseTotal: CentsTotal({ description: 'Sum of the lines' }),
    shippingHandlingFeeExcise: CentsTotal({ description: 'Always 0' }),
    amountOwed: CentsTotal({ description: 'Sum of the lines, and shipping and handling' }),
    amountPaid: CentsTotal({ description: 'Cents that were paid' }),
    amountCredited: CentsTotal({ description: 'Sum of `vendorCredits`' }),
    amountOutstanding: CentsTotal({ description: 'What is left to pay, at least 0' }),
    creditBalance: CentsTotal({
      description: 'What was paid and credited above what is owed: the vendor owes it',
    }),
    vendorCredits: List(
      Type.Object({
        id: Id(),
        amount: CentsTotal({ description: 'Cents of the credit' }),
        reason: Text({ description: 'Why the vendor gave it', max: 500 }),
        packageId: Nullable(Id({ description: 'The rejected package that it is for' })),
        createdAt: Timestamp(),
      }),
      { max: receptionsMax, description: 'What the vendor let off' },
    ),
    externalInvoiceNumber: nullableText(200, "Number of the vendor's invoice"),
    inventoryVendorId: Id({ description: 'Id of the vendor' }),
    inventoryVendor: Described('The vendor; an unknown one is made', Vendor),
    vendor: Described('The vendor', Vendor),
    lineItems: List(PurchaseOrderLine, { description: 'The lines', max: linesMax }),
  }),
);

// ---------------------------------------------------------------------------------------------------------
// Requests

const amount = DecimalText({
  sign: 'positive',
  wholeDigitsMax: 9,
  description: 'Units bought',
});
const costPerUnit = DecimalText({ wholeDigitsMax: 9, description: 'Dollars per unit' });
const caExcisePerUnit = Nullable(
  DecimalText({ wholeDigitsMax: 9, description: 'Excise in dollars per unit; default 0' }),
);
const productOptionId = Nullable(
  Id({ description: "Required when the product's `inventoryType` is `option`, and only then" }),
);

const NewLine = Type.Object({
  productId: Id({ description: 'Id of the product' }),
  productOptionId: Type.Optional(productOptionId),
  amount,
  costPerUnit,
  caExcisePerUnit: Type.Optional(caExcisePerUnit),
});

const ChangedLine = Type.Object({
  id: Type.Optional(Id({ description: 'Id of the line to change; without it a line is added' })),
  ...optional({
    productId: Id({ description: 'Id of the product' }),
    productOptionId,
    amount,
    costPerUnit,
    caExcisePerUnit,
  }),
});

const headFields = {
  expectedAt: Nullable(LocalDate({ description: 'When the goods are expected; null: unknown' })),
  inventoryVendorId: Id({ description: 'Id of an existing vendor; or send `inventoryVendor`' }),
  inventoryVendor: Described('The vendor; an unknown one is made', VendorBody),
  notes: nullableText(10_000, 'Notes of the staff'),
  paymentTerms: Nullable(OneOf(paymentTerms, { description: 'The payment terms' })),
  paymentTermsDueDate: Nullable(
    LocalDate({
      description:
        'Required when paymentTerms is custom; otherwise the default, also for null, is the date of the terms',
    }),
  ),
  externalInvoiceNumber: nullableText(200, "A third party's id of the order"),
};

const newOrderFields = {
  lineItems: List(NewLine, { description: 'The lines', min: 1, max: linesMax }),
  ...optional(headFields),
};

const changeFields = optional({
  lineItems: List(ChangedLine, {
    min: 1,
    max: linesMax,
    description: 'The full new set: absent lines are removed',
  }),
  ...headFields,
});

const shippingHandlingFee = Type.Optional(Cents());
const invoicedCostPerUnit = Nullable(
  DecimalText({
    wholeDigitsMax: 9,
    description: 'Dollars per unit on the invoice, also of what has come; null: as ordered',
  }),
);

export const CreatePurchaseOrderBody = Type.Object(newOrderFields);
export const UpdatePurchaseOrderBody = Type.Object(changeFields);
export const StaffCreatePurchaseOrderBody = Type.Object({ ...newOrderFields, shippingHandlingFee });
export const StaffUpdatePurchaseOrderBody = Type.Object({
  ...changeFields,
  lineItems: Type.Optional(
    List(
      Type.Object({ ...ChangedLine.properties, invoicedCostPerUnit: Type.Optional(invoicedCostPerUnit) }),
      {
        min: 1,
        max: linesMax,
        description: 'The full new set: absent lines are removed',
      },
    ),
  ),
  shippingHandlingFee,
});

export const OrderTransferBody = Type.Object({
  complianceTransferId: Id({ description: 'The incoming transfer' }),
  lineItems: Type.Optional(
    List(
      Type.Object({
        packageId: Id({ description: 'A package of the transfer' }),
        productId: Id({ description: 'What is in it' }),
        productOptionId: Type.Optional(productOptionId),
      }),
      { max: linesMax, description: 'Packages whose goods are not known by their name, or are others' },
    ),
  ),
});

export const ReceptionsBody = List(
  Type.Object({
    lineItemId: Id(),
    inventoryLocationId: Id(),
    amount: DecimalText({
      sign: 'positive',
      wholeDigitsMax: 9,
      description: 'In `package.unit` if it is sent, else units bought',
    }),
    costPerUnit: Type.Optional(
      DecimalText({
        wholeDigitsMax: 9,
        description:
          'The invoiced price of this delivery, in dollars per unit bought. Default: that of the line',
      }),
    ),
    package: Type.Optional(ReceivedPackageBody),
    confirmExcess,
  }),
  { min: 1, max: linesMax },
);

export type CreatePurchaseOrderRequest = Static<typeof StaffCreatePurchaseOrderBody>;
export type UpdatePurchaseOrderRequest = Static<typeof StaffUpdatePurchaseOrderBody>;
export type SentVendor = Static<typeof VendorBody>;
export type SentLine = Static<typeof ChangedLine> & { readonly invoicedCostPerUnit?: string | null };

export const PurchaseOrderParams = Type.Object({
  purchaseOrderId: Id({ description: 'Id of the purchase order' }),
});

/** A vendor is required, in either field. */
export function missingOfNewOrder(body: unknown): readonly AbsentField[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  return 'inventoryVendorId' in body || 'inventoryVendor' in body
    ? []
    : [['inventoryVendorId', 'inventoryVendor']];
}

/** A line without id is new and needs all required fields. */
export function missingOfNewLines(body: unknown): readonly string[] {
  const lines = (body as { lineItems?: unknown } | null)?.lineItems;
  // A list above its maximum length is refused for that reason.
  if (!Array.isArray(lines) || lines.length > linesMax) return [];
  return lines.flatMap((line: unknown, index) => {
    if (typeof line !== 'object' || line === null || Array.isArray(line) || 'id' in line) return [];
    return ['productId', 'amount', 'costPerUnit']
      .filter((name) => !(name in line))
      .map((name) => `lineItems[${index}].${name}`);
  });
}

// ---------------------------------------------------------------------------------------------------------
// Examples

export const vendorExample = {
  id: 4101,
  organizationId: 1001,
  name: 'Tidewater Distribution',
  phone: '+15105550188',
  notes: null,
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
  archivedAt: null,
  email: 'orders@tidewater.example.com',
  sellerPermitNumber: '102-558841',
  street1: '2200 Harbor Way',
  street2: null,
  city: 'Oakland',
  state: 'CA',
  postalCode: '94607',
} as const;

export const createOrderExample = {
  lineItems: [{ productId: 2101, productOptionId: 2201, amount: '48', costPerUnit: '11.25' }],
  expectedAt: '2026-03-14',
  inventoryVendorId: 4101,
  paymentTerms: 'net30',
  notes: 'Deliver to the back door',
  externalInvoiceNumber: 'TW-20417',
} as const;

export const updateOrderExample = {
  lineItems: [{ id: 4301, productId: 2101, productOptionId: 2201, amount: '48', costPerUnit: '11.25' }],
  notes: 'Deliver to the front door',
  paymentTerms: 'net60',
  externalInvoiceNumber: 'TW-20417',
} as const;

export const purchaseOrderExample = {
  id: 4201,
  organizationId: 1001,
  status: 'open',
  createdAt: '2026-03-10T18:00:00.000Z',
  updatedAt: '2026-03-10T18:00:00.000Z',
  expectedAt: '2026-03-14',
  finalTotal: 54_000,
  subtotal: 54_000,
  shippingHandlingFee: 0,
  totalAmount: '48',
  notes: 'Deliver to the back door',
  paymentTerms: 'net30',
  paymentTermsDueDate: '2026-04-13',
  paymentStatus: 'unpaid',
  totalAmountReceived: '0',
  caExciseTotal: 0,
  shippingHandlingFeeExcise: 0,
  amountOwed: 54_000,
  amountPaid: 0,
  amountCredited: 0,
  amountOutstanding: 54_000,
  creditBalance: 0,
  vendorCredits: [],
  externalInvoiceNumber: 'TW-20417',
  inventoryVendorId: 4101,
  inventoryVendor: vendorExample,
  vendor: vendorExample,
  lineItems: [
    {
      id: 4301,
      amount: '48',
      caExcisePerUnit: '0',
      caExciseTotal: 0,
      costPerUnit: '11.25',
      invoicedCostPerUnit: null,
      amountOwed: 54_000,
      finalTotal: 54_000,
      subtotal: 54_000,
      productId: 2101,
      productOptionId: 2201,
      product: tradedProductExample,
      productOption: tradedOptionExample,
      createdAt: '2026-03-10T18:00:00.000Z',
      updatedAt: '2026-03-10T18:00:00.000Z',
      amountReceived: '0',
      receptions: [],
    },
  ],
} as const;
