import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { api } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { orderName, type PurchaseOrder, paymentTones } from './purchase-words.ts';
import { PurchasingTabs } from './purchasing-tabs.tsx';

/** What the service sorts by. */
const sorts = {
  name: 'createdAt',
  vendor: 'vendorName',
  expected: 'expectedAt',
  status: 'status',
  total: 'finalTotal',
} as const;

/** The purchase orders, newest first, with their received and paid state. */
export function Component() {
  const navigate = useNavigate();
  const mayEdit = useCan('staffCreatePurchaseOrder');
  useLive(['purchase-orders']);
  const { order, serverSort } = useListSort(sorts);
  const list = useList<PurchaseOrder>({
    queryKey: ['purchase-orders', 'list', order],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/purchase-orders', { params: { query: { ...order, startingAfter } }, signal }),
      ),
  });
  return (
    <Page kind="list">
      <PageHeader
        title={t`Purchase orders`}
        actions={
          mayEdit && (
            <>
              <Button component={Link} to="/purchasing/low-stock" variant="default">
                {t`Reorder low stock`}
              </Button>
              <Button component={Link} to="/purchasing/new" leftSection={<IconPlus size={18} aria-hidden />}>
                {t`New purchase order`}
              </Button>
            </>
          )
        }
      />
      <PurchasingTabs />
      <DataTable
        label={t`Purchase orders`}
        list={list}
        serverSort={serverSort}
        columns={columns}
        onOpen={({ id }) => void navigate(`/purchasing/${id}`)}
        empty={
          <EmptyState
            title={t`No purchase orders yet`}
          >{t`Create a purchase order to receive goods.`}</EmptyState>
        }
      />
    </Page>
  );
}

const columns: readonly Column<PurchaseOrder>[] = [
  {
    id: 'name',
    header: t`Order`,
    wraps: true,
    width: 128,
    cell: (order) => (
      <Text span inherit fw={600}>
        {orderName(order)}
      </Text>
    ),
  },
  { id: 'vendor', header: t`Vendor`, cell: ({ vendor }) => vendor.name },
  {
    id: 'expected',
    header: t`Expected`,
    width: 128,
    cell: ({ expectedAt }) => (expectedAt === null ? '–' : dayInWords(expectedAt)),
  },
  { id: 'status', header: t`State`, width: 104, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: 'received',
    header: t`Received`,
    width: 120,
    align: 'end',
    cell: ({ totalAmount, totalAmountReceived }) => t`${totalAmountReceived} of ${totalAmount}`,
  },
  {
    id: 'paid',
    header: t`Payment`,
    width: 112,
    cell: ({ paymentStatus }) => <StatusBadge status={paymentStatus} tone={paymentTones[paymentStatus]} />,
  },
  {
    id: 'total',
    header: t`Total`,
    width: 136,
    align: 'end',
    cell: ({ finalTotal }) => <Money cents={finalTotal} />,
  },
];
