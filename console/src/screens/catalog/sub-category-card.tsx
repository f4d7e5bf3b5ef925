import { ActionIcon, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { RecordDialog } from '../../parts/guarded-record-dialog.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { subCategoriesQuery } from './product-words.ts';

type SubCategory = Schema['StaffSubCategory'];

const blank: SubCategory = { id: 0, name: '', createdAt: '', updatedAt: '' };

/** The sub-categories, which products name freely: renamed and, when no product has them, deleted. */
export function SubCategoryCard({ mayEdit }: { mayEdit: boolean }) {
  const queryClient = useQueryClient();
  const subCategories = useQuery(subCategoriesQuery);
  const [editing, setEditing] = useState<SubCategory | 'new' | null>(null);
  const [deleting, setDeleting] = useState<SubCategory | null>(null);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['product-sub-categories'] });
  return (
    <SectionCard
      title="Sub-categories"
      hint="A product may have several. A new name on a product adds one by itself."
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
              aria-label={`Rename ${sub.name}`}
              onClick={() => setEditing(sub)}
            >
              {sub.name}
            </Button>
            {mayEdit && (
              <ActionIcon
                variant="default"
                size={26}
                aria-label={`Delete ${sub.name}`}
                onClick={() => setDeleting(sub)}
              >
                <IconTrash size={14} />
              </ActionIcon>
            )}
          </Button.Group>
        ))}
        {subCategories.data?.length === 0 && (
          <Text size="sm" c="dimmed">
            None yet.
          </Text>
        )}
        {mayEdit && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setEditing('new')}
          >
            New sub-category
          </Button>
        )}
      </Group>
      {editing && (
        <SubCategoryDialog
          subCategory={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onSaved={() => {
            refresh();
            void queryClient.invalidateQueries({ queryKey: ['products'] });
            setEditing(null);
          }}
        />
      )}
      <ConfirmDialog
        opened={deleting !== null}
        title={`Delete ${deleting?.name}?`}
        action="Delete sub-category"
        isDangerous
        onConfirm={async () => {
          const path = { productSubCategoryId: deleting?.id ?? 0 };
          await dataOf(
            api.DELETE('/staff/v1/product-sub-categories/{productSubCategoryId}', { params: { path } }),
          );
          refresh();
        }}
        onClose={() => setDeleting(null)}
      >
        It can only be deleted while no product has it.
      </ConfirmDialog>
    </SectionCard>
  );
}

function SubCategoryDialog({
  subCategory,
  onClose,
  onSaved,
}: {
  subCategory: SubCategory | null;
  onClose: () => void;
  onSaved: () => void;
}) {
  const path = { productSubCategoryId: subCategory?.id ?? 0 };
  return (
    <RecordDialog
      noun="sub-category"
      record={subCategory}
      blank={blank}
      create={({ name }) => dataOf(api.POST('/staff/v1/product-sub-categories', { body: { name } }))}
      save={({ name }, updatedAt) =>
        dataOf(
          api.PATCH('/staff/v1/product-sub-categories/{productSubCategoryId}', {
            params: { path },
            headers: ifUnchanged(updatedAt),
            body: name === undefined ? {} : { name },
          }),
        )
      }
      load={async () =>
        (await subCategoriesQuery.queryFn()).find(({ id }) => id === subCategory?.id) ?? blank
      }
      shown={(_, value) => ({ label: 'Name', value })}
      onSaved={onSaved}
      onClose={onClose}
    >
      {({ draft, set }) => <NameField value={draft.name} onChange={(name) => set('name', name)} />}
    </RecordDialog>
  );
}
