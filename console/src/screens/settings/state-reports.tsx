import { Button, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { notifyError } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useWrite } from '../../parts/use-write.ts';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { StateConnections } from './state-connections.tsx';
import { StateDifferences } from './state-differences.tsx';
import { StateFiling } from './state-filing.tsx';
import { openReportsQuery, stateConnectionsQuery } from './state-pages-queries.ts';
import { StateReportDialog } from './state-report-dialog.tsx';
import { StateTransfers } from './state-transfers.tsx';

type Report = Schema['StateReport'];

/** The badge that has the color of it. */
const badges: Readonly<Record<Report['state'], string>> = {
  waiting: 'pending',
  sending: 'active',
  unknown: 'pending',
  accepted: 'approved',
  refused: 'rejected',
  superseded: 'archived',
  'done-by-hand': 'approved',
};

/** Where a report is, in the words of the counter. */
const stateWords: Readonly<Record<Report['state'], string>> = {
  waiting: t`Waits to be sent`,
  sending: t`Is being sent`,
  unknown: t`May have arrived: checking`,
  accepted: t`The state has it`,
  refused: t`Refused: a person decides`,
  superseded: t`Replaced by a later one`,
  'done-by-hand': t`Entered by hand`,
};

/** What the state does not know, why and until when; where the state and the books differ; and how licenses report. */
export function Component() {
  useLive(['state-reports', 'state-connections', 'orders', 'compliance-transfers']);
  const connections = useQuery(stateConnectionsQuery);
  const [opened, setOpened] = useState<number | null>(null);
  return (
    <Page kind="form">
      <PageHeader title={t`State reports`}>
        {t`Each sale becomes a receipt in the state's system. Here is what is not reported yet, and why.`}
      </PageHeader>
      {connections.error && <LoadFailure error={connections.error} onRetry={() => connections.refetch()} />}
      {!connections.error && !connections.data && <Skeleton height={320} />}
      {connections.data && (
        <Stack>
          {connections.data.length > 0 && <OpenReports onOpen={setOpened} />}
          {connections.data.length > 0 && (
            <StateDifferences connections={connections.data} onOpenReport={setOpened} />
          )}
          {connections.data
            .filter(({ system, isOn }) => system !== 'metrc' && isOn)
            .map((connection) => (
              <StateFiling key={connection.id} connection={connection} />
            ))}
          {connections.data.some(({ system }) => system === 'metrc') && <StateTransfers />}
          <StateConnections connections={connections.data} />
        </Stack>
      )}
      {opened !== null && <StateReportDialog id={opened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

function OpenReports({ onOpen }: { onOpen: (id: number) => void }) {
  const reports = useQuery({ ...openReportsQuery, refetchInterval: 15_000 });
  return (
    <SectionCard
      title={t`Not yet reported to the state`}
      hint={t`Reports are sent until the state has them. Keep selling while they wait.`}
    >
      {reports.error && <LoadFailure error={reports.error} onRetry={() => reports.refetch()} />}
      {reports.data?.length === 0 && <Text size="sm">{t`Every sale is reported to the state.`}</Text>}
      {reports.data !== undefined && reports.data.length > 0 && (
        <>
          <Table aria-label={t`Not yet reported to the state`}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t`Sold`}</Table.Th>
                <Table.Th>{t`Order`}</Table.Th>
                <Table.Th>{t`Why`}</Table.Th>
                <Table.Th>{t`Until when`}</Table.Th>
                <Table.Th aria-label={t`Open`} />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {reports.data.map((report) => (
                <OpenReport key={report.id} report={report} onOpen={() => onOpen(report.id)} />
              ))}
            </Table.Tbody>
          </Table>
          <OpenReportsFile />
        </>
      )}
    </SectionCard>
  );
}

/** For the day on which the state's system is down: all of them, as a person types them there. */
function OpenReportsFile() {
  const load = useWrite({
    mutationFn: async () => {
      const { data } = await api.GET('/staff/v1/state-report-file', { parseAs: 'blob' });
      return data as unknown as Blob;
    },
    onSuccess: (file) => saveFile(file, 'state-reports.csv'),
    onError: notifyError,
  });
  return (
    <Button mt="md" variant="default" loading={load.isPending} onClick={() => load.mutate()}>
      {t`Download as CSV`}
    </Button>
  );
}

function badgeOf({ isLate, state }: Report): string {
  return isLate ? badges.refused : badges[state];
}

function OpenReport({ report, onOpen }: { report: Report; onOpen: () => void }) {
  return (
    <Table.Tr>
      <Table.Td>
        <ShopTime at={report.occurredAt} />
      </Table.Td>
      <Table.Td>
        {report.orderId !== null && (
          <Link to={`/orders/${report.orderId}`}>{report.orderNumber ?? t`Order`}</Link>
        )}
      </Table.Td>
      <Table.Td>
        <StatusBadge status={badgeOf(report)} label={stateWords[report.state]} />
        {report.problem !== null && <Text size="sm">{report.problem}</Text>}
        {report.nextAt !== null && report.attempts > 0 && (
          <Text size="sm" c="dimmed">
            {rich`Next try ${<ShopTime at={report.nextAt} />}`}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{report.dueAt === null ? t`No time is known` : <ShopTime at={report.dueAt} />}</Table.Td>
      <Table.Td>
        <Button size="xs" variant="default" aria-label={t`Open ${report.number}`} onClick={onOpen}>
          {t`Open`}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
