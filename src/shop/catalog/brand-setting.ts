import { failure } from '../../kernel/failure.ts';
import { Nullable, Text } from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import { settingField, settingTable, uniqueNameField } from '../../platform/resources/setting-table.ts';
import { countProductsOfBrand } from './group-queries.ts';
import { isNoBrand } from './name-references.ts';
import { Brand } from './product-schemas.ts';
import { catalogReaders, catalogWriters } from './product-staff-routes.ts';

const fields = {
  // Products without a brand have null (D17a).
  name: uniqueNameField((name) => {
    if (!isNoBrand(name)) return;
    throw failure('INVALID_PARAMS', 'name must not mean "no brand": a product without a brand has null.');
  }),
  description: settingField(Nullable(Text({ max: 10_000 })), 'description', { absent: null }),
};

export const brandTable = settingTable('brands', {
  fields,
  ends: 'deleted',
  // Transactions that refer a product to the brand hold it `for key share`.
  lock: 'for update',
  uniqueName: { key: 'name_key', constraint: 'brands_of_name' },
});

export const brandExample = {
  id: 2601,
  name: 'Fernweh Farms',
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
  description: null,
};

const requestExample = { name: 'Halden & Row', description: 'Grown by two sisters' };

/** Brands of products. */
export const brands = settingResource({
  table: brandTable,
  noun: 'brand',
  subject: 'brand',
  idName: 'brandId',
  notFound: 'BRAND_NOT_FOUND',
  ending: async (tx, { id }) => {
    const [[products]] = await tx.run(countProductsOfBrand({ id }));
    if (products!.count === 0) return;
    throw failure('CATALOG_ENTRY_IN_USE', `${products!.count} products have the brand.`);
  },
  path: '/staff/v1/brands',
  tag: 'Catalog',
  readers: catalogReaders,
  writers: catalogWriters,
  data: Brand,
  example: brandExample,
  list: {
    id: 'listBrands',
    summary: 'List brands',
    description: 'All brands, by id.',
    max: 100_000,
    sorts: { id: 'ascending', name: 'ascending', createdAt: 'descending', updatedAt: 'descending' },
  },
  create: {
    id: 'createBrand',
    summary: 'Create a brand',
    description: 'A product that names a new brand also creates it.',
    requestExample: { name: 'Halden Row', description: 'Grown by three sisters' },
  },
  replace: {
    id: 'replaceBrand',
    summary: 'Replace a brand',
    description: 'An absent description becomes empty.',
    requestExample,
  },
  update: {
    id: 'updateBrand',
    summary: 'Update a brand',
    description: 'Changes the given fields only.',
    requestExample,
  },
  end: {
    id: 'deleteBrand',
    summary: 'Delete a brand',
    description: 'Refused while products have it: merge it into another brand instead.',
    failures: ['CATALOG_ENTRY_IN_USE'],
  },
});
