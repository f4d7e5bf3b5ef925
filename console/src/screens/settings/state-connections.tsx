import { Button, Group, List, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { StateConnectionDialog } from './state-connection-dialog.tsx';

type Connection = Schema['StateConnection'];

/** How each license reports, what the state lets it do, and whether it lets it in. */
export function StateConnections({ connections }: { connections: readonly Connection[] }) {
  const mayChange = useCan('createStateConnection');
  const [edited, setEdited] = useState<Connection | 'new' | null>(null);
  return (
    <SectionCard
      title={t`Licenses`}
      hint={t`How each license reaches the state's system. Keys are stored encrypted and never shown.`}
    >
      <Stack>
        {connections.length === 0 && (
          <Text size="sm">{t`No license is connected: sales are entered on the state's website.`}</Text>
        )}
        {connections.map((connection) => (
          <License
            key={connection.id}
            connection={connection}
            onChange={mayChange ? () => setEdited(connection) : null}
          />
        ))}
        {mayChange && (
          <Group>
            <Button onClick={() => setEdited('new')}>{t`Connect a license`}</Button>
          </Group>
        )}
      </Stack>
      {edited !== null && <StateConnectionDialog edited={edited} onClose={() => setEdited(null)} />}
    </SectionCard>
  );
}

function License({ connection, onChange }: { connection: Connection; onChange: (() => void) | null }) {
  const queryClient = useQueryClient();
  const { id, licenseNumber, facilityName, problem, isOn, probedAt, abilities } = connection;
  const probe = useWrite({
    mutationFn: () =>
      dataOf(
        api.POST('/staff/v1/state-connections/{stateConnectionId}/probe', {
          params: { path: { stateConnectionId: id } },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['state-connections'] }),
  });
  const tone = !isOn ? 'neutral' : problem === null && probedAt !== null ? 'good' : 'bad';
  const label = !isOn
    ? t`Off`
    : problem !== null
      ? t`Access denied`
      : probedAt === null
        ? t`Not asked yet`
        : t`Connected`;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={600}>{facilityName === null ? licenseNumber : `${facilityName}, ${licenseNumber}`}</Text>
        <StatusBadge status={label} tone={tone} label={label} />
      </Group>
      {problem !== null && <Text size="sm">{problem}</Text>}
      {connection.isStandIn && (
        <Text size="sm">{t`The operator sends all reports to another server: ${connection.address}`}</Text>
      )}
      {abilities.length > 0 && (
        <List size="sm">
          {abilities
            .filter((it) => it.isOn)
            .map(({ name, words }) => (
              <List.Item key={name}>{words}</List.Item>
            ))}
        </List>
      )}
      {probedAt !== null && (
        <Text size="sm" c="dimmed">
          {rich`Asked ${<ShopTime at={probedAt} />}`}
        </Text>
      )}
      {onChange !== null && (
        <Group>
          <Button size="xs" variant="default" aria-label={t`Change ${licenseNumber}`} onClick={onChange}>
            {t`Change`}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={probe.isPending}
            aria-label={t`Ask the state now about ${licenseNumber}`}
            onClick={() => probe.mutate()}
          >
            {t`Ask the state now`}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
