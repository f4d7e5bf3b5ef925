import Type from 'typebox';
import { cannabisTypes } from '../../kernel/cannabis-type.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, List, Named, OneOf, Text, Timestamp, WholeNumber } from '../../platform/http/schemas.ts';
import {
  type CategoryRow,
  type SubCategoryRow,
  selectCategories,
  selectSubCategories,
} from './catalog-queries.ts';
import { cannabisTypeWords } from './category-routes.ts';
import { changeCategory, createCategory, deleteCategory, displayOrderMax } from './edit-categories.ts';
import { changeSubCategory, createSubCategory, deleteSubCategory } from './edit-sub-categories.ts';
import { catalogReaders, catalogWriters } from './product-staff-routes.ts';

const listItemsMax = 100_000;
const stamps = { createdAt: Timestamp(), updatedAt: Timestamp() };
const exampleStamps = { createdAt: '2026-03-01T17:05:09.123Z', updatedAt: '2026-03-01T17:05:09.123Z' };

const StaffProductCategory = Named(
  'StaffProductCategory',
  Type.Object({
    id: Id(),
    name: Text({ max: 200 }),
    order: WholeNumber({ min: 0, max: displayOrderMax, description: 'Position of the category in menus' }),
    cannabisType: OneOf(cannabisTypes),
    ...stamps,
  }),
);
const categoryExample = {
  id: 2001,
  name: 'Flower',
  order: 1,
  cannabisType: 'non-concentrated' as const,
  ...exampleStamps,
};

const StaffSubCategory = Named(
  'StaffSubCategory',
  Type.Object({ id: Id(), name: Text({ max: 200 }), ...stamps }),
);
const subCategoryExample = { id: 2101, name: 'Whole flower', ...exampleStamps };

const name = Text({ min: 1, max: 200, description: 'Unique, ignoring case and outer spaces' });
const order = WholeNumber({ min: 0, max: displayOrderMax, description: 'Default: at the end' });
const cannabisType = OneOf(cannabisTypes, {
  description: cannabisTypeWords,
});

const CategoryBody = Type.Object({ name, cannabisType, order: Type.Optional(order) });
const CategoryChanges = Type.Object({
  name: Type.Optional(name),
  cannabisType: Type.Optional(cannabisType),
  order: Type.Optional(order),
});
const categoryRequest = { name: 'Pre-rolls', order: 2, cannabisType: 'non-concentrated' as const };
const SubCategoryBody = Type.Object({ name });
const SubCategoryChanges = Type.Object({ name: Type.Optional(name) });

const ofCategory = {
  params: Type.Object({ productCategoryId: Id() }),
  resourceParams: { productCategoryId: 'CATEGORY_NOT_FOUND' },
} as const;
const ofSubCategory = {
  params: Type.Object({ productSubCategoryId: Id() }),
  resourceParams: { productSubCategoryId: 'SUB_CATEGORY_NOT_FOUND' },
} as const;

/** Staff operations on categories and sub-categories. */
export function categoryStaffRoutes(context: Context): StaffEndpoint[] {
  return [...categoryOperations(context), ...subCategoryOperations(context)];
}

function categoryOperations(context: Context): StaffEndpoint[] {
  const success = {
    status: 200,
    data: StaffProductCategory,
    description: 'The category',
    example: categoryExample,
  } as const;
  return [
    staffEndpoint({
      id: 'staffListProductCategories',
      method: 'GET',
      path: '/staff/v1/product-categories',
      roles: catalogReaders,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List categories',
      description: 'All categories, by display order.',
      source: ['D16'],
      tag: 'Catalog',
      sorts: { order: 'ascending', name: 'ascending', createdAt: 'descending' },
      success: {
        status: 200,
        data: List(StaffProductCategory, { max: listItemsMax }),
        description: 'The categories',
        example: [categoryExample],
      },
      failures: [],
      handle: async ({ staff }) => {
        const [rows] = await context.database.read(staff.organizationId, selectCategories({}));
        return reply(rows.map(shownCategory));
      },
    }),
    staffEndpoint({
      id: 'createProductCategory',
      method: 'POST',
      path: '/staff/v1/product-categories',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Create a category',
      description:
        "Integrators name categories, but never create one. Existing taxes apply to a new category: a state's preset excludes categories by id, so apply it again. The organization's `warnings` show where that makes a difference.",
      source: ['D43'],
      tag: 'Catalog',
      body: CategoryBody,
      requestExample: categoryRequest,
      success: { ...success, status: 201 },
      failures: [],
      handle: async ({ staff, body, requestId }) =>
        reply(
          shownCategory(
            await createCategory(context, staffOrigin(staff, requestId), staff.organizationId, body),
          ),
        ),
    }),
    ...(['PUT', 'PATCH'] as const).map((method) =>
      staffEndpoint({
        id: method === 'PUT' ? 'replaceProductCategory' : 'updateProductCategory',
        method,
        path: '/staff/v1/product-categories/{productCategoryId}',
        roles: catalogWriters,
        kind: 'write',
        takesIfMatch: true,
        summary: method === 'PUT' ? 'Replace a category' : 'Update a category',
        description:
          "Menus show the change at once; placed orders are unchanged. `cannabisType` can change to one that requires content only when every option of its products has content. Taxes are unchanged: after a change of the type, apply the state's preset again. The organization's `warnings` show where that makes a difference.",
        source: ['D43'],
        tag: 'Catalog',
        ...ofCategory,
        body: method === 'PUT' ? CategoryBody : CategoryChanges,
        requestExample: categoryRequest,
        success,
        failures: [],
        handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) => {
          const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
          const id = params.productCategoryId;
          return reply(shownCategory(await changeCategory(context, origin, staff.organizationId, id, body)));
        },
      }),
    ),
    staffEndpoint({
      id: 'deleteProductCategory',
      method: 'DELETE',
      path: '/staff/v1/product-categories/{productCategoryId}',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Delete a category',
      description: 'Refused while products have it.',
      tag: 'Catalog',
      ...ofCategory,
      success: { ...success, description: 'The category before its deletion' },
      failures: ['CATALOG_ENTRY_IN_USE'],
      handle: async ({ staff, params, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        const id = params.productCategoryId;
        return reply(shownCategory(await deleteCategory(context, origin, staff.organizationId, id)));
      },
    }),
  ];
}

function subCategoryOperations(context: Context): StaffEndpoint[] {
  const success = {
    status: 200,
    data: StaffSubCategory,
    description: 'The sub-category',
    example: subCategoryExample,
  } as const;
  return [
    staffEndpoint({
      id: 'staffListProductSubCategories',
      method: 'GET',
      path: '/staff/v1/product-sub-categories',
      roles: catalogReaders,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List sub-categories',
      description: 'All sub-categories, by name.',
      source: ['D16'],
      tag: 'Catalog',
      sorts: { name: 'ascending', createdAt: 'descending' },
      success: {
        status: 200,
        data: List(StaffSubCategory, { max: listItemsMax }),
        description: 'The sub-categories',
        example: [subCategoryExample],
      },
      failures: [],
      handle: async ({ staff }) => {
        const [rows] = await context.database.read(staff.organizationId, selectSubCategories({}));
        return reply(rows.map(shownSubCategory));
      },
    }),
    staffEndpoint({
      id: 'createProductSubCategory',
      method: 'POST',
      path: '/staff/v1/product-sub-categories',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Create a sub-category',
      description: 'A product that names a new sub-category also creates it.',
      source: ['D43'],
      tag: 'Catalog',
      body: SubCategoryBody,
      requestExample: { name: 'Small batch' },
      success: { ...success, status: 201 },
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        return reply(
          shownSubCategory(await createSubCategory(context, origin, staff.organizationId, body.name)),
        );
      },
    }),
    ...(['PUT', 'PATCH'] as const).map((method) =>
      staffEndpoint({
        id: method === 'PUT' ? 'replaceProductSubCategory' : 'updateProductSubCategory',
        method,
        path: '/staff/v1/product-sub-categories/{productSubCategoryId}',
        roles: catalogWriters,
        kind: 'write',
        takesIfMatch: true,
        summary: method === 'PUT' ? 'Replace a sub-category' : 'Update a sub-category',
        description: 'Menus show the new name at once.',
        tag: 'Catalog',
        ...ofSubCategory,
        body: method === 'PUT' ? SubCategoryBody : SubCategoryChanges,
        requestExample: { name: 'Hand-trimmed' },
        success,
        failures: [],
        handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) => {
          const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
          const id = params.productSubCategoryId;
          return reply(
            shownSubCategory(await changeSubCategory(context, origin, staff.organizationId, id, body.name)),
          );
        },
      }),
    ),
    staffEndpoint({
      id: 'deleteProductSubCategory',
      method: 'DELETE',
      path: '/staff/v1/product-sub-categories/{productSubCategoryId}',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Delete a sub-category',
      description: 'Refused while products have it.',
      tag: 'Catalog',
      ...ofSubCategory,
      success: { ...success, description: 'The sub-category before its deletion' },
      failures: ['CATALOG_ENTRY_IN_USE'],
      handle: async ({ staff, params, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        const id = params.productSubCategoryId;
        return reply(shownSubCategory(await deleteSubCategory(context, origin, staff.organizationId, id)));
      },
    }),
  ];
}

function shownCategory(row: CategoryRow) {
  return {
    id: row.id,
    name: row.name,
    order: row.display_order,
    cannabisType: row.cannabis_type,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
  };
}

function shownSubCategory(row: SubCategoryRow) {
  return {
    id: row.id,
    name: row.name,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
  };
}
