import Type from 'typebox';
import { cannabisTypes } from '../../engines/goods/cannabis-type.ts';
import { failure } from '../../kernel/failure.ts';
import { Id, Named, OneOf, Text, Timestamp, WholeNumber } from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import { settingField, settingTable, uniqueNameField } from '../../platform/resources/setting-table.ts';
import { cannabisTypeWords } from './category-routes.ts';
import {
  countProductsOfCategory,
  selectLastDisplayOrder,
  selectOptionWithoutContent,
} from './group-queries.ts';
import { catalogReaders, catalogWriters } from './product-staff-routes.ts';

const displayOrderMax = 1_000_000;

const fields = {
  name: uniqueNameField(),
  cannabisType: settingField(OneOf(cannabisTypes, { description: cannabisTypeWords }), 'cannabis_type'),
  order: settingField(
    WholeNumber({ min: 0, max: displayOrderMax, description: 'Default: at the end' }),
    'display_order',
    { absent: undefined },
  ),
};

const requestExample = { name: 'Pre-rolls', order: 2, cannabisType: 'non-concentrated' };

const onChange =
  "Menus show the change at once; placed orders are unchanged. `cannabisType` can change to one that requires content only when every option of its products has content. Taxes are unchanged: after a change of the type, apply the state's preset again. The organization's `warnings` show where that makes a difference.";

/** Categories of products. */
export const categories = settingResource({
  table: settingTable('product_categories', {
    fields,
    ends: 'deleted',
    // Transactions that refer a product to it hold it `for key share`.
    lock: 'for update',
    order: 'display_order, id',
    uniqueName: { key: 'name_key', constraint: 'product_categories_of_name' },
  }),
  noun: 'category',
  subject: 'product_category',
  idName: 'productCategoryId',
  notFound: 'CATEGORY_NOT_FOUND',
  saving: async (tx, { id, former, next }) => {
    if (former === null) {
      if (next.order !== undefined) return undefined;
      const [[last]] = await tx.run(selectLastDisplayOrder({}));
      return { order: Math.min((last?.last ?? -1) + 1, displayOrderMax) };
    }
    if (next.cannabisType === former.cannabisType || next.cannabisType === 'none') return undefined;
    const [[without]] = await tx.run(selectOptionWithoutContent({ categoryId: id }));
    if (without === undefined) return undefined;
    throw failure(
      'INVALID_PARAMS',
      `cannabisType must be none, or every option of the category's products needs content: option ${without.id} has none.`,
    );
  },
  ending: async (tx, { id }) => {
    const [[products]] = await tx.run(countProductsOfCategory({ id }));
    if (products!.count === 0) return;
    throw failure('CATALOG_ENTRY_IN_USE', `${products!.count} products have the category.`);
  },
  path: '/staff/v1/product-categories',
  tag: 'Catalog',
  readers: catalogReaders,
  writers: catalogWriters,
  data: Named(
    'StaffProductCategory',
    Type.Object({
      id: Id(),
      name: Text({ max: 200 }),
      order: WholeNumber({ min: 0, max: displayOrderMax, description: 'Position of the category in menus' }),
      cannabisType: OneOf(cannabisTypes),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
    }),
  ),
  example: {
    id: 2001,
    name: 'Flower',
    order: 1,
    cannabisType: 'non-concentrated',
    createdAt: '2026-03-01T17:05:09.123Z',
    updatedAt: '2026-03-01T17:05:09.123Z',
  },
  list: {
    id: 'staffListProductCategories',
    summary: 'List categories',
    description: 'All categories, by display order.',
    answers: 'The categories',
    max: 100_000,
    sorts: { order: 'ascending', name: 'ascending', createdAt: 'descending' },
  },
  create: {
    id: 'createProductCategory',
    summary: 'Create a category',
    description:
      "Integrators name categories, but never create one. Existing taxes apply to a new category: a state's preset excludes categories by id, so apply it again. The organization's `warnings` show where that makes a difference.",
    requestExample,
  },
  replace: {
    id: 'replaceProductCategory',
    summary: 'Replace a category',
    description: onChange,
    requestExample,
  },
  update: {
    id: 'updateProductCategory',
    summary: 'Update a category',
    description: onChange,
    requestExample,
  },
  end: {
    id: 'deleteProductCategory',
    summary: 'Delete a category',
    description: 'Refused while products have it.',
    failures: ['CATALOG_ENTRY_IN_USE'],
  },
});
