import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, List, Nullable, Text } from '../../platform/http/schemas.ts';
import { selectBrands } from './catalog-queries.ts';
import { changeBrand, createBrand, deleteBrand, type FollowBrand, mergeBrand } from './edit-brands.ts';
import { Brand } from './product-schemas.ts';
import { catalogReaders, catalogWriters } from './product-staff-routes.ts';
import { brandView } from './product-view.ts';

const name = Text({ min: 1, max: 200, description: 'Unique, ignoring case and outer spaces' });
const description = Nullable(Text({ max: 10_000 }));
const BrandBody = Type.Object({ name, description: Type.Optional(description) });
const BrandChanges = Type.Object({ name: Type.Optional(name), description: Type.Optional(description) });

const params = Type.Object({ brandId: Id() });
const resourceParams = { brandId: 'BRAND_NOT_FOUND' } as const;

const example = {
  id: 2601,
  name: 'Fernweh Farms',
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
  description: null,
};
const success = { status: 200, data: Brand, description: 'The brand', example } as const;

/** Staff operations on brands. */
export function brandStaffRoutes(context: Context, follow: FollowBrand): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'listBrands',
      method: 'GET',
      path: '/staff/v1/brands',
      roles: catalogReaders,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List brands',
      description: 'All brands, by id.',
      source: ['D16'],
      tag: 'Catalog',
      sorts: { id: 'ascending', name: 'ascending', createdAt: 'descending', updatedAt: 'descending' },
      success: {
        status: 200,
        data: List(Brand, { max: 100_000 }),
        description: 'The brands',
        example: [example],
      },
      failures: [],
      handle: async ({ staff }) => {
        const [rows] = await context.database.read(staff.organizationId, selectBrands({}));
        return reply(rows.map(brandView));
      },
    }),
    staffEndpoint({
      id: 'createBrand',
      method: 'POST',
      path: '/staff/v1/brands',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Create a brand',
      description: 'A product that names a new brand also creates it.',
      source: ['D43'],
      tag: 'Catalog',
      body: BrandBody,
      requestExample: { name: 'Halden Row', description: 'Grown by three sisters' },
      success: { ...success, status: 201 },
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        const content = { name: body.name, description: body.description ?? null };
        return reply(brandView(await createBrand(context, origin, staff.organizationId, content)));
      },
    }),
    ...(['PUT', 'PATCH'] as const).map((method) =>
      staffEndpoint({
        id: method === 'PUT' ? 'replaceBrand' : 'updateBrand',
        method,
        path: '/staff/v1/brands/{brandId}',
        roles: catalogWriters,
        kind: 'write',
        takesIfMatch: true,
        summary: method === 'PUT' ? 'Replace a brand' : 'Update a brand',
        description:
          method === 'PUT' ? 'An absent description becomes empty.' : 'Changes the given fields only.',
        tag: 'Catalog',
        params,
        resourceParams,
        body: method === 'PUT' ? BrandBody : BrandChanges,
        requestExample: { name: 'Halden & Row', description: 'Grown by two sisters' },
        success,
        failures: [],
        handle: async ({ staff, params: { brandId }, body, requestId, expectedUpdatedAtMs }) => {
          const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
          const changes = method === 'PUT' ? { description: null, ...body } : body;
          return reply(brandView(await changeBrand(context, origin, staff.organizationId, brandId, changes)));
        },
      }),
    ),
    staffEndpoint({
      id: 'deleteBrand',
      method: 'DELETE',
      path: '/staff/v1/brands/{brandId}',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Delete a brand',
      description: 'Refused while products have it: merge it into another brand instead.',
      tag: 'Catalog',
      params,
      resourceParams,
      success: { ...success, description: 'The brand before its deletion' },
      failures: ['CATALOG_ENTRY_IN_USE'],
      handle: async ({ staff, params: { brandId }, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        return reply(brandView(await deleteBrand(context, origin, staff.organizationId, brandId)));
      },
    }),
    staffEndpoint({
      id: 'mergeBrand',
      method: 'POST',
      path: '/staff/v1/brands/{brandId}/merge',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Merge a brand into another one',
      description:
        'Moves all its products and the discounts on it to the other brand, and deletes it. Orders keep the name they were placed with.',
      tag: 'Catalog',
      params,
      resourceParams,
      body: Type.Object({ intoBrandId: Id() }),
      requestExample: { intoBrandId: 2602 },
      success: { ...success, description: 'The target brand' },
      failures: [],
      handle: async ({ staff, params: { brandId }, body, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        const { organizationId } = staff;
        return reply(
          brandView(await mergeBrand(context, origin, organizationId, brandId, body.intoBrandId, follow)),
        );
      },
    }),
  ];
}
