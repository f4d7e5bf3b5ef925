import { Button, SegmentedControl, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { notifyError } from '../../parts/toasts.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { CatalogTabs } from './catalog-tabs.tsx';

type Photo = Schema['ProductPhoto'];

/** Photos that integrations submitted by URL and that are not fetched yet, or failed. */
export function Component() {
  const navigate = useNavigate();
  const mayEdit = useCan('retryProductPhoto');
  const [filters, setFilters] = useFilters(['status']);
  const status = filters.status as Photo['status'] | undefined;
  const query = status === 'waiting' || status === 'failed' ? { status } : {};
  useLive(['products']);
  const list = useList<Photo>({
    queryKey: ['products', 'photos', query],
    page: (startingAfter, signal) =>
      pageOf(api.GET('/staff/v1/product-photos', { params: { query: { ...query, startingAfter } }, signal })),
  });
  return (
    <Page kind="list">
      <PageHeader title={t`Pending photos`}>
        {t`Until a photo is fetched, menus show it from its original URL.`}
      </PageHeader>
      <CatalogTabs />
      <FilterBar>
        <SegmentedControl
          aria-label={t`State`}
          data={[
            { value: '', label: t`All` },
            { value: 'waiting', label: t`Fetching` },
            { value: 'failed', label: t`Failed` },
          ]}
          value={filters.status ?? ''}
          onChange={(value) => setFilters({ status: value })}
        />
      </FilterBar>
      <DataTable
        label={t`Pending photos`}
        list={list}
        columns={mayEdit ? [...columns, retryColumn] : columns}
        onOpen={({ productId }) => void navigate(`/catalog/products/${productId}`)}
        empty={<EmptyState title={t`No pending photos`}>{t`All photos are stored here.`}</EmptyState>}
      />
    </Page>
  );
}

const columns: readonly Column<Photo>[] = [
  {
    id: 'product',
    header: t`Product`,
    width: '24%',
    cell: ({ productName }) => (
      <Text span inherit fw={600}>
        {productName}
      </Text>
    ),
  },
  {
    id: 'status',
    header: t`State`,
    width: 136,
    cell: ({ status }) => (
      <StatusBadge
        status={status}
        tone={status === 'failed' ? 'bad' : 'waiting'}
        label={status === 'failed' ? t`Failed` : t`Fetching`}
      />
    ),
  },
  {
    id: 'why',
    header: t`Source and error`,
    cell: ({ submittedUrl, failure }) => (
      <span title={failure ?? undefined}>{failure ?? submittedUrl ?? '–'}</span>
    ),
  },
  { id: 'tries', header: t`Attempts`, width: 72, align: 'end', cell: ({ tries }) => tries },
  {
    id: 'last',
    header: t`Last attempt`,
    width: 184,
    align: 'end',
    cell: ({ lastTriedAt }) => <ShopTime at={lastTriedAt} />,
  },
];

const retryColumn: Column<Photo> = {
  id: 'retry',
  header: <span className="unseen">{t`Actions`}</span>,
  width: 120,
  align: 'end',
  cell: (photo) => <RetryButton photo={photo} />,
};

function RetryButton({ photo }: { photo: Photo }) {
  const queryClient = useQueryClient();
  const path = { productId: photo.productId, photoId: photo.id };
  const retry = useWrite({
    mutationFn: () =>
      dataOf(api.POST('/staff/v1/products/{productId}/photos/{photoId}/retry', { params: { path } })),
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['products'] }),
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={retry.isPending}
      aria-label={t`Fetch the photo of ${photo.productName} again`}
      onClick={() => retry.mutate()}
    >
      {t`Try again`}
    </Button>
  );
}
