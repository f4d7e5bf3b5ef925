import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** Search and filters above a list. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <Group gap="sm" role="search" aria-label="Filters">
      {children}
    </Group>
  );
}
