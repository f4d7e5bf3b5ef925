import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { Id, Named, Text, Timestamp } from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import { settingTable, uniqueNameField } from '../../platform/resources/setting-table.ts';
import { countProductsOfSubCategory } from './group-queries.ts';
import { catalogReaders, catalogWriters } from './product-staff-routes.ts';

const fields = { name: uniqueNameField() };

const requestExample = { name: 'Hand-trimmed' };

/** Sub-categories of products. */
export const subCategories = settingResource({
  table: settingTable('product_sub_categories', {
    fields,
    // Deleted products may still name it: no response shows them.
    ends: 'removed',
    // Transactions that refer a product to it hold it `for key share`.
    lock: 'for update',
    // Ignoring case; otherwise in code-point order, so that it is the same on every server.
    order: 'name_key collate "C", name collate "C", id',
    uniqueName: { key: 'name_key', constraint: 'product_sub_categories_organization_id_name_key_key' },
  }),
  noun: 'sub-category',
  subject: 'product_sub_category',
  idName: 'productSubCategoryId',
  notFound: 'SUB_CATEGORY_NOT_FOUND',
  ending: async (tx, { id }) => {
    const [[products]] = await tx.run(countProductsOfSubCategory({ id }));
    if (products!.count === 0) return;
    throw failure('CATALOG_ENTRY_IN_USE', `${products!.count} products have the sub-category.`);
  },
  path: '/staff/v1/product-sub-categories',
  tag: 'Catalog',
  readers: catalogReaders,
  writers: catalogWriters,
  data: Named(
    'StaffSubCategory',
    Type.Object({ id: Id(), name: Text({ max: 200 }), createdAt: Timestamp(), updatedAt: Timestamp() }),
  ),
  example: {
    id: 2101,
    name: 'Whole flower',
    createdAt: '2026-03-01T17:05:09.123Z',
    updatedAt: '2026-03-01T17:05:09.123Z',
  },
  list: {
    id: 'staffListProductSubCategories',
    summary: 'List sub-categories',
    description: 'All sub-categories, by name.',
    answers: 'The sub-categories',
    max: 100_000,
    sorts: { name: 'ascending', createdAt: 'descending' },
  },
  create: {
    id: 'createProductSubCategory',
    summary: 'Create a sub-category',
    description: 'A product that names a new sub-category also creates it.',
    requestExample: { name: 'Small batch' },
  },
  replace: {
    id: 'replaceProductSubCategory',
    summary: 'Replace a sub-category',
    description: 'Menus show the new name at once.',
    requestExample,
  },
  update: {
    id: 'updateProductSubCategory',
    summary: 'Update a sub-category',
    description: 'Menus show the new name at once.',
    requestExample,
  },
  end: {
    id: 'deleteProductSubCategory',
    summary: 'Delete a sub-category',
    description: 'Refused while products have it.',
    failures: ['CATALOG_ENTRY_IN_USE'],
  },
});
