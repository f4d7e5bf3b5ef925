import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { type Caller, type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { Id, List, withErrorCode } from '../../platform/http/schemas.ts';
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

/** Refusals of each body, beyond those of its schema. */
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

/** Operations on purchase orders. */
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
      publishableKey: 'refused',
      kind: 'read',
      readsFrom: 'standby',
      list: { order: { descending: ['createdAt', 'id'] } },
      summary: 'List purchase orders',
      description: `Purchase orders with their receptions and payments; newest first, ${purchaseOrdersPerPage} a page.`,
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
        reply(await purchaseOrderPage(context, caller.organizationId, query)),
    }),

    endpoint({
      id: 'createPurchaseOrder',
      method: 'POST',
      path: '/api/v1/purchase-orders',
      address: 'base',
      permission: 'products-inventory',
      publishableKey: 'refused',
      kind: 'write',
      summary: 'Create a purchase order',
      description:
        'Orders goods from a vendor: an existing one, by id or name, or a new one. It is due on `paymentTermsDueDate`; without that date, net terms count days from `expectedAt`.',
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
      publishableKey: 'refused',
      kind: 'write',
      summary: 'Update a purchase order',
      description:
        'Changes the given fields of an open order. `lineItems` is the full new set: a line with `id` is changed, one without `id` is added, and an absent one is removed. A line with received goods cannot change. A due date that was sent stays until new terms or another date are sent; a date computed from the terms and `expectedAt` follows their changes.',
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
