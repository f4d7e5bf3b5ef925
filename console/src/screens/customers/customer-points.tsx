import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { api, type Schema } from '../../api.ts';
import { actorInWords } from '../../parts/actor-in-words.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useListSort } from '../../parts/use-sort.ts';

/** What the service sorts by. */
const sorts = { when: 'createdAt', points: 'pointsAmount' } as const;

type Entry = Schema['LoyaltyLedgerEntry'];

const typeWords: Readonly<Record<Entry['type'], string>> = {
  'open-api': 'By an app',
  earned: 'Earned',
  redeemed: 'Redeemed',
  'given-back': 'Returned',
  'taken-back': 'Reversed',
  adjusted: 'Adjusted',
};

const columns: readonly Column<Entry>[] = [
  { id: 'when', header: 'When', width: 184, cell: ({ createdAt }) => <ShopTime at={createdAt} /> },
  { id: 'type', header: 'Type', width: 120, cell: ({ type }) => typeWords[type] },
  {
    id: 'points',
    header: 'Points',
    width: 104,
    align: 'end',
    cell: ({ pointsAmount }) => (
      <Text span inherit fw={600}>
        {signedPoints(pointsAmount)}
      </Text>
    ),
  },
  {
    id: 'reason',
    header: 'Reason',
    wraps: true,
    cell: ({ orderId, reason }) => (
      <span title={reason}>
        {orderId ? (
          <Anchor component={Link} size="sm" to={`/orders/${orderId}`}>
            {reason || 'Order'}
          </Anchor>
        ) : (
          reason
        )}
      </span>
    ),
  },
  {
    id: 'who',
    header: 'Who',
    width: 160,
    cell: ({ actor }) => actorInWords(actor),
  },
];

/** A customer's points ledger, newest first, with the actor and the order of each entry. */
export function CustomerPoints({ customer }: { customer: Schema['StaffCustomerDetail'] }) {
  const { order, serverSort } = useListSort(sorts);
  const list = useList<Entry>({
    queryKey: ['customers', customer.id, 'loyalty-events', order],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/customers/{customerId}/loyalty-events', {
          params: {
            path: { customerId: customer.id },
            query: { ...order, ...(startingAfter && { startingAfter }) },
          },
          signal,
        }),
      ),
  });
  return (
    <DataTable
      label="Points history"
      list={list}
      serverSort={serverSort}
      columns={columns}
      maxHeight={480}
      empty={<EmptyState title="No points yet">Customers earn points with fulfilled orders.</EmptyState>}
    />
  );
}

function signedPoints(points: number): string {
  const text = String(points);
  return text.startsWith('-') ? `−${text.slice(1)}` : `+${text}`;
}
