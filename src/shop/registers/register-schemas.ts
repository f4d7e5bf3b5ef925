import Type from 'typebox';
import {
  CentsTotal,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { handMovementsMax } from './drawer-queries.ts';

/** The shapes of registers and drawer sessions (D74). */

export const DrawerPerson = Named(
  'DrawerPerson',
  Type.Object({ staffId: Id(), firstName: Text({ max: 100 }), lastName: Text({ max: 100 }) }),
);

const DrawerPayment = Named(
  'DrawerPayment',
  Type.Object({
    paymentTypeId: Nullable(Id({ description: 'null: the cash, of all payment types of the method `cash`' })),
    name: Text({ max: 500 }),
    orders: WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Sales with such a payment' }),
    float: CentsTotal({ description: 'In the drawer when it was opened' }),
    sales: CentsTotal(),
    refunds: CentsTotal({ description: 'Negative; voided returns count against it' }),
    giftCards: CentsTotal({ description: 'Paid onto gift cards, less what was paid out of them: no sales' }),
    paidIn: CentsTotal(),
    paidOut: CentsTotal({ description: 'Negative' }),
    drops: CentsTotal({ description: 'Negative' }),
    expected: CentsTotal({ description: 'The sum of the parts above' }),
    counted: Nullable(CentsTotal({ description: 'null: not counted yet' })),
    overShort: Nullable(CentsTotal({ description: '`counted` less `expected`; negative: short' })),
  }),
);

const sessionFields = {
  id: Id(),
  registerId: Id(),
  registerName: Text({ max: 100 }),
  float: CentsTotal(),
  openedAt: Timestamp(),
  businessDay: LocalDate({
    description: 'The business day on which the drawer was opened: it counts for this one',
  }),
  openedBy: DrawerPerson,
  closedAt: Nullable(Timestamp()),
  closedBy: Nullable(DrawerPerson),
  note: Nullable(Text({ max: 1000 })),
  payments: Nullable(
    List(DrawerPayment, {
      max: 1000,
      description: 'Cash first. null: the session is open, and the role must not know before the count',
    }),
  ),
};

export const DrawerSession = Named('DrawerSession', Type.Object(sessionFields));

export const DrawerReport = Named(
  'DrawerReport',
  Type.Object({
    ...sessionFields,
    kind: OneOf(['x', 'z'], {
      description: '`x`: the session is open; `z`: it is closed, and this stays as it is',
    }),
    sales: Nullable(
      Named(
        'DrawerSales',
        Type.Object({
          orders: WholeNumber({
            min: 0,
            max: Number.MAX_SAFE_INTEGER,
            description: 'Sales, without voided ones',
          }),
          gross: CentsTotal({ description: 'Before discounts' }),
          discounts: CentsTotal({ description: 'Discounts and rewards, of lines and of orders' }),
          priceOverrides: CentsTotal({
            description:
              'What prices by hand and reductions of single lines took off the price of the menu; `gross` is after it, and `discounts` is without it',
          }),
          net: CentsTotal({ description: '`gross` less `discounts`' }),
          tax: CentsTotal(),
          total: CentsTotal({ description: 'With taxes, fees and adjustments, less credits' }),
          cashRounding: CentsTotal({
            description: 'What rounding to five cents added to cash, beside `total`',
          }),
          returns: WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }),
          refunds: CentsTotal({ description: 'Given back by payment types' }),
          voids: WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Voided sales' }),
        }),
      ),
    ),
    movements: List(
      Type.Object({
        id: Id(),
        kind: OneOf(['paid-in', 'paid-out', 'drop']),
        amount: CentsTotal({ description: 'Negative: out of the drawer' }),
        reason: Text({ max: 500 }),
        at: Timestamp(),
        by: DrawerPerson,
      }),
      { max: handMovementsMax, description: 'Cash moved by hand, in the order of time' },
    ),
  }),
);

const person = { staffId: 5101, firstName: 'Marisol', lastName: 'Okafor' } as const;

const openExample = {
  id: 6201,
  registerId: 6101,
  registerName: 'Front counter 1',
  float: 20_000,
  openedAt: '2026-03-10T16:58:00.000Z',
  businessDay: '2026-03-10',
  openedBy: person,
  closedAt: null,
  closedBy: null,
  note: null,
  payments: null,
} as const;

export const sessionExample = {
  ...openExample,
  closedAt: '2026-03-11T01:04:00.000Z',
  closedBy: person,
  payments: [
    {
      paymentTypeId: null,
      name: 'Cash',
      orders: 31,
      float: 20_000,
      sales: 184_350,
      refunds: -2_725,
      giftCards: 0,
      paidIn: 0,
      paidOut: -1_500,
      drops: -100_000,
      expected: 100_125,
      counted: 100_100,
      overShort: -25,
    },
  ],
} as const;

const movements = [
  {
    id: 6301,
    kind: 'drop',
    amount: -100_000,
    reason: 'Safe, bag 12',
    at: '2026-03-10T21:30:00.000Z',
    by: person,
  },
] as const;

const sales = {
  ...{ orders: 31, gross: 178_900, discounts: 9_450, priceOverrides: 1_200, net: 169_450 },
  ...{ tax: 14_900, total: 184_350 },
  ...{ cashRounding: 3, returns: 1, refunds: 2_725, voids: 0 },
} as const;

export const xReportExample = { ...openExample, kind: 'x', sales: null, movements } as const;
export const zReportExample = { ...sessionExample, kind: 'z', sales, movements } as const;
