import { useQuery } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { NamedFields, namedBody, shownNamed } from '../../parts/named-record.tsx';
import { descriptionColumn, nameColumn } from '../../parts/record-columns.tsx';
import type { RecordKind } from '../../parts/record-kind.ts';
import { RecordList } from '../../parts/record-list.tsx';
import { t } from '../../words/words.ts';
import { CatalogTabs } from './catalog-tabs.tsx';
import { tagsQuery } from './product-words.ts';

type Tag = Schema['StaffTag'];

const tagKind: RecordKind<Tag> = {
  noun: t`tag`,
  resources: ['tags'],
  blank: { id: 0, name: '', description: null, productIds: [], createdAt: '', updatedAt: '' },
  create: ({ name, description }) =>
    dataOf(api.POST('/staff/v1/tags', { body: { name, ...namedBody({ description }) } })),
  save: (tagId, changes, updatedAt) =>
    dataOf(
      api.PATCH('/staff/v1/tags/{tagId}', {
        params: { path: { tagId } },
        headers: ifUnchanged(updatedAt),
        body: namedBody(changes),
      }),
    ),
  loadAll: tagsQuery.queryFn,
  shown: shownNamed,
  fields: (edit) => <NamedFields {...edit} />,
  removal: {
    verb: 'delete',
    send: (tagId) => dataOf(api.DELETE('/staff/v1/tags/{tagId}', { params: { path: { tagId } } })),
    warning: ({ productIds }) =>
      t`This removes it from ${productIds.length} products. Discounts for this tag no longer apply.`,
  },
};

const columns: readonly Column<Tag>[] = [
  nameColumn(t`Tag`, '28%'),
  descriptionColumn,
  {
    id: 'products',
    header: t`Products`,
    width: 112,
    align: 'end',
    cell: ({ productIds }) => productIds.length,
  },
];

/** The tags, which menus show and discounts can require. Products get tags on their own screens. */
export function Component() {
  return (
    <RecordList
      kind={tagKind}
      title={t`Tags`}
      hint={t`Menus show tags, and discounts can require them. Add tags on a product's own screen.`}
      tabs={<CatalogTabs />}
      label={t`Tags`}
      list={listOf(useQuery(tagsQuery), (rows) => rows)}
      columns={columns}
      empty={
        <EmptyState
          title={t`No tags yet`}
        >{t`Add one, such as “Staff pick”, and give it to products.`}</EmptyState>
      }
      right="updateTag"
    />
  );
}
