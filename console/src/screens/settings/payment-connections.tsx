import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { PaymentConnectionDialog, providerInWords } from './payment-connection-dialog.tsx';

type Connection = Schema['PaymentConnection'];

const checkInWords = {
  ready: { label: t`Works`, tone: 'good' },
  offline: { label: t`The terminal is not connected`, tone: 'bad' },
  refused: { label: t`The account or keys are wrong, or of another environment`, tone: 'bad' },
  silent: { label: t`No answer`, tone: 'bad' },
} as const;

/** The terminals and banks that take payments, whether they work, and how to pair one. */
export function Component() {
  const connections = useQuery({
    queryKey: ['payment-connections'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/payment-connections', { signal })),
  });
  useLive(['payment-connections']);
  const mayChange = useCan('createPaymentConnection');
  const [edited, setEdited] = useState<Connection | 'new' | null>(null);
  const add = mayChange && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited('new')}>
      {t`Connect a terminal or a bank`}
    </Button>
  );
  const used = connections.data?.filter(({ archivedAt }) => archivedAt === null) ?? [];
  return (
    <Page>
      <PageHeader title={t`Terminals and banks`} actions={add}>
        {t`Connected payment types take payment at their terminal or bank. Keys are stored encrypted and never shown.`}
      </PageHeader>
      {connections.error && (
        <LoadFailure error={connections.error} onRetry={() => void connections.refetch()} />
      )}
      {connections.data !== undefined && used.length === 0 && (
        <EmptyState title={t`No terminal and no bank is connected`}>
          {t`Staff type in how each sale was paid.`}
        </EmptyState>
      )}
      {used.map((connection) => (
        <ConnectionCard
          key={connection.id}
          connection={connection}
          onChange={mayChange ? () => setEdited(connection) : null}
        />
      ))}
      {edited !== null && <PaymentConnectionDialog edited={edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

function ConnectionCard({ connection, onChange }: { connection: Connection; onChange: (() => void) | null }) {
  const { id, name, provider, baseUrl, eventsUrl, updatedAt } = connection;
  const queryClient = useQueryClient();
  const path = { paymentConnectionId: id };
  const check = useWrite({
    mutationFn: () =>
      dataOf(api.POST('/staff/v1/payment-connections/{paymentConnectionId}/test', { params: { path } })),
    onError: notifyError,
  });
  const archive = useWrite({
    mutationFn: () =>
      dataOf(
        api.PATCH('/staff/v1/payment-connections/{paymentConnectionId}', {
          params: { path },
          headers: ifUnchanged(updatedAt),
          body: { archived: true },
        }),
      ),
    onSuccess: () => {
      notifyDone(t`${name} takes no new payments.`);
      void queryClient.invalidateQueries({ queryKey: ['payment-connections'] });
    },
    onError: notifyError,
  });
  const found = check.data && checkInWords[check.data.state];
  return (
    <SectionCard title={name} hint={providerInWords[provider]}>
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {baseUrl}
        </Text>
        {eventsUrl !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t`Register this address there for webhooks: ${eventsUrl}`}
          </Text>
        )}
        {found && (
          <Group gap="xs" role="status">
            <StatusBadge status={found.label} tone={found.tone} label={found.label} />
            {check.data.code !== null && <Text size="sm">{t`Code ${check.data.code}.`}</Text>}
          </Group>
        )}
        <Group>
          <Button
            size="xs"
            variant="default"
            loading={check.isPending}
            aria-label={t`Test ${name}`}
            onClick={() => check.mutate()}
          >
            {t`Test now`}
          </Button>
          {onChange !== null && (
            <>
              <Button size="xs" variant="default" aria-label={t`Change ${name}`} onClick={onChange}>
                {t`Change`}
              </Button>
              <Button
                size="xs"
                variant="default"
                loading={archive.isPending}
                aria-label={t`Disconnect ${name}`}
                onClick={() => archive.mutate()}
              >
                {t`Disconnect`}
              </Button>
            </>
          )}
          <Anchor component={Link} to="/reports/money" size="sm">
            {t`Open money`}
          </Anchor>
        </Group>
      </Stack>
    </SectionCard>
  );
}
