import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useRefresh } from '../../parts/use-refresh.ts';
import { webhooksQuery } from '../../parts/webhooks-query.ts';
import { t } from '../../words/words.ts';
import { IntegrationTabs } from './integration-tabs.tsx';
import { SwitchedOffWebhooks } from './switched-off-webhooks.tsx';
import { type Asked, WebhookDialogs, WebhookMenu } from './webhook-dialogs.tsx';
import { endpointState, shortAddress, typesInWords, type WebhookEndpoint } from './webhook-state-words.ts';

/** The webhook endpoints of all integrators, with their health. */
export function Component() {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked | 'new' | null>(null);
  useLive(['webhook-endpoints']);
  useRefresh('webhook-endpoints', asked === null);
  const endpoints = useQuery(webhooksQuery);
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAsked('new')}>
      {t`New endpoint`}
    </Button>
  );
  return (
    <Page kind="list">
      <PageHeader title={t`Webhooks`} actions={add}>
        {t`Addresses of integrators to which events are sent as they happen, signed and in order.`}
      </PageHeader>
      <IntegrationTabs />
      <SwitchedOffWebhooks />
      <DataTable
        label={t`Webhook endpoints`}
        list={listOf(endpoints, ({ data }) => data)}
        columns={columnsWith(setAsked)}
        onOpen={({ id }) => void navigate(`/integrations/webhooks/${id}`)}
        empty={
          <EmptyState title={t`No webhook endpoints yet`} action={add}>
            {t`Integrators create them by the API, or you create one for them here.`}
          </EmptyState>
        }
      />
      <WebhookDialogs asked={asked} onClose={() => setAsked(null)} />
    </Page>
  );
}

function columnsWith(ask: (asked: Asked) => void): readonly Column<WebhookEndpoint>[] {
  return [
    {
      id: 'address',
      header: t`Address`,
      cell: (endpoint) => <TwoLines name={shortAddress(endpoint)}>{endpoint.integratorName}</TwoLines>,
    },
    { id: 'types', header: t`Events`, width: '22%', wraps: true, cell: typesInWords },
    {
      id: 'state',
      header: t`State`,
      width: 144,
      cell: (endpoint) => <StatusBadge {...endpointState(endpoint)} />,
    },
    {
      id: 'success',
      header: t`Last success`,
      width: 168,
      cell: ({ lastSuccessAt }) => <ShopTime at={lastSuccessAt} />,
    },
    {
      id: 'failing',
      header: t`Failing since`,
      width: 168,
      wideOnly: true,
      cell: ({ failingSince }) => <ShopTime at={failingSince} />,
    },
    {
      id: 'actions',
      header: <span className="unseen">{t`Actions`}</span>,
      width: 72,
      align: 'end',
      cell: (endpoint) => <WebhookMenu endpoint={endpoint} ask={ask} />,
    },
  ];
}
