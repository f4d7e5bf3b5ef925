import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  CentsTotal,
  DecimalText,
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
import { expiresWithinDays, soldWithinDays, todayReport, unitsLeftMax } from './today-report.ts';

const Count = WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER });
const OnHand = DecimalText({ wholeDigitsMax: 24, decimalsMax: 24, description: 'In the unit' });
const Unit = OneOf(['gram', 'item']);

const TodayRow = Named(
  'TodayRow',
  Type.Object({
    key: Text({ max: 100 }),
    name: Text({ max: 500 }),
    orders: Count,
    units: Count,
    net: CentsTotal({ description: 'Gross less discounts, so far' }),
    refunds: CentsTotal({ description: 'The part of net sales, of any day, that was given back so far' }),
    paid: CentsTotal({ description: 'Money taken for the orders, with taxes and fees' }),
    paidBack: CentsTotal({
      description: 'Money given back for returns by a payment type, less that of voided returns',
    }),
    comparedOrders: Count,
    comparedPaid: CentsTotal({ description: 'Of the whole `comparedDay`' }),
    comparedNet: CentsTotal({ description: 'Of the whole `comparedDay`' }),
  }),
);

const rowExample = {
  ...{ key: '', name: 'All locations', orders: 42, units: 97, net: 318_450 },
  ...{
    refunds: 3200,
    paid: 352_811,
    paidBack: 3880,
    comparedOrders: 51,
    comparedPaid: 412_377,
    comparedNet: 372_900,
  },
};

const Today = Type.Object({
  day: LocalDate(),
  comparedDay: LocalDate({ description: 'A week earlier' }),
  total: TodayRow,
  hours: List(TodayRow, { max: 24, description: '`key`: 00 to 23. Hours with sales on either day' }),
  payments: List(TodayRow, {
    max: 100_000,
    description: 'By payment type, most money first; the sums that drawers and deliveries took and gave',
  }),
  staff: List(TodayRow, { max: 100_000, description: 'Who fulfilled the orders' }),
  locations: List(TodayRow, {
    max: 100_000,
    description: 'Where the goods were taken from; an order counts at each of its locations',
  }),
  waiting: List(
    Type.Object({
      type: OneOf(['delivery', 'pickup', 'in-store']),
      status: OneOf(['draft', 'new', 'packed']),
      orders: Count,
      oldestAt: Timestamp({ description: 'When the oldest of them was placed' }),
    }),
    { max: 9, description: 'Orders that wait for staff' },
  ),
  lowStock: Type.Object(
    {
      count: Count,
      rows: List(
        Type.Object({
          productId: Id(),
          productOptionId: Nullable(Id({ description: 'null: stock is kept per product' })),
          productName: Text({ max: 500 }),
          optionName: Nullable(Text({ max: 500 })),
          unit: Unit,
          onHand: OnHand,
          unitsSold: Count,
        }),
        { max: 6 },
      ),
    },
    {
      description: `Of products that sold in the last ${soldWithinDays} days: what can be sold is enough for at most ${unitsLeftMax} of the smallest option. \`count\` is of all, \`rows\` are the best sold`,
    },
  ),
  expiring: Type.Object(
    {
      count: Count,
      rows: List(
        Type.Object({
          packageId: Id(),
          label: Text({ max: 500 }),
          expirationDate: LocalDate(),
          productName: Text({ max: 500 }),
          unit: Unit,
          onHand: OnHand,
        }),
        { max: 6 },
      ),
    },
    {
      description: `Packages with stock whose last day of sale is at most ${expiresWithinDays} days ahead, or past. \`count\` is of all, \`rows\` are the soonest`,
    },
  ),
});

const todayExample = {
  day: '2026-03-10',
  comparedDay: '2026-03-03',
  total: rowExample,
  hours: [{ ...rowExample, key: '10', name: '10:00' }],
  payments: [{ ...rowExample, key: '2201', name: 'Cash' }],
  staff: [{ ...rowExample, key: '5101', name: 'Marisol Okafor' }],
  locations: [{ ...rowExample, key: '2401', name: 'Storefront' }],
  waiting: [{ type: 'pickup', status: 'new', orders: 3, oldestAt: '2026-03-10T17:05:09.123Z' }],
  lowStock: {
    count: 1,
    rows: [
      {
        ...{ productId: 3101, productOptionId: 3201, productName: 'Velvet Tide', optionName: 'Eighth' },
        ...{ unit: 'item' as const, onHand: '2', unitsSold: 31 },
      },
    ],
  },
  expiring: {
    count: 1,
    rows: [
      {
        ...{ packageId: 4101, label: '1A4060300002E7A000000101', expirationDate: '2026-03-18' },
        ...{ productName: 'Velvet Tide', unit: 'gram' as const, onHand: '42.5' },
      },
    ],
  },
} as const;

/** The day so far, for owners and managers. */
export function todayRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'getToday',
      method: 'GET',
      path: '/staff/v1/reports/today',
      roles: ['owner', 'manager'],
      kind: 'read',
      summary: 'Report the day so far',
      description:
        "The day of the organization's time zone, beside the same day of the week before: fulfilled orders by hour, payment type, staff and location as in `getSalesReport`, orders that wait, stock that runs low, packages that expire. Sales are kept by location, but not by location and hour: `hours`, `payments` and `staff` are those of all locations.",
      tag: 'Reports',
      query: Type.Object({
        inventoryLocationId: Type.Optional(
          Id({
            description:
              'Only `waiting`, `lowStock` and `expiring` of this location. Default: of all locations',
          }),
        ),
      }),
      success: {
        status: 200,
        data: Today,
        description: 'The day so far',
        example: todayExample,
      },
      failures: ['INVENTORY_LOCATION_NOT_FOUND'],
      handle: async ({ staff, query }) => reply(await todayReport(context, staff.organizationId, query)),
    }),
  ];
}
