import Type, { type Static } from 'typebox';
import { groupBy } from '../../kernel/group-by.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
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
import { selectZonePatterns, selectZoneSettings } from './delivery-zone-queries.ts';
import { removeDeliveryZone } from './remove-delivery-zone.ts';
import { changeDeliveryZone, createDeliveryZone } from './save-delivery-zone.ts';
import { settingsReaders, settingsWriters } from './settings-schemas.ts';
import { idSet } from './tax-settings.ts';
import { readPostalCodes, type SavedZone, savedZone, type ZoneSettings } from './zone-settings.ts';

const postalCodesMax = 2000;
const taxesMax = 200;
const locationsMax = 200;

const taxIds = Nullable(
  List(Id(), {
    max: taxesMax,
    description:
      'Exactly these of the taxes in force are charged on deliveries to the zone; null: all except the taxes with `onlyInDeliveryZones`',
  }),
);
const inventoryLocationIds = List(Id(), {
  max: locationsMax,
  description:
    'Where deliveries to the zone draw from, in this order; empty: where delivery orders draw from',
});
const fields = {
  name: NonBlankText({ max: 200 }),
  postalCodes: List(Text({ min: 1, max: 20 }), {
    min: 1,
    max: postalCodesMax,
    description: 'Codes of 5 digits ("94607") and prefixes ("946*"); the longest match applies',
  }),
  orderMinimum: Cents({ description: 'In cents' }),
  deliveryFee: Cents({ description: 'In cents' }),
  deliveryFeeDescription: Nullable(Text({ max: 200, description: 'Text for customers' })),
};

const DeliveryZone = Named(
  'DeliveryZone',
  Type.Object({
    id: Id(),
    ...fields,
    taxIds,
    inventoryLocationIds,
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

const { name, postalCodes, ...optionalFields } = { ...fields, taxIds, inventoryLocationIds };
const ZoneBody = Type.Object({ name, postalCodes, ...Type.Partial(Type.Object(optionalFields)).properties });
const ZonePatch = Type.Partial(Type.Object({ name, postalCodes, ...optionalFields }));

const params = Type.Object({ deliveryZoneId: Id() });
const resourceParams = { deliveryZoneId: 'DELIVERY_ZONE_NOT_FOUND' } as const;

const bodyExample = {
  name: 'Uptown',
  postalCodes: ['94610', '9461*'],
  orderMinimum: 5000,
  deliveryFee: 500,
  deliveryFeeDescription: 'Delivery',
};
const example: Static<typeof DeliveryZone> = {
  id: 2701,
  ...bodyExample,
  taxIds: null,
  inventoryLocationIds: [],
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
};

/** Staff operations on delivery zones. */
export function deliveryZoneStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'listDeliveryZones',
      method: 'GET',
      path: '/staff/v1/delivery-zones',
      roles: settingsReaders,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List delivery zones',
      description:
        'All delivery zones. If there is at least one, deliveries outside of all zones are refused.',
      source: ['D16', 'D27'],
      tag: 'Settings',
      sorts: {
        id: 'ascending',
        name: 'ascending',
        orderMinimum: 'descending',
        deliveryFee: 'descending',
        createdAt: 'descending',
      },
      success: {
        status: 200,
        data: List(DeliveryZone, { max: 10_000 }),
        description: 'The zones',
        example: [example],
      },
      failures: [],
      handle: async ({ staff }) => {
        const [rows, patterns] = await context.database.read(
          staff.organizationId,
          selectZoneSettings({}),
          selectZonePatterns({}),
        );
        const patternsOf = groupBy(patterns, (row) => row.delivery_zone_id);
        return reply(
          rows.map((row) =>
            shown(
              savedZone(
                row,
                (patternsOf.get(row.id) ?? []).map(({ pattern }) => pattern),
              ),
            ),
          ),
        );
      },
    }),
    staffEndpoint({
      id: 'createDeliveryZone',
      method: 'POST',
      path: '/staff/v1/delivery-zones',
      roles: settingsWriters,
      kind: 'write',
      summary: 'Create a delivery zone',
      description:
        'Minimum and fee default to 0. A postal code or prefix belongs to one zone; a code in another zone than its prefix is an exception to it. Spaces are ignored.',
      source: ['D27', 'D28', 'D48'],
      tag: 'Settings',
      body: ZoneBody,
      requestExample: bodyExample,
      success: { status: 201, data: DeliveryZone, description: 'The zone', example },
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        return reply(shown(await createDeliveryZone(context, origin, staff.organizationId, wholeZone(body))));
      },
    }),
    staffEndpoint({
      id: 'updateDeliveryZone',
      method: 'PATCH',
      path: '/staff/v1/delivery-zones/{deliveryZoneId}',
      roles: settingsWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Change a delivery zone',
      description: 'Changes the given fields. Orders keep their amounts.',
      tag: 'Settings',
      params,
      resourceParams,
      body: ZonePatch,
      requestExample: { deliveryFee: 700 },
      success: { status: 200, data: DeliveryZone, description: 'The zone', example },
      failures: ['DELIVERY_ZONE_NOT_FOUND'],
      handle: async ({ staff, params: { deliveryZoneId }, body, requestId, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const changes = changesOf(body);
        return reply(
          shown(await changeDeliveryZone(context, origin, staff.organizationId, deliveryZoneId, changes)),
        );
      },
    }),
    staffEndpoint({
      id: 'replaceDeliveryZone',
      method: 'PUT',
      path: '/staff/v1/delivery-zones/{deliveryZoneId}',
      roles: settingsWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Replace the settings of a delivery zone',
      description: 'Absent fields get their defaults. Orders keep their amounts.',
      tag: 'Settings',
      params,
      resourceParams,
      body: ZoneBody,
      requestExample: bodyExample,
      success: { status: 200, data: DeliveryZone, description: 'The zone', example },
      failures: ['DELIVERY_ZONE_NOT_FOUND'],
      handle: async ({ staff, params: { deliveryZoneId }, body, requestId, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const settings = wholeZone(body);
        return reply(
          shown(await changeDeliveryZone(context, origin, staff.organizationId, deliveryZoneId, settings)),
        );
      },
    }),
    staffEndpoint({
      id: 'removeDeliveryZone',
      method: 'DELETE',
      path: '/staff/v1/delivery-zones/{deliveryZoneId}',
      roles: settingsWriters,
      kind: 'write',
      summary: 'Remove a delivery zone',
      description: 'Orders keep their amounts. Without any zone, deliveries are possible everywhere.',
      tag: 'Settings',
      params,
      resourceParams,
      success: { status: 200, data: DeliveryZone, description: 'The zone before its deletion', example },
      failures: ['DELIVERY_ZONE_NOT_FOUND'],
      handle: async ({ staff, params: { deliveryZoneId }, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        return reply(shown(await removeDeliveryZone(context, origin, staff.organizationId, deliveryZoneId)));
      },
    }),
  ];
}

function changesOf(sent: Static<typeof ZonePatch>): Partial<ZoneSettings> {
  return {
    ...(sent.name !== undefined && { name: sent.name }),
    ...(sent.postalCodes && { postalCodes: readPostalCodes(sent.postalCodes) }),
    ...(sent.orderMinimum !== undefined && { orderMinimumCents: sent.orderMinimum }),
    ...(sent.deliveryFee !== undefined && { deliveryFeeCents: sent.deliveryFee }),
    ...(sent.deliveryFeeDescription !== undefined && {
      deliveryFeeDescription: sent.deliveryFeeDescription,
    }),
    ...(sent.taxIds !== undefined && { taxIds: sent.taxIds && idSet(sent.taxIds) }),
    // In the order of allocation.
    ...(sent.inventoryLocationIds && { inventoryLocationIds: [...new Set(sent.inventoryLocationIds)] }),
  };
}

/** With the defaults of absent fields. */
function wholeZone(body: Static<typeof ZoneBody>): ZoneSettings {
  return {
    orderMinimumCents: 0,
    deliveryFeeCents: 0,
    deliveryFeeDescription: null,
    taxIds: null,
    inventoryLocationIds: [],
    ...changesOf(body),
    name: body.name,
    postalCodes: readPostalCodes(body.postalCodes),
  };
}

function shown(zone: SavedZone) {
  return {
    id: zone.id,
    name: zone.name,
    postalCodes: zone.postalCodes,
    orderMinimum: zone.orderMinimumCents,
    deliveryFee: zone.deliveryFeeCents,
    deliveryFeeDescription: zone.deliveryFeeDescription,
    taxIds: zone.taxIds,
    inventoryLocationIds: zone.inventoryLocationIds,
    createdAt: isoTimestamp(zone.createdAtMs),
    updatedAt: isoTimestamp(zone.updatedAtMs),
  };
}
