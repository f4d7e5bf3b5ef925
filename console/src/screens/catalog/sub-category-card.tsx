import { ActionIcon, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { shownNamed } from '../../parts/named-record.tsx';
import { useRecordEdits } from '../../parts/record-edits.tsx';
import type { RecordKind } from '../../parts/record-kind.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { useLive } from '../../parts/use-live.ts';
import { t } from '../../words/words.ts';
import { subCategoriesQuery } from './product-words.ts';

const subCategoryKind: RecordKind<Schema['StaffSubCategory']> = {
  noun: t`sub-category`,
  resources: ['product-sub-categories', 'products'],
  blank: { id: 0, name: '', createdAt: '', updatedAt: '' },
  create: ({ name }) => dataOf(api.POST('/staff/v1/product-sub-categories', { body: { name } })),
  save: (productSubCategoryId, { name }, updatedAt) =>
    dataOf(
      api.PATCH('/staff/v1/product-sub-categories/{productSubCategoryId}', {
        params: { path: { productSubCategoryId } },
        headers: ifUnchanged(updatedAt),
        body: name === undefined ? {} : { name },
      }),
    ),
  loadAll: subCategoriesQuery.queryFn,
  shown: shownNamed,
  fields: ({ draft, set }) => <NameField value={draft.name} onChange={(name) => set('name', name)} />,
  removal: {
    verb: 'delete',
    send: (productSubCategoryId) =>
      dataOf(
        api.DELETE('/staff/v1/product-sub-categories/{productSubCategoryId}', {
          params: { path: { productSubCategoryId } },
        }),
      ),
    warning: () => t`You can delete it only if no product uses it.`,
  },
};

/** The sub-categories, which products name freely: rename them, and delete unused ones. */
export function SubCategoryCard({ mayEdit }: { mayEdit: boolean }) {
  const subCategories = useQuery(subCategoriesQuery);
  const { add, edit, remove, dialogs } = useRecordEdits(subCategoryKind);
  useLive(['product-sub-categories']);
  return (
    <SectionCard
      title={t`Sub-categories`}
      hint={t`A product can have several. A new name on a product creates one.`}
    >
      {subCategories.isPending && <Skeleton height={64} />}
      {subCategories.error && !subCategories.data && (
        <LoadFailure error={subCategories.error} onRetry={() => subCategories.refetch()} />
      )}
      <Group gap="sm">
        {subCategories.data?.map((sub) => (
          <Button.Group key={sub.id}>
            <Button
              variant="default"
              size="compact-sm"
              disabled={!mayEdit}
              aria-label={t`Rename ${sub.name}`}
              onClick={() => edit(sub)}
            >
              {sub.name}
            </Button>
            {mayEdit && (
              <ActionIcon
                variant="default"
                size={26}
                aria-label={t`Delete ${sub.name}`}
                onClick={() => remove(sub)}
              >
                <IconTrash size={14} />
              </ActionIcon>
            )}
          </Button.Group>
        ))}
        {subCategories.data?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t`None yet.`}
          </Text>
        )}
        {mayEdit && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={add}
          >
            {t`New sub-category`}
          </Button>
        )}
      </Group>
      {dialogs}
    </SectionCard>
  );
}
