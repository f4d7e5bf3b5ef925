import Type from 'typebox';
import type { Context } from '../database/context.ts';
import { type Caller, type Endpoint, endpoint, reply } from '../http/endpoint.ts';
import { Id, List, withErrorCode } from '../http/schemas.ts';
import { createPurchaseOrder } from './create-purchase-order.ts';
import { purchaseOrderPage } from './list-purchase-orders.ts';
import { purchaseOrdersPerPage } from './purchase-order-queries.ts';
import {
  CreatePurchaseOrderBody,
  createOrderExample,
  missingOfNewLines,
  missingOfNewOrder,
  PurchaseOrder,
  PurchaseOrderParams,
  purchaseOrderExample,
  UpdatePurchaseOrderBody,
  updateOrderExample,
} from './purchase-order-schemas.ts';
import { updatePurchaseOrder } from './update-purchase-order.ts';

const contentFailures = [
  'INVENTORY_VENDOR_NOT_FOUND',
  'PRODUCT_NOT_FOUND',
  'PRODUCT_OPTION_NOT_FOUND',
  'INVALID_CHILD_RESOURCE',
  'INVALID_INVENTORY_TYPE',
  'PURCHASE_ORDER_MISSING_CUSTOM_DATE',
  'TRANSACTION_RETRY_EXCEEDED',
] as const;

/** What can be refused of each body, beyond what its schema says. */
export const purchaseOrderFailures = {
  create: contentFailures,
  update: [...contentFailures, 'PURCHASE_ORDER_CLOSED', 'PURCHASE_ORDER_LINE_ITEM_RECEIVED'],
} as const;

export const strangerPurchaseOrder = { purchaseOrderId: 'PURCHASE_ORDER_NOT_FOUND' } as const;

export const purchaseOrderCursor = {
  startingAfter: Type.Optional(
    withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
  ),
};

/** The operations on purchase orders. */
export function purchaseOrderRoutes(context: Context): Endpoint[] {
  const originOf = (caller: Caller, requestId: string) =>
    ({ actor: `key:${caller.clientKeyId}`, requestId }) as const;
  return [
    endpoint({
      id: 'listPurchaseOrders',
      method: 'GET',
      path: '/api/v1/purchase-orders',
      address: 'base',
      permission: 'analytics',
      kind: 'read',
      summary: 'List purchase orders',
      description: `What was ordered of vendors, what came in and what was paid; newest first, ${purchaseOrdersPerPage} a page.`,
      source: ['D14', 'D51'],
      tag: 'Purchasing',
      query: Type.Object(purchaseOrderCursor),
      success: {
        status: 200,
        data: List(PurchaseOrder, { max: purchaseOrdersPerPage }),
        description: 'A page of purchase orders',
        example: [purchaseOrderExample],
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ caller, query }) =>
        reply(await purchaseOrderPage(context, caller.organizationId, query.startingAfter)),
    }),

    endpoint({
      id: 'createPurchaseOrder',
      method: 'POST',
      path: '/api/v1/purchase-orders',
      address: 'base',
      permission: 'products-inventory',
      kind: 'write',
      summary: 'Create a purchase order',
      description:
        'Orders goods of a vendor: one that is there, by id or name, or a new one. It is due on `paymentTermsDueDate`, or ' +
        'where none is sent with net terms so many days after `expectedAt`.',
      source: ['D11', 'D49'],
      tag: 'Purchasing',
      body: CreatePurchaseOrderBody,
      alsoMissing: missingOfNewOrder,
      requestExample: createOrderExample,
      success: {
        status: 201,
        data: PurchaseOrder,
        description: 'The purchase order',
        example: purchaseOrderExample,
      },
      failures: purchaseOrderFailures.create,
      handle: async ({ caller, body, requestId }) =>
        reply(await createPurchaseOrder(context, originOf(caller, requestId), caller.organizationId, body)),
    }),

    endpoint({
      id: 'updatePurchaseOrder',
      method: 'PUT',
      path: '/api/v1/purchase-orders/{purchaseOrderId}',
      address: 'base',
      permission: 'products-inventory',
      kind: 'write',
      summary: 'Update a purchase order',
      description:
        'Changes what is sent of an open order. `lineItems` is the full new set: with `id` a line is changed, without it ' +
        'one is added, and one that is left out is taken out. A line of which something was received stays as it is. ' +
        'A due date that was sent stays until other terms or another date are; one that followed from the terms and ' +
        '`expectedAt` follows their changes.',
      source: ['D11', 'D50'],
      tag: 'Purchasing',
      params: PurchaseOrderParams,
      resourceParams: strangerPurchaseOrder,
      body: UpdatePurchaseOrderBody,
      alsoMissing: missingOfNewLines,
      requestExample: updateOrderExample,
      success: {
        status: 201,
        data: PurchaseOrder,
        description: 'The purchase order',
        example: purchaseOrderExample,
      },
      failures: purchaseOrderFailures.update,
      handle: async ({ caller, params, body, requestId }) =>
        reply(
          await updatePurchaseOrder(
            context,
            originOf(caller, requestId),
            caller.organizationId,
            params.purchaseOrderId,
            body,
          ),
        ),
    }),
  ];
}
