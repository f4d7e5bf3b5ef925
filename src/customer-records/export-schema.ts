import Type from 'typebox';
import { StaffCustomerDetail } from '../customers/customers.ts';
import {
  Cents,
  CentsTotal,
  DecimalNumber,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  Text,
  Timestamp,
  WholeNumber,
} from '../http/schemas.ts';

/** The maximum number of each kind that the statements read. */
const max = 100_000;

/** The shape of a customer's export. */
export const CustomerExport = Named(
  'CustomerExport',
  Type.Object({
    exportedAt: Timestamp(),
    customer: StaffCustomerDetail,
    orders: List(
      Type.Object({
        id: Text({ max: 36 }),
        createdAt: Timestamp(),
        fulfilledAt: Nullable(Timestamp()),
        canceledAt: Nullable(Timestamp()),
        type: Text({ max: 20 }),
        source: Text({ max: 20 }),
        status: Text({ max: 20 }),
        netPrice: CentsTotal(),
        customerGrandTotal: CentsTotal(),
        refundTotal: CentsTotal(),
        deliveryNotes: Nullable(Text({ max: 2000 })),
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
      }),
      { max },
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
        uploadedAt: Timestamp(),
      }),
      { max },
    ),
  }),
);
