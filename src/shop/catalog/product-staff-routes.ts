import Type from 'typebox';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { totalOf } from '../../kernel/list-count.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { Described, Flag, Id, List, Nullable, Text, withErrorCode } from '../../platform/http/schemas.ts';
import { findByWords, rowsAfter, wordsOf } from '../../platform/lists/word-search.ts';
import { createProduct } from './create-product.ts';
import { missingOfNewOptions, missingPotencyUnits } from './product-content.ts';
import {
  createProductExample,
  productExample,
  replaceOptionsExample,
  setUpcsExample,
  updateProductExample,
} from './product-examples.ts';
import {
  countProducts,
  listProductPage,
  type ProductOrder,
  productList,
  productSearch,
  productsPerPage,
  selectProductCursor,
  selectStockOfProducts,
} from './product-list-queries.ts';
import { productFailures, strangerProduct, theProduct } from './product-routes.ts';
import {
  CreateProductBody,
  ListedProduct,
  Product,
  ProductParams,
  ReplaceOptionsBody,
  SetUpcsBody,
  UpdateProductBody,
} from './product-schemas.ts';
import { productStatements, showProducts } from './product-view.ts';
import { changeUpcs, replaceOptions } from './replace-options.ts';
import { changeVisibility, WeightTolerance } from './show-on-menu.ts';
import { changeProduct } from './update-product.ts';

export const catalogReaders = ['owner', 'manager', 'inventory', 'budtender'] as const;
export const catalogWriters = ['owner', 'manager', 'inventory'] as const;

/**
 * Staff operations on products: those of integrators with the same functions, and those of staff only.
 *
 * @param photoUrl returns the public address of a stored photo.
 */
export function productStaffRoutes(
  context: Context,
  photoUrl: (location: string) => string,
): StaffEndpoint[] {
  const success = {
    status: 200,
    data: Product,
    description: 'The product',
    example: productExample,
  } as const;
  return [
    staffEndpoint({
      id: 'staffListProducts',
      method: 'GET',
      path: '/staff/v1/products',
      roles: catalogReaders,
      kind: 'read',
      readsFrom: 'standby',
      list: {
        notInConsole: { createdAt: 'the order that the table has by itself' },
        keys: {
          brand: ({ brand }) => brand?.name,
          category: ({ primaryCategory }) => primaryCategory.name,
          price: ({ options }) =>
            options.length === 0 ? null : Math.min(...options.map(({ price }) => price)),
          stock: ({ onHand }) => Number(onHand),
        },
      },
      summary: 'List products',
      description:
        'Active and inactive products, newest first unless sorted, 50 a page. Filters combine. A search finds the products that have all words of the text, in any order: first those with the whole text as SKU, UPC or label of a package, then those whose name begins with it. If none has all words, one wrong letter in one of them is forgiven. It finds at most 1,000 products, 200 where it forgives; `meta.more` says whether there are more.',
      tag: 'Catalog',
      query: Type.Object({
        search: Type.Optional(
          Text({
            min: 1,
            max: 100,
            description:
              'Words, in any order, of name, brand, strain, SKU, options and UPCs, or the label of a package',
          }),
        ),
        active: Type.Optional(
          Flag({ description: '`true`: only active products; `false`: only inactive ones' }),
        ),
        productCategoryId: Type.Optional(Id({ description: 'Only products with this primary category' })),
        productSubCategoryId: Type.Optional(Id({ description: 'Only products with this sub-category' })),
        ...sortFields(productList.sorts, 'A search has its own order'),
        startingAfter: Type.Optional(
          withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
        ),
      }),
      success: {
        status: 200,
        data: List(ListedProduct, { max: productsPerPage }),
        meta: ListTotal,
        description: 'A page of products, and how many there are',
        example: [{ ...productExample, onHand: '36' }],
        metaExample: listTotalExample,
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ staff, query }) => {
        const { ids, total } = await pageOfProducts(context, staff.organizationId, query);
        const [stocks, ...rows] = await context.database.read(
          staff.organizationId,
          selectStockOfProducts({ ids }),
          ...productStatements(ids),
        );
        const onHandOf = new Map(stocks.map((row) => [row.product_id, canonicalDecimalText(row.on_hand)]));
        const listed = showProducts(ids, rows, photoUrl);
        return reply(
          listed.map((product) => ({ ...product, onHand: onHandOf.get(product.id) ?? '0' })),
          { meta: total },
        );
      },
    }),

    staffEndpoint({
      id: 'staffGetProduct',
      method: 'GET',
      path: '/staff/v1/products/{productId}',
      roles: catalogReaders,
      kind: 'read',
      summary: 'Retrieve a product',
      description: 'One product, active or not.',
      tag: 'Catalog',
      params: ProductParams,
      resourceParams: strangerProduct,
      success,
      failures: [],
      handle: async ({ staff, params }) => {
        const ids = [params.productId];
        const rows = await context.database.read(staff.organizationId, ...productStatements(ids));
        const [product] = showProducts(ids, rows, photoUrl);
        if (product === undefined || product.deletedAt !== null) {
          throw failure('PRODUCT_NOT_FOUND', 'There is no such product.');
        }
        return reply(product);
      },
    }),

    staffEndpoint({
      id: 'staffCreateProduct',
      method: 'POST',
      path: '/staff/v1/products',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Create a product',
      description: 'As for integrators. The product is inactive until staff activate it.',
      tag: 'Catalog',
      body: CreateProductBody,
      alsoMissing: missingPotencyUnits,
      requestExample: createProductExample,
      success: { ...success, status: 201 },
      failures: productFailures.create,
      handle: async ({ staff, body, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        const { id, rows } = await createProduct(context, origin, staff.organizationId, body);
        return reply(theProduct(id, rows, photoUrl));
      },
    }),

    staffEndpoint({
      id: 'staffUpdateProduct',
      method: 'PUT',
      path: '/staff/v1/products/{productId}',
      roles: catalogWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Update a product',
      description: 'As for integrators: changes the given fields, `deletedAt` deletes.',
      tag: 'Catalog',
      params: ProductParams,
      resourceParams: strangerProduct,
      body: UpdateProductBody,
      requestExample: updateProductExample,
      success,
      failures: productFailures.update,
      handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) => {
        const { productId } = params;
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const rows = await changeProduct(context, origin, staff.organizationId, productId, body, photoUrl);
        return reply(theProduct(productId, rows, photoUrl));
      },
    }),

    staffEndpoint({
      id: 'changeProductVisibility',
      method: 'PATCH',
      path: '/staff/v1/products/{productId}',
      roles: catalogWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Activate or feature a product',
      description: 'Changes the given fields. Menus show an active product at once; it needs an option.',
      tag: 'Catalog',
      params: ProductParams,
      resourceParams: strangerProduct,
      body: Type.Object({
        isActive: Type.Optional(Flag({ description: 'Whether the menu shows it' })),
        isFeatured: Type.Optional(Flag({ description: 'Whether it is featured' })),
        isCompliant: Type.Optional(Flag()),
        weightTolerance: Type.Optional(Described('null: by the piece', Nullable(WeightTolerance))),
      }),
      requestExample: { isActive: true },
      success,
      failures: [],
      handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) => {
        const { productId } = params;
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const rows = await changeVisibility(context, origin, staff.organizationId, productId, body);
        return reply(theProduct(productId, rows, photoUrl));
      },
    }),

    staffEndpoint({
      id: 'staffReplaceProductOptions',
      method: 'PUT',
      path: '/staff/v1/products/{productId}/options',
      roles: catalogWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Update product options',
      description: 'As for integrators: the full new set of options, in order.',
      tag: 'Catalog',
      params: ProductParams,
      resourceParams: strangerProduct,
      body: ReplaceOptionsBody,
      alsoMissing: missingOfNewOptions,
      requestExample: replaceOptionsExample,
      success,
      failures: productFailures.options,
      handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) => {
        const { productId } = params;
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const rows = await replaceOptions(context, origin, staff.organizationId, productId, body, photoUrl);
        return reply(theProduct(productId, rows, photoUrl));
      },
    }),

    staffEndpoint({
      id: 'staffSetProductOptionUpcs',
      method: 'PUT',
      path: '/staff/v1/products/{productId}/options/upc',
      roles: catalogWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Set UPCs of product options',
      description: 'As for integrators: changes the given UPCs only.',
      tag: 'Catalog',
      params: ProductParams,
      resourceParams: strangerProduct,
      body: SetUpcsBody,
      requestExample: setUpcsExample,
      success,
      failures: productFailures.upcs,
      handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) => {
        const { productId } = params;
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const rows = await changeUpcs(context, origin, staff.organizationId, productId, body);
        return reply(theProduct(productId, rows, photoUrl));
      },
    }),
  ];
}

interface ProductsQuery extends ProductOrder {
  readonly search?: string | undefined;
  readonly active?: boolean | undefined;
  readonly productCategoryId?: number | undefined;
  readonly productSubCategoryId?: number | undefined;
}

async function pageOfProducts({ database }: Context, organization: OrganizationId, query: ProductsQuery) {
  const { search = '', startingAfter } = query;
  const isSearch = wordsOf(search).length > 0;
  const filter = {
    active: query.active ?? null,
    categoryId: query.productCategoryId ?? null,
    subCategoryId: query.productSubCategoryId ?? null,
  };
  const [cursors, page, counts] = await database.read(
    organization,
    startingAfter === undefined ? null : selectProductCursor({ id: startingAfter }),
    isSearch ? null : listProductPage(filter, query),
    isSearch ? null : countProducts(filter),
  );
  if (startingAfter !== undefined && cursors.length === 0) {
    throw failure('INVALID_CURSOR', 'startingAfter must be the id of a product of the previous page.');
  }
  if (!isSearch) return { ids: page.map(({ id }) => id), total: totalOf(counts[0]!.count) };
  const { rows, hasMore } = await findByWords(database, organization, productSearch, search, { ...filter });
  const behind = cursors[0] === undefined ? rows : rowsAfter(rows, cursors[0]);
  return {
    ids: behind.slice(0, productsPerPage).map(({ id }) => id),
    total: { total: rows.length, more: hasMore },
  };
}
