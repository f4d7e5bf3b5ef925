import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { useRefresh } from '../../parts/use-refresh.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { webhooksQuery } from '../../parts/webhooks-query.ts';
import { NoSuchScreen } from '../../shell/screen-fault.tsx';
import { t } from '../../words/words.ts';
import { IntegrationTabs } from './integration-tabs.tsx';
import { milliseconds } from './request-words.ts';
import { DeliveryDetail } from './webhook-delivery.tsx';
import { type Asked, WebhookDialogs, WebhookMenu } from './webhook-dialogs.tsx';
import { EndpointHealth } from './webhook-health.tsx';
import {
  deliveryTones,
  shortAddress,
  type WebhookDelivery,
  type WebhookEndpoint,
} from './webhook-state-words.ts';

/** What the service sorts by. */
const sorts = { at: 'createdAt' } as const;

/** One webhook endpoint: its health, and its deliveries with their answers. */
export function Component() {
  const id = Number(useParams().webhookEndpointId);
  useLive(['webhook-endpoints']);
  const endpoints = useQuery(webhooksQuery);
  const { data, error } = endpoints;
  const endpoint = data?.data.find((it) => it.id === id);
  if (data && endpoint === undefined) return <NoSuchScreen />;
  return (
    <Page kind="list">
      {!endpoint && <PageHeader title={t`Webhook endpoint`} />}
      {endpoints.isLoading && <Skeleton height={320} radius="md" />}
      {error && !data && <LoadFailure error={error} onRetry={() => endpoints.refetch()} />}
      {endpoint && <KnownEndpoint endpoint={endpoint} />}
    </Page>
  );
}

function KnownEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [openedId, setOpenedId] = useState<number | null>(null);
  useRefresh('webhook-endpoints', asked === null);
  const { order, serverSort } = useListSort(sorts);
  const list = useList<WebhookDelivery>({
    queryKey: ['webhook-endpoints', endpoint.id, 'deliveries', order],
    page: (startingAfter, signal) => {
      const params = { path: { webhookEndpointId: endpoint.id }, query: { ...order, startingAfter } };
      return pageOf(
        api.GET('/staff/v1/webhook-endpoints/{webhookEndpointId}/deliveries', { params, signal }),
      );
    },
  });
  return (
    <>
      <PageHeader title={shortAddress(endpoint)} actions={<WebhookMenu endpoint={endpoint} ask={setAsked} />}>
        {t`Webhook endpoint of ${endpoint.integratorName}`}
      </PageHeader>
      <IntegrationTabs />
      <EndpointHealth endpoint={endpoint} />
      <DataTable
        label={t`Deliveries`}
        list={list}
        serverSort={serverSort}
        columns={columns}
        onOpen={({ id }) => setOpenedId(id)}
        empty={
          <EmptyState title={t`No deliveries yet`}>
            {t`Events appear here as they are sent. The menu sends a test event.`}
          </EmptyState>
        }
      />
      <DeliveryDetail
        endpointId={endpoint.id}
        delivery={list.rows.find(({ id }) => id === openedId) ?? null}
        onClose={() => setOpenedId(null)}
      />
      <WebhookDialogs
        asked={asked}
        onClose={() => setAsked(null)}
        onDeleted={() => void navigate('/integrations/webhooks')}
      />
    </>
  );
}

const columns: readonly Column<WebhookDelivery>[] = [
  {
    id: 'at',
    header: t`Time`,
    width: 208,
    cell: ({ createdAt }) => <ShopTime at={createdAt} style="second" />,
  },
  {
    id: 'type',
    header: t`Event`,
    cell: ({ type }) => (
      <Text span inherit ff="monospace" fz="xs">
        {type}
      </Text>
    ),
  },
  {
    id: 'status',
    header: t`State`,
    width: 120,
    cell: ({ status }) => <StatusBadge status={status} tone={deliveryTones[status]} />,
  },
  {
    id: 'answer',
    header: t`Answer`,
    width: '24%',
    wraps: true,
    cell: ({ lastAttempt }) => lastAttempt?.error ?? lastAttempt?.status ?? '–',
  },
  { id: 'attempts', header: t`Attempts`, width: 96, align: 'end', cell: ({ attempts }) => attempts },
  {
    id: 'ms',
    header: t`Duration`,
    width: 104,
    align: 'end',
    cell: ({ lastAttempt }) => milliseconds(lastAttempt?.milliseconds ?? null),
  },
];
