import Type from 'typebox';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { Id, Named, NonBlankText, Nullable, OneOf, Text, Timestamp } from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import { schemasOf, settingField, settingTable } from '../../platform/resources/setting-table.ts';
import {
  type LocationUsers,
  lockSettings,
  lockStockOfLocation,
  selectLocationUse,
} from './location-queries.ts';
import { stockReaders, stockWriters } from './stock-schemas.ts';

const fields = {
  name: settingField(NonBlankText({ max: 200 }), 'name', { reads: (name) => name.trim() }),
  description: settingField(Nullable(Text({ max: 2000 })), 'description', { absent: null }),
  type: settingField(OneOf(['standard', 'vehicle']), 'type', { absent: 'standard' }),
};

// Writers that add stock to the location lock it too, so they wait for a change of it.
const locationTable = settingTable('inventory_locations', { fields, ends: 'archived', lock: 'for update' });

const KeptLocation = Named(
  'KeptInventoryLocation',
  Type.Object({
    id: Id({ description: 'The id that other operations call `inventoryLocationId`' }),
    ...schemasOf(fields),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
    archivedAt: Nullable(Timestamp({ description: 'When it was archived; archived locations stay listed' })),
  }),
);

const requestExample = {
  name: 'Storefront',
  description: 'The shelves behind the counter',
  type: 'standard',
} as const;

/**
 * Locations of stock. An archived one stays so: allocation no longer uses it, and the ledger still names it.
 *
 * @param users asks the slices above what uses a location
 */
export function locationSetting(users: LocationUsers) {
  return settingResource({
    table: locationTable,
    noun: 'inventory location',
    called: 'location',
    subject: 'inventory_location',
    idName: 'inventoryLocationId',
    notFound: 'INVENTORY_LOCATION_NOT_FOUND',
    staysArchived: true,
    locking: ({ verb }) => (verb === 'end' ? [lockSettings({})] : []),
    ending: (tx, { id }) => refuseInUse(tx, id, users),
    path: '/staff/v1/inventory-locations',
    tag: 'Stock',
    readers: stockReaders,
    writers: stockWriters,
    data: KeptLocation,
    example: {
      id: 2401,
      ...requestExample,
      createdAt: '2026-03-01T17:05:09.123Z',
      updatedAt: '2026-03-01T17:05:09.123Z',
      archivedAt: null,
    },
    list: {
      id: 'listKeptInventoryLocations',
      summary: 'List inventory locations',
      description:
        'All locations where the organization keeps or kept stock, archived ones with `archivedAt`.',
      max: 10_000,
      sorts: { id: 'ascending', name: 'ascending', type: 'ascending', createdAt: 'descending' },
    },
    create: {
      id: 'createInventoryLocation',
      summary: 'Add an inventory location',
      description:
        'Orders use it once `locationsByOrderType` or a delivery zone names it. The default of `type` is `standard`.',
      requestExample,
    },
    replace: {
      id: 'replaceInventoryLocation',
      summary: "Replace an inventory location's fields",
      description: 'As on creation: absent fields get their defaults.',
      requestExample,
    },
    update: {
      id: 'updateInventoryLocation',
      summary: 'Change an inventory location',
      description: 'Changes the given fields only.',
      requestExample: { name: 'Front of the store' },
    },
    end: {
      id: 'archiveInventoryLocation',
      summary: 'Archive an inventory location',
      description:
        'Archives it permanently; archiving it again changes nothing. Refused while it has stock, while an order that is not fulfilled holds stock of it, and while an order type or a delivery zone uses it.',
      failures: ['NON_ZERO_INVENTORY', 'INVENTORY_LOCATION_IN_USE'],
      changed: { archivedAt: '2026-03-10T18:00:00.000Z' },
    },
  });
}

async function refuseInUse(tx: TenantTransaction, id: number, users: LocationUsers): Promise<void> {
  // The lock comes first: an order that is giving stock back to the location finishes before the check.
  const [, [use], [zone], [order]] = await tx.run(
    lockStockOfLocation({ id }),
    selectLocationUse({ id }),
    users.zone({ locationId: id }),
    users.order({ locationId: id }),
  );
  assert(use !== undefined, 'the query returns one row');
  const { stock_item, order_type } = use;
  if (stock_item !== null) {
    throw failure(
      'NON_ZERO_INVENTORY',
      `The location has stock, for example of ${stock_item}: move it first.`,
    );
  }
  if (order_type !== null) {
    throw failure('INVENTORY_LOCATION_IN_USE', `Orders of type ${order_type} use this location.`);
  }
  if (zone !== undefined) {
    throw failure('INVENTORY_LOCATION_IN_USE', `The delivery zone ${zone.name} uses this location.`);
  }
  if (order !== undefined) {
    throw failure(
      'INVENTORY_LOCATION_IN_USE',
      `The order ${order.name} holds stock of this location and would return it there.`,
    );
  }
}
