import { Group, Select, type SelectProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../api.ts';
import { forScans } from '../scanner/scanner.ts';
import { t } from '../words/words.ts';

type Product = Schema['Product'];

/** A product, with the option if its stock is kept per option. */
export interface StockItem {
  readonly productId: number;
  readonly productOptionId: number | null;
  /** `Velvet Tide · Eighth`. */
  readonly label: string;
  readonly brand?: string;
  /** Whether its stock is kept by the gram; otherwise by the piece. */
  readonly isByGram?: boolean;
}

function itemsOf(product: Product): readonly StockItem[] {
  const brand = product.brand?.name ?? '';
  const { id: productId, name } = product;
  if (product.inventoryType === 'none') return [];
  if (product.inventoryType === 'product') {
    return [{ productId, productOptionId: null, label: name, brand, isByGram: isByGram(product) }];
  }
  return product.options.map((option) => ({
    productId,
    productOptionId: option.id,
    label: `${name} · ${option.name}`,
    brand,
  }));
}

/** An option is kept by the piece, whatever a piece weighs. */
export function isByGram(product: { readonly inventoryType: string; readonly unit: string }): boolean {
  return product.inventoryType === 'product' && product.unit === 'gram';
}

/** The maximum number of options shown from a page of products. */
const shownAtOnce = 60;

const keyOf = (item: StockItem) => `${item.productId}-${item.productOptionId ?? ''}`;

/** Finds an item with stock, by name, brand or UPC. */
export function StockItemPicker({
  item,
  onChange,
  ...props
}: {
  item: StockItem | null;
  onChange: (item: StockItem | null) => void;
} & Omit<SelectProps, 'data' | 'value' | 'onChange'>) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const isSearching = search.length > 0 && search !== item?.label;
  const found = useQuery({
    queryKey: ['products', { search }],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/products', { params: { query: { search } }, signal })),
    enabled: isSearching,
    placeholderData: keepPreviousData,
  });
  const rows: readonly StockItem[] = isSearching
    ? (found.data ?? []).flatMap(itemsOf).slice(0, shownAtOnce)
    : [];
  const byKey = new Map([...rows, ...(item ? [item] : [])].map((row) => [keyOf(row), row]));
  return (
    <Select
      placeholder={t`Name, brand or UPC`}
      leftSection={<IconSearch size={16} aria-hidden />}
      searchable
      // The list opens only once text is typed.
      openOnFocus={false}
      {...forScans}
      {...props}
      data={
        byKey.size > 0
          ? [...byKey].map(([value, { label }]) => ({ value, label }))
          : // An open list needs an option to be announced by screen readers.
            [{ value: '', label: nothingFound(search, found.isFetching), disabled: true }]
      }
      // The service has filtered the results already.
      filter={({ options }) => options}
      // The option list scrolls itself; a wrapper would not get the keys.
      withScrollArea={false}
      styles={{ options: { maxHeight: 280, overflowY: 'auto' } }}
      searchValue={typed}
      onSearchChange={setTyped}
      value={item ? keyOf(item) : null}
      onChange={(key) => onChange((key && byKey.get(key)) || null)}
      renderOption={({ option }) => {
        return (
          <Group justify="space-between" wrap="nowrap" w="100%">
            <Text span size="sm" truncate title={option.label}>
              {option.label}
            </Text>
            <Text span size="xs" c="dimmed" truncate maw="40%">
              {byKey.get(option.value)?.brand}
            </Text>
          </Group>
        );
      }}
    />
  );
}

function nothingFound(search: string, isFetching: boolean): string {
  if (search === '') return t`Type a name, brand or UPC`;
  return isFetching ? t`Searching …` : t`No matching items`;
}
