import { Kbd, Modal, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Section } from './sections.ts';
import classes from './shell.module.css';

/** Finds a section by part of its name. */
export function CommandPalette({
  opened,
  onClose,
  sections,
}: {
  opened: boolean;
  onClose: () => void;
  sections: readonly Section[];
}) {
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const navigate = useNavigate();
  const found = sections.filter(({ title }) => title.toLowerCase().includes(text.trim().toLowerCase()));
  const close = () => {
    setText('');
    setIndex(0);
    onClose();
  };
  const go = (section: Section | undefined) => {
    if (!section) return;
    void navigate(section.path);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setIndex((it) => Math.min(found.length - 1, it + 1));
    else if (event.key === 'ArrowUp') setIndex((it) => Math.max(0, it - 1));
    else if (event.key === 'Enter') go(found[index]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      closeOnClickOutside
      title="Go to"
      padding="sm"
      yOffset="12vh"
      centered={false}
    >
      <TextInput
        data-autofocus
        aria-label="Go to"
        placeholder="Go to …"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
        mb="sm"
      />
      {found.map((section, at) => (
        <UnstyledButton
          key={section.path}
          className={classes.command}
          data-active={at === index || undefined}
          onClick={() => go(section)}
        >
          <section.icon size={18} stroke={1.6} aria-hidden />
          <span>{section.title}</span>
          <span>
            <Kbd size="xs">g</Kbd> <Kbd size="xs">{section.key}</Kbd>
          </span>
        </UnstyledButton>
      ))}
    </Modal>
  );
}
