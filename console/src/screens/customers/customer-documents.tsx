import { Text } from '@mantine/core';
import { useState } from 'react';
import { api, type Schema } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LastDay } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { t } from '../../words/words.ts';
import { DocumentReviewDialog } from './document-review-dialog.tsx';

/** What the service sorts by. */
const sorts = { type: 'type', status: 'status', expires: 'expiresOn', uploaded: 'uploadedAt' } as const;

type Document = Schema['CustomerDocument'];

const papers: Readonly<Record<Document['type'], string>> = {
  license: t`Driver's license or ID`,
  recommendation: t`Medical recommendation`,
};

const columns: readonly Column<Document>[] = [
  {
    id: 'type',
    header: t`Document`,
    cell: ({ type }) => (
      <Text span inherit fw={600}>
        {papers[type]}
      </Text>
    ),
  },
  {
    id: 'status',
    header: t`Status`,
    width: 136,
    cell: ({ status, supersededAt }) =>
      supersededAt ? <StatusBadge status="superseded" tone="neutral" /> : <StatusBadge status={status} />,
  },
  { id: 'expires', header: t`Valid until`, width: 184, cell: ({ expiresOn }) => <LastDay day={expiresOn} /> },
  { id: 'reason', header: t`Reason`, cell: ({ reviewReason }) => reviewReason ?? '–' },
  {
    id: 'uploaded',
    header: t`Uploaded`,
    width: 184,
    align: 'end',
    cell: ({ uploadedAt }) => <ShopTime at={uploadedAt} />,
  },
  {
    id: 'kept',
    header: t`Deleted after`,
    width: 136,
    align: 'end',
    cell: ({ keptUntil }) => <ShopTime at={keptUntil} style="date" />,
  },
];

/** A customer's documents, newest first; open one to review it. */
export function CustomerDocuments({ customer }: { customer: Schema['StaffCustomerDetail'] }) {
  const [opened, setOpened] = useState<Document | null>(null);
  const { order, serverSort } = useListSort(sorts);
  const list = useList<Document>({
    queryKey: ['customers', customer.id, 'documents', order],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/customers/{customerId}/documents', {
          params: {
            path: { customerId: customer.id },
            query: { ...order, ...(startingAfter && { startingAfter }) },
          },
          signal,
        }),
      ),
  });
  return (
    <>
      <DataTable
        label={t`Documents`}
        list={list}
        serverSort={serverSort}
        columns={columns}
        maxHeight={560}
        onOpen={setOpened}
        empty={
          <EmptyState title={t`No documents`}>
            {t`Documents that the customer uploads appear here for review.`}
          </EmptyState>
        }
      />
      {opened && (
        <DocumentReviewDialog document={opened} title={papers[opened.type]} onClose={() => setOpened(null)} />
      )}
    </>
  );
}
