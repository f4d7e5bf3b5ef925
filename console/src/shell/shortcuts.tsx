import { Kbd, Modal, Table } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useShownKeys } from '../parts/screen-keys.ts';
import type { Section } from './sections.ts';

/** Keys that go into a field; a search does not begin with `?`. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (
    key === '?' &&
    target instanceof HTMLInputElement &&
    'search' in target.dataset &&
    target.value === ''
  ) {
    return false;
  }
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]');
}

const chordMs = 1_200;

/** `/` goes to the search of the page, `g` and a letter to a section, `?` lists the keys, Ctrl or ⌘ K finds a section. */
export function useShortcuts(
  sections: readonly Section[],
  open: { readonly list: () => void; readonly palette: () => void },
): void {
  const navigate = useNavigate();
  const wentAt = useRef(0);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        open.palette();
        return;
      }
      const isBusy = isTyping(event) || document.querySelector('[role="dialog"]') !== null;
      if (event.metaKey || event.ctrlKey || event.altKey || isBusy) return;
      const section = sections.find(({ key }) => key === event.key);
      if (event.timeStamp - wentAt.current < chordMs && section) {
        wentAt.current = 0;
        void navigate(section.path);
      } else if (event.key === 'g') {
        wentAt.current = event.timeStamp;
        return;
      } else if (event.key === '/') {
        document.querySelector<HTMLElement>('input[data-search]')?.focus();
      } else if (event.key === '?') {
        open.list();
      } else {
        return;
      }
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [sections, open, navigate]);
}

/** All keys, those of sections by what the role sees. */
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
    ['search', <Kbd key="k">/</Kbd>, 'Search this page'],
    ['find', <Kbd key="k">Ctrl K</Kbd>, 'Go to any section'],
    ['list', <Kbd key="k">?</Kbd>, 'This list'],
    ['move', <Keys key="k" of={['↑', '↓']} />, 'Move through rows (also j, k)'],
    ['open', <Kbd key="k">Enter</Kbd>, 'Open the row'],
    ...sections.map(({ key, title }): [string, ReactNode, string] => [
      key,
      <Keys key="k" of={['g', key]} />,
      title,
    ]),
  ];
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts">
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
