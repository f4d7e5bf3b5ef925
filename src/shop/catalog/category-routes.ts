import Type from 'typebox';
import { cannabisTypes } from '../../engines/goods/cannabis-type.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { Id, List, Named, Nullable, OneOf, Text, Timestamp } from '../../platform/http/schemas.ts';
import { selectCategories, selectSubCategories, selectTags } from './catalog-queries.ts';

/** More than any shop has; the lists have no pages (D16). */
/** What the type of a category decides, for both interfaces. */
export const cannabisTypeWords =
  "Decides the unit of an option's `content`, and what purchase limits count: `non-concentrated` g; `concentrated` mg; `edibles` and `low-dose-drinks` mg of THC; `inhalables` mg; `mi-infused-solids` oz; `mi-infused-fluids` fl oz; `immature-plant`, `seeds` and `other-units` a number. More types may be added";

const listItemsMax = 100_000;

export const ProductCategory = Named(
  'ProductCategory',
  Type.Object({
    id: Id(),
    name: Text({ max: 200 }),
    cannabisType: OneOf(cannabisTypes, {
      description: cannabisTypeWords,
    }),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

const SubCategory = Named(
  'SubCategory',
  Type.Object({ id: Id(), name: Text({ max: 200 }), createdAt: Timestamp(), updatedAt: Timestamp() }),
);

const Tag = Named(
  'Tag',
  Type.Object({
    id: Id(),
    name: Text({ max: 200 }),
    description: Nullable(Text({ max: 2000 })),
    productIds: Nullable(
      List(Id(), {
        max: listItemsMax,
        description: 'The active products with the tag; null when there are none',
      }),
    ),
  }),
);

const exampleTimes = { createdAt: '2026-03-01T17:05:09.123Z', updatedAt: '2026-03-01T17:05:09.123Z' };

/** Operations on categories, sub-categories and tags. */
export function categoryRoutes(context: Context): Endpoint[] {
  return [
    endpoint({
      id: 'listProductCategories',
      method: 'GET',
      path: '/api/v1/product-categories',
      address: 'base',
      permission: 'products-inventory',
      publishableKey: 'refused',
      kind: 'read',
      readsFrom: 'standby',
      list: { staysSmall: 'settings of the shop' },
      summary: 'List categories',
      description: 'All product categories of the organization, by display order.',
      tag: 'Catalog',
      success: {
        status: 200,
        data: List(ProductCategory, { max: listItemsMax }),
        description: 'The categories',
        example: [{ id: 2001, name: 'Flower', cannabisType: 'non-concentrated', ...exampleTimes }],
      },
      failures: [],
      handle: async ({ caller }) => {
        const [rows] = await context.database.read(caller.organizationId, selectCategories({}));
        return reply(
          rows.map((row) => ({
            id: row.id,
            name: row.name,
            cannabisType: row.cannabis_type,
            createdAt: isoTimestamp(row.created_at),
            updatedAt: isoTimestamp(row.updated_at),
          })),
        );
      },
    }),
    endpoint({
      id: 'listProductSubCategories',
      method: 'GET',
      path: '/api/v1/product-sub-categories',
      address: 'base',
      permission: 'products-inventory',
      publishableKey: 'refused',
      kind: 'read',
      readsFrom: 'standby',
      list: { staysSmall: 'settings of the shop' },
      summary: 'List sub-categories',
      description: 'All sub-categories of the organization, by name, ignoring case.',
      tag: 'Catalog',
      success: {
        status: 200,
        data: List(SubCategory, { max: listItemsMax }),
        description: 'The sub-categories',
        example: [{ id: 2101, name: 'Whole flower', ...exampleTimes }],
      },
      failures: [],
      handle: async ({ caller }) => {
        const [rows] = await context.database.read(caller.organizationId, selectSubCategories({}));
        return reply(
          rows.map((row) => ({
            id: row.id,
            name: row.name,
            createdAt: isoTimestamp(row.created_at),
            updatedAt: isoTimestamp(row.updated_at),
          })),
        );
      },
    }),
    endpoint({
      id: 'listTags',
      method: 'GET',
      path: '/api/v1/products/tags',
      address: 'menu',
      permission: 'menu',
      publishableKey: 'allowed',
      kind: 'read',
      readsFrom: 'standby',
      list: { staysSmall: 'settings of the shop' },
      namesNoContact: true,
      summary: 'List tags',
      description: 'All tags of the organization, with the active products that have them. Not paginated.',
      tag: 'Menu',
      success: {
        status: 200,
        data: List(Tag, { max: listItemsMax }),
        description: 'The tags',
        example: [
          { id: 2201, name: 'Staff pick', description: 'What we take home', productIds: [3001, 3002] },
        ],
      },
      failures: [],
      handle: async ({ caller }) => {
        const [rows] = await context.database.read(caller.organizationId, selectTags({}));
        return reply(
          rows.map((row) => ({
            id: row.id,
            name: row.name,
            description: row.description,
            productIds: row.product_ids,
          })),
        );
      },
    }),
  ];
}
