import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A line of a vertical table with the details of one record. */
export function DetailLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" w={120}>
        {label}
      </Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}

/** A name or an address of programs; it breaks anywhere. */
export function MonospaceText({ children }: { children: ReactNode }) {
  return (
    <Text span inherit ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}
