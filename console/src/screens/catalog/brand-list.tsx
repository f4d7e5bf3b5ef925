import { Button, Menu, Select, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { sayDone } from '../../parts/toasts.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useLive } from '../../parts/use-live.ts';
import { useCan } from '../../session/session.tsx';
import { CatalogTabs } from './catalog-tabs.tsx';
import { entryChanges, NamedEntryDialog } from './named-entry-dialog.tsx';
import { brandsQuery } from './product-words.ts';

type Brand = Schema['Brand'];

const blank: Brand = { id: 0, name: '', description: null, createdAt: '', updatedAt: '' };

type Doing = { readonly what: 'edit' | 'merge' | 'delete'; readonly brand: Brand } | { readonly what: 'new' };

/** The brands: renamed, and those that are twice there merged into one. */
export function Component() {
  const mayEdit = useCan(['manager', 'inventory']);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [filters, setFilters] = useFilters(['search']);
  const [doing, setDoing] = useState<Doing | null>(null);
  const brands = useQuery(brandsQuery);
  useLive(['brands']);
  const wanted = (filters.search ?? '').trim().toLowerCase();
  const list = listOf(brands, (rows) =>
    rows
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .toSorted((one, other) => one.name.localeCompare(other.name)),
  );
  const close = () => setDoing(null);
  const refresh = () => {
    for (const key of ['brands', 'products']) void queryClient.invalidateQueries({ queryKey: [key] });
  };
  return (
    <Page kind="list">
      <PageHeader
        title="Brands"
        actions={
          mayEdit && (
            <Button
              leftSection={<IconPlus size={18} aria-hidden />}
              onClick={() => setDoing({ what: 'new' })}
            >
              New brand
            </Button>
          )
        }
      />
      <CatalogTabs />
      <FilterBar>
        <SearchField
          label="Search by name"
          value={filters.search ?? ''}
          onSearch={(search) => setFilters({ search })}
        />
      </FilterBar>
      <DataTable
        label="Brands"
        list={list}
        columns={mayEdit ? [...columns, actionColumn(setDoing)] : columns}
        onOpen={({ name }) => void navigate(`/catalog?search=${encodeURIComponent(name)}`)}
        empty={<EmptyState title="No brand is called so" />}
      />
      {doing && (doing.what === 'new' || doing.what === 'edit') && (
        <BrandDialog
          brand={doing.what === 'new' ? null : doing.brand}
          onClose={close}
          onSaved={() => {
            sayDone('The brand is saved.');
            refresh();
            close();
          }}
        />
      )}
      {doing?.what === 'merge' && (
        <MergeDialog brand={doing.brand} brands={brands.data ?? []} onMerged={refresh} onClose={close} />
      )}
      {doing?.what === 'delete' && (
        <ConfirmDialog
          opened
          title={`Delete ${doing.brand.name}?`}
          action="Delete brand"
          isDangerous
          onConfirm={async () => {
            const path = { brandId: doing.brand.id };
            await dataOf(api.DELETE('/staff/v1/brands/{brandId}', { params: { path } }));
            refresh();
          }}
          onClose={close}
        >
          While products have it, merge it into another one instead.
        </ConfirmDialog>
      )}
    </Page>
  );
}

const columns: readonly Column<Brand>[] = [
  {
    id: 'name',
    header: 'Brand',
    width: '28%',
    cell: ({ name }) => (
      <Text span inherit fw={600}>
        {name}
      </Text>
    ),
  },
  { id: 'description', header: 'Description', cell: ({ description }) => description ?? '–' },
  {
    id: 'changed',
    header: 'Changed',
    width: 176,
    align: 'end',
    cell: ({ updatedAt }) => <ShopTime at={updatedAt} />,
  },
];

function actionColumn(onDo: (doing: Doing) => void): Column<Brand> {
  return {
    id: 'actions',
    header: <span className="unseen">Actions</span>,
    width: 64,
    align: 'end',
    cell: (brand) => (
      <RowMenu label={`More for ${brand.name}`}>
        <Menu.Item onClick={() => onDo({ what: 'edit', brand })}>Change</Menu.Item>
        <Menu.Item onClick={() => onDo({ what: 'merge', brand })}>Merge into another one</Menu.Item>
        <Menu.Item c="var(--mantine-color-error)" onClick={() => onDo({ what: 'delete', brand })}>
          Delete
        </Menu.Item>
      </RowMenu>
    ),
  };
}

function BrandDialog({
  brand,
  onClose,
  onSaved,
}: {
  brand: Brand | null;
  onClose: () => void;
  onSaved: () => void;
}) {
  return (
    <NamedEntryDialog<Brand>
      noun="brand"
      entry={brand}
      blank={blank}
      create={({ name, description }) =>
        dataOf(api.POST('/staff/v1/brands', { body: { name, description: description || null } }))
      }
      save={(changes, updatedAt) =>
        dataOf(
          api.PATCH('/staff/v1/brands/{brandId}', {
            params: { path: { brandId: brand?.id ?? 0 } },
            headers: ifUnchanged(updatedAt),
            body: entryChanges(changes),
          }),
        )
      }
      load={brandsQuery.queryFn}
      onSaved={onSaved}
      onClose={onClose}
    />
  );
}

function MergeDialog({
  brand,
  brands,
  onMerged,
  onClose,
}: {
  brand: Brand;
  brands: readonly Brand[];
  onMerged: () => void;
  onClose: () => void;
}) {
  const [into, setInto] = useState<string | null>(null);
  const merge = async () => {
    const kept = await dataOf(
      api.POST('/staff/v1/brands/{brandId}/merge', {
        params: { path: { brandId: brand.id } },
        body: { intoBrandId: Number(into) },
      }),
    );
    sayDone(`${brand.name} is now part of ${kept.name}.`);
    onMerged();
  };
  return (
    <ConfirmDialog
      opened
      title={`Merge ${brand.name}`}
      action="Merge"
      isDangerous
      onConfirm={merge}
      onClose={onClose}
    >
      <Select
        label="Into"
        searchable
        mb="md"
        data={brands
          .filter(({ id }) => id !== brand.id)
          .toSorted((one, other) => one.name.localeCompare(other.name))
          .map(({ id, name }) => ({ value: String(id), label: name }))}
        value={into}
        onChange={setInto}
      />
      All its products and the discounts on it go to the other brand, and {brand.name} is deleted. This cannot
      be taken back.
    </ConfirmDialog>
  );
}
