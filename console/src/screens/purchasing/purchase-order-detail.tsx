import { Anchor, Button, SimpleGrid, Skeleton, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { phoneInWords } from '../../parts/phone-in-words.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { locationsQuery } from '../inventory/stock-words.ts';
import { PayVendorDialog } from './pay-vendor-dialog.tsx';
import {
  lineName,
  orderName,
  type PurchaseOrder,
  paymentTones,
  purchaseOrderQuery,
  termLabels,
} from './purchase-words.ts';

/** One purchase order: its lines, received goods with their locations, payments. */
export function Component() {
  const purchaseOrderId = Number(useParams().purchaseOrderId);
  const order = useQuery(purchaseOrderQuery(purchaseOrderId));
  const mayEdit = useCan('staffUpdatePurchaseOrder');
  useLive(['purchase-orders']);
  return (
    <Page>
      <PageHeader
        title={order.data ? orderName(order.data) : 'Purchase order'}
        actions={mayEdit && order.data && <OrderActions order={order.data} />}
      >
        <Anchor component={Link} to="/purchasing" size="sm" underline="always">
          Purchase orders
        </Anchor>
        {order.data && ` / ${order.data.vendor.name}`}
      </PageHeader>
      {order.isPending && <Skeleton height={400} radius="md" />}
      {order.error && !order.data && <LoadFailure error={order.error} onRetry={() => order.refetch()} />}
      {order.data && (
        <>
          <OrderFacts order={order.data} />
          <OrderLines order={order.data} />
          <Receptions order={order.data} />
        </>
      )}
    </Page>
  );
}

function OrderActions({ order }: { order: PurchaseOrder }) {
  const [doing, setDoing] = useState<'pay' | 'close' | null>(null);
  const queryClient = useQueryClient();
  const params = { path: { purchaseOrderId: order.id } };
  const keep = (changed: PurchaseOrder) => {
    queryClient.setQueryData(purchaseOrderQuery(order.id).queryKey, changed);
    void queryClient.invalidateQueries({ queryKey: ['purchase-orders'] });
  };
  const reopen = useWrite({
    mutationFn: () => dataOf(api.POST('/staff/v1/purchase-orders/{purchaseOrderId}/reopen', { params })),
    onSuccess: (changed) => {
      keep(changed);
      notifyDone('The order is reopened.');
    },
    onError: notifyError,
  });
  if (order.status === 'closed') {
    return (
      <Button variant="default" loading={reopen.isPending} onClick={() => reopen.mutate()}>
        Reopen
      </Button>
    );
  }
  return (
    <>
      <Button variant="default" component={Link} to={`/purchasing/${order.id}/edit`}>
        Edit
      </Button>
      <Button variant="default" onClick={() => setDoing('close')}>
        Close
      </Button>
      <Button variant="default" disabled={order.amountOutstanding === 0} onClick={() => setDoing('pay')}>
        Record payment
      </Button>
      <Button component={Link} to={`/purchasing/${order.id}/receive`}>
        Receive goods
      </Button>
      {doing === 'pay' && <PayVendorDialog order={order} onPaid={keep} onClose={() => setDoing(null)} />}
      <ConfirmDialog
        opened={doing === 'close'}
        title={`Close ${orderName(order)}?`}
        action="Close order"
        onConfirm={async () =>
          keep(await dataOf(api.POST('/staff/v1/purchase-orders/{purchaseOrderId}/close', { params })))
        }
        onClose={() => setDoing(null)}
      >
        A closed order takes no changes, goods or payments until you reopen it.
      </ConfirmDialog>
    </>
  );
}

function OrderFacts({ order }: { order: PurchaseOrder }) {
  const terms = order.paymentTerms ? termLabels[order.paymentTerms] : 'No terms';
  return (
    <SectionCard title="Order">
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Fact name="State">
          <StatusBadge status={order.status} />
        </Fact>
        <Fact name="Expected">{order.expectedAt === null ? '–' : dayInWords(order.expectedAt)}</Fact>
        <Fact name="Received">{`${order.totalAmountReceived} of ${order.totalAmount}`}</Fact>
        <Fact name="Payment">
          <StatusBadge status={order.paymentStatus} tone={paymentTones[order.paymentStatus]} />
        </Fact>
        <Fact name="Total">
          <Money cents={order.finalTotal} />
        </Fact>
        <Fact name="Paid">
          <Money cents={order.amountPaid} />
        </Fact>
        <Fact name="Outstanding">
          <Money cents={order.amountOutstanding} />
        </Fact>
        <Fact name="Terms">
          {terms}
          {order.paymentTermsDueDate && `, due ${dayInWords(order.paymentTermsDueDate)}`}
        </Fact>
        <Fact name="Vendor">
          {order.vendor.name}
          {order.vendor.phone && (
            <Text size="xs" c="dimmed">
              {phoneInWords(order.vendor.phone)}
            </Text>
          )}
        </Fact>
        <Fact name="Created">
          <ShopTime at={order.createdAt} />
        </Fact>
      </SimpleGrid>
      {order.notes && (
        <Text size="sm" mt="md">
          {order.notes}
        </Text>
      )}
    </SectionCard>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="div" size="sm" fw={600} className="numbers">
        {children}
      </Text>
    </div>
  );
}

function OrderLines({ order }: { order: PurchaseOrder }) {
  return (
    <SectionCard title="Goods">
      <Table className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Item</Table.Th>
            <Table.Th ta="end">Ordered</Table.Th>
            <Table.Th ta="end">Received</Table.Th>
            <Table.Th ta="end">Unit cost</Table.Th>
            <Table.Th ta="end">Total</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {order.lineItems.map((line) => (
            <Table.Tr key={line.id}>
              <Table.Td>
                <Anchor component={Link} size="sm" to={`/catalog/products/${line.productId}`}>
                  {lineName(line)}
                </Anchor>
              </Table.Td>
              <Table.Td ta="end">{line.amount}</Table.Td>
              <Table.Td ta="end">{line.amountReceived}</Table.Td>
              <Table.Td ta="end">${line.costPerUnit}</Table.Td>
              <Table.Td ta="end">
                <Money cents={line.subtotal} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <SumRow name="Goods" cents={order.subtotal - order.caExciseTotal} />
          {order.caExciseTotal > 0 && <SumRow name="Excise" cents={order.caExciseTotal} />}
          <SumRow name="Shipping and handling" cents={order.shippingHandlingFee} />
          <SumRow name="Total" cents={order.finalTotal} />
        </Table.Tfoot>
      </Table>
    </SectionCard>
  );
}

function SumRow({ name, cents }: { name: string; cents: number }) {
  return (
    <Table.Tr>
      <Table.Th colSpan={4} scope="row" ta="end">
        {name}
      </Table.Th>
      <Table.Th ta="end">
        <Money cents={cents} />
      </Table.Th>
    </Table.Tr>
  );
}

function Receptions({ order }: { order: PurchaseOrder }) {
  const locations = useQuery(locationsQuery);
  const rows = order.lineItems
    .flatMap((line) => line.receptions.map((reception) => ({ line, ...reception })))
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  if (rows.length === 0) return null;
  return (
    <SectionCard title="Received">
      <Table className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Item</Table.Th>
            <Table.Th>Where</Table.Th>
            <Table.Th ta="end">Amount</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: receptions have no id, and two can be alike
            <Table.Tr key={index}>
              <Table.Td>
                <ShopTime at={row.createdAt} />
              </Table.Td>
              <Table.Td>{lineName(row.line)}</Table.Td>
              <Table.Td>
                {locations.data?.find(({ id }) => id === row.inventoryLocationId)?.name ??
                  row.inventoryLocationId}
              </Table.Td>
              <Table.Td ta="end">{row.amount}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </SectionCard>
  );
}
