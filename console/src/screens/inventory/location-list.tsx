import { Button, Menu, Select, Text, Textarea } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { RecordDialog } from '../../parts/guarded-record-dialog.tsx';
import { listOf } from '../../parts/list-of.ts';
import { NameField } from '../../parts/name-field.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { Field } from '../../parts/server-form.tsx';
import { StatusBadge, sentence } from '../../parts/status-badge.tsx';
import { sayDone } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useCan } from '../../session/session.tsx';
import { InventoryTabs } from './inventory-tabs.tsx';
import { type Location, locationsQuery } from './stock-words.ts';

const blank: Location = {
  id: 0,
  name: '',
  description: null,
  type: 'standard',
  createdAt: '',
  updatedAt: '',
  archivedAt: null,
};

/** The places where stock lies; those in use, and those that were. */
export function Component() {
  const navigate = useNavigate();
  const mayEdit = useCan(['manager', 'inventory']);
  const queryClient = useQueryClient();
  const [editing, setEditing] = useState<Location | 'new' | null>(null);
  const [archiving, setArchiving] = useState<Location | null>(null);
  const locations = useQuery(locationsQuery);
  useLive(['inventory-locations']);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['inventory-locations'] });
  return (
    <Page kind="list">
      <PageHeader
        title="Locations"
        actions={
          mayEdit && (
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEditing('new')}>
              New location
            </Button>
          )
        }
      >
        Orders draw from a location once the settings or a delivery zone name it.
      </PageHeader>
      <InventoryTabs />
      <DataTable
        label="Locations"
        list={listOf(locations, (rows) => rows)}
        columns={mayEdit ? [...columns, actionColumn(setEditing, setArchiving)] : columns}
        onOpen={({ id }) => void navigate(`/inventory?location=${id}`)}
        empty={<EmptyState title="No locations yet">Add one to keep stock.</EmptyState>}
      />
      {editing && (
        <LocationDialog
          location={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onSaved={() => {
            sayDone('The location is saved.');
            refresh();
            setEditing(null);
          }}
        />
      )}
      <ConfirmDialog
        opened={archiving !== null}
        title={`Archive ${archiving?.name}?`}
        action="Archive location"
        isDangerous
        onConfirm={async () => {
          const path = { inventoryLocationId: archiving?.id ?? 0 };
          await dataOf(
            api.DELETE('/staff/v1/inventory-locations/{inventoryLocationId}', { params: { path } }),
          );
          refresh();
        }}
        onClose={() => setArchiving(null)}
      >
        It goes out of use for good. That is refused while stock lies there, while an open order holds some of
        it, and while an order type or a delivery zone draws from it.
      </ConfirmDialog>
    </Page>
  );
}

const columns: readonly Column<Location>[] = [
  {
    id: 'name',
    header: 'Location',
    width: '28%',
    cell: ({ name }) => (
      <Text span inherit fw={600}>
        {name}
      </Text>
    ),
  },
  { id: 'type', header: 'Type', width: 120, cell: ({ type }) => sentence(type) },
  { id: 'description', header: 'Description', cell: ({ description }) => description ?? '–' },
  {
    id: 'state',
    header: 'State',
    width: 112,
    cell: ({ archivedAt }) => (
      <StatusBadge status={archivedAt ? 'archived' : 'active'} label={archivedAt ? 'Archived' : 'In use'} />
    ),
  },
];

function actionColumn(
  onEdit: (location: Location) => void,
  onArchive: (location: Location) => void,
): Column<Location> {
  return {
    id: 'actions',
    header: <span className="unseen">Actions</span>,
    width: 64,
    align: 'end',
    cell: (location) =>
      location.archivedAt === null && (
        <RowMenu label={`More for ${location.name}`}>
          <Menu.Item onClick={() => onEdit(location)}>Change</Menu.Item>
          <Menu.Item c="var(--mantine-color-error)" onClick={() => onArchive(location)}>
            Archive
          </Menu.Item>
        </RowMenu>
      ),
  };
}

const labels: Readonly<Partial<Record<keyof Location, string>>> = {
  name: 'Name',
  description: 'Description',
  type: 'Type',
};

function LocationDialog({
  location,
  onClose,
  onSaved,
}: {
  location: Location | null;
  onClose: () => void;
  onSaved: () => void;
}) {
  const path = { inventoryLocationId: location?.id ?? 0 };
  return (
    <RecordDialog
      noun="location"
      record={location}
      blank={blank}
      create={({ name, description, type }) =>
        dataOf(
          api.POST('/staff/v1/inventory-locations', {
            body: { name, type, description: description || null },
          }),
        )
      }
      save={({ name, description, type }, updatedAt) =>
        dataOf(
          api.PATCH('/staff/v1/inventory-locations/{inventoryLocationId}', {
            params: { path },
            headers: ifUnchanged(updatedAt),
            body: {
              ...(name !== undefined && { name }),
              ...(type !== undefined && { type }),
              ...(description !== undefined && { description: description || null }),
            },
          }),
        )
      }
      load={async () => (await locationsQuery.queryFn()).find(({ id }) => id === location?.id) ?? blank}
      shown={(name, value) => ({ label: labels[name] ?? name, value: value ?? '–' })}
      onSaved={onSaved}
      onClose={onClose}
    >
      {({ draft, set }) => (
        <>
          <NameField value={draft.name} onChange={(name) => set('name', name)} />
          <Field path="type">
            {(error) => (
              <Select
                label="Type"
                error={error}
                data={[
                  { value: 'standard', label: 'Standard' },
                  { value: 'vehicle', label: 'Vehicle' },
                ]}
                value={draft.type}
                onChange={(value) => value && set('type', value as Location['type'])}
              />
            )}
          </Field>
          <Field path="description">
            {(error) => (
              <Textarea
                label="Description"
                autosize
                minRows={2}
                error={error}
                value={draft.description ?? ''}
                onChange={(event) => set('description', event.currentTarget.value)}
              />
            )}
          </Field>
        </>
      )}
    </RecordDialog>
  );
}
