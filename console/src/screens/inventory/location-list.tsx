import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { NameField } from '../../parts/name-field.tsx';
import { DescriptionField, namedBody, shownNamed } from '../../parts/named-record.tsx';
import { descriptionColumn, inUseColumn, nameColumn } from '../../parts/record-columns.tsx';
import type { RecordKind } from '../../parts/record-kind.ts';
import { RecordList } from '../../parts/record-list.tsx';
import { Field } from '../../parts/server-form.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { InventoryTabs } from './inventory-tabs.tsx';
import { type Location, locationsQuery } from './stock-words.ts';

const locationKind: RecordKind<Location> = {
  noun: t`location`,
  resources: ['inventory-locations'],
  blank: {
    id: 0,
    name: '',
    description: null,
    type: 'standard',
    createdAt: '',
    updatedAt: '',
    archivedAt: null,
  },
  create: ({ name, description, type }) =>
    dataOf(
      api.POST('/staff/v1/inventory-locations', { body: { name, type, ...namedBody({ description }) } }),
    ),
  save: (inventoryLocationId, { type, ...changes }, updatedAt) =>
    dataOf(
      api.PATCH('/staff/v1/inventory-locations/{inventoryLocationId}', {
        params: { path: { inventoryLocationId } },
        headers: ifUnchanged(updatedAt),
        body: { ...namedBody(changes), ...(type !== undefined && { type }) },
      }),
    ),
  loadAll: locationsQuery.queryFn,
  shown: (name, value) =>
    name === 'type' ? { label: t`Type`, value: sentence(String(value)) } : shownNamed(name, value),
  fields: (edit) => <LocationFields {...edit} />,
  removal: {
    verb: 'archive',
    send: (inventoryLocationId) =>
      dataOf(
        api.DELETE('/staff/v1/inventory-locations/{inventoryLocationId}', {
          params: { path: { inventoryLocationId } },
        }),
      ),
    warning: () =>
      t`You cannot use it again. A location with stock, with stock held by an open order, or used by an order type or delivery zone cannot be archived.`,
  },
};

const columns: readonly Column<Location>[] = [
  nameColumn(t`Location`, '28%'),
  { id: 'type', header: t`Type`, width: 120, cell: ({ type }) => sentence(type) },
  descriptionColumn,
  inUseColumn,
];

/** The stock locations, archived ones included. */
export function Component() {
  const navigate = useNavigate();
  return (
    <RecordList
      kind={locationKind}
      title={t`Locations`}
      hint={t`Orders use stock from a location once the settings or a delivery zone include it.`}
      tabs={<InventoryTabs />}
      label={t`Locations`}
      list={listOf(useQuery(locationsQuery), (rows) => rows)}
      columns={columns}
      empty={<EmptyState title={t`No locations yet`}>{t`Add a location to store stock.`}</EmptyState>}
      right="updateInventoryLocation"
      onOpen={({ id }) => void navigate(`/inventory?location=${id}`)}
    />
  );
}

function LocationFields({ draft, set }: Edit<Location>) {
  return (
    <>
      <NameField value={draft.name} onChange={(name) => set('name', name)} />
      <Field path="type">
        {(error) => (
          <Select
            label={t`Type`}
            error={error}
            data={(['standard', 'vehicle'] as const).map((type) => ({ value: type, label: sentence(type) }))}
            value={draft.type}
            onChange={(value) => value && set('type', value)}
          />
        )}
      </Field>
      <DescriptionField draft={draft} set={set} />
    </>
  );
}
