import Type from 'typebox';
import { stopStatuses } from '../../kernel/stop-statuses.ts';
import {
  Cents,
  CentsTotal,
  DecimalNumber,
  DecimalText,
  Flag,
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
import { OrderId } from '../orders/order-schemas.ts';
import { waitingDeliveriesMax } from './stop-queries.ts';
import { tripStatuses } from './trip-lifecycle.ts';
import { tripsPerDayMax } from './trip-queries.ts';

/** The shapes of trips (D111). */

export const stopsPerTripMax = 100;
const unsentActsMax = 1_000;

const point = {
  latitude: DecimalNumber({ min: -90, max: 90 }),
  longitude: DecimalNumber({ min: -180, max: 180 }),
};

const deliveryFields = {
  orderId: OrderId(),
  orderNumber: Nullable(Id({ description: 'Short, for people' })),
  orderStatus: OneOf(['draft', 'new', 'packed', 'fulfilled', 'canceled']),
  zoneName: Nullable(Text({ max: 200, description: 'The delivery zone of the address; null: none has it' })),
  window: Nullable(
    Type.Object(
      { from: Timestamp(), to: Timestamp() },
      { description: 'The time slot that was chosen; null: none was' },
    ),
  ),
  address: Type.Object({
    street1: Nullable(Text({ max: 500 })),
    street2: Nullable(Text({ max: 500 })),
    city: Nullable(Text({ max: 200 })),
    state: Nullable(Text({ max: 100 })),
    postalCode: Nullable(Text({ max: 20 })),
  }),
  area: Nullable(
    Type.Object(point, {
      description: 'The middle of the area of its ZIP code: addresses are looked up nowhere; null: not known',
    }),
  ),
  deliveryNotes: Nullable(Text({ max: 2000 })),
  buyer: Nullable(
    Type.Object(
      {
        firstName: Text({ max: 100 }),
        lastName: Text({ max: 100 }),
        birthday: Nullable(LocalDate()),
        phone: Nullable(Text({ max: 40 })),
        minimumAge: WholeNumber({ min: 0, max: 150, description: 'In years' }),
      },
      { description: 'null: the order has no customer' },
    ),
  ),
  hasCannabis: Flag(),
  lines: List(
    Type.Object({
      lineItemId: Id(),
      productName: Text({ max: 500 }),
      optionName: Text({ max: 500 }),
      quantity: WholeNumber({ min: 0, max: 1_000_000 }),
      price: CentsTotal({ description: 'Of the line, after discounts' }),
    }),
    { max: 1000 },
  ),
  total: CentsTotal({ description: 'What the order comes to' }),
  fees: CentsTotal({
    description: 'Of `total`: for the delivery and the payment. A part of the goods bears them whole',
  }),
  amountDue: CentsTotal({ description: 'What is to be paid at the door: `total` less what providers took' }),
};

const Delivery = Named('Delivery', Type.Object(deliveryFields));

const TripStop = Named(
  'TripStop',
  Type.Object({
    ...{ id: Id(), position: WholeNumber({ min: 0, max: 10_000, description: 'From 0' }) },
    status: OneOf(stopStatuses),
    ...deliveryFields,
    arrivedAt: Nullable(Timestamp()),
    completedAt: Nullable(Timestamp({ description: 'When it was delivered, refused or left' })),
    reason: Nullable(Text({ max: 500, description: 'Why it was refused, or what the driver said' })),
    idCheckHow: Nullable(OneOf(['scan', 'eye'])),
    hasSignature: Flag(),
    tip: Cents({ description: 'In cash' }),
  }),
);

const UnsentAct = Named(
  'UnsentAct',
  Type.Object({
    ...{ id: Id(), kind: Text({ max: 40 }), stopId: Nullable(Id()), occurredAt: Timestamp() },
    refusal: Text({ max: 1000, description: 'As the driver saw it' }),
    act: Nullable(Text({ max: 2000, description: 'As it was sent; null once it is settled' })),
    ...{ createdAt: Timestamp(), settledAt: Nullable(Timestamp()), note: Nullable(Text({ max: 1000 })) },
  }),
);

const VehicleGoods = Named(
  'VehicleGoods',
  Type.Object({
    productId: Id(),
    productOptionId: Nullable(Id({ description: 'null: stock is kept per product' })),
    packageId: Nullable(Id({ description: 'null: without a package' })),
    productName: Text({ max: 500 }),
    optionName: Nullable(Text({ max: 500 })),
    packageLabel: Nullable(Text({ max: 200 })),
    amount: DecimalText(),
  }),
);

export const Trip = Named(
  'Trip',
  Type.Object({
    id: Id(),
    status: OneOf(tripStatuses),
    day: LocalDate({ description: 'The business day' }),
    driver: Type.Object({
      ...{ id: Id(), staffId: Id(), firstName: Text({ max: 100 }), lastName: Text({ max: 100 }) },
      sharesPosition: Flag(),
    }),
    vehicle: Type.Object({
      ...{ id: Id(), name: Text({ max: 100 }), licensePlate: Text({ max: 20 }) },
      ...{ make: Text({ max: 100 }), model: Text({ max: 100 }), inventoryLocationId: Id() },
    }),
    plannedDepartureAt: Nullable(Timestamp()),
    ...{ loadedAt: Nullable(Timestamp()), departedAt: Nullable(Timestamp()) },
    ...{ returnedAt: Nullable(Timestamp()), closedAt: Nullable(Timestamp()) },
    note: Nullable(Text({ max: 1000 })),
    drawer: Nullable(
      Type.Object(
        { drawerSessionId: Id(), registerId: Id() },
        { description: "The driver's drawer; null: the driver has none, or the trip is not loaded" },
      ),
    ),
    cashPaymentTypeId: Nullable(Id({ description: 'The first payment type in cash of deliveries' })),
    cashRounding: OneOf(['off', 'symmetric', 'down'], { description: 'How that payment is rounded' }),
    asksForId: Flag({ description: 'Cannabis is handed over only after an ID was seen' }),
    customersSeePosition: Flag({
      description:
        'Whether the customer whose turn it is sees about how far the driver is, if the driver shares it',
    }),
    carried: Type.Object(
      {
        value: CentsTotal({ description: 'Of the cannabis at stops that are not done, before taxes' }),
        limit: Nullable(
          CentsTotal({ description: 'What the law lets a vehicle carry; null: no limit is known' }),
        ),
      },
      { description: 'In cents, as the law counts it' },
    ),
    stops: List(TripStop, { max: stopsPerTripMax }),
    totals: Type.Object({
      delivered: WholeNumber({ min: 0, max: stopsPerTripMax, description: 'Wholly or in part' }),
      notDelivered: WholeNumber({
        min: 0,
        max: stopsPerTripMax,
        description: 'Refused, or no customer at home',
      }),
      sales: CentsTotal({ description: 'What the delivered orders come to' }),
      tips: CentsTotal({ description: 'In cash' }),
    }),
    goods: List(VehicleGoods, {
      max: 10_000,
      description:
        'Stock in the vehicle that no order holds: what came back, to be looked at when the trip is closed',
    }),
    stateReport: Nullable(
      Type.Object(
        {
          isKnown: Flag({ description: 'The state knows what it is to know before the vehicle leaves' }),
          words: Nullable(Text({ max: 3_000, description: 'What is missing; null: nothing is' })),
        },
        {
          description: 'What the state was told of a loaded trip; null: no license of the shop reports trips',
        },
      ),
    ),
    unsentActs: List(UnsentAct, {
      max: unsentActsMax,
      description:
        'What the driver did without a line and the service refused later: tasks for who dispatches',
    }),
    updatedAt: Timestamp(),
  }),
);

export const DispatchBoard = Type.Object({
  day: LocalDate(),
  trips: List(Trip, { max: tripsPerDayMax, description: 'Of the day, and those that are not closed' }),
  positions: List(Type.Object({ tripId: Id(), ...point, at: Timestamp() }), {
    max: tripsPerDayMax,
    description: 'Where drivers were last, of trips that are out and whose drivers share it',
  }),
  shop: Nullable(
    Type.Object(point, { description: "The middle of the area of the shop's ZIP code; null: not known" }),
  ),
  waiting: List(Delivery, {
    max: waitingDeliveriesMax,
    description: 'Open deliveries on no trip, by zone and time slot, then as they came',
  }),
});

const at = '2026-03-10T18:05:09.123Z';
const deliveryExample = {
  orderId: '0197f3a2-6b1c-7d3e-9a4f-5b6c7d8e9f01',
  orderNumber: 1042,
  orderStatus: 'packed',
  zoneName: 'Uptown',
  window: { from: '2026-03-10T18:00:00.000Z', to: '2026-03-10T20:00:00.000Z' },
  address: { street1: '418 Alder Street', street2: null, city: 'Oakland', state: 'CA', postalCode: '94607' },
  area: { latitude: 37.808, longitude: -122.305 },
  deliveryNotes: 'Second door',
  buyer: {
    ...{
      firstName: 'Marisol',
      lastName: 'Okafor',
      birthday: '1988-02-29',
      phone: '+14155550123',
      minimumAge: 21,
    },
  },
  hasCannabis: true,
  lines: [{ lineItemId: 7101, productName: 'Blue Dream', optionName: '3.5 g', quantity: 1, price: 3500 }],
  ...{ total: 4120, fees: 500, amountDue: 4120 },
} as const;

export const tripExample = {
  id: 6901,
  status: 'draft',
  day: '2026-03-10',
  driver: { id: 6801, staffId: 5102, firstName: 'Tomas', lastName: 'Reyes', sharesPosition: false },
  vehicle: {
    ...{ id: 6701, name: 'Blue van', licensePlate: '8ABC123', make: 'Ford', model: 'Transit Connect' },
    inventoryLocationId: 2402,
  },
  plannedDepartureAt: at,
  ...{ loadedAt: null, departedAt: null, returnedAt: null, closedAt: null, note: null, drawer: null },
  cashPaymentTypeId: 2701,
  cashRounding: 'off',
  asksForId: true,
  customersSeePosition: false,
  carried: { value: 3500, limit: 1_000_000 },
  stops: [
    {
      id: 6951,
      position: 0,
      status: 'waiting',
      ...deliveryExample,
      ...{ arrivedAt: null, completedAt: null, reason: null, idCheckHow: null, hasSignature: false, tip: 0 },
    },
  ],
  totals: { delivered: 0, notDelivered: 0, sales: 0, tips: 0 },
  ...{ goods: [], stateReport: null, unsentActs: [], updatedAt: at },
} as const;

export const boardExample = {
  day: '2026-03-10',
  trips: [tripExample],
  positions: [],
  shop: { latitude: 37.808, longitude: -122.305 },
  waiting: [deliveryExample],
} as const;
