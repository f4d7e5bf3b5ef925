import Type from 'typebox';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Timestamp } from '../../platform/http/schemas.ts';
import { Package, PackageParams, packageExample } from '../inventory/package-schemas.ts';
import { stockWriters } from '../inventory/stock-schemas.ts';
import { strangerPurchaseOrder } from './purchase-order-routes.ts';
import { PurchaseOrder, PurchaseOrderParams, purchaseOrderExample } from './purchase-order-schemas.ts';
import { purchasers } from './purchasing-staff.ts';
import { undoPackageReceipt, undoReception } from './undo-reception.ts';

/** Operations that undo what was received by mistake. */
export function undoReceptionRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'undoReception',
      method: 'POST',
      path: '/staff/v1/purchase-orders/{purchaseOrderId}/undo-reception',
      roles: purchasers,
      kind: 'write',
      summary: 'Undo a reception of a purchase order',
      description:
        'Takes back what was received at one time, as long as nothing of it was sold, moved or counted: out of stock and of the moving average cost, and it is not owed. A package that the reception made is void, and its label free; one that was announced is `ready` again.',
      tag: 'Purchasing',
      params: PurchaseOrderParams,
      resourceParams: strangerPurchaseOrder,
      body: Type.Object({ receivedAt: Timestamp({ description: '`createdAt` of its receptions' }) }),
      requestExample: { receivedAt: '2026-03-14T18:00:00.000Z' },
      success: {
        status: 200,
        data: PurchaseOrder,
        description: 'The purchase order',
        example: purchaseOrderExample,
      },
      failures: ['RECEPTION_USED', 'PURCHASE_ORDER_CLOSED'],
      handle: async ({ staff, requestId, params, body }) =>
        reply(
          await undoReception(
            context,
            staffOrigin(staff, requestId),
            staff.organizationId,
            params.purchaseOrderId,
            body.receivedAt,
          ),
        ),
    }),

    staffEndpoint({
      id: 'undoPackageReceipt',
      method: 'POST',
      path: '/staff/v1/packages/{packageId}/undo-receipt',
      roles: stockWriters,
      kind: 'write',
      summary: 'Undo the receipt of a package',
      description:
        'Takes back its last reception, as long as nothing of it was sold, moved or counted: it is `ready` again. What came with a purchase order is undone there (`undoReception`).',
      tag: 'Packages',
      params: PackageParams,
      resourceParams: { packageId: 'PACKAGE_NOT_FOUND' },
      success: {
        status: 200,
        data: Package,
        description: 'The package',
        example: {
          ...packageExample,
          status: 'ready',
          ...{ productOptionId: null, product: null, receivedAt: null, costPerUnit: null },
          locationInventory: [],
        },
      },
      failures: ['INVALID_PACKAGE_TRANSITION', 'RECEPTION_USED'],
      handle: async ({ staff, requestId, params }) =>
        reply(
          await undoPackageReceipt(
            context,
            staffOrigin(staff, requestId),
            staff.organizationId,
            params.packageId,
          ),
        ),
    }),
  ];
}
