import Type from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, List, Named, Nullable, Text, Timestamp } from '../../platform/http/schemas.ts';
import { changeTag, createTag, deleteTag } from './edit-tags.ts';
import { selectTagRows, type TagRow } from './group-queries.ts';
import { catalogReaders, catalogWriters } from './product-staff-routes.ts';

const productsMax = 10_000;

const StaffTag = Named(
  'StaffTag',
  Type.Object({
    id: Id(),
    name: Text({ max: 200 }),
    description: Nullable(Text({ max: 2000 })),
    productIds: List(Id(), { max: 100_000, description: 'The products with the tag' }),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

const name = Text({ min: 1, max: 200, description: 'Unique, ignoring case and outer spaces' });
const description = Nullable(Text({ max: 2000 }));
const productIds = List(Id(), {
  max: productsMax,
  description: 'All products that get the tag',
});
const TagBody = Type.Object({
  name,
  description: Type.Optional(description),
  productIds: Type.Optional(productIds),
});
const TagChanges = Type.Object({
  name: Type.Optional(name),
  description: Type.Optional(description),
  productIds: Type.Optional(productIds),
});

const params = Type.Object({ tagId: Id() });
const resourceParams = { tagId: 'TAG_NOT_FOUND' } as const;

const example = {
  id: 2201,
  name: 'Staff pick',
  description: 'What we take home',
  productIds: [3001],
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
};
const requestExample = { name: 'Staff pick', description: 'What we take home', productIds: [3001] };
const success = { status: 200, data: StaffTag, description: 'The tag', example } as const;

/** Staff operations on tags. */
export function tagStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'staffListTags',
      method: 'GET',
      path: '/staff/v1/tags',
      roles: catalogReaders,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List tags',
      description: 'All tags with their products, by id.',
      source: ['D16'],
      tag: 'Catalog',
      sorts: {
        id: 'ascending',
        name: 'ascending',
        products: { own: 'descending', key: ({ productIds }) => productIds.length },
        createdAt: 'descending',
      },
      success: {
        status: 200,
        data: List(StaffTag, { max: 100_000 }),
        description: 'The tags',
        example: [example],
      },
      failures: [],
      handle: async ({ staff }) => {
        const [rows] = await context.database.read(staff.organizationId, selectTagRows({}));
        return reply(rows.map(shown));
      },
    }),
    staffEndpoint({
      id: 'createTag',
      method: 'POST',
      path: '/staff/v1/tags',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Create a tag',
      description: 'A label for products, shown in menus and used as a condition of discounts.',
      tag: 'Catalog',
      body: TagBody,
      requestExample,
      success: { ...success, status: 201 },
      failures: ['PRODUCT_NOT_FOUND'],
      handle: async ({ staff, body, requestId }) => {
        const content = {
          name: body.name,
          description: body.description ?? null,
          productIds: body.productIds ?? [],
        };
        const origin = staffOrigin(staff, requestId);
        return reply(shown(await createTag(context, origin, staff.organizationId, content)));
      },
    }),
    ...(['PUT', 'PATCH'] as const).map((method) =>
      staffEndpoint({
        id: method === 'PUT' ? 'replaceTag' : 'updateTag',
        method,
        path: '/staff/v1/tags/{tagId}',
        roles: catalogWriters,
        kind: 'write',
        takesIfMatch: true,
        summary: method === 'PUT' ? 'Replace a tag' : 'Update a tag',
        description:
          method === 'PUT'
            ? 'Absent fields become empty, including the products.'
            : 'Changes the given fields only.',
        tag: 'Catalog',
        params,
        resourceParams,
        body: method === 'PUT' ? TagBody : TagChanges,
        requestExample,
        success,
        failures: ['PRODUCT_NOT_FOUND'],
        handle: async ({ staff, params: { tagId }, body, requestId, expectedUpdatedAtMs }) => {
          const changes = method === 'PUT' ? { description: null, productIds: [], ...body } : body;
          const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
          return reply(shown(await changeTag(context, origin, staff.organizationId, tagId, changes)));
        },
      }),
    ),
    staffEndpoint({
      id: 'deleteTag',
      method: 'DELETE',
      path: '/staff/v1/tags/{tagId}',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Delete a tag',
      description: 'Removes it from its products. Discounts on the tag then match no product.',
      tag: 'Catalog',
      params,
      resourceParams,
      success: { ...success, description: 'The tag before its deletion' },
      failures: [],
      handle: async ({ staff, params: { tagId }, requestId }) =>
        reply(shown(await deleteTag(context, staffOrigin(staff, requestId), staff.organizationId, tagId))),
    }),
  ];
}

function shown(row: TagRow) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    productIds: row.product_ids,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
  };
}
