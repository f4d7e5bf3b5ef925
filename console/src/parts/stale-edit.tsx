import { Button, Group, Modal, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../words/words.ts';

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
    <Modal opened={opened} onClose={onClose} title={t`Changed by someone else`} size="lg">
      <Text size="sm" mb="md">
        {t`This was changed since you opened it. Your changes are not lost. These fields differ:`}
      </Text>
      <Table withTableBorder striped="even">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Field`}</Table.Th>
            <Table.Th>{t`Yours`}</Table.Th>
            <Table.Th>{t`Theirs (saved)`}</Table.Th>
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
          {t`Use theirs`}
        </Button>
        <Button onClick={onKeepMine}>{t`Save mine over theirs`}</Button>
      </Group>
    </Modal>
  );
}
