import { Button, Menu, Text, Textarea } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
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
import { ShopTime } from '../../parts/shop-time.tsx';
import { sayDone } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useCan } from '../../session/session.tsx';
import { MarketingTabs } from './marketing-tabs.tsx';

type CustomerGroup = Schema['StaffCustomerGroup'];

const blankGroup: CustomerGroup = { id: 0, name: '', description: null, createdAt: '', updatedAt: '' };

/** The groups that discounts can ask for. Who is in them stands in the profile of each customer. */
export function Component() {
  const queryClient = useQueryClient();
  const mayEdit = useCan(['manager']);
  const [edited, setEdited] = useState<CustomerGroup | 'new' | null>(null);
  const [deleted, setDeleted] = useState<CustomerGroup | null>(null);
  useLive(['customer-groups']);
  const groups = useQuery({
    queryKey: ['customer-groups'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/customer-groups', { signal })),
  });
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['customer-groups'] });
  const add = mayEdit && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited('new')}>
      New group
    </Button>
  );
  const columns: readonly Column<CustomerGroup>[] = [
    {
      id: 'name',
      header: 'Group',
      width: '28%',
      cell: ({ name }) => (
        <Text span inherit fw={600}>
          {name}
        </Text>
      ),
    },
    { id: 'description', header: 'Description', cell: ({ description }) => description ?? '–' },
    {
      id: 'changed',
      header: 'Changed',
      width: 168,
      align: 'end',
      cell: ({ updatedAt }) => <ShopTime at={updatedAt} />,
    },
    {
      id: 'actions',
      header: <span className="unseen">Actions</span>,
      width: 72,
      align: 'end',
      cell: (group) =>
        mayEdit && (
          <RowMenu label={`More for ${group.name}`}>
            <Menu.Item onClick={() => setEdited(group)}>Change …</Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" onClick={() => setDeleted(group)}>
              Delete …
            </Menu.Item>
          </RowMenu>
        ),
    },
  ];
  return (
    <Page kind="list">
      <PageHeader title="Marketing" actions={add} />
      <MarketingTabs />
      <DataTable
        label="Customer groups"
        list={listOf(groups, (rows) => rows)}
        columns={columns}
        {...(mayEdit && { onOpen: setEdited })}
        empty={
          <EmptyState title="No groups yet">
            Veterans, seniors, staff of the industry: discounts can ask for them.
          </EmptyState>
        }
      />
      {edited && (
        <GroupDialog
          group={edited === 'new' ? null : edited}
          onSaved={() => {
            setEdited(null);
            refresh();
            sayDone('The group is saved.');
          }}
          onClose={() => setEdited(null)}
        />
      )}
      {deleted && (
        <ConfirmDialog
          opened
          title={`Delete ${deleted.name}`}
          action="Delete group"
          isDangerous
          onConfirm={async () => {
            const params = { path: { customerGroupId: deleted.id } };
            await dataOf(api.DELETE('/staff/v1/customer-groups/{customerGroupId}', { params }));
            refresh();
            void queryClient.invalidateQueries({ queryKey: ['customers'] });
            sayDone(`${deleted.name} is deleted.`);
          }}
          onClose={() => setDeleted(null)}
        >
          Everybody is taken out of it. While a live discount asks for the group, it is refused.
        </ConfirmDialog>
      )}
    </Page>
  );
}

function GroupDialog({
  group,
  onSaved,
  onClose,
}: {
  group: CustomerGroup | null;
  onSaved: () => void;
  onClose: () => void;
}) {
  const params = { path: { customerGroupId: group?.id ?? 0 } };
  return (
    <RecordDialog
      noun="group"
      record={group}
      blank={blankGroup}
      create={({ name, description }) =>
        dataOf(
          api.POST('/staff/v1/customer-groups', {
            // A name that was left blank is missing, as the service says of it.
            body: { ...(name && { name }), description } as { name: string },
          }),
        )
      }
      save={(changes, updatedAt) =>
        dataOf(
          api.PATCH('/staff/v1/customer-groups/{customerGroupId}', {
            params,
            body: changes,
            headers: ifUnchanged(updatedAt),
          }),
        )
      }
      load={() => dataOf(api.GET('/staff/v1/customer-groups/{customerGroupId}', { params }))}
      shown={(name, value) => ({
        label: name === 'name' ? 'Name' : 'Description',
        value: String(value ?? '–'),
      })}
      onSaved={onSaved}
      onClose={onClose}
    >
      {({ draft, set }) => (
        <>
          <NameField value={draft.name} onChange={(name) => set('name', name)} />
          <Field path="description">
            {(error) => (
              <Textarea
                label="Description"
                description="Who belongs to it; only staff see it"
                autosize
                minRows={2}
                error={error}
                value={draft.description ?? ''}
                onChange={(event) => set('description', event.currentTarget.value || null)}
              />
            )}
          </Field>
        </>
      )}
    </RecordDialog>
  );
}
