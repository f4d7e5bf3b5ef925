import { Button, Menu, Stack, Text } from '@mantine/core';
import { IconHistory, IconKey, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { OneTimeSecret } from '../../parts/one-time-secret.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { shopNow } from '../../parts/shop-now.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useAsked } from '../../parts/use-asked.ts';
import { useCan } from '../../session/session.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { clientKeysQuery } from './client-keys-query.ts';
import { IntegrationTabs } from './integration-tabs.tsx';
import { IssueKeyDialog } from './issue-key-dialog.tsx';
import { attentionWords, type ClientKey, grantedWords, keyState } from './key-words.ts';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

type Asked = 'issue' | { readonly rotate: ClientKey } | { readonly revoke: ClientKey } | null;

/** The client keys of integrators: issue, rotate and revoke them. */
export function Component() {
  const queryClient = useQueryClient();
  const keys = useQuery(clientKeysQuery);
  const [asked, setAsked] = useState<Asked>(null);
  const [fresh, setFresh] = useState<Schema['FreshClientKey'] | null>(null);
  const close = () => setAsked(null);
  const mayIssue = useCan('createClientKey');
  useAsked('new', () => mayIssue && setAsked('issue'));
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: ['client-keys'] });
    void queryClient.invalidateQueries({ queryKey: ['integrators'] });
  };
  const show = (key: Schema['FreshClientKey']) => {
    close();
    setFresh(key);
    refresh();
  };
  const issue = mayIssue && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAsked('issue')}>
      {t`Issue key`}
    </Button>
  );
  const revoking = asked !== null && asked !== 'issue' && 'revoke' in asked ? asked.revoke : null;
  const rotating = asked !== null && asked !== 'issue' && 'rotate' in asked ? asked.rotate : null;
  return (
    <Page kind="list">
      <PageHeader title={t`Client keys`} actions={issue}>
        {t`The keys that integrators send with their requests, each with its permissions.`}
      </PageHeader>
      <IntegrationTabs />
      <DataTable
        label={t`Client keys`}
        list={listOf(keys, (rows) => [...rows].reverse())}
        columns={columnsWith(setAsked)}
        empty={
          <EmptyState title={t`No client keys yet`} action={issue}>
            {t`An integrator needs a client key to access the shop.`}
          </EmptyState>
        }
      />
      <IssueKeyDialog opened={asked === 'issue'} onClose={close} onIssued={show} />
      <RotateKeyDialog clientKey={rotating} onClose={close} onRotated={show} />
      <ConfirmDialog
        opened={revoking !== null}
        title={t`Revoke ${revoking?.name}?`}
        action={t`Revoke key`}
        isDangerous
        onClose={close}
        onConfirm={async () => {
          if (revoking === null) return;
          const path = { clientKeyId: revoking.id };
          await dataOf(api.POST('/staff/v1/client-keys/{clientKeyId}/revoke', { params: { path } }));
          notifyDone(t`${revoking.name} is revoked.`);
          refresh();
        }}
      >
        {t`${revoking?.integratorName} loses access with this key within one second. This cannot be undone.`}
      </ConfirmDialog>
      {fresh && (
        <OneTimeSecret
          opened
          title={fresh.name}
          label={t`Client key`}
          secret={fresh.clientKey}
          onClose={() => setFresh(null)}
        >
          <Text size="sm">
            {fresh.publishable
              ? rich`For web pages of ${fresh.integratorName}, alone in the header ${<code>X-Client-Key</code>}.`
              : rich`For ${fresh.integratorName}, in the header ${<code>X-Client-Key</code>}, together with its own ${<code>X-Consumer-Key</code>}.`}
          </Text>
        </OneTimeSecret>
      )}
    </Page>
  );
}

function columnsWith(ask: (asked: Asked) => void): readonly Column<ClientKey>[] {
  return [
    {
      id: 'name',
      header: t`Key`,
      cell: (key) => (
        <TwoLines name={key.name}>
          {key.integratorName} · <code>{key.keyPrefix}…</code>
        </TwoLines>
      ),
    },
    {
      id: 'permissions',
      header: t`Permissions`,
      width: '22%',
      wraps: true,
      cell: (key) => <Permissions of={key} />,
    },
    {
      id: 'state',
      header: t`State`,
      width: '22%',
      cell: (key) => (
        <Stack gap={4} py={4} align="flex-start">
          <StatusBadge status={keyState(key, shopNow())} />
          {key.attention && (
            <StatusBadge status={key.attention} tone="waiting" label={attentionWords[key.attention]} />
          )}
          <Limits of={key} />
        </Stack>
      ),
    },
    {
      id: 'used',
      header: t`Last used`,
      width: 184,
      sortBy: ({ lastUsedAt }) => lastUsedAt ?? undefined,
      cell: (key) => (
        <TwoLines name={<ShopTime at={key.lastUsedAt} />}>
          <span title={key.lastAddresses.join(', ')}>{key.lastAddresses[0]}</span>
        </TwoLines>
      ),
    },
    {
      id: 'actions',
      header: <span className="unseen">{t`Actions`}</span>,
      width: 72,
      align: 'end',
      cell: (key) => <KeyActions of={key} ask={ask} />,
    },
  ];
}

function Permissions({ of: key }: { of: ClientKey }) {
  const words = grantedWords(key);
  return <span title={words}>{words}</span>;
}

/** The limits of a key: expiry, origins, addresses, strictness. */
function Limits({ of: key }: { of: ClientKey }) {
  const addresses = key.allowedAddresses;
  return (
    <Stack gap={0} fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
      {key.revokedAt !== null ? (
        <span>{rich`Revoked ${<ShopTime at={key.revokedAt} style="date" />}`}</span>
      ) : (
        key.expiresAt !== null && <span>{rich`Until ${<ShopTime at={key.expiresAt} style="date" />}`}</span>
      )}
      {key.publishable && (
        <span title={key.origins.join(', ')}>
          {t`For ${key.origins.length === 1 ? key.origins[0] : t`${key.origins.length} origins`}`}
        </span>
      )}
      {addresses.length > 0 && (
        <span title={addresses.join(', ')}>
          {addresses.length === 1 ? addresses[0] : t`${addresses.length} addresses`}
        </span>
      )}
      {key.customers === 'vouched' && <span>{t`Signs customers in itself`}</span>}
      {key.strict && <span>{t`Strict`}</span>}
      {keyState(key, shopNow()) === 'active' && hasFormer(key) && (
        <span>{rich`Previous key until ${<ShopTime at={key.previousEndsAt} style="date" />}`}</span>
      )}
    </Stack>
  );
}

function KeyActions({ of: key, ask }: { of: ClientKey; ask: (asked: Asked) => void }) {
  const works = keyState(key, shopNow()) === 'active';
  return (
    <RowMenu label={t`Actions for ${key.name}`}>
      <Menu.Item
        component={Link}
        to={`/integrations/requests?integrator=${key.integratorId}&key=${key.id}`}
        leftSection={<IconKey size={16} aria-hidden />}
      >
        {t`View requests`}
      </Menu.Item>
      <Menu.Item
        component={Link}
        to={`/settings/audit-log?actor=key:${key.id}`}
        leftSection={<IconHistory size={16} aria-hidden />}
      >
        {t`View changes`}
      </Menu.Item>
      {works && (
        <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => ask({ rotate: key })}>
          {t`Rotate`}
        </Menu.Item>
      )}
      {key.revokedAt === null && (
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => ask({ revoke: key })}
        >
          {t`Revoke`}
        </Menu.Item>
      )}
    </RowMenu>
  );
}

/** The key from before a rotation is still valid. */
function hasFormer({ previousEndsAt }: ClientKey): boolean {
  return previousEndsAt !== null && Date.parse(previousEndsAt) > shopNow();
}
