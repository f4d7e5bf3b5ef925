import { Button, Menu, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { useCan } from '../../session/session.tsx';
import type { Vendor } from './purchase-words.ts';
import { PurchasingTabs } from './purchasing-tabs.tsx';
import { VendorDialog } from './vendor-dialog.tsx';

/** Whom goods are ordered from. */
export function Component() {
  const mayEdit = useCan(['manager', 'inventory']);
  const queryClient = useQueryClient();
  const [editing, setEditing] = useState<Vendor | 'new' | null>(null);
  const [archiving, setArchiving] = useState<Vendor | null>(null);
  useLive(['inventory-vendors']);
  const list = useList<Vendor>({
    queryKey: ['inventory-vendors', 'list'],
    page: (startingAfter, signal) =>
      dataOf(api.GET('/staff/v1/inventory-vendors', { params: { query: { startingAfter } }, signal })),
  });
  return (
    <Page kind="list">
      <PageHeader
        title="Vendors"
        actions={
          mayEdit && (
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEditing('new')}>
              New vendor
            </Button>
          )
        }
      />
      <PurchasingTabs />
      <DataTable
        label="Vendors"
        list={list}
        columns={mayEdit ? [...columns, actionColumn(setEditing, setArchiving)] : columns}
        {...(mayEdit && { onOpen: setEditing })}
        empty={<EmptyState title="No vendors yet">Add whom you order from.</EmptyState>}
      />
      {editing && (
        <VendorDialog
          vendor={editing === 'new' ? null : editing}
          onSaved={() => setEditing(null)}
          onClose={() => setEditing(null)}
        />
      )}
      <ConfirmDialog
        opened={archiving !== null}
        title={`Archive ${archiving?.name}?`}
        action="Archive vendor"
        isDangerous
        onConfirm={async () => {
          const path = { inventoryVendorId: archiving?.id ?? 0 };
          await dataOf(api.DELETE('/staff/v1/inventory-vendors/{inventoryVendorId}', { params: { path } }));
          void queryClient.invalidateQueries({ queryKey: ['inventory-vendors'] });
        }}
        onClose={() => setArchiving(null)}
      >
        New orders cannot name it any more; those that do stay as they are.
      </ConfirmDialog>
    </Page>
  );
}

const columns: readonly Column<Vendor>[] = [
  {
    id: 'name',
    header: 'Vendor',
    cell: ({ name }) => (
      <Text span inherit fw={600}>
        {name}
      </Text>
    ),
  },
  { id: 'email', header: 'Email', width: '22%', cell: ({ email }) => email ?? '–' },
  { id: 'phone', header: 'Phone', width: 144, cell: ({ phone }) => phone ?? '–' },
  {
    id: 'city',
    header: 'City',
    width: 152,
    cell: ({ city, state }) => [city, state].filter(Boolean).join(', ') || '–',
  },
  {
    id: 'state',
    header: 'State',
    width: 112,
    cell: ({ archivedAt }) => (
      <StatusBadge status={archivedAt ? 'archived' : 'active'} label={archivedAt ? 'Archived' : 'In use'} />
    ),
  },
];

function actionColumn(onEdit: (vendor: Vendor) => void, onArchive: (vendor: Vendor) => void): Column<Vendor> {
  return {
    id: 'actions',
    header: <span className="unseen">Actions</span>,
    width: 64,
    align: 'end',
    cell: (vendor) =>
      vendor.archivedAt === null && (
        <RowMenu label={`More for ${vendor.name}`}>
          <Menu.Item onClick={() => onEdit(vendor)}>Change</Menu.Item>
          <Menu.Item c="var(--mantine-color-error)" onClick={() => onArchive(vendor)}>
            Archive
          </Menu.Item>
        </RowMenu>
      ),
  };
}
