import { ActionIcon, Select } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { NameField } from '../../parts/name-field.tsx';
import { shownNamed } from '../../parts/named-record.tsx';
import { nameColumn } from '../../parts/record-columns.tsx';
import type { RecordKind } from '../../parts/record-kind.ts';
import { RecordList } from '../../parts/record-list.tsx';
import { Field } from '../../parts/server-form.tsx';
import { notifyError } from '../../parts/toasts.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { CatalogTabs } from './catalog-tabs.tsx';
import {
  type CannabisType,
  type Category,
  cannabisTypeLabels,
  categoriesQuery,
  contentUnit,
} from './product-words.ts';
import { SubCategoryCard } from './sub-category-card.tsx';

const categoryKind: RecordKind<Category> = {
  noun: t`category`,
  resources: ['product-categories'],
  blank: { id: 0, name: '', order: 0, cannabisType: 'none', createdAt: '', updatedAt: '' },
  create: ({ name, cannabisType }) =>
    dataOf(api.POST('/staff/v1/product-categories', { body: { name, cannabisType } })),
  save: (productCategoryId, { name, cannabisType }, updatedAt) =>
    dataOf(
      api.PATCH('/staff/v1/product-categories/{productCategoryId}', {
        params: { path: { productCategoryId } },
        headers: ifUnchanged(updatedAt),
        body: { ...(name !== undefined && { name }), ...(cannabisType && { cannabisType }) },
      }),
    ),
  loadAll: categoriesQuery.queryFn,
  shown: (name, value) =>
    name === 'cannabisType'
      ? { label: t`Counts as`, value: cannabisTypeLabels[value as CannabisType] }
      : shownNamed(name, value),
  fields: (edit) => <CategoryFields {...edit} />,
  removal: {
    verb: 'delete',
    send: (productCategoryId) =>
      dataOf(
        api.DELETE('/staff/v1/product-categories/{productCategoryId}', {
          params: { path: { productCategoryId } },
        }),
      ),
    warning: () => t`You can delete it only if no product uses it.`,
  },
};

const columns: readonly Column<Category>[] = [
  nameColumn(t`Category`),
  { id: 'type', header: t`Counts as`, width: 240, cell: (it) => cannabisTypeLabels[it.cannabisType] },
  { id: 'unit', header: t`Content in`, width: 112, cell: (it) => contentUnit[it.cannabisType] ?? '–' },
];

/** The categories in menu order, with buttons to move them; the sub-categories below. */
export function Component() {
  const mayEdit = useCan('updateProductCategory');
  const navigate = useNavigate();
  const categories = useQuery(categoriesQuery);
  const { rows, move, isMoving } = useCategoryOrder(categories.data ?? []);
  return (
    <RecordList
      kind={categoryKind}
      title={t`Categories`}
      hint={t`Menus list categories in this order.`}
      tabs={<CatalogTabs />}
      label={t`Categories`}
      list={listOf(categories, () => rows)}
      columns={columns}
      empty={<EmptyState title={t`No categories yet`}>{t`Every product needs a category.`}</EmptyState>}
      right="updateProductCategory"
      onOpen={({ id }) => void navigate(`/catalog?category=${id}`)}
      buttons={{
        width: 144,
        of: (category) => (
          <>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t`Move ${category.name} up`}
              disabled={isMoving || category === rows[0]}
              onClick={() => move(category, -1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t`Move ${category.name} down`}
              disabled={isMoving || category === rows.at(-1)}
              onClick={() => move(category, 1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
          </>
        ),
      }}
      maxHeight={640}
    >
      <SubCategoryCard mayEdit={mayEdit} />
    </RecordList>
  );
}

/** Renumbers all categories from 0, because two may have the same position. Shown at once; reverted on a refusal. */
function useCategoryOrder(saved: readonly Category[]) {
  const queryClient = useQueryClient();
  const reorder = useWrite({
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
    onError: notifyError,
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

function CategoryFields({ draft, set }: Edit<Category>) {
  return (
    <>
      <NameField value={draft.name} onChange={(name) => set('name', name)} />
      <Field path="cannabisType">
        {(error) => (
          <Select
            label={t`Counts as`}
            description={t`Sets the unit of an option's content and the purchase limits that apply`}
            error={error}
            data={Object.entries(cannabisTypeLabels).map(([value, label]) => ({ value, label }))}
            value={draft.cannabisType}
            onChange={(value) => value && set('cannabisType', value as CannabisType)}
          />
        )}
      </Field>
    </>
  );
}
