import { Button, FileButton, Text, TextInput } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { notifyDone, notifyError, notifyRefusal } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import classes from './catalog.module.css';
import { altTextMax } from './photo-text-dialog.tsx';
import { addAll, pictureTypes, splitPictures } from './photo-upload.ts';
import { sendPhoto } from './send-photo.ts';

/** Adds photos by dropping files, or by choosing them. A text goes with a single one. */
export function PhotoUpload({
  productId,
  optionId,
  onAdded,
}: {
  productId: number;
  /** Null: photos of the whole product. */
  optionId: number | null;
  onAdded: () => void;
}) {
  const [isOver, setOver] = useState(false);
  const [altText, setAltText] = useState('');
  const upload = useWrite({
    // Other pictures are a new upload.
    about: (files) => files,
    mutationFn: (files: readonly File[]) =>
      addAll(files, (file) =>
        sendPhoto(file, { productId, optionId, altText: files.length === 1 ? altText.trim() : '' }),
      ),
    onSuccess: ({ added, refused }, files) => {
      if (added === 1 && files.length === 1) setAltText('');
      if (added === 1) notifyDone(t`The photo is added.`);
      if (added > 1) notifyDone(t`${added} photos are added.`);
      for (const { name, why } of refused) notifyRefusal(`${name}: ${why}`, t`Some photos were not added`);
    },
    onError: notifyError,
    onSettled: onAdded,
  });
  const add = (files: readonly File[]) => {
    const [pictures, others] = splitPictures(files);
    if (others.length > 0) {
      const names = others.map(({ name }) => name).join(', ');
      notifyRefusal(t`${names}: not a JPEG, PNG, WebP, GIF or AVIF.`, t`Some files are not pictures`);
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
      <TextInput
        label={t`Alternative text of the photo`}
        description={t`Optional, for one photo. It can be changed later.`}
        size="xs"
        mb="sm"
        ta="start"
        maxLength={altTextMax}
        value={altText}
        onChange={(event) => setAltText(event.currentTarget.value)}
      />
      <FileButton
        multiple
        accept={pictureTypes.join()}
        onChange={add}
        inputProps={{ 'aria-label': t`Photos` }}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="compact-sm"
            loading={upload.isPending}
            leftSection={<IconUpload size={16} aria-hidden />}
          >
            {t`Add photos`}
          </Button>
        )}
      </FileButton>
      <Text size="xs" c="dimmed" mt="xs">
        {t`Or drop them here. JPEG, PNG, WebP, GIF or AVIF, up to 15 MB.`}
      </Text>
    </div>
  );
}
