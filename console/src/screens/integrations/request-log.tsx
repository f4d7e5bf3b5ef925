import { Select, Switch, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, type Schema } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useRefresh } from '../../parts/use-refresh.ts';
import { t } from '../../words/words.ts';
import { clientKeysQuery } from './client-keys-query.ts';
import { IntegrationTabs } from './integration-tabs.tsx';
import { RequestDetail } from './request-detail.tsx';
import { milliseconds, toneOfStatus } from './request-words.ts';

type ApiRequest = Schema['ApiRequest'];

const filterNames = ['integrator', 'key', 'status', 'code', 'path'] as const;
type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

const columns: readonly Column<ApiRequest>[] = [
  { id: 'at', header: t`Time`, width: 208, cell: (row) => <ShopTime at={row.at} style="second" /> },
  { id: 'who', header: t`Integrator`, width: '16%', cell: (row) => row.integratorName },
  {
    id: 'what',
    header: t`Request`,
    wraps: true,
    cell: (row) => (
      <Text span inherit ff="monospace" fz="xs" title={row.path}>
        {row.method} {row.path}
      </Text>
    ),
  },
  {
    id: 'status',
    header: t`Status`,
    width: 80,
    cell: (row) => <StatusBadge status={String(row.status)} tone={toneOfStatus(row.status)} />,
  },
  { id: 'code', header: t`Code`, width: '21%', cell: (row) => row.code ?? '–' },
  { id: 'ms', header: t`Duration`, width: 104, align: 'end', cell: (row) => milliseconds(row.ms) },
];

/** The integrators' requests of the last 30 days with their replies, newest first, refreshed automatically. */
export function Component() {
  const [filters, setFilters] = useFilters(filterNames);
  const [isLive, setLive] = useState(true);
  const [opened, setOpened] = useState<ApiRequest | null>(null);
  useRefresh('api-requests', isLive && opened === null);
  const list = useList<ApiRequest>({
    queryKey: ['api-requests', filters],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/api-requests', { params: { query: queryOf(filters, startingAfter) }, signal }),
      ),
  });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page kind="list">
      <PageHeader
        title={t`Request log`}
        actions={
          <Switch
            label={t`Auto-refresh`}
            checked={isLive}
            onChange={(event) => setLive(event.currentTarget.checked)}
          />
        }
      >
        {t`Requests with your client keys in the last 30 days, also refused ones, without their content.`}
      </PageHeader>
      <IntegrationTabs />
      <RequestFilters filters={filters} onChange={setFilters} />
      <DataTable
        label={t`Requests`}
        list={list}
        columns={columns}
        onOpen={setOpened}
        empty={
          <EmptyState title={isFiltered ? t`No matching requests` : t`No requests yet`}>
            {isFiltered ? t`Try fewer filters.` : t`Requests appear here within seconds.`}
          </EmptyState>
        }
      />
      <RequestDetail request={opened} onClose={() => setOpened(null)} />
    </Page>
  );
}

function queryOf(filters: Filters, startingAfter: string | undefined) {
  return {
    ...(filters.integrator && { integratorId: Number(filters.integrator) }),
    ...(filters.key && { clientKeyId: Number(filters.key) }),
    ...(filters.status && { status: filters.status }),
    ...(filters.code && { code: filters.code }),
    ...(filters.path && { path: filters.path }),
    startingAfter,
  };
}

const statuses = [
  { value: '', label: t`All statuses` },
  { value: '2xx', label: t`Succeeded (2xx)` },
  { value: '4xx', label: t`Refused (4xx)` },
  { value: '5xx', label: t`Failed (5xx)` },
  ...['400', '401', '403', '404', '409', '429', '499', '500', '503'].map((value) => ({
    value,
    label: value,
  })),
];

function RequestFilters({
  filters,
  onChange,
}: {
  filters: Filters;
  onChange: (changes: Partial<Record<(typeof filterNames)[number], string | null>>) => void;
}) {
  const keys = useQuery(clientKeysQuery).data ?? [];
  const integrators = new Map(keys.map((key) => [String(key.integratorId), key.integratorName]));
  const ofIntegrator = keys.filter(
    ({ integratorId }) => !filters.integrator || String(integratorId) === filters.integrator,
  );
  return (
    <FilterBar>
      <SearchField
        label={t`Path starts with`}
        width={208}
        value={filters.path ?? ''}
        onSearch={(path) => onChange({ path: path.trim() })}
      />
      <Select
        aria-label={t`Integrator`}
        w={184}
        data={[
          { value: '', label: t`All integrators` },
          ...[...integrators].map(([value, label]) => ({ value, label })),
        ]}
        value={filters.integrator ?? ''}
        onChange={(integrator) => onChange({ integrator, key: null })}
      />
      <Select
        aria-label={t`Client key`}
        w={176}
        data={[
          { value: '', label: t`All keys` },
          ...ofIntegrator.map(({ id, name, keyPrefix }) => ({
            value: String(id),
            label: `${name} (${keyPrefix}…)`,
          })),
        ]}
        value={filters.key ?? ''}
        onChange={(key) => onChange({ key })}
      />
      <Select
        aria-label={t`Status`}
        w={168}
        data={statuses}
        value={filters.status ?? ''}
        onChange={(status) => onChange({ status })}
      />
      <CodeFilter code={filters.code ?? ''} onChange={(code) => onChange({ code })} />
    </FilterBar>
  );
}

/** Codes are upper case; input in any case works. */
function CodeFilter({ code, onChange }: { code: string; onChange: (code: string) => void }) {
  const [typed, setTyped] = useState(code);
  const apply = useDebouncedCallback((text: string) => onChange(text.trim().toUpperCase()), 250);
  useEffect(() => setTyped(code), [code]);
  return (
    <TextInput
      aria-label={t`Code`}
      placeholder={t`Code, such as OUT_OF_STOCK`}
      w={272}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        apply(event.currentTarget.value);
      }}
    />
  );
}
