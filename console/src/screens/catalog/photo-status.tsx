import { Text } from '@mantine/core';
import type { Schema } from '../../api.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';

type Photo = Schema['ProductPhoto'];

const tones: Readonly<Record<Photo['status'], Tone>> = { stored: 'good', waiting: 'waiting', failed: 'bad' };
const words: Readonly<Record<Photo['status'], string>> = {
  stored: t`Stored`,
  waiting: t`Fetching`,
  failed: t`Failed`,
};

/** The fetch status of a photo, and its error. */
export function PhotoStatus({ photo }: { photo: Photo }) {
  return (
    <div>
      <StatusBadge status={photo.status} tone={tones[photo.status]} label={words[photo.status]} />
      {photo.failure && (
        <Text size="xs" c="var(--mantine-color-error)" mt={2}>
          {photo.failure}
        </Text>
      )}
      {photo.status !== 'stored' && photo.lastTriedAt && (
        <Text size="xs" c="dimmed" mt={2}>
          {rich`${photo.tries} attempts, last ${<ShopTime at={photo.lastTriedAt} />}`}
        </Text>
      )}
    </div>
  );
}
