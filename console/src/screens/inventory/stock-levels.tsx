import { Button, Menu, Select, Text } from '@mantine/core';
import { IconClipboardCheck, IconPlusMinus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { LastDay } from '../../parts/shop-day.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useAsked } from '../../parts/use-asked.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { CameraScan } from '../../scanner/camera-scan.tsx';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { InventoryTabs } from './inventory-tabs.tsx';
import { PackageTag } from './package-tag.tsx';
import { StockDialog, type StockTask } from './stock-dialog.tsx';
import { itemName, ledgerPath, locationsQuery, notSellableWords, type StockLevel } from './stock-words.ts';

/** What the service sorts by; a search has its own order. */
const sorts = {
  item: 'productName',
  location: 'locationName',
  'on-hand': 'onHand',
  expires: 'expirationDate',
} as const;

/** Stock levels: every item at every location, by package, with its actions. */
export function Component() {
  const navigate = useNavigate();
  const mayEdit = useCan('adjustStock');
  const [filters, setFilters] = useFilters(['search', 'location']);
  const [task, setTask] = useState<StockTask | null>(null);
  const locations = useQuery(locationsQuery);
  useLive(['inventory', 'inventory-locations']);
  useAsked('adjust', () => mayEdit && setTask({ kind: 'adjust', level: null, adds: true }));
  const query = {
    ...(filters.search && { search: filters.search }),
    ...(filters.location && { locationId: Number(filters.location) }),
  };
  const { order, serverSort } = useListSort(sorts, Boolean(filters.search));
  const list = useList<StockLevel>({
    queryKey: ['inventory', { ...query, ...order }],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/inventory', { params: { query: { ...query, ...order, startingAfter } }, signal }),
      ),
  });
  const isFiltered = Object.keys(query).length > 0;
  return (
    <Page kind="list">
      <PageHeader
        title={t`Stock`}
        actions={
          mayEdit && (
            <>
              <Button
                variant="default"
                component={Link}
                to={filters.location ? `/inventory/count?location=${filters.location}` : '/inventory/count'}
                leftSection={<IconClipboardCheck size={18} aria-hidden />}
              >
                {t`Count a location`}
              </Button>
              <Button
                leftSection={<IconPlusMinus size={18} aria-hidden />}
                onClick={() => setTask({ kind: 'adjust', level: null })}
              >
                {t`Adjust`}
              </Button>
            </>
          )
        }
      />
      <InventoryTabs />
      <CameraScan />
      <FilterBar>
        <SearchField
          label={t`Search by product, brand or UPC`}
          value={filters.search ?? ''}
          onSearch={(search) => setFilters({ search })}
        />
        <Select
          aria-label={t`Location`}
          w={184}
          data={[
            { value: '', label: t`All locations` },
            ...(locations.data ?? []).map(({ id, name, archivedAt }) => ({
              value: String(id),
              label: archivedAt ? t`${name} (archived)` : name,
            })),
          ]}
          value={filters.location ?? ''}
          onChange={(location) => setFilters({ location })}
        />
      </FilterBar>
      <DataTable
        label={t`Stock`}
        list={list}
        serverSort={serverSort}
        columns={mayEdit ? [...columns, actionColumn(setTask, (path) => void navigate(path))] : columns}
        {...(mayEdit && { onOpen: (level: StockLevel) => void navigate(ledgerPath(level)) })}
        empty={
          <EmptyState title={isFiltered ? t`No matching stock` : t`No stock yet`}>
            {isFiltered
              ? t`Try fewer words or another location.`
              : t`Receive a purchase order or a package, or adjust stock.`}
          </EmptyState>
        }
      />
      {task && <StockDialog task={task} onClose={() => setTask(null)} />}
    </Page>
  );
}

const columns: readonly Column<StockLevel>[] = [
  {
    id: 'item',
    header: t`Item`,
    wraps: true,
    cell: (level) => (
      <span title={[itemName(level), level.brandName].filter(Boolean).join(', ')}>
        <Text span inherit fw={600}>
          {level.productName}
        </Text>
        {level.optionName !== null && ` · ${level.optionName}`}
        <Text span inherit c="dimmed">
          {' '}
          {level.brandName}
        </Text>
      </span>
    ),
  },
  { id: 'location', header: t`Location`, width: 128, cell: ({ locationName }) => locationName },
  {
    id: 'package',
    header: t`Package`,
    width: 120,
    cell: ({ packageLabel }) => <PackageTag label={packageLabel} />,
  },
  { id: 'on-hand', header: t`On hand`, width: 96, align: 'end', cell: ({ onHand }) => onHand },
  {
    id: 'sellable',
    header: t`Available`,
    width: 128,
    align: 'end',
    cell: ({ sellable, notSellable }) =>
      notSellable ? (
        <StatusBadge
          status={notSellable}
          tone={notSellable === 'expired' ? 'bad' : 'waiting'}
          label={notSellableWords[notSellable]}
        />
      ) : (
        sellable
      ),
  },
  {
    id: 'expires',
    header: t`On sale until`,
    width: 176,
    align: 'end',
    cell: ({ expirationDate }) => <LastDay day={expirationDate} />,
  },
];

function actionColumn(onDo: (task: StockTask) => void, onGo: (path: string) => void): Column<StockLevel> {
  return {
    id: 'actions',
    header: <span className="unseen">{t`Actions`}</span>,
    width: 72,
    align: 'end',
    cell: (level) => (
      <RowMenu label={t`More for ${itemName(level)} at ${level.locationName}`}>
        <Menu.Item onClick={() => onDo({ kind: 'adjust', level })}>{t`Adjust`}</Menu.Item>
        <Menu.Item onClick={() => onDo({ kind: 'count', level })}>{t`Count`}</Menu.Item>
        <Menu.Item onClick={() => onDo({ kind: 'move', level })}>{t`Move`}</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => onGo(ledgerPath(level))}>{t`Ledger`}</Menu.Item>
        {level.packageId !== null && (
          <Menu.Item onClick={() => onGo(`/inventory/packages/${level.packageId}`)}>{t`Package`}</Menu.Item>
        )}
        <Menu.Item onClick={() => onGo(`/catalog/products/${level.productId}`)}>{t`Product`}</Menu.Item>
      </RowMenu>
    ),
  };
}
