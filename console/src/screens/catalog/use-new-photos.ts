import { useEffect, useRef, useState } from 'react';
import { freshKey } from '../../parts/fresh-key.ts';
import { notifyRefusal } from '../../parts/toasts.tsx';
import { failedWrite } from '../../parts/unanswered.ts';
import { t } from '../../words/words.ts';
import { splitPictures } from './photo-upload.ts';
import { sendPhoto } from './send-photo.ts';

/** A photo that was chosen for a product that is not created yet. */
export interface NewPhoto {
  readonly id: string;
  readonly file: File;
  /** Shows it in this browser. */
  readonly url: string;
  readonly state: 'chosen' | 'sending' | 'added' | 'failed';
  /** Why it was not added. */
  readonly why: string | null;
  /** Kept while no answer came: sent again, the photo is added once. */
  readonly key: string;
}

/** The photos of a new product: chosen first, sent once the product is there, and sent again if one fails. */
export function useNewPhotos() {
  const [photos, setPhotos] = useState<readonly NewPhoto[]>([]);
  const present = useRef(photos);
  const set = (change: (before: readonly NewPhoto[]) => readonly NewPhoto[]) => {
    present.current = change(present.current);
    setPhotos(present.current);
  };
  useEffect(
    () => () => {
      for (const { url } of present.current) URL.revokeObjectURL(url);
    },
    [],
  );
  const change = (id: string, changes: Partial<NewPhoto>) =>
    set((before) => before.map((it) => (it.id === id ? { ...it, ...changes } : it)));
  const sendOne = async ({ id, file, key }: NewPhoto, productId: number) => {
    change(id, { state: 'sending', why: null });
    try {
      await sendPhoto(file, { productId, optionId: null, altText: '', key });
      change(id, { state: 'added' });
    } catch (error) {
      change(id, {
        state: 'failed',
        why: failedWrite(error, '').message,
      });
    }
  };
  return {
    photos,
    add: (files: readonly File[]) => {
      const [pictures, others] = splitPictures(files);
      if (others.length > 0) {
        const names = others.map(({ name }) => name).join(', ');
        notifyRefusal(t`${names}: not a JPEG, PNG, WebP, GIF or AVIF.`, t`Some files are not pictures`);
      }
      const chosen = pictures.map((file) => ({
        ...{ id: freshKey(), file, url: URL.createObjectURL(file) },
        ...{ state: 'chosen' as const, why: null, key: freshKey() },
      }));
      set((before) => [...before, ...chosen]);
    },
    remove: ({ id, url }: NewPhoto) => {
      URL.revokeObjectURL(url);
      set((before) => before.filter((it) => it.id !== id));
    },
    /** Sends those that are not added yet, in their order. Returns whether all are added now. */
    send: async (productId: number): Promise<boolean> => {
      for (const photo of present.current) {
        if (photo.state !== 'added') await sendOne(photo, productId);
      }
      return present.current.every(({ state }) => state === 'added');
    },
  };
}
