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
import { t } from '../../words/words.ts';
import { locationsQuery } from '../inventory/stock-words.ts';
import { amountLeft } from './amount-left.ts';
import { InvoicePriceDialog } from './invoice-price-dialog.tsx';
import { PayVendorDialog, VendorCreditDialog } from './pay-vendor-dialog.tsx';
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
        title={order.data ? orderName(order.data) : t`Purchase order`}
        actions={mayEdit && order.data && <OrderActions order={order.data} />}
      >
        <Anchor component={Link} to="/purchasing" size="sm" underline="always">
          {t`Purchase orders`}
        </Anchor>
        {order.data && ` / ${order.data.vendor.name}`}
      </PageHeader>
      {order.isPending && <Skeleton height={400} radius="md" />}
      {order.error && !order.data && <LoadFailure error={order.error} onRetry={() => order.refetch()} />}
      {order.data && (
        <>
          <OrderFacts order={order.data} />
          <OrderLines order={order.data} mayEdit={mayEdit} />
          <VendorCredits order={order.data} />
          <Receptions order={order.data} />
        </>
      )}
    </Page>
  );
}

/** Shows an order as a write has left it. */
function useKeep(): (changed: PurchaseOrder) => void {
  const queryClient = useQueryClient();
  return (changed) => {
    queryClient.setQueryData(purchaseOrderQuery(changed.id).queryKey, changed);
    void queryClient.invalidateQueries({ queryKey: ['purchase-orders'] });
  };
}

function OrderActions({ order }: { order: PurchaseOrder }) {
  const [doing, setDoing] = useState<'pay' | 'credit' | 'close' | null>(null);
  const params = { path: { purchaseOrderId: order.id } };
  const keep = useKeep();
  const reopen = useWrite({
    mutationFn: () => dataOf(api.POST('/staff/v1/purchase-orders/{purchaseOrderId}/reopen', { params })),
    onSuccess: (changed) => {
      keep(changed);
      notifyDone(t`The order is reopened.`);
    },
    onError: notifyError,
  });
  // What came is often paid after the order is closed.
  const settling = (
    <>
      <Button variant="default" onClick={() => setDoing('credit')}>
        {t`Record credit`}
      </Button>
      <Button variant="default" disabled={order.amountOutstanding === 0} onClick={() => setDoing('pay')}>
        {t`Record payment`}
      </Button>
      {doing === 'pay' && <PayVendorDialog order={order} onPaid={keep} onClose={() => setDoing(null)} />}
      {doing === 'credit' && (
        <VendorCreditDialog order={order} onGiven={keep} onClose={() => setDoing(null)} />
      )}
    </>
  );
  if (order.status === 'closed') {
    return (
      <>
        <Button variant="default" loading={reopen.isPending} onClick={() => reopen.mutate()}>
          {t`Reopen`}
        </Button>
        {settling}
      </>
    );
  }
  return (
    <>
      <Button variant="default" component={Link} to={`/purchasing/${order.id}/edit`}>
        {t`Edit`}
      </Button>
      <Button variant="default" onClick={() => setDoing('close')}>
        {t`Close`}
      </Button>
      {settling}
      <Button component={Link} to={`/purchasing/${order.id}/receive`}>
        {t`Receive goods`}
      </Button>
      <ConfirmDialog
        opened={doing === 'close'}
        title={t`Close ${orderName(order)}?`}
        action={t`Close order`}
        onConfirm={async () =>
          keep(await dataOf(api.POST('/staff/v1/purchase-orders/{purchaseOrderId}/close', { params })))
        }
        onClose={() => setDoing(null)}
      >
        {order.amountOwed > 0 && isShort(order)
          ? t`Not everything came. Once the order is closed, only what came is owed. It takes no changes or goods until you reopen it.`
          : t`A closed order takes no changes or goods until you reopen it.`}
      </ConfirmDialog>
    </>
  );
}

function OrderFacts({ order }: { order: PurchaseOrder }) {
  const terms = order.paymentTerms ? termLabels[order.paymentTerms] : t`No terms`;
  return (
    <SectionCard title={t`Order`}>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Fact name={t`State`}>
          <StatusBadge status={order.status} />
        </Fact>
        <Fact name={t`Expected`}>{order.expectedAt === null ? '–' : dayInWords(order.expectedAt)}</Fact>
        <Fact name={t`Received`}>{t`${order.totalAmountReceived} of ${order.totalAmount}`}</Fact>
        <Fact name={t`Payment`}>
          <StatusBadge status={order.paymentStatus} tone={paymentTones[order.paymentStatus]} />
        </Fact>
        <Fact name={t`Total`}>
          <Money cents={order.finalTotal} />
        </Fact>
        <Fact name={t`Owed`}>
          <Money cents={order.amountOwed} />
        </Fact>
        <Fact name={t`Paid`}>
          <Money cents={order.amountPaid} />
        </Fact>
        <Fact name={t`Outstanding`}>
          <Money cents={order.amountOutstanding} />
        </Fact>
        {order.creditBalance > 0 && (
          <Fact name={t`Vendor owes`}>
            <Money cents={order.creditBalance} />
          </Fact>
        )}
        <Fact name={t`Terms`}>
          {terms}
          {order.paymentTermsDueDate && t`, due ${dayInWords(order.paymentTermsDueDate)}`}
        </Fact>
        <Fact name={t`Vendor`}>
          {order.vendor.name}
          {order.vendor.phone && (
            <Text size="xs" c="dimmed">
              {phoneInWords(order.vendor.phone)}
            </Text>
          )}
        </Fact>
        <Fact name={t`Created`}>
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

function OrderLines({ order, mayEdit }: { order: PurchaseOrder; mayEdit: boolean }) {
  const keep = useKeep();
  const [invoiced, setInvoiced] = useState<PurchaseOrder['lineItems'][number] | null>(null);
  return (
    <SectionCard title={t`Goods`}>
      <Table className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Item`}</Table.Th>
            <Table.Th ta="end">{t`Ordered`}</Table.Th>
            <Table.Th ta="end">{t`Received`}</Table.Th>
            <Table.Th ta="end">{t`Unit cost`}</Table.Th>
            <Table.Th ta="end">{t`Total`}</Table.Th>
            <Table.Th ta="end">{t`Owed`}</Table.Th>
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
              <Table.Td ta="end">
                ${line.costPerUnit}
                {line.invoicedCostPerUnit !== null && (
                  <Text size="xs" c="dimmed">
                    {t`$${line.invoicedCostPerUnit} on the invoice`}
                  </Text>
                )}
                {mayEdit && order.status === 'open' && line.amountReceived !== '0' && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    display="block"
                    ms="auto"
                    aria-label={t`Invoice price of ${lineName(line)}`}
                    onClick={() => setInvoiced(line)}
                  >
                    {t`Invoice price`}
                  </Button>
                )}
              </Table.Td>
              <Table.Td ta="end">
                <Money cents={line.subtotal} />
              </Table.Td>
              <Table.Td ta="end">
                <Money cents={line.amountOwed} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <SumRow name={t`Goods`} cents={order.subtotal - order.caExciseTotal} />
          {order.caExciseTotal > 0 && <SumRow name={t`Excise`} cents={order.caExciseTotal} />}
          <SumRow name={t`Shipping and handling`} cents={order.shippingHandlingFee} />
          <SumRow name={t`Total`} cents={order.finalTotal} />
        </Table.Tfoot>
      </Table>
      {invoiced && (
        <InvoicePriceDialog order={order} line={invoiced} onSaved={keep} onClose={() => setInvoiced(null)} />
      )}
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
      <Table.Th />
    </Table.Tr>
  );
}

/** Whether goods are still to come. */
function isShort(order: PurchaseOrder): boolean {
  return order.lineItems.some(({ amount, amountReceived }) => amountLeft(amount, amountReceived) !== '0');
}

function VendorCredits({ order }: { order: PurchaseOrder }) {
  if (order.vendorCredits.length === 0) return null;
  return (
    <SectionCard title={t`Credits of the vendor`}>
      <Table className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`When`}</Table.Th>
            <Table.Th>{t`Reason`}</Table.Th>
            <Table.Th ta="end">{t`Amount`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {order.vendorCredits.map((credit) => (
            <Table.Tr key={credit.id}>
              <Table.Td>
                <ShopTime at={credit.createdAt} />
              </Table.Td>
              <Table.Td>
                {credit.packageId === null ? (
                  credit.reason
                ) : (
                  <Anchor component={Link} size="sm" to={`/inventory/packages/${credit.packageId}`}>
                    {credit.reason}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td ta="end">
                <Money cents={credit.amount} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </SectionCard>
  );
}

function Receptions({ order }: { order: PurchaseOrder }) {
  const locations = useQuery(locationsQuery);
  const rows = order.lineItems
    .flatMap((line) => line.receptions.map((reception) => ({ line, ...reception })))
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  if (rows.length === 0) return null;
  return (
    <SectionCard title={t`Received`}>
      <Table className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`When`}</Table.Th>
            <Table.Th>{t`Item`}</Table.Th>
            <Table.Th>{t`Where`}</Table.Th>
            <Table.Th ta="end">{t`Amount`}</Table.Th>
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
