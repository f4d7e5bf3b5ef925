import { Button, Group, Modal, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A field in both versions, formatted. */
export interface ComparedField {
  readonly label: string;
  readonly mine: ReactNode;
  readonly theirs: ReactNode;
  readonly differs: boolean;
}

/**
 * Shown when another person changed the record since it was opened (STALE_EDIT): both versions side by side. `onKeepMine` saves
 * my version over theirs, as an edit of theirs; `onTakeTheirs` shows theirs and drops mine.
 */
export function StaleEdit({
  opened,
  fields,
  onKeepMine,
  onTakeTheirs,
  onClose,
}: {
  opened: boolean;
  fields: readonly ComparedField[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onClose: () => void;
}) {
  const shown = fields.filter(({ differs }) => differs);
  return (
    <Modal opened={opened} onClose={onClose} title="Changed by another person" size="lg">
      <Text size="sm" mb="md">
        This was changed since you opened it. Your changes are not lost. These fields differ:
      </Text>
      <Table withTableBorder striped="even">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Yours</Table.Th>
            <Table.Th>Theirs (saved)</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((field) => (
            <Table.Tr key={field.label}>
              <Table.Th scope="row" fw={500}>
                {field.label}
              </Table.Th>
              <Table.Td>{field.mine}</Table.Td>
              <Table.Td>{field.theirs}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onTakeTheirs}>
          Use theirs
        </Button>
        <Button onClick={onKeepMine}>Save mine over theirs</Button>
      </Group>
    </Modal>
  );
}
