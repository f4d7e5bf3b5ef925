import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schema } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmailText } from '../../parts/email-text.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { phoneInWords } from '../../parts/phone-in-words.ts';
import { dayInWords } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { t } from '../../words/words.ts';
import { customerQuery } from './customer-query.ts';
import { MergeCustomersDialog } from './merge-customers-dialog.tsx';

type Customer = Schema['StaffCustomer'];
type Pair = Schema['CustomerDuplicate'];

const columns: readonly Column<Pair>[] = [
  {
    id: 'later',
    header: t`Later record`,
    wraps: true,
    cell: ({ customer }) => <Profile customer={customer} />,
  },
  {
    id: 'earlier',
    header: t`Earlier record`,
    wraps: true,
    cell: ({ earlier }) => <Profile customer={earlier} />,
  },
  {
    id: 'birthday',
    header: t`Birthday`,
    width: 144,
    cell: ({ customer: { birthday } }) => birthday && dayInWords(birthday),
  },
];

/** Customers who may be one person; a row opens the dialog that merges its two. */
export function Component() {
  const [opened, setOpened] = useState<Pair | null>(null);
  useLive(['customers']);
  const list = useList<Pair>({
    queryKey: ['customers', 'duplicates'],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/customer-duplicates', {
          params: { query: { ...(startingAfter && { startingAfter }) } },
          signal,
        }),
      ),
  });
  return (
    <Page kind="list">
      <PageHeader title={t`Possible duplicates`}>
        {t`Customers with the same birthday and nearly the same name. Compare the two records, and merge them if they are the same person. Nothing is merged automatically.`}
      </PageHeader>
      <DataTable
        label={t`Possible duplicates`}
        list={list}
        columns={columns}
        onOpen={setOpened}
        empty={
          <EmptyState title={t`No possible duplicates`}>
            {t`Customers with the same birthday and nearly the same name are listed here.`}
          </EmptyState>
        }
      />
      {opened && <MergePair key={opened.id} pair={opened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

/** The earlier record stays, unless the other one is chosen. */
function MergePair({ pair, onClose }: { pair: Pair; onClose: () => void }) {
  const { data } = useQuery(customerQuery(pair.earlier.id));
  if (!data) return null;
  return <MergeCustomersDialog customer={data} duplicate={pair.customer} opened onClose={onClose} />;
}

function Profile({ customer }: { customer: Customer }) {
  return (
    <Stack gap={0}>
      <Text span inherit fw={600}>
        {customerName(customer)}
      </Text>
      {customer.phone && <Text size="xs">{phoneInWords(customer.phone)}</Text>}
      {customer.email && (
        <Text size="xs">
          <EmailText email={customer.email} />
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {t`Orders`}: {customer.orderCount} · {t`Joined`}: <ShopTime at={customer.joinedAt} style="date" />
      </Text>
    </Stack>
  );
}
