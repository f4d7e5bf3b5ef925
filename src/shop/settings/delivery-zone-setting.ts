import Type from 'typebox';
import { lockOrganization } from '../../access/organizations/organizations.ts';
import {
  Cents,
  Id,
  List,
  Named,
  NonBlankText,
  Nullable,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import { schemasOf, settingField, settingTable } from '../../platform/resources/setting-table.ts';
import { selectLocations } from '../inventory/stock.ts';
import {
  deleteZonePatterns,
  insertDeliveryZonePostalCodes,
  selectZones,
  selectZonesOfPatterns,
} from './delivery-zone-queries.ts';
import { settingsReaders, settingsWriters } from './settings-schemas.ts';
import { selectTaxSettings } from './tax-queries.ts';
import { idSet } from './tax-settings.ts';
import { assertZoneFits, readPostalCodes } from './zone-settings.ts';

const fields = {
  name: settingField(NonBlankText({ max: 200 }), 'name'),
  postalCodes: settingField(
    List(Text({ min: 1, max: 20 }), {
      min: 1,
      max: 2000,
      description: 'Codes of 5 digits ("94607") and prefixes ("946*"); the longest match applies',
    }),
    null,
    {
      selected: `array(select c.pattern from delivery_zone_postal_codes c
             where c.organization_id = :organizationId and c.delivery_zone_id = delivery_zones.id order by c.pattern)`,
      reads: (codes) => readPostalCodes(codes),
    },
  ),
  orderMinimum: settingField(Cents({ description: 'In cents' }), 'order_minimum_cents', { absent: 0 }),
  deliveryFee: settingField(Cents({ description: 'In cents' }), 'delivery_fee_cents', { absent: 0 }),
  deliveryFeeDescription: settingField(
    Nullable(Text({ max: 200, description: 'Text for customers' })),
    'delivery_fee_description',
    { absent: null },
  ),
  taxIds: settingField(
    Nullable(
      List(Id(), {
        max: 200,
        description:
          'Exactly these of the taxes in force are charged on deliveries to the zone; null: all except the taxes with `onlyInDeliveryZones`',
      }),
    ),
    'tax_ids',
    { absent: null, reads: (ids) => ids && idSet(ids) },
  ),
  inventoryLocationIds: settingField(
    List(Id(), {
      max: 200,
      description:
        'Where deliveries to the zone draw from, in this order; empty: where delivery orders draw from',
    }),
    'inventory_location_ids',
    { absent: [], reads: (ids) => [...new Set(ids)] },
  ),
};

const requestExample = {
  name: 'Uptown',
  postalCodes: ['94610', '9461*'],
  orderMinimum: 5000,
  deliveryFee: 500,
  deliveryFeeDescription: 'Delivery',
};

/** Delivery zones. Orders keep the amounts that they were placed with. */
export const deliveryZones = settingResource({
  table: settingTable('delivery_zones', { fields, ends: 'removed', lock: 'for update' }),
  noun: 'delivery zone',
  called: 'zone',
  subject: 'delivery_zone',
  idName: 'deliveryZoneId',
  notFound: 'DELIVERY_ZONE_NOT_FOUND',
  tells: ['name'],
  locking: () => [lockOrganization({})],
  saving: async (tx, { id, nowMs, former, next }) => {
    const [taxes, locations, taken] = await tx.run(
      selectTaxSettings({}),
      selectLocations({}),
      selectZonesOfPatterns({ patterns: next.postalCodes, exceptId: id }),
    );
    assertZoneFits(next, former, {
      taxIds: taxes.flatMap(({ id, ends_at }) => (ends_at === null || ends_at > nowMs ? [id] : [])),
      locationIds: locations.map((location) => location.id),
      taken,
    });
    return undefined;
  },
  beside: ({ id, former, next }) => {
    const [before, after] = [new Set(former?.postalCodes), new Set(next.postalCodes)];
    const gone = [...before].filter((pattern) => !after.has(pattern));
    const added = [...after].filter((pattern) => !before.has(pattern));
    return [
      deleteZonePatterns({ deliveryZoneId: id, patterns: gone }),
      ...insertDeliveryZonePostalCodes(added.map((pattern) => ({ pattern, deliveryZoneId: id }))),
    ];
  },
  ending: async (tx, { id, postalCodes }) =>
    tx.queue(deleteZonePatterns({ deliveryZoneId: id, patterns: postalCodes })),
  path: '/staff/v1/delivery-zones',
  tag: 'Settings',
  readers: settingsReaders,
  writers: settingsWriters,
  data: Named(
    'DeliveryZone',
    Type.Object({ id: Id(), ...schemasOf(fields), createdAt: Timestamp(), updatedAt: Timestamp() }),
  ),
  example: {
    id: 2701,
    ...requestExample,
    taxIds: null,
    inventoryLocationIds: [],
    createdAt: '2026-03-01T17:05:09.123Z',
    updatedAt: '2026-03-01T17:05:09.123Z',
  },
  list: {
    id: 'listDeliveryZones',
    summary: 'List delivery zones',
    description: 'All delivery zones. If there is at least one, deliveries outside of all zones are refused.',
    max: 10_000,
    sorts: {
      id: 'ascending',
      name: 'ascending',
      orderMinimum: 'descending',
      deliveryFee: 'descending',
      createdAt: 'descending',
    },
    rows: () => selectZones({}),
  },
  create: {
    id: 'createDeliveryZone',
    summary: 'Create a delivery zone',
    description:
      'Minimum and fee default to 0. A ZIP code or prefix belongs to one zone; a code in another zone than its prefix is an exception to it. Spaces are ignored.',
    requestExample,
  },
  update: {
    id: 'updateDeliveryZone',
    summary: 'Change a delivery zone',
    description: 'Changes the given fields. Orders keep their amounts.',
    requestExample: { deliveryFee: 700 },
  },
  replace: {
    id: 'replaceDeliveryZone',
    summary: 'Replace the settings of a delivery zone',
    description: 'Absent fields get their defaults. Orders keep their amounts.',
    requestExample,
  },
  end: {
    id: 'removeDeliveryZone',
    summary: 'Remove a delivery zone',
    description: 'Orders keep their amounts. Without any zone, deliveries are possible everywhere.',
  },
});
