import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../words/words.ts';

/** Search and filters above a list. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <Group gap="sm" role="search" aria-label={t`Filters`}>
      {children}
    </Group>
  );
}
