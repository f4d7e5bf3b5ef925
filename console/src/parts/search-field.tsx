import { Kbd, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { forScans } from '../scanner/scanner.ts';

/** The search of a list: `/` focuses it; the text is passed on after a typing pause. */
export function SearchField({
  label,
  value,
  onSearch,
  width = 320,
}: {
  /** For example `Search orders by number or customer`. */
  label: string;
  value: string;
  onSearch: (text: string) => void;
  width?: number;
}) {
  const [typed, setTyped] = useState(value);
  const search = useDebouncedCallback(onSearch, 250);
  useEffect(() => setTyped(value), [value]);
  return (
    <TextInput
      type="search"
      data-search
      {...forScans}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed === '' ? <Kbd size="xs">/</Kbd> : undefined}
      w={width}
      maw="100%"
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
