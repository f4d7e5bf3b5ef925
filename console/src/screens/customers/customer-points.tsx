import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { api, type Schema } from '../../api.ts';
import { actorInWords } from '../../parts/actor-in-words.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { t } from '../../words/words.ts';

/** What the service sorts by. */
const sorts = { when: 'createdAt', points: 'pointsAmount' } as const;

type Entry = Schema['LoyaltyLedgerEntry'];

const typeWords: Readonly<Record<Entry['type'], string>> = {
  'open-api': t`By an app`,
  earned: t`Earned`,
  redeemed: t`Redeemed`,
  'given-back': t`Returned`,
  'taken-back': t`Reversed`,
  adjusted: t`Adjusted`,
};

const columns: readonly Column<Entry>[] = [
  { id: 'when', header: t`When`, width: 184, cell: ({ createdAt }) => <ShopTime at={createdAt} /> },
  { id: 'type', header: t`Type`, width: 120, cell: ({ type }) => typeWords[type] },
  {
    id: 'points',
    header: t`Points`,
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
    header: t`Reason`,
    wraps: true,
    cell: ({ orderId, reason }) => (
      <span title={reason}>
        {orderId ? (
          <Anchor component={Link} size="sm" to={`/orders/${orderId}`}>
            {reason || t`Order`}
          </Anchor>
        ) : (
          reason
        )}
      </span>
    ),
  },
  {
    id: 'who',
    header: t`Who`,
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
      label={t`Points history`}
      list={list}
      serverSort={serverSort}
      columns={columns}
      maxHeight={480}
      empty={
        <EmptyState title={t`No points yet`}>{t`Customers earn points with fulfilled orders.`}</EmptyState>
      }
    />
  );
}

function signedPoints(points: number): string {
  const text = String(points);
  return text.startsWith('-') ? `−${text.slice(1)}` : `+${text}`;
}
