import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { Id, Named, NonBlankText, Nullable, Timestamp } from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import { schemasOf, settingField, settingTable } from '../../platform/resources/setting-table.ts';
import { selectLocations } from '../inventory/stock.ts';
import { selectOtherTripOfVehicle, selectVehicleAt } from './trip-queries.ts';

const trimmed = { reads: (text: string) => text.trim() };

const fields = {
  name: settingField(NonBlankText({ max: 100 }), 'name', trimmed),
  licensePlate: settingField(NonBlankText({ max: 20 }), 'license_plate', trimmed),
  make: settingField(NonBlankText({ max: 100 }), 'make', trimmed),
  model: settingField(NonBlankText({ max: 100 }), 'model', trimmed),
  inventoryLocationId: settingField(
    Id({ description: 'Where its stock is kept: a location of the type `vehicle`, of this vehicle alone' }),
    'inventory_location_id',
  ),
};

const vehicleTable = settingTable('vehicles', { fields, ends: 'archived', lock: 'for no key update' });

/** A vehicle for a trip; locked, it stays as it is until the commit. */
export const { select: selectVehicle, lockRow: lockVehicle } = vehicleTable;

const requestExample = {
  ...{ name: 'Blue van', licensePlate: '8ABC123', make: 'Ford', model: 'Transit Connect' },
  inventoryLocationId: 2402,
} as const;
const times = { createdAt: '2026-03-01T17:05:09.123Z', updatedAt: '2026-03-01T17:05:09.123Z' } as const;

/** The vehicles that bring deliveries, each with a location of its own (D111). */
export const vehicles = settingResource({
  table: vehicleTable,
  noun: 'vehicle',
  subject: 'vehicle',
  idName: 'vehicleId',
  notFound: 'VEHICLE_NOT_FOUND',
  saving: async (tx, { id, former, next: { inventoryLocationId } }) => {
    if (former?.inventoryLocationId === inventoryLocationId) return undefined;
    const [locations, [other], [loaded]] = await tx.run(
      selectLocations({}),
      selectVehicleAt({ locationId: inventoryLocationId, exceptId: id }),
      former === null ? null : selectOtherTripOfVehicle({ vehicleId: id, exceptId: 0 }),
    );
    if (loaded !== undefined) {
      throw failure(
        'INVALID_PARAMS',
        'inventoryLocationId must stay as it is until the trip of the vehicle is closed: it has goods.',
      );
    }
    const location = locations.find((it) => it.id === inventoryLocationId);
    if (location === undefined) {
      throw failure('INVENTORY_LOCATION_NOT_FOUND', 'There is no such inventory location.');
    }
    if (location.type !== 'vehicle') {
      throw failure('INVALID_PARAMS', 'inventoryLocationId must be a location of the type vehicle.');
    }
    if (other !== undefined) {
      throw failure('INVALID_PARAMS', `inventoryLocationId must not be the location of ${other.name}.`);
    }
    return undefined;
  },
  path: '/staff/v1/vehicles',
  tag: 'Deliveries',
  readers: ['owner', 'manager', 'budtender'],
  writers: ['owner', 'manager'],
  refusesUnknownNames: true,
  data: Named(
    'Vehicle',
    Type.Object({
      ...{ id: Id(), ...schemasOf(fields), createdAt: Timestamp(), updatedAt: Timestamp() },
      archivedAt: Nullable(Timestamp()),
    }),
  ),
  example: { id: 6701, ...requestExample, ...times, archivedAt: null },
  list: {
    id: 'listVehicles',
    summary: 'List vehicles',
    description: 'All vehicles; archived ones with `archivedAt`.',
    max: 10_000,
    emptyInDemo: 'a shop adds its vehicles',
    sorts: { id: 'ascending', name: 'ascending', licensePlate: 'ascending', createdAt: 'descending' },
  },
  create: {
    id: 'createVehicle',
    summary: 'Add a vehicle',
    description: 'What a manifest says of it, and the location of its stock.',
    failures: ['INVENTORY_LOCATION_NOT_FOUND'],
    requestExample,
  },
  update: {
    id: 'updateVehicle',
    summary: 'Change a vehicle',
    description: 'Changes the given fields only. `archived: true` takes it out of use.',
    failures: ['INVENTORY_LOCATION_NOT_FOUND'],
    requestExample: { name: 'Green van' },
  },
});
