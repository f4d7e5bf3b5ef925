import { Group, Select, type SelectProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { api, dataOf, type Schema } from '../api.ts';
import { t } from '../words/words.ts';
import { exactCustomer } from './exact-customer.ts';
import { phoneInWords } from './phone-in-words.ts';
import { notifyLoadError } from './toasts.tsx';

type Customer = Schema['StaffCustomer'];

/** A customer's display name: the name, otherwise what else is known. */
export function customerName(customer: {
  firstName?: string;
  lastName?: string;
  email?: string | null;
  phone?: string | null;
  hashId?: string;
}): string {
  const name = [customer.firstName, customer.lastName].filter(Boolean).join(' ');
  return name || customer.email || customer.phone || customer.hashId || t`Unnamed`;
}

/** The service searches customers from this many characters on. */
const searchMin = 2;

function customersFound(search: string) {
  return {
    queryKey: ['customers', { search }],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      dataOf(api.GET('/staff/v1/customers', { params: { query: { search } }, signal })),
  };
}

/** Finds a customer by name, phone, email or short id. Enter picks the exact match, also before the results are loaded. */
export function CustomerPicker({
  customer,
  onChange,
  excluding,
  ...props
}: {
  customer: Customer | null;
  onChange: (customer: Customer | null) => void;
  /** Excluded from the results: the customer being viewed. */
  excluding?: number;
} & Omit<SelectProps, 'data' | 'value' | 'onChange'>) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const queryClient = useQueryClient();
  const isSearching = search.length >= searchMin && (customer === null || search !== customerName(customer));
  const found = useQuery({
    ...customersFound(search),
    enabled: isSearching,
    placeholderData: keepPreviousData,
  });
  const rows = isSearching ? (found.data ?? []).filter(({ id }) => id !== excluding).slice(0, 20) : [];
  const note = found.isFetching ? t`Searching …` : t`No matching customers`;
  // The one who is chosen is no result of a search.
  const present = customer && !isSearching ? [customer] : [];
  const byId = new Map([...rows, ...present].map((row) => [String(row.id), row]));
  const takeExact = async (wanted: string) => {
    const answered = await queryClient.fetchQuery(customersFound(wanted));
    const exact = exactCustomer(
      answered.filter(({ id }) => id !== excluding),
      wanted,
    );
    if (exact) onChange(exact);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const wanted = typed.trim();
    const isChosen = customer !== null && wanted === customerName(customer);
    if (event.key !== 'Enter' || wanted.length < searchMin || isChosen) return;
    // If an option is highlighted, the list handles Enter.
    if (document.querySelector('[role="listbox"] [data-combobox-selected]')) return;
    event.preventDefault();
    takeExact(wanted).catch(notifyLoadError);
  };
  return (
    <Select
      placeholder={t`Name, phone, email or ID`}
      leftSection={<IconSearch size={16} aria-hidden />}
      searchable
      // The list opens only once text is typed.
      openOnFocus={false}
      clearable
      allowDeselect
      {...props}
      onKeyDown={onKeyDown}
      data={[
        ...[...byId].map(([value, row]) => ({ value, label: customerName(row) })),
        // An option, not a message: a listbox may contain only options.
        ...(isSearching && rows.length === 0 ? [{ value: 'none', label: note, disabled: true }] : []),
      ]}
      // The service has filtered the results already.
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      value={customer ? String(customer.id) : null}
      onChange={(id) => onChange(id === null ? null : (byId.get(id) ?? null))}
      renderOption={({ option }) => {
        const row = byId.get(option.value);
        return (
          <Group justify="space-between" wrap="nowrap" w="100%">
            <Text span size="sm">
              {option.label}
            </Text>
            <Text span size="xs" c="dimmed" className="numbers">
              {[row?.phone ? phoneInWords(row.phone) : row?.email, row?.hashId].filter(Boolean).join(' · ')}
            </Text>
          </Group>
        );
      }}
    />
  );
}
