import Type from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  Id,
  List,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { archiveLocation } from './archive-location.ts';
import { createLocation } from './create-location.ts';
import { type KeptLocationRow, type LocationUsers, selectKeptLocations } from './location-queries.ts';
import { stockReaders, stockWriters } from './stock-schemas.ts';
import { updateLocation } from './update-location.ts';

const name = NonBlankText({ max: 200 });
const description = Nullable(Text({ max: 2000 }));
const type = OneOf(['standard', 'vehicle']);

const WholeLocation = Type.Object({
  name,
  description: Type.Optional(description),
  type: Type.Optional(type),
});

const KeptLocation = Named(
  'KeptInventoryLocation',
  Type.Object({
    id: Id({ description: 'The id that other operations call `inventoryLocationId`' }),
    name,
    description,
    type,
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
    archivedAt: Nullable(Timestamp({ description: 'When it was archived; archived locations stay listed' })),
  }),
);

const locationExample = {
  id: 2401,
  name: 'Storefront',
  description: 'The shelves behind the counter',
  type: 'standard',
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
  archivedAt: null,
} as const;

const requestExample = {
  name: 'Storefront',
  description: 'The shelves behind the counter',
  type: 'standard',
} as const;

const LocationParams = Type.Object({ inventoryLocationId: Id() });
const stranger = { inventoryLocationId: 'INVENTORY_LOCATION_NOT_FOUND' } as const;
const path = '/staff/v1/inventory-locations';

/** Operations on stock locations for staff. */
export function locationStaffRoutes(context: Context, users: LocationUsers): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'listKeptInventoryLocations',
      method: 'GET',
      path,
      roles: stockReaders,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List inventory locations',
      description:
        'All locations where the organization keeps or kept stock, archived ones with `archivedAt`.',
      source: ['D16', 'D48'],
      tag: 'Stock',
      sorts: { id: 'ascending', name: 'ascending', type: 'ascending', createdAt: 'descending' },
      success: {
        status: 200,
        data: List(KeptLocation, { max: 10_000 }),
        description: 'The locations',
        example: [locationExample],
      },
      failures: [],
      handle: async ({ staff }) => {
        const [rows] = await context.database.read(staff.organizationId, selectKeptLocations({}));
        return reply(rows.map(keptLocation));
      },
    }),

    staffEndpoint({
      id: 'createInventoryLocation',
      method: 'POST',
      path,
      roles: stockWriters,
      kind: 'write',
      summary: 'Add an inventory location',
      description:
        'Orders use it once `locationsByOrderType` or a delivery zone names it. The default of `type` is `standard`.',
      source: ['D48'],
      tag: 'Stock',
      body: WholeLocation,
      requestExample,
      success: { status: 201, data: KeptLocation, description: 'The location', example: locationExample },
      failures: [],
      handle: async (request) => {
        const row = await createLocation(
          context,
          staffOrigin(request.staff, request.requestId),
          request.staff.organizationId,
          settingsOf(request.body),
        );
        return reply(keptLocation(row));
      },
    }),

    staffEndpoint({
      id: 'replaceInventoryLocation',
      method: 'PUT',
      path: `${path}/{inventoryLocationId}`,
      roles: stockWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: "Replace an inventory location's fields",
      description: 'As on creation: absent fields get their defaults.',
      source: ['D48'],
      tag: 'Stock',
      params: LocationParams,
      body: WholeLocation,
      requestExample,
      success: { status: 200, data: KeptLocation, description: 'The location', example: locationExample },
      failures: ['INVENTORY_LOCATION_NOT_FOUND'],
      resourceParams: stranger,
      handle: async (request) => {
        const row = await updateLocation(
          context,
          staffOrigin(request.staff, request.requestId, request.expectedUpdatedAtMs),
          request.staff.organizationId,
          request.params.inventoryLocationId,
          settingsOf(request.body),
        );
        return reply(keptLocation(row));
      },
    }),

    staffEndpoint({
      id: 'updateInventoryLocation',
      method: 'PATCH',
      path: `${path}/{inventoryLocationId}`,
      roles: stockWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Change an inventory location',
      description: 'Changes the given fields only.',
      source: ['D48'],
      tag: 'Stock',
      params: LocationParams,
      body: Type.Partial(WholeLocation),
      requestExample: { name: 'Front of the store' },
      success: { status: 200, data: KeptLocation, description: 'The location', example: locationExample },
      failures: ['INVENTORY_LOCATION_NOT_FOUND'],
      resourceParams: stranger,
      handle: async (request) => {
        const { body } = request;
        const row = await updateLocation(
          context,
          staffOrigin(request.staff, request.requestId, request.expectedUpdatedAtMs),
          request.staff.organizationId,
          request.params.inventoryLocationId,
          {
            ...(body.name !== undefined && { name: body.name.trim() }),
            ...(body.description !== undefined && { description: body.description }),
            ...(body.type !== undefined && { type: body.type }),
          },
        );
        return reply(keptLocation(row));
      },
    }),

    staffEndpoint({
      id: 'archiveInventoryLocation',
      method: 'DELETE',
      path: `${path}/{inventoryLocationId}`,
      roles: stockWriters,
      kind: 'write',
      summary: 'Archive an inventory location',
      description:
        'Archives it permanently; archiving it again changes nothing. Refused while it has stock, while an order that is not fulfilled holds stock of it, and while an order type or a delivery zone uses it.',
      source: ['D48'],
      tag: 'Stock',
      params: LocationParams,
      success: {
        status: 200,
        data: KeptLocation,
        description: 'The location',
        example: { ...locationExample, archivedAt: '2026-03-10T18:00:00.000Z' },
      },
      failures: ['INVENTORY_LOCATION_NOT_FOUND', 'NON_ZERO_INVENTORY', 'INVENTORY_LOCATION_IN_USE'],
      resourceParams: stranger,
      handle: async (request) => {
        const row = await archiveLocation(
          context,
          staffOrigin(request.staff, request.requestId),
          request.staff.organizationId,
          request.params.inventoryLocationId,
          users,
        );
        return reply(keptLocation(row));
      },
    }),
  ];
}

function settingsOf(body: { name: string; description?: string | null; type?: 'standard' | 'vehicle' }) {
  return {
    name: body.name.trim(),
    description: body.description ?? null,
    type: body.type ?? ('standard' as const),
  };
}

function keptLocation(row: KeptLocationRow) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at ?? row.created_at),
    archivedAt: row.archived_at === null ? null : isoTimestamp(row.archived_at),
  };
}
