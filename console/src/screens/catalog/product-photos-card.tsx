import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { SectionCard } from '../../parts/section-card.tsx';
import { plural, t } from '../../words/words.ts';
import classes from './catalog.module.css';
import { PhotoList } from './photo-list.tsx';
import { altTextHint } from './photo-text-dialog.tsx';
import { ProductThumbnail } from './product-thumbnail.tsx';
import type { Product } from './product-words.ts';

/** The photos of a product, and those of each of its options. */
export function ProductPhotosCard({ product, mayEdit }: { product: Product; mayEdit: boolean }) {
  const [openedId, setOpenedId] = useState<number | null>(null);
  const opened = product.options.find(({ id }) => id === openedId);
  return (
    <SectionCard title={t`Photos`} hint={t`Each photo can have an alternative text. ${altTextHint}`}>
      <PhotoList product={product} optionId={null} mayEdit={mayEdit} />
      {product.options.length > 0 && (
        <Text component="h3" size="sm" fw={600} mt="lg" mb={4}>
          {t`Photos of options`}
        </Text>
      )}
      <ul className={classes.photos}>
        {product.options.map((option) => (
          <li key={option.id} className={classes.photo}>
            <ProductThumbnail
              url={option.photos[0]?.fullPath}
              alt={option.photos[0]?.altText ?? ''}
              size={48}
            />
            <div>
              <Text size="sm">{option.name}</Text>
              <Text size="xs" c="dimmed">
                {option.photos.length === 0
                  ? t`None of its own`
                  : plural(option.photos.length, {
                      one: t`${option.photos.length} photo`,
                      other: t`${option.photos.length} photos`,
                    })}
              </Text>
            </div>
            <Group gap={2} wrap="nowrap">
              <Button
                variant="default"
                size="compact-sm"
                aria-label={t`Photos of ${option.name}`}
                onClick={() => setOpenedId(option.id)}
              >
                {t`Photos`}
              </Button>
            </Group>
          </li>
        ))}
      </ul>
      {opened && (
        <Modal opened onClose={() => setOpenedId(null)} title={t`Photos of ${opened.name}`}>
          <PhotoList product={product} optionId={opened.id} mayEdit={mayEdit} />
        </Modal>
      )}
    </SectionCard>
  );
}
