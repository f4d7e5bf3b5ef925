import { Kbd, Modal, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useShownKeys } from '../parts/screen-keys.ts';
import { t } from '../words/words.ts';
import type { Section } from './sections.ts';

/** Lists all keyboard shortcuts; section keys only for sections the role can see. */
export function ShortcutList({
  opened,
  onClose,
  sections,
}: {
  opened: boolean;
  onClose: () => void;
  sections: readonly Section[];
}) {
  const ofScreen = useShownKeys();
  const rows: [string, ReactNode, string][] = [
    ...ofScreen.map(({ key, meaning }): [string, ReactNode, string] => [
      `screen ${key}`,
      <Kbd key="k">{key}</Kbd>,
      meaning,
    ]),
    ['search', <Kbd key="k">/</Kbd>, t`Search this page`],
    ['find', <Kbd key="k">Ctrl K</Kbd>, t`Find customers, orders, products, packages, settings`],
    ['list', <Kbd key="k">?</Kbd>, t`This list`],
    ['move', <Keys key="k" of={['↑', '↓']} />, t`Move through rows (also j, k)`],
    ['open', <Kbd key="k">{t`Enter`}</Kbd>, t`Open the row`],
    ...sections.map(({ key, title }): [string, ReactNode, string] => [
      key,
      <Keys key="k" of={['g', key]} />,
      title,
    ]),
  ];
  return (
    <Modal opened={opened} onClose={onClose} closeOnClickOutside title={t`Keyboard shortcuts`}>
      <Table withRowBorders={false} verticalSpacing={4}>
        <Table.Tbody>
          {rows.map(([id, keys, meaning]) => (
            <Table.Tr key={id}>
              <Table.Td w={120}>{keys}</Table.Td>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}

function Keys({ of }: { of: readonly string[] }) {
  return of.map((key, index) => (
    <span key={key}>
      {index > 0 && ' '}
      <Kbd>{key}</Kbd>
    </span>
  ));
}
