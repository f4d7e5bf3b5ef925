import { Anchor, Button, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { actorInWords } from '../../parts/actor-in-words.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StockItemPicker } from '../../parts/stock-item-picker.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { t } from '../../words/words.ts';
import { InventoryTabs } from './inventory-tabs.tsx';
import { causeWords, itemName, type LedgerEntry, locationsQuery, signed } from './stock-words.ts';

/** What the service sorts by. */
const sorts = { when: 'createdAt' } as const;

const filterNames = ['productId', 'productOptionId', 'locationId', 'packageId'] as const;

/** All stock changes, newest first, with actor and reason; filtered by one item when opened from it. */
export function Component() {
  const [filters, setFilters] = useFilters(filterNames);
  const locations = useQuery(locationsQuery);
  useLive(['inventory-ledger']);
  const number = (value: string | undefined) => (value === undefined ? undefined : Number(value));
  const query = {
    productId: number(filters.productId),
    productOptionId: number(filters.productOptionId),
    inventoryLocationId: number(filters.locationId),
    packageId: number(filters.packageId),
  };
  const { order, serverSort } = useListSort(sorts);
  const list = useList<LedgerEntry>({
    queryKey: ['inventory-ledger', { ...query, ...order }],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/inventory-ledger', {
          params: { query: { ...query, ...order, startingAfter } },
          signal,
        }),
      ),
  });
  const item = useLedgerItem(filters, list.rows[0]);
  return (
    <Page kind="list">
      <PageHeader title={filters.productId && item ? t`Ledger of ${item.label}` : t`Stock ledger`}>
        {filters.packageId && t`Package ${list.rows[0]?.packageLabel ?? filters.packageId}. `}
        {t`All stock changes, newest first.`}
      </PageHeader>
      <InventoryTabs />
      <FilterBar>
        <StockItemPicker
          aria-label={t`Item`}
          w={320}
          item={item}
          onChange={(next) =>
            setFilters({
              productId: next ? String(next.productId) : null,
              productOptionId: next?.productOptionId ? String(next.productOptionId) : null,
            })
          }
        />
        <Select
          aria-label={t`Location`}
          w={184}
          data={[
            { value: '', label: t`All locations` },
            ...(locations.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value={filters.locationId ?? ''}
          onChange={(locationId) => setFilters({ locationId })}
        />
        {(filters.productId || filters.packageId) && (
          <Button
            variant="subtle"
            onClick={() => setFilters({ productId: null, productOptionId: null, packageId: null })}
          >
            {t`Show all`}
          </Button>
        )}
      </FilterBar>
      <DataTable
        label={t`Stock ledger`}
        list={list}
        serverSort={serverSort}
        columns={columns}
        empty={
          <EmptyState title={t`No stock changes yet`}>
            {t`Receive goods or adjust stock: every change shows here.`}
          </EmptyState>
        }
      />
    </Page>
  );
}

/** The name of the filtered item, from the first entry, or from the product if there are no entries. */
function useLedgerItem(
  filters: Readonly<Partial<Record<(typeof filterNames)[number], string>>>,
  first: LedgerEntry | undefined,
) {
  const productId = Number(filters.productId ?? 0);
  const product = useQuery({
    queryKey: ['products', productId],
    queryFn: () => dataOf(api.GET('/staff/v1/products/{productId}', { params: { path: { productId } } })),
    enabled: productId > 0,
  });
  if (productId === 0) return null;
  const productOptionId = filters.productOptionId ? Number(filters.productOptionId) : null;
  const option = product.data?.options.find(({ id }) => id === productOptionId);
  const productName = product.data?.name ?? first?.productName ?? t`one product`;
  const label = itemName({ productName, optionName: option?.name ?? null });
  return { productId, productOptionId, label };
}

const columns: readonly Column<LedgerEntry>[] = [
  { id: 'when', header: t`When`, width: 184, cell: ({ createdAt }) => <ShopTime at={createdAt} /> },
  {
    id: 'item',
    header: t`Item`,
    wraps: true,
    cell: (entry) => (
      <Anchor component={Link} size="sm" to={`/catalog/products/${entry.productId}`} title={itemName(entry)}>
        {itemName(entry)}
      </Anchor>
    ),
  },
  {
    id: 'where',
    header: t`Where`,
    width: '18%',
    wraps: true,
    cell: ({ locationName, packageLabel }) => (
      <span title={packageLabel ? t`Package ${packageLabel}` : undefined}>
        {locationName}
        {packageLabel && (
          <Text span inherit c="dimmed" className="numbers">
            {' '}
            …{packageLabel.slice(-5)}
          </Text>
        )}
      </span>
    ),
  },
  {
    id: 'change',
    header: t`Change`,
    width: 84,
    align: 'end',
    cell: ({ delta }) => (
      <Text span inherit fw={600}>
        {signed(delta)}
      </Text>
    ),
  },
  {
    id: 'who',
    header: t`Who`,
    width: '14%',
    cell: ({ actor }) => actorInWords(actor),
  },
  {
    id: 'cause',
    header: t`Cause and reason`,
    width: '16%',
    wraps: true,
    cell: ({ cause, orderId, reason }) => (
      <span title={reason ?? undefined}>
        {orderId ? (
          <Anchor component={Link} size="sm" to={`/orders/${orderId}`}>
            {causeWords[cause]}
          </Anchor>
        ) : (
          causeWords[cause]
        )}
        {reason && ` · ${reason}`}
      </span>
    ),
  },
];
