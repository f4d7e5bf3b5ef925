import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A table cell with a name and a second line about it; neither is truncated. */
export function TwoLines({ name, children }: { name: ReactNode; children?: ReactNode }) {
  return (
    <Stack gap={0} py={4} style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
      <Text span inherit fw={600} lh="20px">
        {name}
      </Text>
      {children && (
        <Text span fz="xs" c="dimmed" lh="16px">
          {children}
        </Text>
      )}
    </Stack>
  );
}
