import { Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowMerge, IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { api, type Schema } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmailText } from '../../parts/email-text.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { phoneInWords } from '../../parts/phone-in-words.ts';
import { SearchField } from '../../parts/search-field.tsx';
import { LastDay } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { useAsked } from '../../parts/use-asked.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { RoleGate } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { NewCustomerDialog } from './new-customer-dialog.tsx';

type Customer = Schema['StaffCustomer'];

/** What the service sorts by; a search shows the newest first. */
const sorts = {
  name: 'name',
  orders: 'orderCount',
  spent: 'spent',
  lastOrder: 'lastOrderAt',
  joined: 'joinedAt',
} as const;

const columns: readonly Column<Customer>[] = [
  {
    id: 'name',
    header: t`Customer`,
    wraps: true,
    cell: (customer) => (
      <Text span inherit fw={600}>
        {customer.erasedAt ? t`Erased` : customerName(customer)}
      </Text>
    ),
  },
  { id: 'phone', header: t`Phone`, width: 136, cell: ({ phone }) => phoneInWords(phone) },
  {
    id: 'email',
    header: t`Email`,
    width: 184,
    wraps: true,
    wideOnly: true,
    cell: ({ email }) => <EmailText email={email} />,
  },
  { id: 'groups', header: t`Groups`, width: 136, cell: groupsOf },
  {
    id: 'medical',
    header: t`Medical until`,
    width: 144,
    cell: ({ medicalExpiration }) => <LastDay day={medicalExpiration} />,
  },
  { id: 'points', header: t`Points`, width: 76, align: 'end', cell: ({ loyalty }) => loyalty.pointsAmount },
  { id: 'orders', header: t`Orders`, width: 80, align: 'end', cell: ({ orderCount }) => orderCount },
  { id: 'spent', header: t`Spent`, width: 104, align: 'end', cell: ({ spent }) => <Money cents={spent} /> },
  {
    id: 'lastOrder',
    header: t`Last order`,
    wideOnly: true,
    width: 120,
    align: 'end',
    cell: ({ lastOrderAt }) => (lastOrderAt === null ? '–' : <ShopTime at={lastOrderAt} style="date" />),
  },
  {
    id: 'joined',
    header: t`Joined`,
    wideOnly: 'desktop',
    width: 128,
    align: 'end',
    cell: ({ joinedAt }) => <ShopTime at={joinedAt} style="date" />,
  },
];

/** All customers, newest first, with a search over names, phones, emails and short ids. */
export function Component() {
  const navigate = useNavigate();
  const [filters, setFilters] = useFilters(['search']);
  const [isAdding, adding] = useDisclosure(false);
  // The service searches from two characters on.
  const search = (filters.search ?? '').trim().length >= 2 ? filters.search : undefined;
  const { order, serverSort } = useListSort(sorts, search !== undefined);
  useLive(['customers']);
  useAsked('new', adding.open);
  const list = useList<Customer>({
    queryKey: ['customers', { search, ...order }],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/customers', {
          params: {
            query: { ...(search && { search }), ...order, ...(startingAfter && { startingAfter }) },
          },
          signal,
        }),
      ),
  });
  const actions = (
    <>
      <RoleGate right="listCustomerDuplicates">
        <Button
          component={Link}
          to="/customers/duplicates"
          variant="default"
          leftSection={<IconArrowMerge size={18} aria-hidden />}
        >
          {t`Possible duplicates`}
        </Button>
      </RoleGate>
      <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={adding.open}>
        {t`New customer`}
      </Button>
    </>
  );
  return (
    <Page kind="list">
      <PageHeader title={t`Customers`} actions={actions} />
      <FilterBar>
        <SearchField
          label={t`Search by name, phone, email or ID`}
          value={filters.search ?? ''}
          onSearch={(text) => setFilters({ search: text })}
          width={352}
        />
      </FilterBar>
      <DataTable
        label={t`Customers`}
        list={list}
        columns={columns}
        serverSort={serverSort}
        onOpen={({ id }) => void navigate(`/customers/${id}`)}
        empty={
          <EmptyState title={search ? t`No matching customers` : t`No customers yet`}>
            {search
              ? t`Try the start of a name, a phone number, an email or a short ID.`
              : t`Customers are added with their first order, at check-in, or here.`}
          </EmptyState>
        }
      />
      <NewCustomerDialog
        opened={isAdding}
        onClose={adding.close}
        onCreated={({ id }) => void navigate(`/customers/${id}`)}
      />
    </Page>
  );
}

function groupsOf({ customerGroups }: Customer) {
  if (customerGroups.length === 0) return '–';
  const [first, ...others] = customerGroups;
  return (
    <Group gap={4} wrap="nowrap" title={customerGroups.join(', ')}>
      <Badge variant="light" color="gray" radius="sm" className="status">
        {first}
      </Badge>
      {others.length > 0 && <Text size="xs" c="dimmed">{`+${others.length}`}</Text>}
    </Group>
  );
}
