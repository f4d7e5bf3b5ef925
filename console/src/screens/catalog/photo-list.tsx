import { ActionIcon, Group, Skeleton, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import classes from './catalog.module.css';
import { PhotoStatus } from './photo-status.tsx';
import { PhotoTextDialog } from './photo-text-dialog.tsx';
import { PhotoUpload } from './photo-upload-field.tsx';
import { ProductThumbnail } from './product-thumbnail.tsx';
import type { Photo, Product } from './product-words.ts';

/** Whose photos: those of a whole product, or of one of its options. */
interface PhotoOwner {
  readonly product: Product;
  /** Null: the whole product. */
  readonly optionId: number | null;
}

/** The photos of a product or an option in menu order: upload, describe, reorder, delete, fetch again. */
export function PhotoList({ product, optionId, mayEdit }: PhotoOwner & { mayEdit: boolean }) {
  const path = { productId: product.id };
  const queryKey = ['products', product.id, 'photos', optionId] as const;
  const queryClient = useQueryClient();
  const photos = useQuery({
    queryKey,
    queryFn: () =>
      optionId === null
        ? dataOf(api.GET('/staff/v1/products/{productId}/photos', { params: { path } }))
        : dataOf(
            api.GET('/staff/v1/products/{productId}/options/{productOptionId}/photos', {
              params: { path: { ...path, productOptionId: optionId } },
            }),
          ),
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['products'] });
  const order = useWrite({
    mutationFn: (rows: readonly Photo[]) => {
      const body = { photoIds: rows.map(({ id }) => id) };
      return optionId === null
        ? dataOf(api.PUT('/staff/v1/products/{productId}/photos', { params: { path }, body }))
        : dataOf(
            api.PUT('/staff/v1/products/{productId}/options/{productOptionId}/photos', {
              params: { path: { ...path, productOptionId: optionId } },
              body,
            }),
          );
    },
    onSuccess: (rows) => queryClient.setQueryData(queryKey, rows),
    onError: notifyError,
    onSettled: refresh,
  });
  const rows = (order.isPending ? order.variables : photos.data) ?? [];
  const move = (from: number, by: number) => {
    const next = [...rows];
    const [moved] = next.splice(from, 1);
    if (moved) next.splice(from + by, 0, moved);
    order.mutate(next);
  };
  return (
    <>
      {photos.isPending && <Skeleton height={72} />}
      {photos.error && !photos.data && <LoadFailure error={photos.error} onRetry={() => photos.refetch()} />}
      {photos.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t`No photos yet.`}
        </Text>
      )}
      <ol className={classes.photos}>
        {rows.map((photo, index) => (
          <PhotoRow
            key={photo.id}
            photo={photo}
            product={product}
            name={t`photo ${index + 1}`}
            mayEdit={mayEdit}
            onUp={index > 0 ? () => move(index, -1) : undefined}
            onDown={index < rows.length - 1 ? () => move(index, 1) : undefined}
            onChanged={() => void refresh()}
          />
        ))}
      </ol>
      {mayEdit && <PhotoUpload productId={product.id} optionId={optionId} onAdded={() => void refresh()} />}
    </>
  );
}

interface PhotoRowProps {
  readonly photo: Photo;
  readonly product: Product;
  readonly name: string;
  readonly mayEdit: boolean;
  readonly onUp: (() => void) | undefined;
  readonly onDown: (() => void) | undefined;
  readonly onChanged: () => void;
}

function PhotoRow(props: PhotoRowProps) {
  const { photo, mayEdit } = props;
  return (
    <li className={classes.photo}>
      <ProductThumbnail url={photo.url} alt={photo.altText ?? ''} size={48} />
      <Text size="sm" c={photo.altText === null ? 'dimmed' : undefined} className={classes.altText}>
        {photo.altText ?? t`No alternative text`}
      </Text>
      <div className={classes.photoState}>
        <PhotoStatus photo={photo} />
      </div>
      {mayEdit && <PhotoActions {...props} />}
    </li>
  );
}

function PhotoActions({ photo, product, name, onUp, onDown, onChanged }: PhotoRowProps) {
  const [asked, setAsked] = useState<'delete' | 'describe' | null>(null);
  const path = { productId: photo.productId, photoId: photo.id };
  const retry = useWrite({
    mutationFn: () =>
      dataOf(api.POST('/staff/v1/products/{productId}/photos/{photoId}/retry', { params: { path } })),
    onSuccess: () => notifyDone(t`The photo is being fetched again.`),
    onError: notifyError,
    onSettled: onChanged,
  });
  const plain = { variant: 'subtle', color: 'gray' } as const;
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon {...plain} aria-label={t`Alternative text of ${name}`} onClick={() => setAsked('describe')}>
        <IconPencil size={16} />
      </ActionIcon>
      {photo.status !== 'stored' && (
        <ActionIcon
          {...plain}
          aria-label={t`Fetch ${name} again`}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          <IconRefresh size={16} />
        </ActionIcon>
      )}
      <ActionIcon {...plain} aria-label={t`Move ${name} up`} disabled={!onUp} onClick={onUp}>
        <IconArrowUp size={16} />
      </ActionIcon>
      <ActionIcon {...plain} aria-label={t`Move ${name} down`} disabled={!onDown} onClick={onDown}>
        <IconArrowDown size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="red"
        aria-label={t`Delete ${name}`}
        onClick={() => setAsked('delete')}
      >
        <IconTrash size={16} />
      </ActionIcon>
      {asked === 'describe' && (
        <PhotoTextDialog photo={photo} product={product} onSaved={onChanged} onClose={() => setAsked(null)} />
      )}
      <ConfirmDialog
        opened={asked === 'delete'}
        title={t`Delete this photo?`}
        action={t`Delete photo`}
        isDangerous
        onConfirm={async () => {
          await api.DELETE('/staff/v1/products/{productId}/photos/{photoId}', { params: { path } });
          onChanged();
        }}
        onClose={() => setAsked(null)}
      >
        {t`The photo disappears from the menu at once.`}
      </ConfirmDialog>
    </Group>
  );
}
