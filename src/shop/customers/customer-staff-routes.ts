import Type from 'typebox';
import type { OrganizationId } from '../../kernel/ids.ts';
import { totalOf } from '../../kernel/list-count.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { Id, List, LocalDate, Nullable, Text, withErrorCode } from '../../platform/http/schemas.ts';
import { patientsMax, setPatients } from './caregivers.ts';
import { createCustomer } from './create-customer.ts';
import { staffCustomerDetailExample, staffCustomerExample } from './customer-examples.ts';
import { countCustomers, customerList, customersPerPage } from './customer-list-queries.ts';
import { assertPlace } from './customer-place.ts';
import { blankProfile } from './customer-profile.ts';
import { CustomerChanges, NewCustomer, StaffCustomer, StaffCustomerDetail } from './customer-schemas.ts';
import { seekCustomers } from './customer-search.ts';
import {
  countFoundCustomers,
  matchesMax,
  searchCustomers,
  selectCustomerDetail,
} from './customer-search-queries.ts';
import { customerNotFound, isBlank } from './find-customer.ts';
import { staffCustomer, staffCustomerDetail } from './shown-customer.ts';
import { assertMayExempt } from './tax-exemption.ts';
import { updateCustomer } from './update-customer.ts';

const profileExample = {
  firstName: 'Marisol',
  lastName: 'Okafor',
  email: 'marisol@customers.example.com',
  phone: '(415) 555-0123',
  birthday: '1988-02-29',
  licenseExpiry: '2029-02-28',
  marketingOptIn: true,
} as const;

const roles = ['owner', 'manager', 'budtender'] as const;
const params = Type.Object({ customerId: Id() });
const resourceParams = { customerId: 'USER_NOT_FOUND' } as const;

/** Staff operations on customers' profiles. */
export function customerStaffRoutes(context: Context): StaffEndpoint[] {
  const { database } = context;

  const detail = async (organization: OrganizationId, id: number) => {
    const [[row]] = await database.read(organization, selectCustomerDetail({ id }));
    if (row === undefined) throw customerNotFound();
    return reply(staffCustomerDetail(row));
  };

  return [
    staffEndpoint({
      id: 'staffListCustomers',
      method: 'GET',
      path: '/staff/v1/customers',
      roles,
      kind: 'read',
      readsFrom: 'standby',
      list: { found: { descending: ['joinedAt', 'id'] }, keys: { name: ['lastName', 'firstName'] } },
      summary: 'List or search customers',
      description: `The latest to join first unless sorted, ${customersPerPage} a page. \`search\` is the prefix of an email, a phone number, a hash id, a name, or of both names in either order, ignoring case and accents, or the whole number of a patient; it does not find erased customers. If more than ${matchesMax.toLocaleString('en-US')} customers share a prefix, only that many are searched: type more of it.`,
      tag: 'Customers',
      query: Type.Object({
        search: Type.Optional(Text({ min: 1, max: 200, description: 'At least 2 characters' })),
        ...sortFields(customerList.sorts, 'With a search always the latest to join first'),
        startingAfter: Type.Optional(
          withErrorCode(Id({ description: 'Customer id; the page starts after it' }), 'INVALID_CURSOR'),
        ),
      }),
      success: {
        status: 200,
        data: List(StaffCustomer, { max: customersPerPage }),
        meta: ListTotal,
        description: 'A page of customers',
        example: [staffCustomerExample],
        metaExample: listTotalExample,
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ staff, query }) => {
        const { search, startingAfter } = query;
        const { organizationId } = staff;
        const sought = isBlank(search) ? null : await seekCustomers(context, organizationId, search);
        const [[counted], rows] = await database.read(
          organizationId,
          sought === null ? countCustomers({}) : countFoundCustomers({ ...sought }),
          sought !== null
            ? searchCustomers({ ...sought, startingAfter: startingAfter ?? null })
            : customerList.page(query),
        );
        await assertPlace(database, organizationId, startingAfter, rows);
        return reply(rows.map(staffCustomer), { meta: totalOf(counted!.count) });
      },
    }),
    staffEndpoint({
      id: 'staffGetCustomer',
      method: 'GET',
      path: '/staff/v1/customers/{customerId}',
      roles,
      kind: 'read',
      summary: 'Get a customer',
      description: 'A customer, with sums over their orders.',
      tag: 'Customers',
      params,
      resourceParams,
      success: {
        status: 200,
        data: StaffCustomerDetail,
        description: 'The customer',
        example: staffCustomerDetailExample,
      },
      failures: ['USER_NOT_FOUND'],
      handle: async ({ staff, params: { customerId } }) => detail(staff.organizationId, customerId),
    }),
    staffEndpoint({
      id: 'createCustomer',
      method: 'POST',
      path: '/staff/v1/customers',
      roles,
      kind: 'write',
      recentProof: 'if `taxExempt` is true',
      summary: 'Create a customer',
      description:
        'Creates a customer. An email or phone number of another customer is refused. Only an owner or a manager can set `taxExempt`.',
      tag: 'Customers',
      body: NewCustomer,
      requestExample: profileExample,
      success: {
        status: 201,
        data: StaffCustomerDetail,
        description: 'The customer',
        example: staffCustomerDetailExample,
      },
      failures: [],
      handle: async ({ staff, body, requestId, lackOfProof }) => {
        const { organizationId, role } = staff;
        if (body.taxExempt !== undefined && body.taxExempt !== null) assertMayExempt(role, 'taxExempt');
        const lack = body.taxExempt === true ? await lackOfProof() : null;
        if (lack !== null) throw lack;
        const id = await createCustomer(context, staffOrigin(staff, requestId), organizationId, {
          ...blankProfile,
          ...body,
        });
        return detail(organizationId, id);
      },
    }),
    staffEndpoint({
      id: 'updateCustomer',
      method: 'PATCH',
      path: '/staff/v1/customers/{customerId}',
      roles,
      kind: 'write',
      recentProof: 'if the customer becomes `taxExempt`',
      takesIfMatch: true,
      summary: 'Update a customer',
      description:
        'Changes the given fields; null clears. An email or phone number of another customer is refused. Only an owner or a manager can change `taxExempt`.',
      tag: 'Customers',
      params,
      resourceParams,
      body: CustomerChanges,
      requestExample: { email: 'marisol@customers.example.com', medicalExpiration: '2027-01-31' },
      success: {
        status: 200,
        data: StaffCustomerDetail,
        description: 'The customer',
        example: staffCustomerDetailExample,
      },
      failures: ['USER_NOT_FOUND', 'CUSTOMER_ERASED'],
      handle: async ({
        staff,
        params: { customerId },
        body,
        requestId,
        expectedUpdatedAtMs,
        lackOfProof,
      }) => {
        const { organizationId } = staff;
        await updateCustomer(
          context,
          staffOrigin(staff, requestId, expectedUpdatedAtMs),
          organizationId,
          customerId,
          body,
          staff.role,
          body.taxExempt === true ? await lackOfProof() : null,
        );
        return detail(organizationId, customerId);
      },
    }),
    staffEndpoint({
      id: 'setPatients',
      method: 'PUT',
      path: '/staff/v1/customers/{customerId}/patients',
      roles,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Set the patients of a caregiver',
      description:
        'The patients for whom the customer may buy, as the state has registered them; the list replaces the former one. An order for one of them names the caregiver in `boughtById`.',
      tag: 'Customers',
      params,
      resourceParams,
      body: Type.Object({
        patients: List(
          Type.Object({
            customerId: Id(),
            expiresOn: Nullable(LocalDate({ description: 'The last valid day; null: none is known' })),
          }),
          { max: patientsMax },
        ),
      }),
      requestExample: { patients: [] },
      success: {
        status: 200,
        data: StaffCustomerDetail,
        description: 'The customer',
        example: staffCustomerDetailExample,
      },
      failures: ['USER_NOT_FOUND', 'CUSTOMER_ERASED'],
      handle: async ({ staff, params: { customerId }, body, requestId, expectedUpdatedAtMs }) => {
        const { organizationId } = staff;
        await setPatients(
          context,
          staffOrigin(staff, requestId, expectedUpdatedAtMs),
          organizationId,
          customerId,
          body.patients,
        );
        return detail(organizationId, customerId);
      },
    }),
  ];
}
