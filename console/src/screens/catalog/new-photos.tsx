import { ActionIcon, Alert, Button, FileButton, Group, Progress, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCamera, IconPhotoPlus, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { SectionCard } from '../../parts/section-card.tsx';
import { t } from '../../words/words.ts';
import classes from './catalog.module.css';
import { pictureTypes } from './photo-upload.ts';
import type { NewPhoto, useNewPhotos } from './use-new-photos.ts';

type Photos = ReturnType<typeof useNewPhotos>;

/** Chooses or takes photos for a new product. They are sent with it. */
export function NewPhotosCard({ photos, add, remove }: Photos) {
  const isHandheld = useMediaQuery('(max-width: 62em), (pointer: coarse)', false, {
    getInitialValueInEffect: false,
  });
  return (
    <SectionCard
      title={t`Photos`}
      hint={t`The first one is the main photo. JPEG, PNG, WebP, GIF or AVIF, up to 15 MB.`}
    >
      <PhotoRows photos={photos} onRemove={remove} />
      <Group gap="sm" mt={photos.length > 0 ? 'sm' : 0}>
        <FileButton
          multiple
          accept={pictureTypes.join()}
          onChange={add}
          inputProps={{ 'aria-label': t`Photos` }}
        >
          {(props) => (
            <Button {...props} variant="default" h={44} leftSection={<IconPhotoPlus size={20} aria-hidden />}>
              {t`Choose photos`}
            </Button>
          )}
        </FileButton>
        {isHandheld && (
          <FileButton
            accept="image/*"
            capture="environment"
            onChange={(file) => file && add([file])}
            inputProps={{ 'aria-label': t`Photo from the camera` }}
          >
            {(props) => (
              <Button {...props} variant="default" h={44} leftSection={<IconCamera size={20} aria-hidden />}>
                {t`Take a photo`}
              </Button>
            )}
          </FileButton>
        )}
      </Group>
    </SectionCard>
  );
}

/** The product is created: sends its photos, and says which were not added. */
export function SentPhotos({
  product,
  photos,
  onAgain,
}: {
  product: { readonly id: number; readonly name: string };
  photos: readonly NewPhoto[];
  onAgain: () => void;
}) {
  const added = photos.filter(({ state }) => state === 'added').length;
  const failed = photos.filter(({ state }) => state === 'failed').length;
  const isSending = photos.some(({ state }) => state === 'sending' || state === 'chosen');
  return (
    <SectionCard title={t`Photos of ${product.name}`}>
      <Text size="sm" role="status" className="numbers">
        {t`${product.name} is created. ${added} of ${photos.length} photos added.`}
      </Text>
      <Progress my="sm" value={(added * 100) / photos.length} aria-label={t`Photos added`} />
      <PhotoRows photos={photos} />
      {!isSending && failed > 0 && (
        <Alert color="red" role="alert" mt="sm" title={t`Some photos were not added`}>
          {t`The product stays. Send them again, or open the product and add others there.`}
          <Group gap="sm" mt="sm">
            <Button h={44} onClick={onAgain}>
              {t`Send again`}
            </Button>
            <Button h={44} variant="default" component={Link} to={`/catalog/products/${product.id}`}>
              {t`Open the product`}
            </Button>
          </Group>
        </Alert>
      )}
    </SectionCard>
  );
}

const stateWords: Readonly<Record<NewPhoto['state'], string>> = {
  chosen: t`Waiting`,
  sending: t`Sending …`,
  added: t`Added`,
  failed: t`Not added`,
};

function PhotoRows({
  photos,
  onRemove,
}: {
  photos: readonly NewPhoto[];
  onRemove?: (photo: NewPhoto) => void;
}) {
  if (photos.length === 0) return null;
  return (
    <ol className={classes.photos} aria-label={t`Chosen photos`}>
      {photos.map((photo) => (
        <li key={photo.id} className={classes.photo}>
          <img className={classes.thumbnail} src={photo.url} alt="" width={48} height={48} />
          <div>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {photo.file.name}
            </Text>
            {onRemove === undefined && (
              <Text size="xs" c={photo.state === 'failed' ? 'red.9' : 'dimmed'}>
                {stateWords[photo.state]}
                {photo.why !== null && `: ${photo.why}`}
              </Text>
            )}
          </div>
          {onRemove && (
            <ActionIcon
              variant="subtle"
              color="red"
              size={44}
              aria-label={t`Remove ${photo.file.name}`}
              onClick={() => onRemove(photo)}
            >
              <IconTrash size={20} aria-hidden />
            </ActionIcon>
          )}
        </li>
      ))}
    </ol>
  );
}
