import Type from 'typebox';
import {
  Cents,
  CentsTotal,
  DateSince1900,
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
} from '../../platform/http/schemas.ts';
import { quantityMax } from '../carts/cart-schemas.ts';
import { offlineDoubts } from '../orders/order-schemas.ts';

/** The shapes of offline sales (D75). */

const amountMax = 100_000_000;
const limitFields = {
  isOn: Flag({ description: 'Whether registers sell while they cannot reach the service' }),
  hoursMax: WholeNumber({ min: 1, max: 72, description: 'Hours for which terms last' }),
  saleMax: Cents({ min: 1, max: amountMax, description: 'For one sale' }),
  outageMax: Cents({
    ...{ min: 1, max: 1_000_000_000 },
    description: 'For all sales of a register in one outage, or on one issue of its terms',
  }),
};

const settings = {
  shop: Type.Object(limitFields),
  locations: List(Type.Object({ inventoryLocationId: Id(), ...limitFields }), {
    max: 1000,
    description: 'In place of those of the shop',
  }),
};
export const OfflineSettingsBody = Type.Object(settings);
export const OfflineSaleSettings = Named(
  'OfflineSaleSettings',
  Type.Object({ ...settings, updatedAt: Nullable(Timestamp({ description: 'null: never set' })) }),
);

const termsFields = {
  version: Text({ max: 64, description: 'A digest of the terms' }),
  issuedAt: Timestamp(),
  validUntil: Timestamp(),
  keyName: Text({ max: 64 }),
};

export const OfflineTerms = Named(
  'OfflineTerms',
  Type.Object({
    ...termsFields,
    saleMax: limitFields.saleMax,
    outageMax: limitFields.outageMax,
    signingKey: Text({ max: 64, description: 'Base64; signs sales on these terms with HMAC-SHA256' }),
    terms: Text({
      max: 16_000_000,
      description:
        "Catalog, prices, stock, taxes, discounts and limits as the console's engine takes them: JSON text",
    }),
  }),
);

const reductions = List(Type.Object({ discountId: Id(), amountUsed: Cents({ max: amountMax }) }), {
  max: 100,
});
const taxId = Id();

export const OfflineSaleBody = Named(
  'OfflineSaleRequest',
  Type.Object({
    saleKey: UuidV4({ description: 'Sent again, it is the same sale' }),
    number: NonBlankText({ max: 40, description: "The register's own number" }),
    soldAt: Timestamp(),
    staffId: Id({ description: 'Who sold' }),
    outageKey: UuidV4({ description: 'The same for all sales until the service answers again' }),
    terms: Type.Object(termsFields),
    buyer: Type.Object({
      customerId: Nullable(Id()),
      birthday: Nullable(DateSince1900({ description: 'As read at the counter' })),
      name: Nullable(NonBlankText({ max: 200 })),
    }),
    idCheck: Type.Optional(
      OneOf(['scan', 'eye'], {
        description: 'How the ID of who takes the goods was seen; absent: it was not',
      }),
    ),
    discountIds: List(Id(), { max: 20, description: 'Discounts that staff gave' }),
    lines: List(
      Type.Object({
        productOptionId: Id(),
        quantity: WholeNumber({ min: 1, max: quantityMax }),
        weight: Type.Optional(
          DecimalText({
            ...{ wholeDigitsMax: 4, decimalsMax: 2, sign: 'positive' },
            description: 'Grams of goods sold loose: the quantity is 1',
          }),
        ),
        packages: Type.Optional(
          List(
            Type.Object({
              packageId: Id(),
              weight: DecimalText({ wholeDigitsMax: 4, decimalsMax: 2, sign: 'positive' }),
            }),
            {
              max: 20,
              description: 'What of the weight came out of which packages; the rest is of the oldest',
            },
          ),
        ),
        unitPrice: Cents({ max: amountMax }),
        discounts: reductions,
        gross: Cents({ max: 1_000_000_000_000, description: 'After all reductions' }),
        taxes: List(Type.Object({ taxId, amount: Cents({ max: amountMax }) }), { max: 100 }),
      }),
      { min: 1, max: 200, description: 'Each option once' },
    ),
    discounts: reductions,
    taxes: List(
      Type.Object({ taxId, amount: Cents({ max: amountMax }), exempted: Cents({ max: amountMax }) }),
      { max: 100 },
    ),
    exemptions: List(Type.Object({ taxId, amount: Cents({ min: -amountMax, max: 0 }) }), {
      max: 100,
      description: 'Included taxes that were not paid',
    }),
    tenders: List(
      Type.Object({
        paymentTypeId: Id(),
        amount: Cents({ max: amountMax, description: 'Before the fee' }),
        fee: Cents({ max: amountMax }),
        tendered: Nullable(Cents({ max: amountMax, description: 'Cash received' })),
        rounding: Type.Optional(
          Cents({
            min: -4,
            max: 4,
            description: 'What rounding to five cents added to cash; absent: nothing',
          }),
        ),
      }),
      { max: 20 },
    ),
    total: Cents({ max: amountMax, description: 'What the customer paid' }),
    signature: Type.Optional(
      Nullable(
        Text({ max: 64, description: 'Base64; of the other fields, by the signing key of the seller' }),
      ),
    ),
  }),
);

const Person = Type.Object({ staffId: Id(), firstName: Text({ max: 100 }), lastName: Text({ max: 100 }) });

export const StaffOfflineSale = Named(
  'OfflineSale',
  Type.Object({
    id: Id(),
    saleKey: UuidV4(),
    registerId: Id(),
    registerName: Text({ max: 100 }),
    number: Text({ max: 40 }),
    orderId: Type.String({ format: 'uuid' }),
    orderNumber: Nullable(Id()),
    soldAt: Timestamp({ description: 'As the register says' }),
    receivedAt: Timestamp({
      description: 'Where the time of the register is doubted, the order is of this time',
    }),
    soldBy: Nullable(Person),
    sentBy: Person,
    total: CentsTotal(),
    doubts: List(Type.Object({ reason: OneOf(offlineDoubts), words: Text({ max: 1000 }) }), {
      max: 1000,
      description: 'Why it is to be reviewed; none: the service would have done the same',
    }),
    needsReview: Flag(),
    settledAt: Nullable(Timestamp()),
    settledBy: Nullable(Person),
    note: Nullable(Text({ max: 1000 })),
  }),
);

const termsExample = {
  version: 'V3mP0lYf3l0dGJ2b0tq6o1nq0mK7fKf1yF2mJv2T1bQ',
  issuedAt: '2026-03-10T18:00:00.000Z',
  validUntil: '2026-03-10T22:00:00.000Z',
  keyName: '9f2c4a1d0b7e8f65',
} as const;

export const offlineSettingsExample = {
  shop: { isOn: true, hoursMax: 4, saleMax: 50_000, outageMax: 1_000_000 },
  locations: [],
} as const;

export const offlineTermsExample = {
  ...termsExample,
  ...{ saleMax: 50_000, outageMax: 1_000_000, signingKey: 'c2lnbmluZyBrZXk=', terms: '{"format":1}' },
} as const;

export const offlineSaleBodyExample = {
  saleKey: '3f0c8a52-4b1e-4d0a-9c57-2f6a1e8b7d43',
  number: 'R6101-0042',
  soldAt: '2026-03-10T18:20:00.000Z',
  staffId: 5101,
  outageKey: '7d1e2f3a-5b6c-4d7e-8f90-a1b2c3d4e5f6',
  terms: termsExample,
  buyer: { customerId: null, birthday: '1988-02-29', name: null },
  discountIds: [],
  lines: [{ productOptionId: 3101, quantity: 1, unitPrice: 3_500, discounts: [], gross: 3_500, taxes: [] }],
  ...{ discounts: [], taxes: [], exemptions: [] },
  tenders: [{ paymentTypeId: 2701, amount: 3_500, fee: 0, tendered: 4_000 }],
  total: 3_500,
  signature: 'c2lnbmF0dXJl',
} as const;

export const offlineSaleExample = {
  id: 6501,
  saleKey: offlineSaleBodyExample.saleKey,
  registerId: 6101,
  registerName: 'Front counter 1',
  number: 'R6101-0042',
  orderId: '0195f0a0-7c11-7abc-8def-0123456789ab',
  orderNumber: 4711,
  soldAt: '2026-03-10T18:20:00.000Z',
  receivedAt: '2026-03-10T19:05:00.000Z',
  soldBy: { staffId: 5101, firstName: 'Ines', lastName: 'Marchetti' },
  sentBy: { staffId: 5101, firstName: 'Ines', lastName: 'Marchetti' },
  total: 3_500,
  doubts: [{ reason: 'stock-short', words: 'Moonlit Grove: 1 more was sold than is booked.' }],
  ...{ needsReview: true, settledAt: null, settledBy: null, note: null },
} as const;
