import { failure } from '../../kernel/failure.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { type Caller, type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { selectExternalIdsOfOptions, selectProductOfExternalId } from './external-id-queries.ts';
import { readExternalProduct } from './external-product.ts';
import { missingPotencyUnits } from './product-content.ts';
import {
  batchExample,
  batchResultsExample,
  externalProductExample,
  saveProductExample,
} from './product-examples.ts';
import {
  BatchResults,
  ExternalProductParams,
  ExternalProductReply,
  SaveProductBody,
  SaveProductsBody,
} from './product-schemas.ts';
import { productStatements, showProducts } from './product-view.ts';
import { type SavedProduct, saveByExternalId } from './save-by-external-id.ts';
import { saveProductBatch } from './save-product-batch.ts';

/** Enough for 500 products with descriptions of 8,000 characters. */
const batchBytesMax = 5 * 1_048_576;

const common = {
  address: 'base',
  permission: 'products-inventory',
  publishableKey: 'refused',
  tag: 'Catalog',
} as const;

const success = {
  status: 200,
  data: ExternalProductReply,
  description: 'The product',
  example: externalProductExample,
} as const;

/**
 * Operations on products by the ids that an integrator has for them (D71). Each integrator has its own ids.
 *
 * @param photoUrl returns the public address of a stored photo.
 */
export function externalProductRoutes(context: Context, photoUrl: (location: string) => string): Endpoint[] {
  const originOf = (caller: Caller, requestId: string): Origin => ({
    actor: `key:${caller.clientKeyId}`,
    requestId,
  });

  function shown(externalId: string, { id, rows, optionIds }: SavedProduct) {
    const product = showProducts([id], rows, photoUrl)[0]!;
    const externalIdOf = new Map(optionIds.map((row) => [row.product_option_id, row.external_id]));
    return {
      externalId,
      ...product,
      options: product.options.map((option) => ({
        externalId: externalIdOf.get(option.id) ?? null,
        ...option,
      })),
    };
  }

  return [
    endpoint({
      ...common,
      id: 'getProductByExternalId',
      method: 'GET',
      path: '/api/v1/products/by-external-id/{externalId}',
      kind: 'read',
      emptyInDemo: 'integrators bring their own ids',
      summary: 'Retrieve a product by your id',
      description: 'The product with your id, active or not. Ids of other integrators are not yours.',
      params: ExternalProductParams,
      resourceParams: { externalId: 'PRODUCT_NOT_FOUND' },
      success,
      failures: [],
      handle: async ({ caller, params: { externalId } }) => {
        const { organizationId, integratorId } = caller;
        const [[known]] = await context.database.read(
          organizationId,
          selectProductOfExternalId({ integratorId, externalIds: [externalId] }),
        );
        if (known === undefined) throw failure('PRODUCT_NOT_FOUND', 'There is no such product.');
        const id = known.product_id;
        const [optionIds, ...rows] = await context.database.read(
          organizationId,
          selectExternalIdsOfOptions({ integratorId, productId: id }),
          ...productStatements([id]),
        );
        return reply(shown(externalId, { id, rows, optionIds }));
      },
    }),

    endpoint({
      ...common,
      id: 'saveProductByExternalId',
      method: 'PUT',
      path: '/api/v1/products/by-external-id/{externalId}',
      kind: 'write',
      summary: 'Create or replace a product by your id',
      description:
        'Creates the product, inactive, or makes the one with your id equal to the request: an absent field has no value. With `id`, a product that is there gets your id, if it has none of yours. Names work as in `POST /api/v1/products`. An equal request changes nothing, so it can be repeated. Whether the menu shows the product stays as staff set it.',
      params: ExternalProductParams,
      body: SaveProductBody,
      alsoMissing: missingPotencyUnits,
      requestExample: saveProductExample,
      success,
      failures: [
        'MISSING_PARAMS',
        'PRODUCT_NOT_FOUND',
        'PRODUCT_CATEGORY_NOT_FOUND',
        'INVALID_CHILD_RESOURCE',
        'NON_ZERO_INVENTORY',
        'TRANSACTION_RETRY_EXCEEDED',
      ],
      handle: async ({ caller, params: { externalId }, body, requestId }) => {
        const saved = await saveByExternalId(
          context,
          originOf(caller, requestId),
          caller.organizationId,
          caller.integratorId,
          readExternalProduct(externalId, body),
          photoUrl,
        );
        return reply(shown(externalId, saved));
      },
    }),

    endpoint({
      ...common,
      id: 'saveProductBatch',
      method: 'POST',
      path: '/api/v1/products/batch',
      kind: 'write',
      summary: 'Create or replace many products by your ids',
      description:
        'Up to 500 products, each as in `PUT /api/v1/products/by-external-id/{externalId}` and in a transaction of its own: a product that is refused stops no other. Each gets a result, in their order: its id, or the error that the single operation would give. The same batch again changes nothing. With `Idempotency-Key` all products and the reply are one transaction, and a product that is refused still stops no other.',
      bodyBytesMax: batchBytesMax,
      body: SaveProductsBody,
      requestExample: batchExample,
      success: {
        status: 200,
        data: BatchResults,
        description: 'The results',
        example: batchResultsExample,
      },
      failures: [],
      handle: async ({ caller, body, requestId }) => {
        const origin = originOf(caller, requestId);
        return reply({
          results: await saveProductBatch(context, origin, caller, body.products, photoUrl),
        });
      },
    }),
  ];
}
