import type { Context, Origin } from '../../platform/database/context.ts';
import { type Caller, type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
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
  CreateProductBody,
  Product,
  ProductParams,
  ReplaceOptionsBody,
  SetUpcsBody,
  UpdateProductBody,
} from './product-schemas.ts';
import { type ProductRows, showProducts } from './product-view.ts';
import { changeUpcs, replaceOptions } from './replace-options.ts';
import { changeProduct } from './update-product.ts';

export const strangerProduct = { productId: 'PRODUCT_NOT_FOUND' } as const;

/** Refusals of each body, beyond those of its schema. */
export const productFailures = {
  create: ['MISSING_PARAMS', 'PRODUCT_CATEGORY_NOT_FOUND', 'TRANSACTION_RETRY_EXCEEDED'],
  update: [
    'MISSING_PARAMS',
    'PRODUCT_CATEGORY_NOT_FOUND',
    'NON_ZERO_INVENTORY',
    'TRANSACTION_RETRY_EXCEEDED',
  ],
  options: [
    'MISSING_PARAMS',
    'PRODUCT_OPTION_NOT_FOUND',
    'INVALID_CHILD_RESOURCE',
    'NON_ZERO_INVENTORY',
    'TRANSACTION_RETRY_EXCEEDED',
  ],
  upcs: ['PRODUCT_OPTION_NOT_FOUND', 'INVALID_CHILD_RESOURCE', 'TRANSACTION_RETRY_EXCEEDED'],
} as const;

/** The single product of some rows, as responses show it. */
export function theProduct(id: number, rows: ProductRows, photoUrl: (location: string) => string) {
  return showProducts([id], rows, photoUrl)[0]!;
}

/**
 * Operations on products.
 *
 * @param photoUrl returns the public address of a stored photo.
 */
export function productRoutes(context: Context, photoUrl: (location: string) => string): Endpoint[] {
  const originOf = (caller: Caller, requestId: string): Origin => ({
    actor: `key:${caller.clientKeyId}`,
    requestId,
  });
  return [
    endpoint({
      id: 'createProduct',
      method: 'POST',
      path: '/api/v1/products',
      address: 'base',
      permission: 'products-inventory',
      publishableKey: 'refused',
      kind: 'write',
      summary: 'Create a product',
      description:
        'Adds an inactive product; staff activate it. Names of categories, sub-categories and brands match without case and outer spaces; new sub-categories and brands are created, categories are not.',
      tag: 'Catalog',
      body: CreateProductBody,
      alsoMissing: missingPotencyUnits,
      requestExample: createProductExample,
      success: { status: 201, data: Product, description: 'The product', example: productExample },
      failures: productFailures.create,
      handle: async ({ caller, body, requestId }) => {
        const origin = originOf(caller, requestId);
        const { id, rows } = await createProduct(context, origin, caller.organizationId, body);
        return reply(theProduct(id, rows, photoUrl));
      },
    }),

    endpoint({
      id: 'updateProduct',
      method: 'PUT',
      path: '/api/v1/products/{productId}',
      address: 'base',
      permission: 'products-inventory',
      publishableKey: 'refused',
      kind: 'write',
      summary: 'Update a product',
      description:
        'Changes the given fields only; null clears optional fields. `deletedAt` with the current time deletes the product, and `inventoryType` changes its stock tracking: both only while it has no stock.',
      tag: 'Catalog',
      params: ProductParams,
      resourceParams: strangerProduct,
      body: UpdateProductBody,
      requestExample: updateProductExample,
      success: { status: 201, data: Product, description: 'The product', example: productExample },
      failures: productFailures.update,
      handle: async ({ caller, params, body, requestId }) => {
        const { productId } = params;
        const origin = originOf(caller, requestId);
        const rows = await changeProduct(context, origin, caller.organizationId, productId, body, photoUrl);
        return reply(theProduct(productId, rows, photoUrl));
      },
    }),

    endpoint({
      id: 'replaceProductOptions',
      method: 'PUT',
      path: '/api/v1/products/{productId}/options',
      address: 'base',
      permission: 'products-inventory',
      publishableKey: 'refused',
      kind: 'write',
      summary: 'Update product options',
      description:
        'The full new set of options, in order: an option with `id` is updated, one without `id` is created (which needs `amount` and `price`), and an absent one is deleted if it has no stock. Absent fields keep their values.',
      tag: 'Catalog',
      params: ProductParams,
      resourceParams: strangerProduct,
      body: ReplaceOptionsBody,
      alsoMissing: missingOfNewOptions,
      requestExample: replaceOptionsExample,
      success: { status: 201, data: Product, description: 'The product', example: productExample },
      failures: productFailures.options,
      handle: async ({ caller, params, body, requestId }) => {
        const { productId } = params;
        const origin = originOf(caller, requestId);
        const rows = await replaceOptions(context, origin, caller.organizationId, productId, body, photoUrl);
        return reply(theProduct(productId, rows, photoUrl));
      },
    }),

    endpoint({
      id: 'setProductOptionUpcs',
      method: 'PUT',
      path: '/api/v1/products/{productId}/options/upc',
      address: 'base',
      permission: 'products-inventory',
      publishableKey: 'refused',
      kind: 'write',
      summary: 'Set UPCs of product options',
      description: 'Changes the UPCs of the given options only; null removes one.',
      tag: 'Catalog',
      params: ProductParams,
      resourceParams: strangerProduct,
      body: SetUpcsBody,
      requestExample: setUpcsExample,
      success: { status: 200, data: Product, description: 'The product', example: productExample },
      failures: productFailures.upcs,
      handle: async ({ caller, params, body, requestId }) => {
        const { productId } = params;
        const origin = originOf(caller, requestId);
        const rows = await changeUpcs(context, origin, caller.organizationId, productId, body);
        return reply(theProduct(productId, rows, photoUrl));
      },
    }),
  ];
}
