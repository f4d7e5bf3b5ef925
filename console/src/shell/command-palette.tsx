import { Kbd, Modal, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../session/session.tsx';
import { t } from '../words/words.ts';
import { type Find, useFinds } from './palette-finds.ts';
import { placesFor } from './palette-places.ts';
import classes from './shell.module.css';

/** Typing pauses for so long before the service is asked. */
const pauseMs = 200;

/** Finds customers, orders, products, packages, screens, settings and actions, each within the role. */
export function CommandPalette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnClickOutside
      title={t`Find anything`}
      size="lg"
      padding="sm"
      yOffset="12vh"
      centered={false}
    >
      <Palette onClose={onClose} />
    </Modal>
  );
}

function Palette({ onClose }: { onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const { role } = useSession().staff;
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const wanted = text.trim();
  const [search] = useDebouncedValue(wanted, pauseMs);
  const { finds, isSearching, failed } = useFinds(search);
  const isCaughtUp = search === wanted && !isSearching;
  const lines: readonly Find[] = [...placesFor(role, wanted), ...(wanted === '' ? [] : finds)];
  const current = Math.min(index, lines.length - 1);
  const go = (find: Find | undefined) => {
    if (!find) return;
    onClose();
    void navigate(find.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setIndex(Math.min(lines.length - 1, current + 1));
    else if (event.key === 'ArrowUp') setIndex(Math.max(0, current - 1));
    else if (event.key === 'Enter') go(lines[current]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={t`Find`}
        aria-expanded={lines.length > 0}
        aria-controls={lines.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={lines.length > 0 ? `${id}-${current}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder={t`Customer, order number, product, package, setting …`}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
        mb="sm"
      />
      {lines.length > 0 && (
        <div className={classes.finds} role="listbox" id={`${id}-list`} aria-label={t`Found`}>
          {grouped(lines).map(([group, ofGroup]) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
            <div key={group} role="group" aria-label={group}>
              <div className={classes.findGroup} aria-hidden>
                {group}
              </div>
              {ofGroup.map(({ find, at }) => (
                <Line
                  key={find.to}
                  id={`${id}-${at}`}
                  find={find}
                  isCurrent={at === current}
                  onGo={() => go(find)}
                />
              ))}
            </div>
          ))}
        </div>
      )}
      <Text size="sm" c="dimmed" px="sm" py="xs" role="status">
        {stateInWords(wanted, lines.length, isCaughtUp)}
        {failed.length > 0 && t` Could not be searched: ${failed.join(', ')}.`}
      </Text>
    </>
  );
}

function stateInWords(wanted: string, count: number, isCaughtUp: boolean): string {
  if (wanted === '') return t`Type a name, an order number, a UPC, a package label or what you want to do.`;
  if (!isCaughtUp) return t`Searching …`;
  return count === 0 ? t`Nothing found for “${wanted}”. Try fewer words.` : '';
}

/** The lines by their group, each with its place among all. */
function grouped(lines: readonly Find[]): readonly [string, readonly { find: Find; at: number }[]][] {
  const groups = new Map<string, { find: Find; at: number }[]>();
  for (const [at, find] of lines.entries()) {
    groups.set(find.group, [...(groups.get(find.group) ?? []), { find, at }]);
  }
  return [...groups];
}

function Line({
  id,
  find: { title, note, keys },
  isCurrent,
  onGo,
}: {
  id: string;
  find: Find;
  isCurrent: boolean;
  onGo: () => void;
}) {
  return (
    <UnstyledButton
      id={id}
      ref={isCurrent ? showCurrent : undefined}
      role="option"
      aria-selected={isCurrent}
      tabIndex={-1}
      className={classes.command}
      data-active={isCurrent || undefined}
      onClick={onGo}
    >
      <span className={classes.findTitle}>{title}</span>
      <span className={classes.findNote}>{note}</span>
      {keys && (
        <span>
          <Kbd size="xs">g</Kbd> <Kbd size="xs">{keys}</Kbd>
        </span>
      )}
    </UnstyledButton>
  );
}

function showCurrent(line: HTMLElement | null): void {
  line?.scrollIntoView({ block: 'nearest' });
}
