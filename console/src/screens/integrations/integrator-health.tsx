import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { grouped } from '../../parts/dollars.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useLive } from '../../parts/use-live.ts';
import { t } from '../../words/words.ts';
import { IntegrationTabs } from './integration-tabs.tsx';
import { milliseconds } from './request-words.ts';
import { SwitchedOffWebhooks } from './switched-off-webhooks.tsx';

type Row = Schema['IntegratorHealth'] & { readonly id: number };

const columns: readonly Column<Row>[] = [
  {
    id: 'name',
    header: t`Integrator`,
    wraps: true,
    cell: (row) => (
      <Text span inherit fw={600}>
        {row.integratorName}
      </Text>
    ),
  },
  { id: 'state', header: t`Last 24 hours`, width: 152, cell: (row) => <Health row={row} /> },
  { id: 'requests', header: t`Requests`, width: 96, align: 'end', cell: (row) => count(row.requests) },
  { id: 'refused', header: t`Refused`, width: 88, align: 'end', cell: (row) => count(row.refused) },
  { id: 'failed', header: t`Failed`, width: 80, align: 'end', cell: (row) => count(row.failed) },
  {
    id: 'median',
    header: t`Median`,
    width: 96,
    wideOnly: true,
    align: 'end',
    cell: (row) => milliseconds(row.medianMs),
  },
  { id: 'p95', header: t`p95`, width: 96, align: 'end', cell: (row) => milliseconds(row.p95Ms) },
  {
    id: 'last',
    header: t`Last seen`,
    width: 184,
    align: 'end',
    cell: (row) => <ShopTime at={row.lastRequestAt} />,
  },
];

/** The integrators that use the API, and the health of their requests. */
export function Component() {
  const navigate = useNavigate();
  useLive(['webhook-endpoints']);
  const health = useQuery({
    queryKey: ['integrators', 'health'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/integrators/health', { signal })),
    refetchInterval: 15_000,
  });
  return (
    <Page kind="list">
      <PageHeader title={t`Integrations`}>
        {t`The integrators that use the API, and the health of their requests.`}
      </PageHeader>
      <IntegrationTabs />
      <SwitchedOffWebhooks />
      <DataTable
        label={t`Integrators`}
        list={listOf(health, (rows) => rows.map((row) => ({ ...row, id: row.integratorId })))}
        columns={columns}
        maxHeight={640}
        onOpen={({ id }) => void navigate(`/integrations/requests?integrator=${id}`)}
        empty={
          <EmptyState
            title={t`No integrators yet`}
            action={
              <Button component={Link} to="/integrations/keys" variant="default">
                {t`Client keys`}
              </Button>
            }
          >
            {t`An integrator appears here once it has a client key.`}
          </EmptyState>
        }
      />
    </Page>
  );
}

const healthWords = {
  silent: { tone: 'neutral', label: t`No requests` },
  healthy: { tone: 'good', label: t`Healthy` },
  disturbed: { tone: 'waiting', label: t`Degraded` },
  failing: { tone: 'bad', label: t`Failing` },
} as const;

/** The health of an integrator, with what makes it so: server errors before refusals. */
function Health({ row: { state, requests, refused, failed } }: { row: Row }) {
  const share = (part: number) => `${Math.round((part / requests) * 1000) / 10} %`;
  const reason =
    state === 'silent' || state === 'healthy'
      ? undefined
      : failed > 0
        ? t`${share(failed)} of the requests failed`
        : t`${share(refused)} of the requests were refused`;
  return (
    <span title={reason}>
      <StatusBadge status={state} {...healthWords[state]} />
    </span>
  );
}

function count(number: number): string {
  return grouped(String(number));
}
