import { Modal, Table, Text } from '@mantine/core';
import { t } from '../../words/words.ts';
import { itemName } from './stock-words.ts';
import type { Counted, StockCount } from './use-count-sheet.ts';

/** The differences that a saved count found. */
export function CountResult({
  count,
  counted,
  onClose,
}: {
  count: StockCount | null;
  counted: readonly Counted[];
  onClose: () => void;
}) {
  const lines = count?.lines.filter(({ difference }) => difference !== '0') ?? [];
  const nameOf = (line: StockCount['lines'][number]) => {
    const it = counted.find(
      ({ level }) =>
        level.productId === line.productId &&
        level.productOptionId === line.productOptionId &&
        level.packageId === line.packageId,
    );
    return it ? itemName(it.level) : line.productId;
  };
  return (
    <Modal opened={count !== null} onClose={onClose} title={t`Count saved`} size="lg">
      {lines.length === 0 ? (
        <Text size="sm">{t`All ${count?.lines.length} counts match the ledger.`}</Text>
      ) : (
        <Table className="numbers">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Item`}</Table.Th>
              <Table.Th ta="end">{t`Ledger`}</Table.Th>
              <Table.Th ta="end">{t`Counted`}</Table.Th>
              <Table.Th ta="end">{t`Difference`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map((line) => (
              <Table.Tr key={`${line.productId}-${line.productOptionId}-${line.packageId}`}>
                <Table.Td>{nameOf(line)}</Table.Td>
                <Table.Td ta="end">{line.expected}</Table.Td>
                <Table.Td ta="end">{line.counted}</Table.Td>
                <Table.Td ta="end">{line.difference}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Modal>
  );
}
