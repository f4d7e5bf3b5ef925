import Type from 'typebox';
import {
  Cents,
  CentsTotal,
  DecimalNumber,
  Flag,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { StaffCustomerDetail } from '../customers/customer-schemas.ts';
import { documentBytesMax } from '../documents/documents.ts';
import { FormerSaleLine } from '../former-sales/former-sales.ts';

/** The maximum number of each kind that the statements read. */
const max = 100_000;

const ExportedReturn = Type.Object({
  id: Id(),
  createdAt: Timestamp(),
  refundType: Text({ max: 20 }),
  paymentTypeName: Text({ max: 200 }),
  refundTotal: CentsTotal(),
  adjustmentDescription: Text({ max: 500 }),
  voidedAt: Nullable(Timestamp()),
  voidedReason: Nullable(Text({ max: 500 })),
  lineItems: List(
    Type.Object({
      orderLineItemId: Id(),
      type: Text({ max: 20 }),
      quantity: WholeNumber({ min: 1, max: 10_000 }),
      reason: Text({ max: 500 }),
    }),
    { max: 1_000 },
  ),
});

/** The shape of a customer's export. */
export const CustomerExport = Named(
  'CustomerExport',
  Type.Object({
    exportedAt: Timestamp(),
    customer: StaffCustomerDetail,
    formerIds: List(Id(), { max, description: 'Of customers that were merged into this one' }),
    formerAccounts: List(
      Type.Object({
        till: Text({ max: 40 }),
        number: Text({ max: 100, description: 'The number of the customer there' }),
        pointsAmount: DecimalNumber({
          min: 0,
          max: 100_000_000,
          description: 'Points that were brought along',
        }),
        credit: Cents({ description: 'Cents that were brought along' }),
        importedAt: Timestamp(),
      }),
      { max, description: 'Of tills from which the shop moved here' },
    ),
    formerSales: List(
      Type.Object({
        till: Text({ max: 40 }),
        number: Text({ max: 100 }),
        soldAt: Timestamp(),
        net: CentsTotal({ description: 'Cents, before taxes' }),
        tax: CentsTotal({ description: 'Cents' }),
        lines: List(FormerSaleLine, { max: 500 }),
      }),
      { max, description: 'Sales of those tills' },
    ),
    orders: List(
      Type.Object({
        id: Text({ max: 36 }),
        number: Nullable(WholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER })),
        createdAt: Timestamp(),
        fulfilledAt: Nullable(Timestamp()),
        canceledAt: Nullable(Timestamp()),
        type: Text({ max: 20 }),
        source: Text({ max: 20 }),
        apiConsumerName: Nullable(Text({ max: 200 })),
        status: Text({ max: 20 }),
        isMedical: Flag(),
        netPrice: CentsTotal(),
        customerGrandTotal: CentsTotal(),
        refundTotal: CentsTotal(),
        customerName: Nullable(Text({ max: 300, description: 'As it was sent with the order' })),
        deliveryNotes: Nullable(Text({ max: 2000 })),
        internalNotes: Nullable(Text({ max: 10_000 })),
        cancelationReason: Nullable(Text({ max: 2000 })),
        trackingUrl: Nullable(Text({ max: 2000 })),
        address: Nullable(
          Type.Object({
            street1: Text({ max: 200 }),
            street2: Nullable(Text({ max: 200 })),
            city: Text({ max: 100 }),
            state: Text({ max: 50 }),
            postalCode: Text({ max: 20 }),
          }),
        ),
        lineItems: List(
          Type.Object({
            productName: Text({ max: 500 }),
            optionName: Text({ max: 500 }),
            quantity: WholeNumber({ min: 1, max: 10_000 }),
            finalPrice: CentsTotal(),
          }),
          { max: 200 },
        ),
        payments: List(Type.Object({ name: Text({ max: 200 }), finalAmount: CentsTotal() }), { max: 200 }),
        providerPayments: List(
          Type.Object({
            createdAt: Timestamp(),
            status: Text({ max: 20 }),
            captured: CentsTotal(),
            tip: CentsTotal(),
            refunded: CentsTotal(),
            returned: CentsTotal({ description: 'The bank took it back' }),
            payerName: Nullable(Text({ max: 300 })),
            lastFour: Nullable(Text({ max: 4, description: 'Of the card' })),
          }),
          { max, description: 'At terminals and banks' },
        ),
        returns: List(ExportedReturn, { max }),
        offlineSale: Nullable(
          Type.Object({
            number: Text({ max: 100 }),
            soldAt: Timestamp(),
            receivedAt: Timestamp(),
            note: Nullable(Text({ max: 2000 })),
          }),
        ),
      }),
      { max },
    ),
    boughtForOthers: List(
      Type.Object({ id: Text({ max: 36 }), number: Nullable(Id()), createdAt: Timestamp() }),
      { max, description: 'Orders that the customer bought for patients, as their caregiver' },
    ),
    loyaltyEvents: List(
      Type.Object({
        id: Id(),
        type: Text({ max: 20 }),
        pointsAmount: DecimalNumber({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
        reason: Text({ max: 10_000 }),
        orderId: Nullable(Text({ max: 36 })),
        createdAt: Timestamp(),
      }),
      { max },
    ),
    credits: List(
      Type.Object({
        id: Id(),
        type: Text({ max: 20 }),
        description: Text({ max: 500 }),
        amount: Nullable(Cents()),
        remaining: Nullable(Cents()),
        percent: Nullable(DecimalNumber({ min: 0, max: 100 })),
        expiresAt: Nullable(Timestamp()),
        createdAt: Timestamp(),
      }),
      { max },
    ),
    visits: List(
      Type.Object({
        checkedInAt: Timestamp(),
        leftAt: Nullable(Timestamp()),
        leftReason: Nullable(Text({ max: 200 })),
      }),
      { max },
    ),
    documents: List(
      Type.Object({
        id: Id(),
        type: Text({ max: 20 }),
        status: Text({ max: 20 }),
        expiresOn: Nullable(LocalDate()),
        reviewReason: Nullable(Text({ max: 500 })),
        mime: Text({ max: 100 }),
        bytes: WholeNumber({ min: 1, max: documentBytesMax }),
        uploadedAt: Timestamp(),
        content: Nullable(
          Text({
            max: 4_000_000,
            description:
              'The file in Base64, without the metadata of photos; null without `files`, beyond 32 MB, and when its retention has ended',
          }),
        ),
      }),
      { max },
    ),
    scannedLicenses: List(Type.Object({ recordedAt: Timestamp() }), {
      max: 1_000,
      description: 'Scans by which staff find the customer: stored as digests that only a new scan matches',
    }),
    sessions: List(
      Type.Object({ contact: Text({ max: 300 }), createdAt: Timestamp(), expiresAt: Timestamp() }),
      { max: 1_000, description: 'Sign-ins that have not ended' },
    ),
    mails: List(
      Type.Object({
        id: Id(),
        kind: Text({ max: 100 }),
        recipient: Text({ max: 300 }),
        subject: Text({ max: 1_000 }),
        text: Nullable(Text({ max: 1_000_000, description: 'Null once it was sent' })),
        createdAt: Timestamp(),
        sentAt: Nullable(Timestamp()),
      }),
      { max },
    ),
    webhookDeliveries: List(
      Type.Object({
        id: Id(),
        type: Text({ max: 100 }),
        about: Text({ max: 100, description: 'The record of which the receiver got the state' }),
        url: Text({ max: 2_000 }),
        createdAt: Timestamp(),
        deliveredAt: Nullable(Timestamp()),
        answer: Nullable(Text({ max: 1_024 })),
      }),
      { max, description: "Of the last 30 days: to whom the customer's data was sent" },
    ),
  }),
);
