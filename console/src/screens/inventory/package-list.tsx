import { Button, Select, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { LastDay } from '../../parts/shop-day.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useAsked } from '../../parts/use-asked.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { useCan } from '../../session/session.tsx';
import { said, t } from '../../words/words.ts';
import { InventoryTabs } from './inventory-tabs.tsx';
import { NewPackageDialog } from './new-package-dialog.tsx';
import { PackageState, packageStates } from './package-state.tsx';
import { notSellableWords, type Package } from './stock-words.ts';

/** What the service sorts by; a search has its own order. */
const sorts = {
  label: 'label',
  state: 'status',
  amount: 'initialAmount',
  expires: 'expirationDate',
} as const;

const statuses = Object.keys(packageStates) as Package['status'][];

/** All packages, newest first: incoming, received and finished. */
export function Component() {
  const navigate = useNavigate();
  const mayEdit = useCan('createPackage');
  const [filters, setFilters] = useFilters(['search', 'status']);
  const [isAdding, setAdding] = useState(false);
  useLive(['packages']);
  useAsked('new', () => mayEdit && setAdding(true));
  const status = statuses.find((it) => it === filters.status);
  const query = { ...(filters.search && { search: filters.search }), ...(status && { status }) };
  const isFiltered = Object.keys(query).length > 0;
  const { order, serverSort } = useListSort(sorts, Boolean(filters.search));
  const list = useList<Package>({
    queryKey: ['packages', 'list', { ...query, ...order }],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/packages', { params: { query: { ...query, ...order, startingAfter } }, signal }),
      ),
  });
  return (
    <Page kind="list">
      <PageHeader
        title={t`Packages`}
        actions={
          mayEdit && (
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
              {t`New package`}
            </Button>
          )
        }
      />
      <InventoryTabs />
      <FilterBar>
        <SearchField
          label={t`Search by label or product`}
          value={filters.search ?? ''}
          onSearch={(search) => setFilters({ search })}
        />
        <Select
          aria-label={t`State`}
          w={168}
          data={[
            { value: '', label: t`All statuses` },
            ...statuses.map((value) => ({ value, label: packageStates[value].label })),
          ]}
          value={status ?? ''}
          allowDeselect={false}
          onChange={(value) => setFilters({ status: value })}
        />
      </FilterBar>
      <DataTable
        label={t`Packages`}
        list={list}
        serverSort={serverSort}
        columns={columns}
        onOpen={({ id }) => void navigate(`/inventory/packages/${id}`)}
        empty={
          <EmptyState title={isFiltered ? t`No matching packages` : t`No packages yet`}>
            {isFiltered ? t`Try fewer words or another status.` : t`Add one, or import an incoming transfer.`}
          </EmptyState>
        }
      />
      {isAdding && (
        <NewPackageDialog
          onClose={() => setAdding(false)}
          onAdded={({ id }) => void navigate(`/inventory/packages/${id}`)}
        />
      )}
    </Page>
  );
}

/** The state of a package; for a received one also why it is not for sale. */
function SaleState({ pack }: { pack: Package }) {
  if (pack.status !== 'received' || !(pack.onHold || pack.tradeSample)) return <PackageState {...pack} />;
  return (
    <StatusBadge
      status="not-sold"
      tone="waiting"
      label={notSellableWords[pack.onHold ? 'on-hold' : 'trade-sample']}
    />
  );
}

const columns: readonly Column<Package>[] = [
  {
    id: 'label',
    header: t`Label`,
    width: 232,
    cell: ({ label }) => (
      <Text span ff="monospace" fz={13} truncate title={label}>
        {label}
      </Text>
    ),
  },
  {
    id: 'item',
    header: t`Product`,
    wraps: true,
    cell: ({ product, externalProductName }) => {
      const name = product?.name ?? externalProductName ?? '–';
      return <span title={name}>{name}</span>;
    },
  },
  { id: 'state', header: t`State`, width: 144, cell: (pack) => <SaleState pack={pack} /> },
  {
    id: 'amount',
    header: t`Initial amount`,
    width: 120,
    align: 'end',
    cell: ({ initialAmount, unit }) => `${initialAmount} ${said(unit).toLowerCase()}`,
  },
  {
    id: 'expires',
    header: t`On sale until`,
    width: 176,
    align: 'end',
    cell: ({ expirationDate }) => <LastDay day={expirationDate} />,
  },
];
