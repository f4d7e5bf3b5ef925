import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { choicesOr } from '../../parts/choices-or.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { NameField } from '../../parts/name-field.tsx';
import { inUseColumn, nameColumn } from '../../parts/record-columns.tsx';
import type { RecordKind } from '../../parts/record-kind.ts';
import { RecordList } from '../../parts/record-list.tsx';
import { Field } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { locationsQuery } from '../settings/setting-lists.ts';
import { type Vehicle, vehiclesQuery } from './trips-query.ts';

const words = {
  name: t`Name`,
  licensePlate: t`License plate`,
  make: t`Make`,
  model: t`Model`,
  inventoryLocationId: t`Location`,
} as const;

const patch = (vehicleId: number, body: object, updatedAt?: string) =>
  dataOf(
    api.PATCH('/staff/v1/vehicles/{vehicleId}', {
      params: { path: { vehicleId } },
      headers: updatedAt === undefined ? {} : ifUnchanged(updatedAt),
      body,
    }),
  );

const vehicleKind: RecordKind<Vehicle> = {
  noun: t`vehicle`,
  resources: ['vehicles'],
  blank: {
    ...{ id: 0, name: '', licensePlate: '', make: '', model: '', inventoryLocationId: 0 },
    ...{ createdAt: '', updatedAt: '', archivedAt: null },
  },
  create: ({ name, licensePlate, make, model, inventoryLocationId }) =>
    dataOf(
      api.POST('/staff/v1/vehicles', { body: { name, licensePlate, make, model, inventoryLocationId } }),
    ),
  save: (id, { name, licensePlate, make, model, inventoryLocationId }, updatedAt) =>
    patch(id, { name, licensePlate, make, model, inventoryLocationId }, updatedAt),
  loadAll: () => dataOf(api.GET('/staff/v1/vehicles')),
  shown: (name, value) => ({ label: words[name as keyof typeof words], value: String(value) }),
  fields: (edit) => <VehicleFields {...edit} />,
  removal: {
    verb: 'archive',
    send: (id) => patch(id, { archived: true }),
    warning: () => t`It is not offered for new trips.`,
  },
};

const columns: readonly Column<Vehicle>[] = [
  nameColumn(words.name, '30%'),
  { id: 'licensePlate', header: words.licensePlate, cell: ({ licensePlate }) => licensePlate },
  { id: 'make', header: words.make, wideOnly: true, cell: ({ make, model }) => `${make} ${model}` },
  inUseColumn,
];

/** The vehicles that bring deliveries, archived ones included. */
export function Component() {
  return (
    <RecordList
      kind={vehicleKind}
      title={t`Vehicles`}
      hint={t`Vehicles carry deliveries. Each has its own stock location of type Vehicle.`}
      tabs={null}
      label={t`Vehicles`}
      list={listOf(useQuery(vehiclesQuery), (rows) => rows)}
      columns={columns}
      empty={<EmptyState title={t`No vehicles yet`}>{t`Add one to plan trips.`}</EmptyState>}
      right="updateVehicle"
    />
  );
}

function VehicleFields({ draft, set }: Edit<Vehicle>) {
  const locations = useQuery(locationsQuery);
  const open = (locations.data ?? []).filter(
    ({ archivedAt, type }) => archivedAt === null && type === 'vehicle',
  );
  return (
    <>
      <NameField value={draft.name} onChange={(name) => set('name', name)} />
      {(['licensePlate', 'make', 'model'] as const).map((name) => (
        <TextField
          key={name}
          path={name}
          label={words[name]}
          required
          value={draft[name]}
          onChange={(value) => set(name, value)}
        />
      ))}
      <Field path="inventoryLocationId">
        {(error) => (
          <Select
            label={words.inventoryLocationId}
            required
            error={error}
            data={choicesOr(
              open.map(({ id, name }) => ({ value: String(id), label: name })),
              locations,
              t`Add a location of type Vehicle under Inventory, Locations first.`,
            )}
            value={draft.inventoryLocationId === 0 ? null : String(draft.inventoryLocationId)}
            onChange={(value) => value && set('inventoryLocationId', Number(value))}
          />
        )}
      </Field>
    </>
  );
}
