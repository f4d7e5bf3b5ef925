import { Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Schema } from '../../api.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { locale, t } from '../../words/words.ts';

type Kept = Schema['OrganizationSettings']['storedFiles']['photos'];

/** What the shop keeps of photos and documents, and what it may keep. */
export function StoredFiles({ stored }: { stored: Schema['OrganizationSettings']['storedFiles'] }) {
  return (
    <SectionCard
      title={t`Stored files`}
      hint={t`When they are full, no more are accepted until some are deleted.`}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Use label={t`Photos of products`} kept={stored.photos} />
        <Use label={t`Customers' documents`} kept={stored.documents} />
      </SimpleGrid>
    </SectionCard>
  );
}

function Use({ label, kept: { files, filesMax, bytes, bytesMax } }: { label: string; kept: Kept }) {
  const share = Math.max(shareOf(files, filesMax), shareOf(bytes, bytesMax));
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Progress value={share} color={share >= 95 ? 'red' : undefined} aria-label={t`${label}: room used`} />
      <Text size="sm" c="dimmed">
        {t`${files.toLocaleString(locale())} of ${filesMax.toLocaleString(locale())} · ${sizeInWords(bytes)} of ${sizeInWords(bytesMax)}`}
      </Text>
    </Stack>
  );
}

function shareOf(used: number, max: number): number {
  return max === 0 ? (used > 0 ? 100 : 0) : Math.min(100, (used / max) * 100);
}

function sizeInWords(bytes: number): string {
  const rounded = (amount: number) => amount.toLocaleString(locale(), { maximumFractionDigits: 1 });
  return bytes >= 1e9 ? t`${rounded(bytes / 1e9)} GB` : t`${rounded(bytes / 1e6)} MB`;
}
