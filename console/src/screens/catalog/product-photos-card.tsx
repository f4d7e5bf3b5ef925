import { ActionIcon, Button, FileButton, Group, Skeleton, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconRefresh, IconTrash, IconUpload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { notifyDone, notifyError, notifyRefusal } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import classes from './catalog.module.css';
import { PhotoStatus } from './photo-status.tsx';
import { addAll, pictureTypes, splitPictures } from './photo-upload.ts';
import { ProductThumbnail } from './product-thumbnail.tsx';
import type { Product } from './product-words.ts';

type Photo = Schema['ProductPhoto'];

/** The photos of a product in menu order: upload, reorder, delete, fetch again. */
export function ProductPhotosCard({ product, mayEdit }: { product: Product; mayEdit: boolean }) {
  const path = { productId: product.id };
  const queryKey = ['products', product.id, 'photos'] as const;
  const queryClient = useQueryClient();
  const photos = useQuery({
    queryKey,
    queryFn: () => dataOf(api.GET('/staff/v1/products/{productId}/photos', { params: { path } })),
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['products'] });
  const order = useWrite({
    mutationFn: (rows: readonly Photo[]) =>
      dataOf(
        api.PUT('/staff/v1/products/{productId}/photos', {
          params: { path },
          body: { photoIds: rows.map(({ id }) => id) },
        }),
      ),
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
    <SectionCard title="Photos">
      {photos.isPending && <Skeleton height={72} />}
      {photos.error && !photos.data && <LoadFailure error={photos.error} onRetry={() => photos.refetch()} />}
      {photos.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No photos yet.
        </Text>
      )}
      <ol className={classes.photos}>
        {rows.map((photo, index) => (
          <PhotoRow
            key={photo.id}
            photo={photo}
            name={`photo ${index + 1}`}
            mayEdit={mayEdit}
            onUp={index > 0 ? () => move(index, -1) : undefined}
            onDown={index < rows.length - 1 ? () => move(index, 1) : undefined}
            onChanged={() => void refresh()}
          />
        ))}
      </ol>
      {mayEdit && <PhotoUpload productId={product.id} onAdded={() => void refresh()} />}
    </SectionCard>
  );
}

function PhotoRow({
  photo,
  name,
  mayEdit,
  onUp,
  onDown,
  onChanged,
}: {
  photo: Photo;
  name: string;
  mayEdit: boolean;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onChanged: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const path = { productId: photo.productId, photoId: photo.id };
  const retry = useWrite({
    mutationFn: () =>
      dataOf(api.POST('/staff/v1/products/{productId}/photos/{photoId}/retry', { params: { path } })),
    onSuccess: () => notifyDone('The photo is being fetched again.'),
    onError: notifyError,
    onSettled: onChanged,
  });
  return (
    <li className={classes.photo}>
      <ProductThumbnail url={photo.url} size={48} />
      <PhotoStatus photo={photo} />
      {mayEdit && (
        <Group gap={2} wrap="nowrap">
          {photo.status !== 'stored' && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Fetch ${name} again`}
              loading={retry.isPending}
              onClick={() => retry.mutate()}
            >
              <IconRefresh size={16} />
            </ActionIcon>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${name} up`}
            disabled={!onUp}
            onClick={onUp}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${name} down`}
            disabled={!onDown}
            onClick={onDown}
          >
            <IconArrowDown size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`Delete ${name}`}
            onClick={() => setAsking(true)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      )}
      <ConfirmDialog
        opened={isAsking}
        title="Delete this photo?"
        action="Delete photo"
        isDangerous
        onConfirm={async () => {
          await api.DELETE('/staff/v1/products/{productId}/photos/{photoId}', { params: { path } });
          onChanged();
        }}
        onClose={() => setAsking(false)}
      >
        The photo disappears from the menu at once.
      </ConfirmDialog>
    </li>
  );
}

function PhotoUpload({ productId, onAdded }: { productId: number; onAdded: () => void }) {
  const [isOver, setOver] = useState(false);
  const upload = useWrite({
    // Other pictures are a new upload.
    about: (files) => files,
    mutationFn: (files: readonly File[]) =>
      addAll(files, (file) =>
        api.POST('/staff/v1/products/{productId}/photos', {
          params: { path: { productId } },
          // The request body is the picture itself.
          body: file as unknown as string,
          bodySerializer: (body: unknown) => body as File,
          headers: { 'Content-Type': file.type },
        }),
      ),
    onSuccess: ({ added, refused }) => {
      if (added === 1) notifyDone('The photo is added.');
      if (added > 1) notifyDone(`${added} photos are added.`);
      for (const { name, why } of refused) notifyRefusal(`${name}: ${why}`, 'Some photos were not added');
    },
    onError: notifyError,
    onSettled: onAdded,
  });
  const add = (files: readonly File[]) => {
    const [pictures, others] = splitPictures(files);
    if (others.length > 0) {
      const names = others.map(({ name }) => name).join(', ');
      notifyRefusal(`${names}: not a JPEG, PNG, WebP, GIF or AVIF.`, 'Some files are not pictures');
    }
    if (pictures.length > 0) upload.mutate(pictures);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    add([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same as dropping files
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <FileButton
        multiple
        accept={pictureTypes.join()}
        onChange={add}
        inputProps={{ 'aria-label': 'Photos' }}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="compact-sm"
            loading={upload.isPending}
            leftSection={<IconUpload size={16} aria-hidden />}
          >
            Add photos
          </Button>
        )}
      </FileButton>
      <Text size="xs" c="dimmed" mt="xs">
        Or drop them here. JPEG, PNG, WebP, GIF or AVIF, up to 15 MB.
      </Text>
    </div>
  );
}
