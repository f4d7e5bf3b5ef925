import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { t } from '../../words/words.ts';
import { rememberOptions } from './option-names.ts';

/** Picks products or single options by name, brand or UPC. */
export function GoodsPicker({
  of,
  label,
  ids,
  nameOf,
  onChange,
  error,
  maxValues,
}: {
  of: 'products' | 'options';
  label: string;
  ids: readonly number[];
  nameOf: (id: number) => string;
  onChange: (ids: number[]) => void;
  error?: string | undefined;
  maxValues?: number;
}) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const found = useQuery({
    queryKey: ['products', { search }],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/v1/products', { params: { query: search ? { search } : {} }, signal })),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
  const products = search === '' ? [] : (found.data ?? []);
  rememberOptions(products);
  const rows = (of === 'products' ? productRows(products) : optionRows(products)).slice(0, 50);
  const chosen = ids
    .filter((id) => !rows.some(({ value }) => value === String(id)))
    .map((id) => ({ value: String(id), label: nameOf(id) }));
  // An option, not a message: a listbox may contain only options.
  const isEmpty = search !== '' && rows.every(({ value }) => ids.includes(Number(value)));
  const note = found.isFetching ? t`Searching …` : t`No other matches`;
  return (
    <MultiSelect
      label={label}
      placeholder={ids.length === 0 ? t`Type a name, brand or UPC` : undefined}
      data={[...rows, ...chosen, ...(isEmpty ? [{ value: 'none', label: note, disabled: true }] : [])]}
      // The service has filtered the results already.
      filter={({ options }) => options}
      searchable
      hidePickedOptions
      maxValues={maxValues}
      searchValue={typed}
      onSearchChange={setTyped}
      error={error}
      value={ids.map(String)}
      onChange={(values) => onChange(values.map(Number))}
    />
  );
}

function productRows(products: readonly Schema['Product'][]) {
  return products.map(({ id, name, brand }) => ({
    value: String(id),
    label: brand ? `${name} (${brand.name})` : name,
  }));
}

function optionRows(products: readonly Schema['Product'][]) {
  return products.flatMap(({ name, options }) =>
    options.map((option) => ({ value: String(option.id), label: `${name}, ${option.name}` })),
  );
}
