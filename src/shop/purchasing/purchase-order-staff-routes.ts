import Type, { type Static } from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { Cents, Id, List, NonBlankText, Nullable } from '../../platform/http/schemas.ts';
import { readTotal } from '../../platform/lists/read-total.ts';
import { createPurchaseOrder } from './create-purchase-order.ts';
import { purchaseOrderById, purchaseOrderPage } from './list-purchase-orders.ts';
import { orderTransfer } from './order-transfer.ts';
import { idempotencyKey, type KeyedOutcome } from './purchase-order-keys.ts';
import { countPurchaseOrders, purchaseOrderList, purchaseOrdersPerPage } from './purchase-order-queries.ts';
import {
  purchaseOrderCursor,
  purchaseOrderFailures,
  strangerPurchaseOrder,
} from './purchase-order-routes.ts';
import {
  createOrderExample,
  missingOfNewLines,
  missingOfNewOrder,
  OrderTransferBody,
  PurchaseOrder,
  PurchaseOrderParams,
  purchaseOrderExample,
  ReceptionsBody,
  StaffCreatePurchaseOrderBody,
  StaffUpdatePurchaseOrderBody,
  updateOrderExample,
} from './purchase-order-schemas.ts';
import { purchaseSuggestionRoutes } from './purchase-suggestion-routes.ts';
import { purchasers } from './purchasing-staff.ts';
import { receivePurchaseOrder } from './receive-purchase-order.ts';
import { setPurchaseOrderOpen, settlePurchaseOrder } from './settle-purchase-order.ts';
import { undoReceptionRoutes } from './undo-reception-routes.ts';
import { updatePurchaseOrder } from './update-purchase-order.ts';
import { vendorStaffRoutes } from './vendor-staff-routes.ts';

const path = '/staff/v1/purchase-orders';
const paidExample = {
  ...purchaseOrderExample,
  amountPaid: 54_000,
  amountOutstanding: 0,
  paymentStatus: 'paid',
} as const;

/** Marks a response when an earlier request with the same key had produced the result. */
function replyOf({ shown, replayed }: KeyedOutcome<Static<typeof PurchaseOrder>>) {
  return reply(shown, replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {});
}

/** Operations on purchase orders and vendors for staff. */
export function purchasingStaffRoutes(context: Context): StaffEndpoint[] {
  const success = {
    status: 200,
    data: PurchaseOrder,
    description: 'The purchase order',
    example: purchaseOrderExample,
  } as const;

  const turn = (status: 'open' | 'closed') =>
    staffEndpoint({
      id: status === 'closed' ? 'closePurchaseOrder' : 'reopenPurchaseOrder',
      method: 'POST',
      path: `${path}/{purchaseOrderId}/${status === 'closed' ? 'close' : 'reopen'}`,
      roles: purchasers,
      kind: 'write',
      summary: status === 'closed' ? 'Close a purchase order' : 'Reopen a purchase order',
      description:
        status === 'closed'
          ? 'Afterwards it takes no changes or receptions, and only what came is owed; that can still be paid. Closing it again changes nothing.'
          : 'Afterwards it can be changed and received again. Reopening an open order changes nothing.',
      tag: 'Purchasing',
      params: PurchaseOrderParams,
      resourceParams: strangerPurchaseOrder,
      success: { ...success, example: { ...purchaseOrderExample, status } },
      failures: [],
      handle: async ({ staff, requestId, params }) =>
        reply(
          await setPurchaseOrderOpen(
            context,
            staffOrigin(staff, requestId),
            staff.organizationId,
            params.purchaseOrderId,
            status,
          ),
        ),
    });

  return [
    staffEndpoint({
      id: 'staffListPurchaseOrders',
      method: 'GET',
      path,
      roles: purchasers,
      kind: 'read',
      readsFrom: 'standby',
      list: {
        readsAll: {
          finalTotal: 'a shop orders some dozens a week',
          vendorName: 'a shop orders some dozens a week',
          status: 'a shop orders some dozens a week',
        },
        notInConsole: { updatedAt: 'the table has no column of it' },
        keys: { vendorName: ({ vendor }) => vendor.name },
      },
      summary: 'List purchase orders',
      description: `All purchase orders, ${purchaseOrdersPerPage} a page, newest first unless sorted.`,
      tag: 'Purchasing',
      query: Type.Object({ ...sortFields(purchaseOrderList.sorts), ...purchaseOrderCursor }),
      success: {
        status: 200,
        data: List(PurchaseOrder, { max: purchaseOrdersPerPage }),
        meta: ListTotal,
        description: 'A page of purchase orders',
        example: [purchaseOrderExample],
        metaExample: listTotalExample,
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ staff, query }) =>
        reply(await purchaseOrderPage(context, staff.organizationId, query), {
          meta: await readTotal(context.database, staff.organizationId, countPurchaseOrders({})),
        }),
    }),

    staffEndpoint({
      id: 'getPurchaseOrder',
      method: 'GET',
      path: `${path}/{purchaseOrderId}`,
      roles: purchasers,
      kind: 'read',
      summary: 'Retrieve a purchase order',
      description: 'With its lines, their receptions and its payments.',
      tag: 'Purchasing',
      params: PurchaseOrderParams,
      resourceParams: strangerPurchaseOrder,
      success,
      failures: [],
      handle: async ({ staff, params }) =>
        reply(await purchaseOrderById(context, staff.organizationId, params.purchaseOrderId)),
    }),

    staffEndpoint({
      id: 'staffCreatePurchaseOrder',
      method: 'POST',
      path,
      roles: purchasers,
      kind: 'write',
      summary: 'Create a purchase order',
      description: 'As for integrators, with the shipping and handling fee.',
      tag: 'Purchasing',
      body: StaffCreatePurchaseOrderBody,
      alsoMissing: missingOfNewOrder,
      requestExample: { ...createOrderExample, shippingHandlingFee: 0 },
      success: { ...success, status: 201 },
      failures: purchaseOrderFailures.create,
      handle: async ({ staff, requestId, body }) =>
        reply(await createPurchaseOrder(context, staffOrigin(staff, requestId), staff.organizationId, body)),
    }),

    staffEndpoint({
      id: 'orderComplianceTransfer',
      method: 'POST',
      path: `${path}/from-transfer`,
      roles: purchasers,
      kind: 'write',
      summary: 'Order an incoming transfer',
      description:
        'Makes the purchase order of a transfer: a line for each package that is not received, at the price that the shipper told the state (0 where it is unknown: the invoice says it). Goods of a name that was received before need no line. Of a transfer there is one order, which is answered again.',
      tag: 'Purchasing',
      body: OrderTransferBody,
      requestExample: {
        complianceTransferId: 4401,
        lineItems: [{ packageId: 2601, productId: 2101, productOptionId: 2201 }],
      },
      success: { ...success, status: 201 },
      failures: ['COMPLIANCE_TRANSFER_NOT_FOUND', ...purchaseOrderFailures.create],
      handle: async ({ staff, requestId, body: { complianceTransferId, lineItems: chosen = [] } }) =>
        reply(
          await orderTransfer(
            context,
            staffOrigin(staff, requestId),
            staff.organizationId,
            complianceTransferId,
            { chosen },
          ),
        ),
    }),

    staffEndpoint({
      id: 'staffUpdatePurchaseOrder',
      method: 'PUT',
      path: `${path}/{purchaseOrderId}`,
      roles: purchasers,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Update a purchase order',
      description: 'As for integrators, with the shipping and handling fee.',
      tag: 'Purchasing',
      params: PurchaseOrderParams,
      resourceParams: strangerPurchaseOrder,
      body: StaffUpdatePurchaseOrderBody,
      alsoMissing: missingOfNewLines,
      requestExample: { ...updateOrderExample, shippingHandlingFee: 2500 },
      success: {
        ...success,
        example: {
          ...purchaseOrderExample,
          notes: 'Deliver to the front door',
          shippingHandlingFee: 2500,
          finalTotal: 56_500,
          amountOutstanding: 56_500,
        },
      },
      failures: purchaseOrderFailures.update,
      handle: async ({ staff, requestId, params, body, expectedUpdatedAtMs }) =>
        reply(
          await updatePurchaseOrder(
            context,
            staffOrigin(staff, requestId, expectedUpdatedAtMs),
            staff.organizationId,
            params.purchaseOrderId,
            body,
          ),
        ),
    }),

    staffEndpoint({
      id: 'receivePurchaseOrder',
      method: 'POST',
      path: `${path}/{purchaseOrderId}/receptions`,
      roles: purchasers,
      kind: 'write',
      summary: 'Receive goods of a purchase order',
      description:
        'Receives goods of some lines, all or nothing. They are in stock at the location at once, loose (never cannabis where the state tags it) or in a package (an existing label is added to, a new one is created), and the moving average cost is updated. More than the ordered amount can be received.',
      tag: 'Purchasing',
      params: PurchaseOrderParams,
      resourceParams: strangerPurchaseOrder,
      query: Type.Object({ idempotencyKey }),
      body: ReceptionsBody,
      requestExample: [
        {
          lineItemId: 4301,
          inventoryLocationId: 2401,
          amount: '24',
          package: { label: '1A4FF0000000000000000009', expirationDate: '2027-01-31' },
        },
      ],
      success: {
        ...success,
        status: 201,
        example: {
          ...purchaseOrderExample,
          totalAmountReceived: '24',
          lineItems: [
            {
              ...purchaseOrderExample.lineItems[0],
              amountReceived: '24',
              receptions: [
                { inventoryLocationId: 2401, amount: '24', createdAt: '2026-03-14T18:00:00.000Z' },
              ],
            },
          ],
        },
      },
      failures: [
        'INVALID_IDEMPOTENCY_KEY',
        'INVALID_CHILD_RESOURCE',
        'INVENTORY_LOCATION_NOT_FOUND',
        'PRODUCT_NOT_FOUND',
        'PRODUCT_OPTION_NOT_FOUND',
        'INVALID_INVENTORY_TYPE',
        'INVALID_PACKAGE_TRANSITION',
        'MORE_THAN_ANNOUNCED',
        'PURCHASE_ORDER_CLOSED',
      ],
      handle: async ({ staff, requestId, params, query, body }) => {
        const outcome = await receivePurchaseOrder(
          context,
          staffOrigin(staff, requestId),
          staff.organizationId,
          params.purchaseOrderId,
          body,
          query.idempotencyKey ?? null,
        );
        return replyOf(outcome);
      },
    }),

    ...undoReceptionRoutes(context),

    staffEndpoint({
      id: 'payPurchaseOrder',
      method: 'POST',
      path: `${path}/{purchaseOrderId}/payments`,
      roles: purchasers,
      kind: 'write',
      summary: 'Record a payment of a purchase order',
      description:
        'In cents, at most the outstanding amount; also of a closed order. Safe to retry with `idempotencyKey`.',
      tag: 'Purchasing',
      params: PurchaseOrderParams,
      resourceParams: strangerPurchaseOrder,
      body: Type.Object({ amount: Cents({ min: 1, max: 10_000_000_000 }), idempotencyKey }),
      requestExample: { amount: 54_000, idempotencyKey: '5d2b7f0e-1c64-4f0a-8a55-2f9d3c7b1e08' },
      success: { ...success, status: 201, example: paidExample },
      failures: ['INVALID_IDEMPOTENCY_KEY', 'PURCHASE_ORDER_CLOSED'],
      handle: async ({ staff, requestId, params, body }) => {
        const outcome = await settlePurchaseOrder(
          context,
          staffOrigin(staff, requestId),
          staff.organizationId,
          params.purchaseOrderId,
          { amountCents: body.amount },
          body.idempotencyKey ?? null,
        );
        return replyOf(outcome);
      },
    }),

    staffEndpoint({
      id: 'creditPurchaseOrder',
      method: 'POST',
      path: `${path}/{purchaseOrderId}/credits`,
      roles: purchasers,
      kind: 'write',
      summary: 'Record a credit of the vendor',
      description:
        'What the vendor lets off, in cents, with the reason. With `packageId` of a rejected package it takes from what is still to come: goods that never came are owed nothing anyway. Without it, it takes from what came. Safe to retry with `idempotencyKey`.',
      tag: 'Purchasing',
      params: PurchaseOrderParams,
      resourceParams: strangerPurchaseOrder,
      body: Type.Object({
        amount: Cents({ min: 1, max: 10_000_000_000 }),
        reason: NonBlankText({ max: 500 }),
        packageId: Type.Optional(Nullable(Id({ description: 'A package that was rejected' }))),
        idempotencyKey,
      }),
      requestExample: { amount: 2250, reason: 'Two jars were broken' },
      success: {
        ...success,
        status: 201,
        example: {
          ...purchaseOrderExample,
          amountCredited: 2250,
          amountOutstanding: 51_750,
          vendorCredits: [
            {
              id: 4351,
              amount: 2250,
              reason: 'Two jars were broken',
              packageId: null,
              createdAt: '2026-03-14T18:00:00.000Z',
            },
          ],
        },
      },
      failures: ['INVALID_IDEMPOTENCY_KEY', 'PACKAGE_NOT_FOUND', 'INVALID_PACKAGE_TRANSITION'],
      handle: async ({ staff, requestId, params, body }) => {
        const outcome = await settlePurchaseOrder(
          context,
          staffOrigin(staff, requestId),
          staff.organizationId,
          params.purchaseOrderId,
          {
            amountCents: body.amount,
            credit: { reason: body.reason.trim(), packageId: body.packageId ?? null },
          },
          body.idempotencyKey ?? null,
        );
        return replyOf(outcome);
      },
    }),

    turn('closed'),
    turn('open'),
    ...purchaseSuggestionRoutes(context),
    ...vendorStaffRoutes(context),
  ];
}
