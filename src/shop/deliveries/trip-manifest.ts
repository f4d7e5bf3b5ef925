import Type, { type Static } from 'typebox';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { decimal, decimalText } from '../../kernel/decimal.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import {
  CentsTotal,
  DecimalText,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { openDriverLicense } from './license-number.ts';
import { driverNameOf } from './load-trip.ts';
import { recipientNameOf, selectManifestGoods, selectShownStops } from './stop-queries.ts';
import { selectTrip } from './trip-queries.ts';
import { stopsPerTripMax } from './trip-schemas.ts';
import { tripNotFound } from './trip-view.ts';

/** What a driver carries as paper: who drives what, when, and which goods go where. */
export const TripManifest = Named(
  'TripManifest',
  Type.Object({
    tripId: Id(),
    day: LocalDate(),
    shop: Type.Object({
      name: Text({ max: 200 }),
      licenseNumber: Text({ max: 200 }),
      phone: Text({ max: 100 }),
    }),
    driver: Type.Object({
      name: Text({ max: 201 }),
      licenseNumber: Nullable(Text({ max: 40, description: "Of the driver's license; null: none is kept" })),
      employeeNumber: Nullable(Text({ max: 100 })),
      phone: Nullable(Text({ max: 40 })),
    }),
    vehicle: Type.Object({
      ...{ name: Text({ max: 100 }), licensePlate: Text({ max: 20 }) },
      ...{ make: Text({ max: 100 }), model: Text({ max: 100 }) },
    }),
    departureAt: Nullable(Timestamp({ description: 'The actual one, or the planned one before' })),
    stops: List(
      Type.Object({
        position: WholeNumber({ min: 1, max: stopsPerTripMax, description: 'From 1' }),
        orderNumber: Nullable(Id()),
        recipient: Text({ max: 201 }),
        address: Text({ max: 1500, description: 'In one line' }),
        goods: List(
          Type.Object({
            productName: Text({ max: 500 }),
            optionName: Text({ max: 500 }),
            packageLabel: Nullable(Text({ max: 200, description: 'null: no package' })),
            amount: DecimalText({ description: 'In `unit`' }),
            unit: Text({ max: 40 }),
            value: CentsTotal({ description: 'Before discounts' }),
          }),
          { max: 2000 },
        ),
        value: CentsTotal(),
      }),
      { max: stopsPerTripMax },
    ),
    value: CentsTotal({ description: 'Of all goods, before discounts' }),
  }),
);

const goodsExample = {
  productName: 'Blue Dream',
  optionName: '3.5 g',
  packageLabel: '1A4FF0000000000000000001',
};

export const manifestExample = {
  ...{ tripId: 6901, day: '2026-03-10' },
  shop: { name: 'Alder Street', licenseNumber: 'C10-0000001-LIC', phone: '+15105550100' },
  driver: {
    ...{ name: 'Tomas Reyes', licenseNumber: 'D1234417', employeeNumber: 'E-1183', phone: '+15105550142' },
  },
  vehicle: { name: 'Blue van', licensePlate: '8ABC123', make: 'Ford', model: 'Transit Connect' },
  departureAt: '2026-03-10T18:05:09.123Z',
  stops: [
    {
      ...{ position: 1, orderNumber: 1042, recipient: 'Marisol Okafor' },
      address: '418 Alder Street, Oakland, CA, 94607',
      goods: [{ ...goodsExample, amount: '1', unit: 'item', value: 3500 }],
      value: 3500,
    },
  ],
  value: 3500,
};

/** The manifest of a trip. Fails with TRIP_NOT_FOUND. */
export async function tripManifest(
  context: Context,
  organization: OrganizationId,
  tripId: number,
): Promise<Static<typeof TripManifest>> {
  const [[trip], stops, goods, [shop]] = await context.database.read(
    organization,
    selectTrip({ id: tripId }),
    selectShownStops({ tripIds: [tripId] }),
    selectManifestGoods({ tripId }),
    selectOrganization({}),
  );
  if (trip === undefined) throw tripNotFound();
  assert(shop !== undefined, 'an organization with staff exists');
  const departureMs = trip.departed_at ?? trip.planned_departure_at;
  const shown = stops.map((stop, index) => {
    const rows = goods.filter((it) => it.order_id === stop.order_id);
    const theirs = rows.map((it) => ({
      ...{ productName: it.product_name, optionName: it.option_name, packageLabel: it.package_label },
      ...{ amount: decimalText(decimal(it.amount)), unit: it.unit, value: it.value_cents },
    }));
    return {
      ...{ position: index + 1, orderNumber: stop.order_number },
      recipient: recipientNameOf(stop),
      address: [stop.street1, stop.street2, stop.city, stop.address_state, stop.postal_code]
        .filter((part) => part !== null && part !== '')
        .join(', '),
      goods: theirs,
      value: theirs.reduce((sum, { value }) => sum + value, 0),
    };
  });
  return {
    ...{ tripId, day: trip.day },
    shop: { name: shop.name, licenseNumber: shop.license_number, phone: shop.customer_phone },
    driver: {
      name: driverNameOf(trip),
      licenseNumber: await openDriverLicense(context, organization, trip.driver_id),
      ...{ employeeNumber: trip.employee_number, phone: trip.phone },
    },
    vehicle: {
      ...{ name: trip.vehicle_name, licensePlate: trip.license_plate, make: trip.make, model: trip.model },
    },
    departureAt: departureMs === null ? null : isoTimestamp(departureMs),
    stops: shown,
    value: shown.reduce((sum, { value }) => sum + value, 0),
  };
}
