import { Modal } from '@mantine/core';
import { useState } from 'react';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { ServerForm } from '../../parts/server-form.tsx';
import { LongTextField } from '../../parts/text-field.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';
import { ProductThumbnail } from './product-thumbnail.tsx';
import type { Photo, Product } from './product-words.ts';

/** The most characters that the service keeps. */
export const altTextMax = 500;

/** Why a text is worth writing. */
export const altTextHint = t`Describes the photo for people who cannot see it: screen readers read it on the menu. One sentence is enough.`;

/** Sets or clears the alternative text of a photo. */
export function PhotoTextDialog({
  photo,
  product,
  onSaved,
  onClose,
}: {
  photo: Photo;
  product: Product;
  onSaved: () => void;
  onClose: () => void;
}) {
  const [text, setText] = useState(photo.altText ?? '');
  const path = { productId: photo.productId, photoId: photo.id };
  return (
    <Modal opened onClose={onClose} title={t`Alternative text`}>
      <ServerForm
        onSubmit={() =>
          dataOf(
            api.PATCH('/staff/v1/products/{productId}/photos/{photoId}', {
              params: { path },
              headers: ifUnchanged(product.updatedAt),
              body: { altText: text.trim() || null },
            }),
          )
        }
        onDone={() => {
          notifyDone(t`The alternative text is saved.`);
          onSaved();
          onClose();
        }}
        onCancel={onClose}
      >
        <ProductThumbnail url={photo.url} alt="" size={96} />
        <LongTextField
          path="altText"
          label={t`Alternative text`}
          description={altTextHint}
          maxLength={altTextMax}
          value={text}
          onChange={setText}
        />
      </ServerForm>
    </Modal>
  );
}
