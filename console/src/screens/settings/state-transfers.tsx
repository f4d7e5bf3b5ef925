import { Anchor, Button, Modal, Stack, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { type StockItem, StockItemPicker } from '../../parts/stock-item-picker.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useCan } from '../../session/session.tsx';
import { said, t } from '../../words/words.ts';
import { comingTransfersQuery } from './state-pages-queries.ts';

type Transfer = Schema['ComplianceTransfer'];

/** Transfers that the state shows on their way here: each becomes a purchase order, which is then received. */
export function StateTransfers() {
  const transfers = useQuery(comingTransfersQuery);
  const mayOrder = useCan('orderComplianceTransfer');
  const [ordered, setOrdered] = useState<Transfer | null>(null);
  return (
    <SectionCard
      title={t`Transfers that are coming`}
      hint={t`The state does not let software accept or reject a transfer. Do that on its website, then receive the goods here.`}
    >
      {transfers.error && <LoadFailure error={transfers.error} onRetry={() => transfers.refetch()} />}
      {transfers.data?.length === 0 && <Text size="sm">{t`No transfer is on its way.`}</Text>}
      {transfers.data !== undefined && transfers.data.length > 0 && (
        <Table aria-label={t`Transfers that are coming`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Manifest`}</Table.Th>
              <Table.Th>{t`Shipper`}</Table.Th>
              <Table.Th ta="end">{t`Packages`}</Table.Th>
              <Table.Th aria-label={t`Order goods`} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {transfers.data.map((transfer) => (
              <Table.Tr key={transfer.id}>
                <Table.Td>
                  {transfer.manifestNumber}
                  <Text size="xs" c="dimmed">
                    <ShopTime at={transfer.createdAt} />
                  </Text>
                </Table.Td>
                <Table.Td>{transfer.shipperName}</Table.Td>
                <Table.Td ta="end">{comingPackages(transfer).length}</Table.Td>
                <Table.Td ta="end">
                  {mayOrder && (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={t`Order goods of manifest ${transfer.manifestNumber}`}
                      onClick={() => setOrdered(transfer)}
                    >
                      {t`Order goods`}
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {ordered !== null && <OrderTransferDialog transfer={ordered} onClose={() => setOrdered(null)} />}
    </SectionCard>
  );
}

/** Those that are neither received nor sent back. */
const comingPackages = ({ packages }: Transfer) => packages.filter(({ status }) => status === 'ready');

function OrderTransferDialog({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [items, setItems] = useState<ReadonlyMap<number, StockItem | null>>(new Map());
  const submit = async () => {
    const lineItems = [...items].flatMap(([packageId, item]) =>
      item === null ? [] : [{ packageId, productId: item.productId, productOptionId: item.productOptionId }],
    );
    const body = { complianceTransferId: transfer.id, lineItems };
    const { id } = await dataOf(api.POST('/staff/v1/purchase-orders/from-transfer', { body }));
    notifyDone(t`The purchase order is made. Receive the goods when they are here.`);
    await queryClient.invalidateQueries({ queryKey: ['purchase-orders'] });
    await navigate(`/purchasing/${id}`);
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={t`Order goods of manifest ${transfer.manifestNumber}`}>
      <ServerForm onSubmit={submit} onDone={onClose} onCancel={onClose} submit={t`Make the purchase order`}>
        <Stack>
          <Text size="sm">
            {t`Prices are those that the shipper told the state. Say what is in a package whose goods were never received here before.`}
          </Text>
          {comingPackages(transfer).map((it) => (
            <div key={it.id}>
              <Text size="sm">
                {it.externalProductName ?? '–'}, {it.initialAmount} {said(it.unit).toLowerCase()}{' '}
                <Anchor component={Link} size="sm" underline="always" to={`/inventory/packages/${it.id}`}>
                  {it.label}
                </Anchor>
              </Text>
              <StockItemPicker
                aria-label={t`Goods of ${it.label}`}
                placeholder={t`As it was received before`}
                clearable
                item={items.get(it.id) ?? null}
                onChange={(item) => setItems(new Map(items).set(it.id, item))}
              />
            </div>
          ))}
        </Stack>
      </ServerForm>
    </Modal>
  );
}
