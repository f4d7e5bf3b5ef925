import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { api, type Schema } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { t } from '../../words/words.ts';
import { DaysFilter } from '../reports/days-filter.tsx';
import { ReportTabs } from '../reports/report-tabs.tsx';
import { OverShort } from './drawer-report.tsx';
import { DrawerReportDialog } from './drawer-report-dialog.tsx';
import { registersQuery } from './registers-query.ts';

/** What the service sorts by. */
const sorts = { opened: 'openedAt', closed: 'closedAt' } as const;

type Session = Schema['DrawerSession'];

const overShortOf = ({ payments }: Session): number | null =>
  payments?.every(({ overShort }) => overShort !== null)
    ? payments.reduce((sum, { overShort }) => sum + (overShort ?? 0), 0)
    : null;

const columns: readonly Column<Session>[] = [
  { id: 'register', header: t`Register`, cell: ({ registerName }) => registerName },
  {
    id: 'day',
    header: t`Business day`,
    width: 150,
    wideOnly: true,
    cell: ({ businessDay }) => dayInWords(businessDay),
  },
  { id: 'opened', header: t`Opened`, width: 180, cell: ({ openedAt }) => <ShopTime at={openedAt} /> },
  {
    id: 'by',
    header: t`By`,
    width: 160,
    wideOnly: true,
    cell: ({ openedBy }) => `${openedBy.firstName} ${openedBy.lastName}`,
  },
  {
    id: 'closed',
    header: t`Closed`,
    width: 180,
    cell: ({ closedAt }) =>
      closedAt === null ? (
        <StatusBadge status="open" tone="good" label={t`Open`} />
      ) : (
        <ShopTime at={closedAt} />
      ),
  },
  {
    id: 'sales',
    header: t`Sales`,
    width: 120,
    align: 'end',
    cell: ({ payments }) => <Money cents={payments?.reduce((sum, { sales }) => sum + sales, 0)} />,
  },
  {
    id: 'overShort',
    header: t`Over or short`,
    width: 170,
    align: 'end',
    cell: (session) => <OverShort cents={overShortOf(session)} />,
  },
];

/** All drawer sessions, newest first; a row opens its report. */
export function Component() {
  const [parameters, setParameters] = useSearchParams();
  const registers = useQuery(registersQuery);
  useLive(['drawer-sessions', 'registers', 'orders']);
  const register = parameters.get('register');
  const registerId = register === null ? undefined : Number(register);
  const from = parameters.get('from') ?? undefined;
  const to = parameters.get('to') ?? undefined;
  const { order, serverSort } = useListSort(sorts);
  const list = useList<Session>({
    queryKey: ['drawer-sessions', { registerId, from, to, ...order }],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/drawer-sessions', {
          params: { query: { registerId, from, to, ...order, startingAfter } },
          signal,
        }),
      ),
  });
  const set = (changes: Readonly<Record<string, string | null>>) => {
    const next = new URLSearchParams(parameters);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    setParameters(next, { replace: true });
  };
  const session = Number(parameters.get('session'));
  return (
    <Page kind="list">
      <PageHeader title={t`Drawers`}>
        {t`What each drawer took, what it should have held, and what was counted.`}
      </PageHeader>
      <ReportTabs />
      <FilterBar>
        <Select
          aria-label={t`Register`}
          w={240}
          clearable
          placeholder={t`All registers`}
          data={choicesOr(
            (registers.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
            registers,
            createHints.registers,
          )}
          value={register}
          onChange={(value) => set({ register: value })}
        />
        <DaysFilter
          labels={{ days: t`Business days`, from: t`Opened from`, to: t`Opened until` }}
          from={from}
          to={to}
          onChange={set}
        />
      </FilterBar>
      <DataTable
        label={t`Drawer sessions`}
        list={list}
        serverSort={serverSort}
        columns={columns}
        onOpen={({ id }) => set({ session: String(id) })}
        empty={
          from === undefined && to === undefined && register === null ? (
            <EmptyState title={t`No drawer was opened yet`}>{t`Open one at the point of sale.`}</EmptyState>
          ) : (
            <EmptyState title={t`No drawer matches`}>{t`Try fewer filters.`}</EmptyState>
          )
        }
      />
      {session > 0 && <DrawerReportDialog sessionId={session} onClose={() => set({ session: null })} />}
    </Page>
  );
}
