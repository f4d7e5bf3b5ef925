import { Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { api, type Schema } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge, sentence } from '../../parts/status-badge.tsx';
import { pageOf, useList } from '../../parts/use-list.ts';
import { t } from '../../words/words.ts';

type Order = Schema['StaffOrder'];

const columns: readonly Column<Order>[] = [
  {
    id: 'number',
    header: t`Order`,
    width: 96,
    cell: ({ number }) => (
      <Text span inherit fw={600}>
        {number ?? '–'}
      </Text>
    ),
  },
  { id: 'status', header: t`Status`, width: 120, cell: ({ status }) => <StatusBadge status={status} /> },
  { id: 'type', header: t`Type`, width: 104, cell: ({ type }) => sentence(type) },
  { id: 'goods', header: t`Goods`, cell: goodsOf },
  {
    id: 'total',
    header: t`Total`,
    width: 120,
    align: 'end',
    cell: ({ customerGrandTotal }) => <Money cents={customerGrandTotal} />,
  },
  {
    id: 'refunded',
    header: t`Refunded`,
    width: 112,
    align: 'end',
    cell: ({ refundTotal }) => <Money cents={refundTotal === 0 ? null : refundTotal} />,
  },
  {
    id: 'placed',
    header: t`Placed`,
    width: 184,
    align: 'end',
    cell: ({ createdAt }) => <ShopTime at={createdAt} />,
  },
];

/** The orders of one customer, newest first, found by the unique short id. */
export function CustomerOrders({ customer }: { customer: Schema['StaffCustomerDetail'] }) {
  const navigate = useNavigate();
  const list = useList<Order>({
    queryKey: ['orders', { search: customer.hashId }],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/orders', {
          params: { query: { search: customer.hashId, ...(startingAfter && { startingAfter }) } },
          signal,
        }),
      ),
  });
  return (
    <DataTable
      label={t`Orders of this customer`}
      list={list}
      columns={columns}
      maxHeight={560}
      onOpen={({ id }) => void navigate(`/orders/${id}`)}
      empty={
        <EmptyState
          title={t`No orders yet`}
        >{t`Orders show here once the customer has placed one.`}</EmptyState>
      }
    />
  );
}

function goodsOf({ lineItems }: Order): string {
  const [first, ...others] = lineItems;
  if (!first) return '–';
  const name = `${first.quantity} × ${first.productName}`;
  return others.length === 0 ? name : t`${name} and ${others.length} more`;
}
