import { Accordion, Anchor, Button, Group, Select, Skeleton, Table, Text } from '@mantine/core';
import { locale, said, t } from '../../words/words.ts';
import '@mantine/core/styles/Accordion.css';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, type Schema } from '../../api.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { PackageState } from './package-state.tsx';

type Transfer = Schema['ComplianceTransfer'];

/** What the service sorts by. */
const sorts = { newest: 'createdAt', manifest: 'manifestNumber', shipper: 'shipperName' } as const;

const orders = [
  { value: sorts.newest, label: t`Newest first` },
  { value: sorts.manifest, label: t`By manifest` },
  { value: sorts.shipper, label: t`By shipper` },
];
type Order = (typeof sorts)[keyof typeof sorts];

/** The imported transfers with their packages and states. */
export function TransferList() {
  useLive(['compliance-transfers']);
  const [sortBy, setSortBy] = useState<Order>(sorts.newest);
  const list = useList<Transfer>({
    queryKey: ['compliance-transfers', { sortBy }],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/compliance-transfers', { params: { query: { sortBy, startingAfter } }, signal }),
      ),
  });
  const { total, more } = list.count ?? { total: 0, more: false };
  return (
    <SectionCard title={t`Imported transfers`} hint={t`Open one to see its packages.`}>
      {list.rows.length > 0 && (
        <Group justify="space-between" mb="sm">
          <Select
            aria-label={t`Order of the transfers`}
            w={168}
            data={orders}
            value={sortBy}
            allowDeselect={false}
            onChange={(chosen) => chosen && setSortBy(chosen)}
          />
          <Text size="sm" c="dimmed">
            {more
              ? t`More than ${total.toLocaleString(locale())}`
              : t`${total.toLocaleString(locale())} in all`}
          </Text>
        </Group>
      )}
      {list.isLoading && <Skeleton height={160} radius="md" />}
      {list.error && <LoadFailure error={list.error} onRetry={list.retry} />}
      {!list.isLoading && !list.error && list.rows.length === 0 && (
        <EmptyState title={t`No transfers yet`}>{t`Import a transfer above.`}</EmptyState>
      )}
      {list.rows.length > 0 && (
        <Accordion variant="contained" multiple order={3}>
          {list.rows.map((transfer) => (
            <Accordion.Item key={transfer.id} value={String(transfer.id)}>
              <Accordion.Control>
                <TransferHead transfer={transfer} />
              </Accordion.Control>
              <Accordion.Panel>
                <TransferPackages transfer={transfer} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
      {list.hasMore && (
        <Button variant="default" mt="sm" loading={list.isLoadingMore} onClick={list.loadMore}>
          {t`Show more`}
        </Button>
      )}
    </SectionCard>
  );
}

function TransferHead({ transfer }: { transfer: Transfer }) {
  const { packages } = transfer;
  const waiting = packages.filter(({ status }) => status === 'ready').length;
  const rejected = packages.filter(({ status }) => status === 'transfer-returned').length;
  const done = rejected === 0 ? t`All received` : t`${rejected} of ${packages.length} rejected`;
  return (
    <Group justify="space-between" gap="sm" pr="sm">
      <div>
        <Text size="sm" fw={600} className="numbers">
          {transfer.manifestNumber}
        </Text>
        <Text size="xs" c="dimmed">
          {transfer.shipperName}, <ShopTime at={transfer.createdAt} />
        </Text>
      </div>
      <StatusBadge
        status={waiting === 0 ? 'received' : 'ready'}
        tone={waiting === 0 ? 'good' : 'waiting'}
        label={waiting === 0 ? done : t`${waiting} of ${packages.length} to receive`}
      />
    </Group>
  );
}

/** The packages of a transfer, each a link. */
export function TransferPackages({ transfer }: { transfer: Transfer }) {
  return (
    <Table className="numbers" captionSide="top">
      <Table.Caption ta="start">
        {t`Manifest ${transfer.manifestNumber} from ${transfer.shipperName} (${transfer.shipperLicenseNumber})`}
      </Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t`Label`}</Table.Th>
          <Table.Th>{t`Product`}</Table.Th>
          <Table.Th ta="end">{t`Amount`}</Table.Th>
          <Table.Th>{t`State`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {transfer.packages.map((it) => (
          <Table.Tr key={it.id}>
            <Table.Td>
              <Anchor component={Link} size="sm" underline="always" to={`/inventory/packages/${it.id}`}>
                {it.label}
              </Anchor>
            </Table.Td>
            <Table.Td>{it.product?.name ?? it.externalProductName ?? '–'}</Table.Td>
            <Table.Td ta="end">
              {it.initialAmount} {said(it.unit).toLowerCase()}
            </Table.Td>
            <Table.Td>
              {/* An incoming package that went back was rejected. */}
              <PackageState status={it.status} voidReason={it.status === 'transfer-returned' ? '' : null} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
