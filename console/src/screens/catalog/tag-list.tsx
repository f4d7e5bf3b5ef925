import { Button, Menu, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { sayDone } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useCan } from '../../session/session.tsx';
import { CatalogTabs } from './catalog-tabs.tsx';
import { entryChanges, NamedEntryDialog } from './named-entry-dialog.tsx';
import { tagsQuery } from './product-words.ts';

type Tag = Schema['StaffTag'];

const blank: Tag = { id: 0, name: '', description: null, productIds: [], createdAt: '', updatedAt: '' };

/** The tags, which menus show and discounts ask for. Products get theirs on their own screens. */
export function Component() {
  const mayEdit = useCan(['manager', 'inventory']);
  const queryClient = useQueryClient();
  const [editing, setEditing] = useState<Tag | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Tag | null>(null);
  const tags = useQuery(tagsQuery);
  useLive(['tags']);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['tags'] });
  return (
    <Page kind="list">
      <PageHeader
        title="Tags"
        actions={
          mayEdit && (
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEditing('new')}>
              New tag
            </Button>
          )
        }
      >
        Menus show them, discounts can ask for them. A product gets its tags on its own screen.
      </PageHeader>
      <CatalogTabs />
      <DataTable
        label="Tags"
        list={listOf(tags, (rows) => rows)}
        columns={mayEdit ? [...columns, actionColumn(setEditing, setDeleting)] : columns}
        {...(mayEdit && { onOpen: setEditing })}
        empty={<EmptyState title="No tags yet" />}
      />
      {editing && (
        <NamedEntryDialog<Tag>
          noun="tag"
          entry={editing === 'new' ? null : editing}
          blank={blank}
          create={({ name, description }) =>
            dataOf(api.POST('/staff/v1/tags', { body: { name, description: description || null } }))
          }
          save={(changes, updatedAt) =>
            dataOf(
              api.PATCH('/staff/v1/tags/{tagId}', {
                params: { path: { tagId: editing === 'new' ? 0 : editing.id } },
                headers: ifUnchanged(updatedAt),
                body: entryChanges(changes),
              }),
            )
          }
          load={tagsQuery.queryFn}
          onSaved={() => {
            sayDone('The tag is saved.');
            refresh();
            setEditing(null);
          }}
          onClose={() => setEditing(null)}
        />
      )}
      <ConfirmDialog
        opened={deleting !== null}
        title={`Delete ${deleting?.name}?`}
        action="Delete tag"
        isDangerous
        onConfirm={async () => {
          await dataOf(
            api.DELETE('/staff/v1/tags/{tagId}', { params: { path: { tagId: deleting?.id ?? 0 } } }),
          );
          refresh();
        }}
        onClose={() => setDeleting(null)}
      >
        It is taken off {deleting?.productIds.length} products. Discounts that ask for it find nothing any
        more.
      </ConfirmDialog>
    </Page>
  );
}

const columns: readonly Column<Tag>[] = [
  {
    id: 'name',
    header: 'Tag',
    width: '28%',
    cell: ({ name }) => (
      <Text span inherit fw={600}>
        {name}
      </Text>
    ),
  },
  { id: 'description', header: 'Description', cell: ({ description }) => description ?? '–' },
  {
    id: 'products',
    header: 'Products',
    width: 112,
    align: 'end',
    cell: ({ productIds }) => productIds.length,
  },
];

function actionColumn(onEdit: (tag: Tag) => void, onDelete: (tag: Tag) => void): Column<Tag> {
  return {
    id: 'actions',
    header: <span className="unseen">Actions</span>,
    width: 64,
    align: 'end',
    cell: (tag) => (
      <RowMenu label={`More for ${tag.name}`}>
        <Menu.Item onClick={() => onEdit(tag)}>Change</Menu.Item>
        <Menu.Item c="var(--mantine-color-error)" onClick={() => onDelete(tag)}>
          Delete
        </Menu.Item>
      </RowMenu>
    ),
  };
}
