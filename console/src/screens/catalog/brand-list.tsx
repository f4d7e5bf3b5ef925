import { Menu, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { choicesOr } from '../../parts/choices-or.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { listOf } from '../../parts/list-of.ts';
import { NamedFields, namedBody, shownNamed } from '../../parts/named-record.tsx';
import { changedColumn, descriptionColumn, nameColumn } from '../../parts/record-columns.tsx';
import type { RecordKind } from '../../parts/record-kind.ts';
import { RecordList } from '../../parts/record-list.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { t } from '../../words/words.ts';
import { CatalogTabs } from './catalog-tabs.tsx';
import { brandsQuery } from './product-words.ts';

type Brand = Schema['Brand'];

const brandKind: RecordKind<Brand> = {
  noun: t`brand`,
  resources: ['brands', 'products'],
  blank: { id: 0, name: '', description: null, createdAt: '', updatedAt: '' },
  create: ({ name, description }) =>
    dataOf(api.POST('/staff/v1/brands', { body: { name, ...namedBody({ description }) } })),
  save: (brandId, changes, updatedAt) =>
    dataOf(
      api.PATCH('/staff/v1/brands/{brandId}', {
        params: { path: { brandId } },
        headers: ifUnchanged(updatedAt),
        body: namedBody(changes),
      }),
    ),
  loadAll: brandsQuery.queryFn,
  shown: shownNamed,
  fields: (edit) => <NamedFields {...edit} />,
  removal: {
    verb: 'delete',
    send: (brandId) => dataOf(api.DELETE('/staff/v1/brands/{brandId}', { params: { path: { brandId } } })),
    warning: () => t`If products use it, merge it into another brand instead.`,
  },
};

const columns = [nameColumn(t`Brand`, '28%'), descriptionColumn, changedColumn];

/** The brands: rename them, and merge duplicates. */
export function Component() {
  const navigate = useNavigate();
  const [filters, setFilters] = useFilters(['search']);
  const [merged, setMerged] = useState<Brand | null>(null);
  const brands = useQuery(brandsQuery);
  const wanted = (filters.search ?? '').trim().toLowerCase();
  const list = listOf(brands, (rows) =>
    byName(rows.filter(({ name }) => name.toLowerCase().includes(wanted))),
  );
  return (
    <RecordList
      kind={brandKind}
      title={t`Brands`}
      tabs={<CatalogTabs />}
      filters={
        <FilterBar>
          <SearchField
            label={t`Search by name`}
            value={filters.search ?? ''}
            onSearch={(search) => setFilters({ search })}
          />
        </FilterBar>
      }
      label={t`Brands`}
      list={list}
      columns={columns}
      empty={
        <EmptyState title={wanted ? t`No matching brands` : t`No brands yet`}>
          {wanted ? t`Try fewer letters.` : t`Add one, or import a menu: its brands come with it.`}
        </EmptyState>
      }
      right="updateBrand"
      onOpen={({ name }) => void navigate(`/catalog?search=${encodeURIComponent(name)}`)}
      menuItems={(brand) => (
        <Menu.Item onClick={() => setMerged(brand)}>{t`Merge into another brand`}</Menu.Item>
      )}
    >
      {merged && <MergeDialog brand={merged} brands={brands.data ?? []} onClose={() => setMerged(null)} />}
    </RecordList>
  );
}

function byName(brands: readonly Brand[]): readonly Brand[] {
  return brands.toSorted((one, other) => one.name.localeCompare(other.name));
}

function MergeDialog({
  brand,
  brands,
  onClose,
}: {
  brand: Brand;
  brands: readonly Brand[];
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const [into, setInto] = useState<string | null>(null);
  const merge = async () => {
    const kept = await dataOf(
      api.POST('/staff/v1/brands/{brandId}/merge', {
        params: { path: { brandId: brand.id } },
        body: { intoBrandId: Number(into) },
      }),
    );
    notifyDone(t`${brand.name} is merged into ${kept.name}.`);
    for (const key of brandKind.resources) void queryClient.invalidateQueries({ queryKey: [key] });
  };
  return (
    <ConfirmDialog
      opened
      title={t`Merge ${brand.name}`}
      action={t`Merge`}
      isDangerous
      isReady={into !== null}
      onConfirm={merge}
      onClose={onClose}
    >
      <Select
        label={t`Into`}
        searchable
        openOnFocus={false}
        data-autofocus
        mb="md"
        data={choicesOr(
          byName(brands.filter(({ id }) => id !== brand.id)).map(({ id, name }) => ({
            value: String(id),
            label: name,
          })),
          { data: brands, error: null },
          t`Add the other brand first.`,
        )}
        value={into}
        onChange={setInto}
      />
      {t`Its products and discounts move to the other brand, and ${brand.name} is deleted. This cannot be undone.`}
    </ConfirmDialog>
  );
}
