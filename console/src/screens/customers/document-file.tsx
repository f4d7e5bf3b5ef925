import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconDownload, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiFailure, api, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { t } from '../../words/words.ts';
import classes from './customers.module.css';

type Document = Schema['CustomerDocument'];

/** A document as a picture, or as a PDF to download. Requested once: each view is recorded. */
export function DocumentFile({ document }: { document: Document }) {
  const file = useQuery({
    queryKey: ['document-files', document.id],
    queryFn: async ({ signal }) => {
      const { data } = await api.GET('/staff/v1/customers/{customerId}/documents/{documentId}/file', {
        params: { path: { customerId: document.customerId, documentId: document.id } },
        parseAs: 'blob',
        signal,
      });
      if (!data) throw new ApiFailure({ message: t`The file is empty.`, code: 'INTERNAL_ERROR', status: 0 });
      return data as unknown as Blob;
    },
    staleTime: Number.POSITIVE_INFINITY,
    // The file is freed from memory when closed.
    gcTime: 0,
  });
  const address = useBlobAddress(file.data);
  const [isZoomed, setIsZoomed] = useState(false);
  const [isUnknown, setIsUnknown] = useState(false);
  if (file.error) return <LoadFailure error={file.error} onRetry={() => file.refetch()} />;
  if (!file.data || !address) return <Skeleton className={classes.paper} />;
  const isPicture = document.mime !== 'application/pdf';
  return (
    <Stack gap="sm">
      <div className={classes.paper}>
        {!isPicture && (
          <Text size="sm" c="dimmed" p="lg" ta="center">
            {t`PDFs can contain active content, so they do not open here. Download it, open it in a trusted reader, and delete it afterwards.`}
          </Text>
        )}
        {isPicture && isUnknown && (
          <Text size="sm" c="dimmed" p="lg" ta="center">
            {t`This browser cannot show this image type. Download it to view it.`}
          </Text>
        )}
        {isPicture && !isUnknown && (
          <img
            src={address}
            alt={t`The document`}
            data-zoomed={isZoomed || undefined}
            onError={() => setIsUnknown(true)}
          />
        )}
      </div>
      <Group gap="sm">
        {isPicture && !isUnknown && (
          <Button
            variant="default"
            size="xs"
            leftSection={
              isZoomed ? <IconZoomOut size={16} aria-hidden /> : <IconZoomIn size={16} aria-hidden />
            }
            onClick={() => setIsZoomed(!isZoomed)}
            aria-pressed={isZoomed}
          >
            {isZoomed ? t`Fit` : t`Full size`}
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveFile(file.data, `document-${document.id}.${endings[document.mime]}`)}
        >
          {t`Download`}
        </Button>
      </Group>
    </Stack>
  );
}

const endings: Readonly<Record<Document['mime'], string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'application/pdf': 'pdf',
};

/** A blob URL, valid while the blob is shown. */
function useBlobAddress(blob: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address;
}
