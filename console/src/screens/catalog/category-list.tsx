import { ActionIcon, Button, Group, Menu, Select, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { RecordDialog } from '../../parts/guarded-record-dialog.tsx';
import { listOf } from '../../parts/list-of.ts';
import { NameField } from '../../parts/name-field.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { Field } from '../../parts/server-form.tsx';
import { sayDone, sayFailed } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useCan } from '../../session/session.tsx';
import { CatalogTabs } from './catalog-tabs.tsx';
import {
  type CannabisType,
  type Category,
  cannabisTypeLabels,
  categoriesQuery,
  contentUnit,
} from './product-words.ts';
import { SubCategoryCard } from './sub-category-card.tsx';

const blank: Category = {
  id: 0,
  name: '',
  order: 0,
  cannabisType: 'none',
  createdAt: '',
  updatedAt: '',
};

/** The categories in the order of the menu, moved up and down; below them the sub-categories. */
export function Component() {
  const mayEdit = useCan(['manager', 'inventory']);
  const navigate = useNavigate();
  const [editing, setEditing] = useState<Category | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Category | null>(null);
  const queryClient = useQueryClient();
  const categories = useQuery(categoriesQuery);
  useLive(['product-categories', 'product-sub-categories']);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['product-categories'] });
  const { rows, move, isMoving } = useCategoryOrder(categories.data ?? []);
  const list = { ...listOf(categories, () => rows), rows };
  const columns = categoryColumns({
    mayEdit,
    rows,
    isMoving,
    onMove: move,
    onEdit: setEditing,
    onDelete: setDeleting,
  });
  return (
    <Page>
      <PageHeader
        title="Categories"
        actions={
          mayEdit && (
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEditing('new')}>
              New category
            </Button>
          )
        }
      >
        Menus list them in this order.
      </PageHeader>
      <CatalogTabs />
      <DataTable
        label="Categories"
        list={list}
        columns={columns}
        maxHeight={640}
        onOpen={({ name }) => void navigate(`/catalog?category=${encodeURIComponent(name)}`)}
      />
      <SubCategoryCard mayEdit={mayEdit} />
      {editing && (
        <CategoryDialog
          category={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onSaved={() => {
            sayDone('The category is saved.');
            refresh();
            setEditing(null);
          }}
        />
      )}
      <ConfirmDialog
        opened={deleting !== null}
        title={`Delete ${deleting?.name}?`}
        action="Delete category"
        isDangerous
        onConfirm={async () => {
          const path = { productCategoryId: deleting?.id ?? 0 };
          await dataOf(api.DELETE('/staff/v1/product-categories/{productCategoryId}', { params: { path } }));
          refresh();
        }}
        onClose={() => setDeleting(null)}
      >
        It can only be deleted while no product has it.
      </ConfirmDialog>
    </Page>
  );
}

/** Numbers all anew, from 0: two categories may have had the same place. Shown at once, put back when it is refused. */
function useCategoryOrder(saved: readonly Category[]) {
  const queryClient = useQueryClient();
  const reorder = useMutation({
    mutationFn: async (rows: readonly Category[]) => {
      for (const [order, category] of rows.entries()) {
        if (category.order === order) continue;
        const path = { productCategoryId: category.id };
        await dataOf(
          api.PATCH('/staff/v1/product-categories/{productCategoryId}', {
            params: { path },
            body: { order },
          }),
        );
      }
    },
    onError: sayFailed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['product-categories'] }),
  });
  const rows = reorder.isPending ? reorder.variables : saved;
  const move = (category: Category, by: number) => {
    const next = [...rows];
    const from = next.indexOf(category);
    next.splice(from, 1);
    next.splice(from + by, 0, category);
    reorder.mutate(next);
  };
  return { rows, move, isMoving: reorder.isPending };
}

function categoryColumns({
  mayEdit,
  rows,
  isMoving,
  onMove,
  onEdit,
  onDelete,
}: {
  mayEdit: boolean;
  rows: readonly Category[];
  isMoving: boolean;
  onMove: (category: Category, by: number) => void;
  onEdit: (category: Category) => void;
  onDelete: (category: Category) => void;
}): readonly Column<Category>[] {
  const columns: Column<Category>[] = [
    {
      id: 'name',
      header: 'Category',
      cell: ({ name }) => (
        <Text span inherit fw={600}>
          {name}
        </Text>
      ),
    },
    { id: 'type', header: 'Counts as', width: 240, cell: (it) => cannabisTypeLabels[it.cannabisType] },
    { id: 'unit', header: 'Content in', width: 112, cell: (it) => contentUnit[it.cannabisType] ?? '–' },
  ];
  if (!mayEdit) return columns;
  return [
    ...columns,
    {
      id: 'actions',
      header: <span className="unseen">Actions</span>,
      width: 144,
      align: 'end',
      cell: (category) => (
        <Group gap={2} justify="flex-end" wrap="nowrap">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${category.name} up`}
            disabled={isMoving || category === rows[0]}
            onClick={() => onMove(category, -1)}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${category.name} down`}
            disabled={isMoving || category === rows.at(-1)}
            onClick={() => onMove(category, 1)}
          >
            <IconArrowDown size={16} />
          </ActionIcon>
          <RowMenu label={`More for ${category.name}`}>
            <Menu.Item onClick={() => onEdit(category)}>Change</Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" onClick={() => onDelete(category)}>
              Delete
            </Menu.Item>
          </RowMenu>
        </Group>
      ),
    },
  ];
}

function CategoryDialog({
  category,
  onClose,
  onSaved,
}: {
  category: Category | null;
  onClose: () => void;
  onSaved: () => void;
}) {
  const path = { productCategoryId: category?.id ?? 0 };
  return (
    <RecordDialog
      noun="category"
      record={category}
      blank={blank}
      create={({ name, cannabisType }) =>
        dataOf(api.POST('/staff/v1/product-categories', { body: { name, cannabisType } }))
      }
      save={({ name, cannabisType }, updatedAt) =>
        dataOf(
          api.PATCH('/staff/v1/product-categories/{productCategoryId}', {
            params: { path },
            headers: ifUnchanged(updatedAt),
            body: { ...(name !== undefined && { name }), ...(cannabisType && { cannabisType }) },
          }),
        )
      }
      load={async () => (await categoriesQuery.queryFn()).find(({ id }) => id === category?.id) ?? blank}
      shown={(name, value) =>
        name === 'cannabisType'
          ? { label: 'Counts as', value: cannabisTypeLabels[value as CannabisType] }
          : { label: 'Name', value }
      }
      onSaved={onSaved}
      onClose={onClose}
    >
      {({ draft, set }) => (
        <>
          <NameField value={draft.name} onChange={(name) => set('name', name)} />
          <Field path="cannabisType">
            {(error) => (
              <Select
                label="Counts as"
                description="Decides the unit of an option's content, and what purchase limits count"
                error={error}
                data={Object.entries(cannabisTypeLabels).map(([value, label]) => ({ value, label }))}
                value={draft.cannabisType}
                onChange={(value) => value && set('cannabisType', value as CannabisType)}
              />
            )}
          </Field>
        </>
      )}
    </RecordDialog>
  );
}
