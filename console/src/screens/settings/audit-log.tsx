import { Anchor, Button, Drawer, Group, Menu, Select, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DayInput } from '../../parts/day-input.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { momentOfShopClock } from '../../parts/shop-moment.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { useCan, useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { dayAfter } from '../reports/report-days.ts';
import { detailLines, detailsInWords, subjectName } from './audit-details.ts';
import { actionInWords, auditSubject, auditSubjects, subjectInWords, subjectPath } from './audit-words.ts';

/** What the service sorts by. */
const sorts = { at: 'at' } as const;

type Entry = Schema['AuditEntry'];

const filterNames = ['actor', 'subject', 'id', 'from', 'to'] as const;
type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** The audit log: every change and every document view, newest first. */
export function Component() {
  const [filters, setFilters] = useFilters(filterNames);
  const [opened, setOpened] = useState<Entry | null>(null);
  const { tz } = useSession().organization;
  const mayExport = useCan('exportAuditLog');
  const query = queryOf(filters, tz);
  const { order, serverSort } = useListSort(sorts);
  const list = useList<Entry>({
    queryKey: ['audit-log', filters, order],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/audit-log', { params: { query: { ...query, ...order, startingAfter } }, signal }),
      ),
  });
  const actors = useActors(list.rows);
  const isFiltered = Object.keys(filters).length > 0;
  const show = (changes: Filters) => {
    setOpened(null);
    setFilters({ actor: null, subject: null, id: null, from: null, to: null, ...changes });
  };
  return (
    <Page kind="list">
      <PageHeader title={t`Audit log`} actions={mayExport && <AuditExport query={query} />}>
        {t`Every change and every view of a customer's document. Each entry is chained to the one before it.`}
      </PageHeader>
      <AuditFilters filters={filters} actors={actors} onChange={setFilters} />
      <DataTable
        label={t`Audit log`}
        list={list}
        serverSort={serverSort}
        columns={columnsWith(actors, tz)}
        onOpen={setOpened}
        empty={
          <EmptyState title={isFiltered ? t`No matching entries` : t`No entries yet`}>
            {isFiltered ? t`Try fewer filters.` : t`Changes by all staff appear here.`}
          </EmptyState>
        }
      />
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        title={opened && actionInWords(opened.action)}
      >
        {opened && <EntryDetail entry={opened} actors={actors} onShow={show} />}
      </Drawer>
    </Page>
  );
}

/** Days are those of the shop, both included. */
function queryOf({ actor, subject, id, from, to }: Filters, tz: string) {
  const subjectType = auditSubject(subject);
  const first = from && momentOfShopClock(`${from}T00:00`, tz);
  const end = to && momentOfShopClock(`${dayAfter(to, 1)}T00:00`, tz);
  return {
    ...(actor && { actor }),
    ...(subjectType && { subjectType }),
    // The service accepts an id only together with a subject type.
    ...(subjectType && id && { subjectId: id }),
    ...(first && { from: first }),
    ...(end && { to: end }),
  };
}

/** What the filters find, as a file from the service. */
function AuditExport({ query }: { query: Readonly<Record<string, string>> }) {
  const link = (format: string) =>
    `/staff/v1/audit-log/export?${new URLSearchParams({ ...query, format }).toString()}`;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={18} aria-hidden />}>
          {t`Download`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={link('csv')} download>
          {t`For spreadsheets (CSV)`}
        </Menu.Item>
        <Menu.Item component="a" href={link('ndjson')} download>
          {t`For programs (NDJSON)`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The actors to filter by: those in the list, the reader, and for an owner all staff. */
function useActors(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const mayListStaff = useCan('listStaff');
  const mayListKeys = useCan('listClientKeys');
  const me = useSession().staff;
  const staff = useQuery({
    queryKey: ['staff'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/staff', { signal })),
    enabled: mayListStaff,
  });
  const keys = useQuery({
    queryKey: ['client-keys'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/client-keys', { signal })),
    enabled: mayListKeys,
  });
  return new Map([
    ...entries.map((it) => [it.actor, it.actorName] as const),
    [`staff:${me.id}`, `${me.firstName} ${me.lastName}`],
    ...(staff.data ?? []).map((it) => [`staff:${it.id}`, `${it.firstName} ${it.lastName}`] as const),
    ...(keys.data ?? []).map((it) => [`key:${it.id}`, `${it.integratorName} (${it.name})`] as const),
  ]);
}

function columnsWith(actors: ReadonlyMap<string, string>, tz: string): readonly Column<Entry>[] {
  return [
    { id: 'at', header: t`Time`, width: 196, cell: (entry) => <ShopTime at={entry.at} style="second" /> },
    { id: 'actor', header: t`Who`, width: '20%', cell: (entry) => entry.actorName },
    {
      id: 'action',
      header: t`What`,
      width: '28%',
      cell: (entry) => <TwoLines name={actionInWords(entry.action)}>{subjectName(entry, actors)}</TwoLines>,
    },
    {
      id: 'details',
      header: t`Details`,
      wraps: true,
      cell: (entry) => (
        <Text span inherit c="dimmed">
          {detailsInWords(entry, tz)}
        </Text>
      ),
    },
  ];
}

function AuditFilters({
  filters,
  actors,
  onChange,
}: {
  filters: Filters;
  actors: ReadonlyMap<string, string>;
  onChange: (changes: Partial<Record<(typeof filterNames)[number], string | null>>) => void;
}) {
  const subject = auditSubject(filters.subject);
  const [id, setId] = useState(filters.id ?? '');
  const applyId = useDebouncedCallback((text: string) => onChange({ id: text.trim() }), 250);
  useEffect(() => setId(filters.id ?? ''), [filters.id]);
  return (
    <FilterBar>
      <Select
        aria-label={t`Who`}
        w={232}
        searchable
        data={[
          { value: '', label: t`All people` },
          ...[...actors].map(([value, label]) => ({ value, label })),
          ...(filters.actor && !actors.has(filters.actor)
            ? [{ value: filters.actor, label: sentence(filters.actor.replace(':', ' ')) }]
            : []),
        ]}
        value={filters.actor ?? ''}
        onChange={(actor) => onChange({ actor })}
      />
      <Select
        aria-label={t`Kind`}
        w={208}
        searchable
        data={[
          { value: '', label: t`All kinds` },
          ...auditSubjects.map((value) => ({ value, label: subjectInWords(value) })),
        ]}
        value={subject ?? ''}
        onChange={(kind) => onChange({ subject: kind, id: null })}
      />
      {subject && (
        <TextInput
          aria-label={t`ID of the ${subjectInWords(subject).toLowerCase()}`}
          placeholder={t`Subject ID`}
          w={232}
          value={id}
          onChange={(event) => {
            setId(event.currentTarget.value);
            applyId(event.currentTarget.value);
          }}
        />
      )}
      <DayInput
        aria-label={t`From`}
        w={152}
        day={filters.from ?? null}
        onChange={(day) => onChange({ from: day, ...(day && filters.to && day > filters.to && { to: day }) })}
      />
      <DayInput
        aria-label={t`Until`}
        w={152}
        day={filters.to ?? null}
        onChange={(day) =>
          onChange({ to: day, ...(day && filters.from && day < filters.from && { from: day }) })
        }
      />
    </FilterBar>
  );
}

function EntryDetail({
  entry,
  actors,
  onShow,
}: {
  entry: Entry;
  actors: ReadonlyMap<string, string>;
  onShow: (filters: Filters) => void;
}) {
  const { tz } = useSession().organization;
  const subject = subjectName(entry, actors) ?? t`This shop`;
  const path = subjectPath(entry.subjectType, entry.subjectId);
  return (
    <>
      <Table variant="vertical" layout="fixed">
        <Table.Tbody>
          <Line label={t`Time`}>
            <ShopTime at={entry.at} style="full" />
          </Line>
          <Line label={t`Who`}>{entry.actorName}</Line>
          <Line label={subjectInWords(entry.subjectType)}>
            {path === null ? (
              subject
            ) : (
              <Anchor component={Link} to={path} inherit>
                {subject}
              </Anchor>
            )}
          </Line>
          {detailLines(entry, tz).map(([label, value]) => (
            <Line key={label} label={label}>
              {value}
            </Line>
          ))}
          <Line label={t`Request ID`}>{entry.requestId ?? '–'}</Line>
        </Table.Tbody>
      </Table>
      <Group mt="md" gap="xs">
        <Button
          variant="default"
          size="xs"
          onClick={() => onShow({ subject: entry.subjectType, id: entry.subjectId })}
        >
          {t`Full history`}
        </Button>
        <Button variant="default" size="xs" onClick={() => onShow({ actor: entry.actor })}>
          {t`All by ${entry.actorName}`}
        </Button>
      </Group>
    </>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" w={136}>
        {label}
      </Table.Th>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{children}</Table.Td>
    </Table.Tr>
  );
}
