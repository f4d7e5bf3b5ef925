import { Button, Checkbox, Select, Text } from '@mantine/core';
import { IconPlus, IconStarFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { type List, pageOf, useList } from '../../parts/use-list.ts';
import { useLive } from '../../parts/use-live.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { CameraScan } from '../../scanner/camera-scan.tsx';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { BulkProductBar } from './bulk-product-bar.tsx';
import classes from './catalog.module.css';
import { CatalogTabs } from './catalog-tabs.tsx';
import { LackingFacts } from './lacking-facts.tsx';
import { ProductThumbnail } from './product-thumbnail.tsx';
import { categoriesQuery, type ListedProduct, priceRange, subCategoriesQuery } from './product-words.ts';

const filterNames = ['search', 'active', 'category', 'subCategory', 'sort'] as const;

/** All products, on the menu or not: search, open, and change several at once. */
export function Component() {
  const navigate = useNavigate();
  const [filters, setFilters] = useFilters(filterNames);
  const [chosen, setChosen] = useState<ReadonlyMap<number, ListedProduct>>(new Map());
  const mayEdit = useCan('staffCreateProduct');
  const categories = useQuery(categoriesQuery);
  const subCategories = useQuery(subCategoriesQuery);
  useLive(['products', 'product-categories', 'product-sub-categories']);
  // A link may contain it.
  const categoryId =
    categories.data?.find(({ name }) => name === filters.category)?.id ?? Number(filters.category ?? 0);
  const { order, serverSort } = useListSort(sorts, Boolean(filters.search));
  const list = useProducts(filters, categoryId, order);
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort');
  return (
    <Page kind="list">
      <PageHeader
        title={t`Products`}
        actions={
          mayEdit && (
            <Button
              component={Link}
              to="/catalog/products/new"
              leftSection={<IconPlus size={18} aria-hidden />}
            >
              {t`New product`}
            </Button>
          )
        }
      />
      <CatalogTabs />
      <LackingFacts />
      <CameraScan />
      <FilterBar>
        <SearchField
          label={t`Search by words or code`}
          value={filters.search ?? ''}
          onSearch={(search) => setFilters({ search })}
        />
        <Select
          aria-label={t`On the menu`}
          w={168}
          data={[
            { value: '', label: t`Whole catalog` },
            { value: 'true', label: t`On the menu` },
            { value: 'false', label: t`Off the menu` },
          ]}
          value={filters.active ?? ''}
          onChange={(active) => setFilters({ active })}
        />
        <Select
          aria-label={t`Category`}
          w={184}
          data={[
            { value: '', label: t`All categories` },
            ...(categories.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value={categoryId ? String(categoryId) : ''}
          onChange={(category) => setFilters({ category })}
        />
        {((subCategories.data?.length ?? 0) > 0 || filters.subCategory) && (
          <Select
            aria-label={t`Sub-category`}
            w={184}
            searchable
            data={[
              { value: '', label: t`All sub-categories` },
              ...(subCategories.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            value={filters.subCategory ?? ''}
            onChange={(subCategory) => setFilters({ subCategory })}
          />
        )}
      </FilterBar>
      {chosen.size > 0 && (
        <BulkProductBar chosen={[...chosen.values()]} onDone={(left) => setChosen(byId(left))} />
      )}
      <DataTable
        label={t`Products`}
        list={list}
        columns={mayEdit ? [choiceColumn(list.rows, chosen, setChosen), ...columns] : columns}
        serverSort={serverSort}
        onOpen={(product) => void navigate(`/catalog/products/${product.id}`)}
        empty={
          <EmptyState title={isFiltered ? t`No matching products` : t`No products yet`}>
            {isFiltered
              ? t`Try fewer words or other filters.`
              : t`Create the first product, or let an integration add it.`}
          </EmptyState>
        }
      />
    </Page>
  );
}

/** What the service sorts by; a search has its own order. */
const sorts = {
  name: 'name',
  brand: 'brand',
  category: 'category',
  price: 'price',
  stock: 'stock',
} as const;

const byId = (products: readonly ListedProduct[]) =>
  new Map(products.map((product) => [product.id, product]));

function useProducts(
  filters: Readonly<Partial<Record<(typeof filterNames)[number], string>>>,
  productCategoryId: number,
  order: ReturnType<typeof useListSort<(typeof sorts)[keyof typeof sorts]>>['order'],
): List<ListedProduct> {
  const query = {
    ...(filters.search && { search: filters.search }),
    ...order,
    ...(filters.active && { active: filters.active === 'true' }),
    ...(productCategoryId > 0 && { productCategoryId }),
    ...(Number(filters.subCategory) > 0 && { productSubCategoryId: Number(filters.subCategory) }),
  };
  return useList<ListedProduct>({
    queryKey: ['products', 'list', query],
    page: (startingAfter, signal) =>
      pageOf(api.GET('/staff/v1/products', { params: { query: { ...query, startingAfter } }, signal })),
  });
}

function choiceColumn(
  rows: readonly ListedProduct[],
  chosen: ReadonlyMap<number, ListedProduct>,
  onChange: (chosen: ReadonlyMap<number, ListedProduct>) => void,
): Column<ListedProduct> {
  const isAll = rows.length > 0 && rows.every(({ id }) => chosen.has(id));
  return {
    id: 'choice',
    width: 48,
    header: (
      <Checkbox
        size="xs"
        aria-label={t`Select all shown products`}
        checked={isAll}
        indeterminate={!isAll && chosen.size > 0}
        onChange={() => onChange(isAll ? new Map() : byId(rows))}
      />
    ),
    cell: (product) => (
      <Checkbox
        size="xs"
        aria-label={t`Select ${product.name}`}
        checked={chosen.has(product.id)}
        onChange={(event) => {
          const next = new Map(chosen);
          if (event.currentTarget.checked) next.set(product.id, product);
          else next.delete(product.id);
          onChange(next);
        }}
      />
    ),
  };
}

const columns: readonly Column<ListedProduct>[] = [
  {
    id: 'name',
    header: t`Product`,
    sortBy: ({ name }) => name,
    cell: (product) => (
      <span className={classes.name}>
        <ProductThumbnail url={product.photos[0]} alt={product.photoAltTexts[0] ?? ''} />
        <span>
          <Text span inherit fw={600}>
            {product.name}
          </Text>
          {product.isFeatured && <FeaturedMark />}
        </span>
      </span>
    ),
  },
  { id: 'brand', header: t`Brand`, width: '17%', cell: (product) => product.brand?.name ?? '–' },
  {
    id: 'category',
    header: t`Category`,
    width: 136,
    wideOnly: true,
    cell: (product) => product.primaryCategory.name,
  },
  {
    id: 'price',
    header: t`Price`,
    width: 160,
    align: 'end',
    sortBy: ({ options }) => options[0]?.price,
    cell: priceRange,
  },
  {
    id: 'stock',
    header: t`Stock`,
    width: 96,
    align: 'end',
    cell: ({ onHand }) => onHand,
  },
  {
    id: 'options',
    header: t`Options`,
    width: 84,
    align: 'end',
    wideOnly: true,
    cell: (product) => product.options.length,
  },
  {
    id: 'menu',
    header: t`Menu`,
    width: 84,
    sortBy: ({ isActive }) => (isActive ? t`On` : t`Off`),
    cell: ({ isActive }) => (
      <StatusBadge status={isActive ? 'active' : 'inactive'} label={isActive ? t`On` : t`Off`} />
    ),
  },
];

function FeaturedMark() {
  return (
    <>
      {' '}
      <IconStarFilled size={12} aria-hidden />
      <span className="unseen">{t`featured`}</span>
    </>
  );
}
