import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { Id, List, Named, Nullable, Text, Timestamp } from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import { settingField, settingTable, uniqueNameField } from '../../platform/resources/setting-table.ts';
import { clearTag, lockLiveProducts, lockTagNames, putTagOnProducts } from './group-queries.ts';
import { catalogReaders, catalogWriters } from './product-staff-routes.ts';

const fields = {
  name: uniqueNameField(),
  description: settingField(Nullable(Text({ max: 2000 })), 'description', { absent: null }),
  productIds: settingField(List(Id(), { max: 10_000, description: 'All products that get the tag' }), null, {
    absent: [],
    selected: `array(select l.product_id from product_tags l
             join products p on p.organization_id = l.organization_id and p.id = l.product_id
            where l.organization_id = tags.organization_id and l.tag_id = tags.id and p.deleted_at is null
            order by l.product_id)`,
    shows: idSet,
  }),
};

/** The products of a tag have no order. */
function idSet(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

const requestExample = { name: 'Staff pick', description: 'What we take home', productIds: [3001] };

/** Tags of products. */
export const tags = settingResource({
  table: settingTable('tags', {
    fields,
    ends: 'removed',
    lock: 'for update',
    // Without a unique index: some old tags share a name. `lockTagNames` stands for it.
    uniqueName: { key: 'lower(btrim(name))' },
  }),
  noun: 'tag',
  subject: 'tag',
  idName: 'tagId',
  notFound: 'TAG_NOT_FOUND',
  locking: ({ verb }) => (verb === 'end' ? [] : [lockTagNames({})]),
  saving: async (tx, { former, next: { productIds: ids } }) => {
    if (ids.length === 0 || isDeepStrictEqual(ids, former?.productIds)) return undefined;
    const [rows] = await tx.run(lockLiveProducts({ ids }));
    const known = new Set(rows.map(({ id }) => id));
    const at = ids.findIndex((id) => !known.has(id));
    if (at >= 0) throw failure('PRODUCT_NOT_FOUND', `productIds[${at}] names no product.`);
    return undefined;
  },
  beside: ({ id, former, next }) => {
    const productIds = idSet(next.productIds);
    if (former === null) return [putTagOnProducts({ tagId: id, productIds })];
    if (isDeepStrictEqual(productIds, former.productIds)) return [];
    return [clearTag({ tagId: id }), putTagOnProducts({ tagId: id, productIds })];
  },
  ending: async (tx, { id }) => tx.queue(clearTag({ tagId: id })),
  path: '/staff/v1/tags',
  tag: 'Catalog',
  readers: catalogReaders,
  writers: catalogWriters,
  data: Named(
    'StaffTag',
    Type.Object({
      id: Id(),
      name: Text({ max: 200 }),
      description: Nullable(Text({ max: 2000 })),
      productIds: List(Id(), { max: 100_000, description: 'The products with the tag' }),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
    }),
  ),
  example: {
    id: 2201,
    ...requestExample,
    createdAt: '2026-03-01T17:05:09.123Z',
    updatedAt: '2026-03-01T17:05:09.123Z',
  },
  list: {
    id: 'staffListTags',
    summary: 'List tags',
    description: 'All tags with their products, by id.',
    max: 100_000,
    sorts: {
      id: 'ascending',
      name: 'ascending',
      products: { own: 'descending', key: ({ productIds }) => productIds.length },
      createdAt: 'descending',
    },
  },
  create: {
    id: 'createTag',
    summary: 'Create a tag',
    description: 'A label for products, shown in menus and used as a condition of discounts.',
    failures: ['PRODUCT_NOT_FOUND'],
    requestExample,
  },
  replace: {
    id: 'replaceTag',
    summary: 'Replace a tag',
    description: 'Absent fields become empty, including the products.',
    failures: ['PRODUCT_NOT_FOUND'],
    requestExample,
  },
  update: {
    id: 'updateTag',
    summary: 'Update a tag',
    description: 'Changes the given fields only.',
    failures: ['PRODUCT_NOT_FOUND'],
    requestExample,
  },
  end: {
    id: 'deleteTag',
    summary: 'Delete a tag',
    description: 'Removes it from its products. Discounts on the tag then match no product.',
  },
});
