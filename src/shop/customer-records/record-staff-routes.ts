import Type from 'typebox';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Flag, Id } from '../../platform/http/schemas.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { staffCustomerDetailExample } from '../customers/customer-examples.ts';
import { StaffCustomerDetail } from '../customers/customer-schemas.ts';
import { customerNotFound, selectCustomerDetail, staffCustomerDetail } from '../customers/customers.ts';
import { formerSaleStaffRoutes } from '../former-sales/former-sales.ts';
import { eraseCustomer } from './erase-customer.ts';
import { exportCustomer } from './export-customer.ts';
import { CustomerExport } from './export-schema.ts';
import { mergeCustomers } from './merge-customers.ts';

const roles = ['owner', 'manager'] as const;
const params = Type.Object({ customerId: Id() });
const resourceParams = { customerId: 'USER_NOT_FOUND' } as const;

/**
 * Staff operations on a customer's data in all slices. They are in a room above those slices, so that none of them has
 * to know the others. Owns no table.
 */
export function recordStaffRoutes(context: Context, documentFiles: SealedFiles): StaffEndpoint[] {
  const detail = async (organization: OrganizationId, id: number) => {
    const [[row]] = await context.database.read(organization, selectCustomerDetail({ id }));
    if (row === undefined) throw customerNotFound();
    return reply(staffCustomerDetail(row));
  };

  return [
    ...formerSaleStaffRoutes(context),
    staffEndpoint({
      id: 'mergeCustomers',
      method: 'POST',
      path: '/staff/v1/customers/{customerId}/merge',
      roles,
      kind: 'write',
      summary: 'Merge a customer into another',
      description:
        'For two customers who are one person: orders, credits, points, groups, documents and the place in the queue move to the target, whose blank profile fields are filled in. The customer in the path is deleted; their email or phone number is lost if the target already has one.',
      tag: 'Customers',
      params,
      resourceParams,
      body: Type.Object({ intoCustomerId: Id({ description: 'The target customer' }) }),
      requestExample: { intoCustomerId: 3101 },
      success: {
        status: 200,
        data: StaffCustomerDetail,
        description: 'The target customer',
        example: staffCustomerDetailExample,
      },
      failures: ['USER_NOT_FOUND', 'CUSTOMER_ERASED'],
      handle: async ({ staff, params: { customerId }, body: { intoCustomerId }, requestId }) => {
        const { organizationId } = staff;
        const by = staffOrigin(staff, requestId);
        await mergeCustomers(context, by, organizationId, customerId, intoCustomerId);
        return detail(organizationId, intoCustomerId);
      },
    }),
    staffEndpoint({
      id: 'eraseCustomer',
      method: 'DELETE',
      path: '/staff/v1/customers/{customerId}',
      roles,
      kind: 'write',
      summary: 'Erase a customer',
      description:
        "Erases a customer's personal data permanently: the profile becomes blank, groups, visits, documents, mails and sessions are deleted, and so are the answers of webhooks, kept replies and what people typed about points, credits and returns. The orders keep only their goods and amounts. Refused while an order is open. Erasing again changes nothing.",
      tag: 'Customers',
      params,
      resourceParams,
      success: {
        status: 200,
        data: StaffCustomerDetail,
        description: 'The remaining data',
        example: staffCustomerDetailExample,
      },
      failures: ['USER_NOT_FOUND', 'CUSTOMER_HAS_OPEN_ORDERS'],
      handle: async ({ staff, params: { customerId }, requestId }) => {
        const { organizationId } = staff;
        await eraseCustomer(context, staffOrigin(staff, requestId), organizationId, customerId);
        return detail(organizationId, customerId);
      },
    }),
    staffEndpoint({
      id: 'exportCustomer',
      method: 'GET',
      path: '/staff/v1/customers/{customerId}/export',
      roles,
      // The export is audited.
      kind: 'write',
      recentProof: 'always',
      summary: 'Export a customer',
      description:
        'All data of one customer, and no data of others. With `files` the files of documents are in it. Each export is audited, and each file in it.',
      tag: 'Customers',
      params,
      query: Type.Object({
        files: Type.Optional(Flag({ description: 'With the files of documents, in Base64' })),
      }),
      resourceParams,
      success: { status: 200, data: CustomerExport, description: "The customer's data" },
      failures: ['USER_NOT_FOUND'],
      handle: async ({ staff, params: { customerId }, query: { files }, requestId }) => {
        const by = staffOrigin(staff, requestId);
        const from = files === true ? documentFiles : null;
        return reply(await exportCustomer(context, from, by, staff.organizationId, customerId));
      },
    }),
  ];
}
