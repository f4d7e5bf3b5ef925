import { Button, Modal, Table, Text, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { salesToReviewQuery } from './offline-queries.ts';

type Sale = Schema['OfflineSale'];

/** The sales that the service would not have made so, each with its reasons; one is settled with a note. */
export function OfflineReview() {
  useLive(['offline-sales']);
  const sales = useQuery(salesToReviewQuery);
  const [settled, setSettled] = useState<Sale | null>(null);
  return (
    <SectionCard
      title={t`To review`}
      hint={t`Sales that the service would have refused or charged otherwise. Their orders are placed all the same.`}
    >
      {sales.error && <LoadFailure error={sales.error} onRetry={() => sales.refetch()} />}
      {sales.data?.length === 0 && <Text size="sm">{t`No sale waits for a review.`}</Text>}
      {sales.data !== undefined && sales.data.length > 0 && (
        <Table aria-label={t`Offline sales to review`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Sold`}</Table.Th>
              <Table.Th>{t`Order`}</Table.Th>
              <Table.Th>{t`Why`}</Table.Th>
              <Table.Th ta="end">{t`Total`}</Table.Th>
              <Table.Th aria-label={t`Settle`} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sales.data.map((sale) => (
              <SaleRow key={sale.id} sale={sale} onSettle={() => setSettled(sale)} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {settled && <SettleDialog sale={settled} onClose={() => setSettled(null)} />}
    </SectionCard>
  );
}

function SaleRow({ sale, onSettle }: { sale: Sale; onSettle: () => void }) {
  const { staff } = useSession();
  const isOwn = sale.sentBy.staffId === staff.id || sale.soldBy?.staffId === staff.id;
  return (
    <Table.Tr>
      <Table.Td>
        <ShopTime at={sale.soldAt} />
        <Text size="sm" c="dimmed">
          {sale.registerName}, {sale.number}
        </Text>
        {sale.soldBy && (
          <Text size="sm" c="dimmed">
            {t`Sold by ${`${sale.soldBy.firstName} ${sale.soldBy.lastName}`}`}
          </Text>
        )}
        {sale.soldBy?.staffId !== sale.sentBy.staffId && (
          <Text size="sm" c="dimmed">
            {t`Sent by ${`${sale.sentBy.firstName} ${sale.sentBy.lastName}`}`}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Link to={`/orders/${sale.orderId}`}>{sale.orderNumber ?? t`Order`}</Link>
      </Table.Td>
      <Table.Td>
        {sale.doubts.map(({ reason, words }) => (
          <Text key={`${reason} ${words}`} size="sm">
            {words}
          </Text>
        ))}
      </Table.Td>
      <Table.Td ta="end">
        <Money cents={sale.total} />
      </Table.Td>
      <Table.Td>
        {isOwn ? (
          <Text size="sm" c="dimmed">
            {t`Yours: another owner or manager settles it.`}
          </Text>
        ) : (
          <Button size="xs" variant="default" aria-label={t`Settle ${sale.number}`} onClick={onSettle}>
            {t`Settle`}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function SettleDialog({ sale, onClose }: { sale: Sale; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [note, setNote] = useState('');
  const settle = async () => {
    await dataOf(
      api.POST('/staff/v1/offline-sales/{offlineSaleId}/settle', {
        params: { path: { offlineSaleId: sale.id } },
        body: { note },
      }),
    );
    await queryClient.invalidateQueries({ queryKey: ['offline-sales'] });
    notifyDone(t`${sale.number} is settled.`);
  };
  return (
    <Modal opened onClose={onClose} title={t`Settle ${sale.number}`}>
      <ServerForm onSubmit={settle} onDone={onClose} onCancel={onClose} submit={t`Settle`}>
        <Text size="sm">
          {t`The order stays as it is. Return it, count the stock or move cash first, where that is needed.`}
        </Text>
        <Field path="note">
          {(error) => (
            <Textarea
              label={t`What was done`}
              required
              data-autofocus
              maxLength={1000}
              error={error}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}
