import { Alert, Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { LastDay } from '../../parts/shop-day.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { useCan } from '../../session/session.tsx';
import { InventoryTabs } from './inventory-tabs.tsx';
import { NewPackageDialog } from './new-package-dialog.tsx';
import { itemName, notSellableWords, type StockLevel } from './stock-words.ts';

/** The packages that have been received, each where it lies. */
export function Component() {
  const navigate = useNavigate();
  const mayEdit = useCan(['manager', 'inventory']);
  const [filters, setFilters] = useFilters(['search']);
  const [isAdding, setAdding] = useState(false);
  useLive(['inventory', 'packages']);
  const query = filters.search ? { search: filters.search } : {};
  const list = useList<StockLevel>({
    queryKey: ['inventory', query],
    page: (startingAfter, signal) =>
      dataOf(api.GET('/staff/v1/inventory', { params: { query: { ...query, startingAfter } }, signal })),
  });
  return (
    <Page kind="list">
      <PageHeader
        title="Packages"
        actions={
          mayEdit && (
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
              New package
            </Button>
          )
        }
      />
      <InventoryTabs />
      <FilterBar>
        <SearchField
          label="Search by product, brand or UPC"
          value={filters.search ?? ''}
          onSearch={(search) => setFilters({ search })}
        />
      </FilterBar>
      <Alert variant="light" color="gray" p="xs">
        Packages that hold stock, or held some. One that is on its way is shown after it is added or imported.
      </Alert>
      <DataTable
        label="Packages"
        list={{ ...list, rows: list.rows.filter(({ packageId }) => packageId !== null) }}
        columns={columns}
        onOpen={({ packageId }) => void navigate(`/inventory/packages/${packageId}`)}
        empty={<EmptyState title="No package fits" />}
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

const columns: readonly Column<StockLevel>[] = [
  {
    id: 'label',
    header: 'Label',
    width: 272,
    cell: ({ packageLabel }) => (
      <Text span inherit fw={600} className="numbers">
        {packageLabel}
      </Text>
    ),
  },
  {
    id: 'item',
    header: 'In it',
    cell: (level) => <span title={`${itemName(level)}, ${level.brandName}`}>{itemName(level)}</span>,
  },
  { id: 'location', header: 'Location', width: 144, cell: ({ locationName }) => locationName },
  { id: 'on-hand', header: 'On hand', width: 96, align: 'end', cell: ({ onHand }) => onHand },
  {
    id: 'state',
    header: 'State',
    width: 136,
    cell: ({ notSellable, onHand }) =>
      notSellable ? (
        <StatusBadge
          status={notSellable}
          tone={notSellable === 'expired' ? 'bad' : 'waiting'}
          label={notSellableWords[notSellable]}
        />
      ) : (
        <StatusBadge
          status={onHand === '0' ? 'empty' : 'active'}
          label={onHand === '0' ? 'Used up' : 'For sale'}
        />
      ),
  },
  {
    id: 'expires',
    header: 'Sold until',
    width: 136,
    align: 'end',
    cell: ({ expirationDate }) => <LastDay day={expirationDate} />,
  },
];
