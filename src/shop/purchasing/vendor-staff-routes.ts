import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { totalOf } from '../../kernel/list-count.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { Id, List, withErrorCode } from '../../platform/http/schemas.ts';
import { vendorProfile } from './create-purchase-order.ts';
import { Vendor, VendorBody, vendorExample } from './purchase-order-schemas.ts';
import { shownVendor } from './purchase-order-view.ts';
import { purchasers } from './purchasing-staff.ts';
import { archiveVendor, createVendor, replaceVendor } from './save-vendor.ts';
import { countVendors, selectVendors, vendorList, vendorsPerPage } from './vendor-queries.ts';

const VendorParams = Type.Object({ inventoryVendorId: Id() });
const stranger = { inventoryVendorId: 'INVENTORY_VENDOR_NOT_FOUND' } as const;
const path = '/staff/v1/inventory-vendors';
const requestExample = {
  name: vendorExample.name,
  email: vendorExample.email,
  phone: vendorExample.phone,
  city: vendorExample.city,
} as const;

/** Operations on vendors for staff. */
export function vendorStaffRoutes(context: Context): StaffEndpoint[] {
  const success = { status: 200, data: Vendor, description: 'The vendor', example: vendorExample } as const;
  return [
    staffEndpoint({
      id: 'listInventoryVendors',
      method: 'GET',
      path,
      roles: purchasers,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List vendors',
      description: `All vendors, ${vendorsPerPage} a page, newest first unless sorted; archived ones with \`archivedAt\`.`,
      source: ['D14'],
      tag: 'Purchasing',
      query: Type.Object({
        ...sortFields(vendorList.sorts),
        startingAfter: Type.Optional(
          withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
        ),
      }),
      success: {
        status: 200,
        data: List(Vendor, { max: vendorsPerPage }),
        meta: ListTotal,
        description: 'A page of vendors',
        example: [vendorExample],
        metaExample: listTotalExample,
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ staff, query }) => {
        const { startingAfter } = query;
        const [[counted], rows, cursor] = await context.database.read(
          staff.organizationId,
          countVendors({}),
          vendorList.page(query),
          startingAfter === undefined ? null : selectVendors({ ids: [startingAfter] }),
        );
        if (startingAfter !== undefined && cursor.length === 0) {
          throw failure('INVALID_CURSOR', 'startingAfter must be the id of a vendor.');
        }
        return reply(rows.map(shownVendor), { meta: totalOf(counted!.count) });
      },
    }),

    staffEndpoint({
      id: 'createInventoryVendor',
      method: 'POST',
      path,
      roles: purchasers,
      kind: 'write',
      summary: 'Add a vendor',
      description: 'Names are compared without case and outer spaces.',
      source: ['D49'],
      tag: 'Purchasing',
      body: VendorBody,
      requestExample,
      success: { ...success, status: 201 },
      failures: [],
      handle: async ({ staff, requestId, body }) =>
        reply(
          await createVendor(
            context,
            staffOrigin(staff, requestId),
            staff.organizationId,
            vendorProfile(body),
          ),
        ),
    }),

    staffEndpoint({
      id: 'replaceInventoryVendor',
      method: 'PUT',
      path: `${path}/{inventoryVendorId}`,
      roles: purchasers,
      kind: 'write',
      takesIfMatch: true,
      summary: "Replace a vendor's fields",
      description: 'As on creation: absent fields become null.',
      source: ['D49'],
      tag: 'Purchasing',
      params: VendorParams,
      resourceParams: stranger,
      body: VendorBody,
      requestExample,
      success,
      failures: [],
      handle: async ({ staff, requestId, params, body, expectedUpdatedAtMs }) =>
        reply(
          await replaceVendor(
            context,
            staffOrigin(staff, requestId, expectedUpdatedAtMs),
            staff.organizationId,
            params.inventoryVendorId,
            vendorProfile(body),
          ),
        ),
    }),

    staffEndpoint({
      id: 'archiveInventoryVendor',
      method: 'DELETE',
      path: `${path}/{inventoryVendorId}`,
      roles: purchasers,
      kind: 'write',
      summary: 'Archive a vendor',
      description:
        'New orders cannot name it; existing orders keep it, and another vendor can have its name.',
      tag: 'Purchasing',
      params: VendorParams,
      resourceParams: stranger,
      success: { ...success, example: { ...vendorExample, archivedAt: '2026-03-10T18:00:00.000Z' } },
      failures: [],
      handle: async ({ staff, requestId, params }) =>
        reply(
          await archiveVendor(
            context,
            staffOrigin(staff, requestId),
            staff.organizationId,
            params.inventoryVendorId,
          ),
        ),
    }),
  ];
}
