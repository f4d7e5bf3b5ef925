import { Button, Group, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { StateDifferenceDialog } from './state-difference-dialog.tsx';
import { differenceWords } from './state-difference-words.ts';
import { stateComparisonsQuery, stateDifferencesQuery } from './state-pages-queries.ts';

type Difference = Schema['StateDifference'];
type Connection = Schema['StateConnection'];

/** Where the state and the books differ, with what people can answer. */
export function StateDifferences({
  connections,
  onOpenReport,
}: {
  connections: readonly Connection[];
  onOpenReport: (id: number) => void;
}) {
  const found = useQuery(stateDifferencesQuery);
  const [answered, setAnswered] = useState<Difference | null>(null);
  return (
    <SectionCard
      title={t`Where the state differs`}
      hint={t`Receipts and packages are compared every few minutes, and everything every night. Nothing at the state changes without you.`}
    >
      {found.error && <LoadFailure error={found.error} onRetry={() => found.refetch()} />}
      {found.data?.length === 0 && (
        <Text size="sm">{t`The state matches what was sold and what is in stock.`}</Text>
      )}
      {found.data !== undefined && found.data.length > 0 && (
        <Table aria-label={t`Where the state differs`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Receipt or package`}</Table.Th>
              <Table.Th>{t`What differs`}</Table.Th>
              <Table.Th ta="end">{t`Here`}</Table.Th>
              <Table.Th ta="end">{t`At the state`}</Table.Th>
              <Table.Th aria-label={t`Open`} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.data.map((it) => (
              <DifferenceRow
                key={`${it.stateConnectionId} ${it.kind} ${it.label ?? it.stateRecordId}`}
                difference={it}
                onOpen={() => setAnswered(it)}
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Comparisons connections={connections} />
      {answered !== null && (
        <StateDifferenceDialog
          difference={answered}
          onOpenReport={onOpenReport}
          onClose={() => setAnswered(null)}
        />
      )}
    </SectionCard>
  );
}

function DifferenceRow({ difference: it, onOpen }: { difference: Difference; onOpen: () => void }) {
  const name = it.label ?? it.number ?? String(it.stateRecordId ?? '');
  return (
    <Table.Tr>
      <Table.Td>
        {it.orderId === null ? name : <Link to={`/orders/${it.orderId}`}>{it.orderNumber ?? t`Order`}</Link>}
        {it.item !== null && (
          <Text size="sm" c="dimmed">
            {it.item}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{differenceWords[it.kind]}</Table.Td>
      <Table.Td ta="end">{it.label === null ? '' : `${it.ours} ${it.unit}`}</Table.Td>
      <Table.Td ta="end">{it.label === null ? '' : `${it.theirs} ${it.unit}`}</Table.Td>
      <Table.Td>
        <Button size="xs" variant="default" aria-label={t`Open ${name}`} onClick={onOpen}>
          {t`Open`}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

function Comparisons({ connections }: { connections: readonly Connection[] }) {
  const comparisons = useQuery({ ...stateComparisonsQuery, refetchInterval: 15_000 });
  const mayAsk = useCan('compareWithState');
  const queryClient = useQueryClient();
  const last = comparisons.data?.find(({ state }) => state === 'done');
  const underWay = comparisons.data?.find(({ state }) => state !== 'done');
  const compare = useWrite({
    mutationFn: async () => {
      for (const { id } of connections) {
        const path = { stateConnectionId: id };
        await dataOf(
          api.POST('/staff/v1/state-connections/{stateConnectionId}/compare', { params: { path } }),
        );
      }
    },
    onSuccess: () => {
      notifyDone(t`Everything is compared now. It takes some minutes.`);
      return queryClient.invalidateQueries({ queryKey: ['state-reports'] });
    },
  });
  return (
    <>
      {last?.finishedAt && (
        <Text size="sm" mt="md">
          {rich`Everything was compared ${<ShopTime at={last.finishedAt} />}: ${last.packages} packages, ${last.receipts} receipts.`}
        </Text>
      )}
      {underWay && (
        <Text size="sm" mt="md">
          {underWay.problem ?? rich`Being compared: read up to ${<ShopTime at={underWay.readUntil} />}.`}
        </Text>
      )}
      <Group mt="md">
        {mayAsk && (
          <Button
            variant="default"
            loading={compare.isPending}
            disabled={underWay !== undefined}
            onClick={() => compare.mutate()}
          >
            {t`Compare everything now`}
          </Button>
        )}
        <Button component="a" variant="default" href="/staff/v1/state-differences/export" download>
          {t`Download as CSV`}
        </Button>
      </Group>
    </>
  );
}
