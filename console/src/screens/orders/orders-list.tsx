import { Button, Text } from '@mantine/core';
import { IconCashRegister } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { api } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { t } from '../../words/words.ts';
import { OrderBoard } from './order-board.tsx';
import { OrderFilters, orderFilterNames } from './order-filters.tsx';
import { SlotTime } from './order-slot-card.tsx';
import { OrderState } from './order-state.tsx';
import { customerOf, type Order, type OrderQuery, unitsOf } from './order-words.ts';

/** What the service sorts by; a search has its own order. */
const sorts = { number: 'number', total: 'customerGrandTotal', placed: 'createdAt' } as const;

const columns: readonly Column<Order>[] = [
  {
    id: 'number',
    header: t`Order`,
    width: 96,
    cell: (order) => (
      <Text span inherit fw={600}>
        {order.number ?? '–'}
      </Text>
    ),
  },
  { id: 'customer', header: t`Customer`, cell: customerOf },
  {
    id: 'type',
    header: t`Type`,
    width: 168,
    wraps: true,
    cell: (order) =>
      order.slot === undefined ? (
        sentence(order.type)
      ) : (
        <TwoLines name={sentence(order.type)}>
          <SlotTime slot={order.slot} />
        </TwoLines>
      ),
  },
  { id: 'status', header: t`Status`, width: 144, cell: (order) => <OrderState order={order} /> },
  { id: 'items', header: t`Items`, width: 80, align: 'end', cell: unitsOf },
  {
    id: 'total',
    header: t`Total`,
    width: 128,
    align: 'end',
    cell: (order) => <Money cents={order.customerGrandTotal} />,
  },
  {
    id: 'placed',
    header: t`Placed`,
    width: 184,
    align: 'end',
    cell: (order) => <ShopTime at={order.createdAt} />,
  },
];

/** The orders: a board of what is to be done, or a list of all, newest first. */
export function Component() {
  const [filters, setFilters] = useFilters(orderFilterNames);
  // The service searches from two characters on.
  const search = (filters.search ?? '').trim().length >= 2 ? filters.search : undefined;
  const isBoard = filters.view !== 'list' && !filters.status;
  const query: OrderQuery = {
    ...(filters.type && { type: filters.type as Order['type'] }),
    ...(search && { search }),
    ...(filters.from && { from: filters.from }),
    ...(filters.to && { to: filters.to }),
    ...(Number(filters.location) > 0 && { inventoryLocationId: Number(filters.location) }),
  };
  useLive(['orders']);
  return (
    <Page kind="list">
      <PageHeader
        title={t`Orders`}
        actions={
          <Button
            component={Link}
            to="/point-of-sale"
            leftSection={<IconCashRegister size={18} aria-hidden />}
          >
            {t`New sale`}
          </Button>
        }
      />
      <OrderFilters values={filters} onChange={setFilters} isBoard={isBoard} />
      {isBoard ? (
        <OrderBoard query={query} />
      ) : (
        <OrderTable
          query={filters.status ? { ...query, status: filters.status as Order['status'] } : query}
        />
      )}
    </Page>
  );
}

function OrderTable({ query }: { query: OrderQuery }) {
  const navigate = useNavigate();
  const { order, serverSort } = useListSort(sorts, query.search !== undefined);
  const list = useList<Order>({
    queryKey: ['orders', { ...query, ...order }],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/orders', { params: { query: { ...query, ...order, startingAfter } }, signal }),
      ),
  });
  const isFiltered = Object.keys(query).length > 0;
  return (
    <DataTable
      label={t`Orders`}
      list={list}
      serverSort={serverSort}
      columns={columns}
      onOpen={(order) => void navigate(`/orders/${order.id}`)}
      empty={
        <EmptyState title={isFiltered ? t`No matching orders` : t`No orders yet`}>
          {isFiltered
            ? t`Try other dates, another status or fewer words.`
            : t`New orders appear here at once.`}
        </EmptyState>
      }
    />
  );
}
