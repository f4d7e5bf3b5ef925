import Type from 'typebox';
import {
  customerDetailExample,
  customerNotFound,
  StaffCustomerDetail,
  selectCustomerDetail,
  staffCustomerDetail,
} from '../customers/customers.ts';
import type { Context } from '../database/context.ts';
import { staffOrigin } from '../database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../http/endpoint.ts';
import { Id } from '../http/schemas.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { eraseCustomer } from './erase-customer.ts';
import { exportCustomer } from './export-customer.ts';
import { CustomerExport } from './export-schema.ts';
import { mergeCustomers } from './merge-customers.ts';

const roles = ['owner', 'manager'] as const;
const params = Type.Object({ customerId: Id() });
const resourceParams = { customerId: 'USER_NOT_FOUND' } as const;

/**
 * The staff's operations on all that is kept about a customer, in whichever slice: above those slices, so that none of
 * them has to know the others. Owns no table.
 */
export function recordStaffRoutes(context: Context): StaffEndpoint[] {
  const detail = async (organization: OrganizationId, id: number) => {
    const [[row]] = await context.database.read(organization, selectCustomerDetail({ id }));
    if (row === undefined) throw customerNotFound();
    return reply(staffCustomerDetail(row));
  };

  return [
    staffEndpoint({
      id: 'mergeCustomers',
      method: 'POST',
      path: '/staff/v1/customers/{customerId}/merge',
      roles,
      kind: 'write',
      summary: 'Merge a customer into another',
      description:
        'When two customers are one person: orders, credits, points, groups, documents and the place in the queue go ' +
        'over to the other, whose profile is filled in where it was blank. The customer of the path is gone, and so is ' +
        'an email or phone number of which the other has one already.',
      source: ['D32'],
      tag: 'Customers',
      params,
      resourceParams,
      body: Type.Object({ intoCustomerId: Id({ description: 'The customer who stays' }) }),
      requestExample: { intoCustomerId: 3101 },
      success: {
        status: 200,
        data: StaffCustomerDetail,
        description: 'The customer who stays',
        example: customerDetailExample,
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
        'Forgets who somebody is, for good: the profile is blank, groups, visits and documents are gone, and the orders ' +
        'keep their goods and amounts only. Refused while an order is open. Who is erased already stays so.',
      tag: 'Customers',
      params,
      resourceParams,
      success: {
        status: 200,
        data: StaffCustomerDetail,
        description: 'What is left',
        example: customerDetailExample,
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
      // Handing it out is put on record.
      kind: 'write',
      summary: 'Export a customer',
      description:
        'Everything that is kept about one customer, and nothing about anybody else. Each export is on record. The ' +
        'files of documents are had one by one.',
      tag: 'Customers',
      params,
      resourceParams,
      success: { status: 200, data: CustomerExport, description: 'What is kept' },
      failures: ['USER_NOT_FOUND'],
      handle: async ({ staff, params: { customerId }, requestId }) =>
        reply(await exportCustomer(context, staffOrigin(staff, requestId), staff.organizationId, customerId)),
    }),
  ];
}
