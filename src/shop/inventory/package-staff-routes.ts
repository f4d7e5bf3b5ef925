import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { changePackage } from './change-package.ts';
import { createPackage } from './create-package.ts';
import { finishPackage, rejectPackage, voidPackage } from './end-package.ts';
import {
  CreatePackageBody,
  createPackageExample,
  Package,
  PackageDetailsBody,
  PackageParams,
  packageExample,
  ReceivePackageBody,
  RejectPackageBody,
  VoidPackageBody,
} from './package-schemas.ts';
import { receivePackage } from './receive-package.ts';
import { stockWriters } from './stock-schemas.ts';

const stranger = { packageId: 'PACKAGE_NOT_FOUND' } as const;
const readyExample = {
  ...packageExample,
  label: createPackageExample.label,
  status: 'ready',
  productOptionId: null,
  product: null,
  receivedAt: null,
  costPerUnit: null,
  locationInventory: [],
} as const;

/** Operations on packages for staff (D53). */
export function packageStaffRoutes(context: Context): StaffEndpoint[] {
  const success = {
    status: 200,
    data: Package,
    description: 'The package',
    example: packageExample,
  } as const;
  return [
    staffEndpoint({
      id: 'createPackage',
      method: 'POST',
      path: '/staff/v1/packages',
      roles: stockWriters,
      kind: 'write',
      summary: 'Add a package',
      description:
        'Adds a package that is on its way: `ready`, without stock until it is received. With `reception` it is here, and all of it is in stock at once.',
      tag: 'Packages',
      body: CreatePackageBody,
      requestExample: createPackageExample,
      success: { ...success, status: 201, example: readyExample },
      failures: [
        'INVENTORY_LOCATION_NOT_FOUND',
        'PRODUCT_NOT_FOUND',
        'PRODUCT_OPTION_NOT_FOUND',
        'INVALID_CHILD_RESOURCE',
        'INVALID_INVENTORY_TYPE',
      ],
      handle: async ({ staff, requestId, body }) =>
        reply(await createPackage(context, staffOrigin(staff, requestId), staff.organizationId, body)),
    }),

    staffEndpoint({
      id: 'changePackage',
      method: 'PATCH',
      path: '/staff/v1/packages/{packageId}',
      roles: stockWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Change package details',
      description:
        'Changes the given fields; null clears. A package on hold or a trade sample is not sold from the next cart on, and what an order holds of a package on hold is not handed over. Releasing the hold clears its reason.',
      tag: 'Packages',
      params: PackageParams,
      resourceParams: stranger,
      body: PackageDetailsBody,
      requestExample: {
        onHold: true,
        holdReason: 'The seal looks broken',
        expirationDate: '2027-01-31',
        labName: 'Cedar Ridge Labs',
      },
      success: {
        ...success,
        example: { ...packageExample, onHold: true, holdReason: 'The seal looks broken' },
      },
      failures: [],
      handle: async ({ staff, requestId, params, body, expectedUpdatedAtMs }) =>
        reply(
          await changePackage(
            context,
            staffOrigin(staff, requestId, expectedUpdatedAtMs),
            staff.organizationId,
            params.packageId,
            body,
          ),
        ),
    }),

    staffEndpoint({
      id: 'receivePackage',
      method: 'POST',
      path: '/staff/v1/packages/{packageId}/receive',
      roles: stockWriters,
      kind: 'write',
      summary: 'Receive a package',
      description:
        "Sets the content and adds the amount to the location's stock, in units of stock: mass and volume are converted exactly, rounded half-up to 6 decimals, and kept as `multiplier`. Updates the moving average cost. A received package can receive more later; it keeps its product and option. More than it was announced with must be confirmed.",
      tag: 'Packages',
      params: PackageParams,
      resourceParams: stranger,
      body: ReceivePackageBody,
      requestExample: {
        productId: 2101,
        productOptionId: 2201,
        inventoryLocationId: 2401,
        amount: '48',
        costPerUnit: '11.25',
      },
      success,
      failures: [
        'INVENTORY_LOCATION_NOT_FOUND',
        'PRODUCT_NOT_FOUND',
        'PRODUCT_OPTION_NOT_FOUND',
        'INVALID_CHILD_RESOURCE',
        'INVALID_INVENTORY_TYPE',
        'INVALID_PACKAGE_TRANSITION',
        'MORE_THAN_ANNOUNCED',
      ],
      handle: async ({ staff, requestId, params, body }) =>
        reply(
          await receivePackage(
            context,
            staffOrigin(staff, requestId),
            staff.organizationId,
            params.packageId,
            body,
          ),
        ),
    }),

    staffEndpoint({
      id: 'finishPackage',
      method: 'POST',
      path: '/staff/v1/packages/{packageId}/finish',
      roles: stockWriters,
      kind: 'write',
      summary: 'Finish a package',
      description:
        'For a package that is used up: it must have no stock. Finishing it again changes nothing.',
      tag: 'Packages',
      params: PackageParams,
      resourceParams: stranger,
      success: {
        ...success,
        example: {
          ...packageExample,
          status: 'finished',
          finishedAt: '2026-03-10T18:00:00.000Z',
          locationInventory: [],
        },
      },
      failures: ['NON_ZERO_INVENTORY', 'INVALID_PACKAGE_TRANSITION'],
      handle: async ({ staff, requestId, params }) =>
        reply(
          await finishPackage(context, staffOrigin(staff, requestId), staff.organizationId, params.packageId),
        ),
    }),

    staffEndpoint({
      id: 'rejectPackage',
      method: 'POST',
      path: '/staff/v1/packages/{packageId}/reject',
      roles: stockWriters,
      kind: 'write',
      summary: 'Reject a package',
      description:
        'For a package of a transfer that is not taken: it goes back to its shipper, is `transfer-returned` with the reason as `voidReason`, and is never stock. A later manifest may bring its label again. Rejecting it again changes nothing. What the vendor gives for it is recorded at the purchase order (`creditPurchaseOrder`).',
      tag: 'Packages',
      params: PackageParams,
      resourceParams: stranger,
      body: RejectPackageBody,
      requestExample: { reason: 'The seal was broken' },
      success: {
        ...success,
        example: {
          ...readyExample,
          status: 'transfer-returned',
          transferReturnedAt: '2026-03-10T18:00:00.000Z',
          voidReason: 'The seal was broken',
        },
      },
      failures: ['INVALID_PACKAGE_TRANSITION'],
      handle: async ({ staff, requestId, params, body }) =>
        reply(
          await rejectPackage(
            context,
            staffOrigin(staff, requestId),
            staff.organizationId,
            params.packageId,
            body.reason.trim(),
          ),
        ),
    }),

    staffEndpoint({
      id: 'voidPackage',
      method: 'POST',
      path: '/staff/v1/packages/{packageId}/void',
      roles: stockWriters,
      kind: 'write',
      summary: 'Void a package',
      description:
        'For a package created by mistake: it is finished, its label becomes `void-<label>-<8 hex>`, and another package can use the label. It must have no stock.',
      tag: 'Packages',
      params: PackageParams,
      resourceParams: stranger,
      body: VoidPackageBody,
      requestExample: { reason: 'Entered twice' },
      success: {
        ...success,
        example: {
          ...readyExample,
          label: 'void-1A4FF0000000000000000009-3f9c21aa',
          status: 'finished',
          finishedAt: '2026-03-10T18:00:00.000Z',
          voidReason: 'Entered twice',
        },
      },
      failures: ['NON_ZERO_INVENTORY', 'INVALID_PACKAGE_TRANSITION'],
      handle: async ({ staff, requestId, params, body }) =>
        reply(
          await voidPackage(
            context,
            staffOrigin(staff, requestId),
            staff.organizationId,
            params.packageId,
            body.reason.trim(),
          ),
        ),
    }),
  ];
}
