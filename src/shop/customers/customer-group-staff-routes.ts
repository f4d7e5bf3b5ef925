import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, List, Named, Nullable, Text, Timestamp } from '../../platform/http/schemas.ts';
import { createCustomerGroup } from './create-customer-group.ts';
import {
  type CustomerGroupRow,
  selectCustomerGroup,
  selectCustomerGroups,
} from './customer-group-queries.ts';
import { deleteCustomerGroup } from './delete-customer-group.ts';
import { setCustomerGroups } from './set-customer-groups.ts';
import { updateCustomerGroup } from './update-customer-group.ts';

const StaffCustomerGroup = Named(
  'StaffCustomerGroup',
  Type.Object({
    id: Id(),
    name: Text({ max: 200 }),
    description: Nullable(Text({ max: 2000 })),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

const name = Text({ min: 1, max: 200, description: 'Unique, ignoring case and outer spaces' });
const description = Nullable(Text({ max: 2000 }));
const CustomerGroupBody = Type.Object({ name, description: Type.Optional(description) });
const CustomerGroupChanges = Type.Object({
  name: Type.Optional(name),
  description: Type.Optional(description),
});

const customerGroupParams = Type.Object({ customerGroupId: Id() });
const groupsMax = 10_000;
const groupsOfCustomerMax = 200;

const writers = ['owner', 'manager'] as const;
const readers = ['owner', 'manager', 'budtender'] as const;
const resourceParams = { customerGroupId: 'CUSTOMER_GROUP_NOT_FOUND' } as const;

const example = {
  id: 4101,
  name: 'Veterans',
  description: 'Shown a service card once',
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
};

/** Staff operations on customer groups and their members. */
export function customerGroupStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'staffListCustomerGroups',
      method: 'GET',
      path: '/staff/v1/customer-groups',
      roles: readers,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List customer groups',
      description: 'All customer groups, by id.',
      source: ['D16'],
      tag: 'Marketing',
      sorts: { id: 'ascending', name: 'ascending', createdAt: 'descending', updatedAt: 'descending' },
      success: {
        status: 200,
        data: List(StaffCustomerGroup, { max: groupsMax }),
        description: 'The groups',
        example: [example],
      },
      failures: [],
      handle: async ({ staff }) => {
        const [rows] = await context.database.read(staff.organizationId, selectCustomerGroups({}));
        return reply(rows.map(shown));
      },
    }),
    staffEndpoint({
      id: 'staffGetCustomerGroup',
      method: 'GET',
      path: '/staff/v1/customer-groups/{customerGroupId}',
      roles: readers,
      kind: 'read',
      summary: 'Get a customer group',
      description: 'One customer group.',
      tag: 'Marketing',
      params: customerGroupParams,
      resourceParams,
      success: { status: 200, data: StaffCustomerGroup, description: 'The group', example },
      failures: ['CUSTOMER_GROUP_NOT_FOUND'],
      handle: async ({ staff, params }) => {
        const [[row]] = await context.database.read(
          staff.organizationId,
          selectCustomerGroup({ id: params.customerGroupId }),
        );
        if (row === undefined) throw failure('CUSTOMER_GROUP_NOT_FOUND', 'There is no such customer group.');
        return reply(shown(row));
      },
    }),
    staffEndpoint({
      id: 'createCustomerGroup',
      method: 'POST',
      path: '/staff/v1/customer-groups',
      roles: writers,
      kind: 'write',
      summary: 'Create a customer group',
      description: 'A new group without members. Discounts can use it as a condition.',
      tag: 'Marketing',
      body: CustomerGroupBody,
      requestExample: { name: 'Veterans', description: 'Shown a service card once' },
      success: { status: 201, data: StaffCustomerGroup, description: 'The group', example },
      failures: [],
      handle: async ({ staff, body, requestId }) => {
        const settings = { name: body.name, description: body.description ?? null };
        const by = staffOrigin(staff, requestId);
        return reply(shown(await createCustomerGroup(context, by, staff.organizationId, settings)));
      },
    }),
    ...(['PUT', 'PATCH'] as const).map((method) =>
      staffEndpoint({
        id: method === 'PUT' ? 'replaceCustomerGroup' : 'updateCustomerGroup',
        method,
        path: '/staff/v1/customer-groups/{customerGroupId}',
        roles: writers,
        kind: 'write',
        takesIfMatch: true,
        summary: method === 'PUT' ? 'Replace a customer group' : 'Update a customer group',
        description:
          method === 'PUT' ? 'Absent fields become empty. Members stay.' : 'Changes the given fields only.',
        tag: 'Marketing',
        params: customerGroupParams,
        resourceParams,
        body: method === 'PUT' ? CustomerGroupBody : CustomerGroupChanges,
        requestExample: { name: 'Veterans', description: 'Shown a service card once' },
        success: { status: 200, data: StaffCustomerGroup, description: 'The group', example },
        failures: ['CUSTOMER_GROUP_NOT_FOUND'],
        handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) => {
          const changes = method === 'PUT' ? { description: null, ...body } : body;
          const by = staffOrigin(staff, requestId, expectedUpdatedAtMs);
          const id = params.customerGroupId;
          return reply(shown(await updateCustomerGroup(context, by, staff.organizationId, id, changes)));
        },
      }),
    ),
    staffEndpoint({
      id: 'deleteCustomerGroup',
      method: 'DELETE',
      path: '/staff/v1/customer-groups/{customerGroupId}',
      roles: writers,
      kind: 'write',
      summary: 'Delete a customer group',
      description: 'Removes all members. Refused while a discount that has not ended names the group.',
      tag: 'Marketing',
      params: customerGroupParams,
      resourceParams,
      success: {
        status: 200,
        data: StaffCustomerGroup,
        description: 'The group before its deletion',
        example,
      },
      failures: ['CUSTOMER_GROUP_NOT_FOUND', 'CUSTOMER_GROUP_IN_USE'],
      handle: async ({ staff, params, requestId }) => {
        const by = staffOrigin(staff, requestId);
        return reply(
          shown(await deleteCustomerGroup(context, by, staff.organizationId, params.customerGroupId)),
        );
      },
    }),
    staffEndpoint({
      id: 'setCustomerGroups',
      method: 'PUT',
      path: '/staff/v1/customers/{customerId}/groups',
      roles: writers,
      kind: 'write',
      takesIfMatch: true,
      summary: "Set a customer's groups",
      description:
        "Sets the customer's groups to exactly these. `If-Match` takes the customer's `updatedAt`.",
      tag: 'Customers',
      params: Type.Object({ customerId: Id() }),
      resourceParams: { customerId: 'USER_NOT_FOUND' },
      body: Type.Object({ customerGroupIds: List(Id(), { max: groupsOfCustomerMax }) }),
      requestExample: { customerGroupIds: [4101] },
      success: {
        status: 200,
        data: List(StaffCustomerGroup, { max: groupsOfCustomerMax }),
        description: "The customer's groups afterwards",
        example: [example],
      },
      failures: ['USER_NOT_FOUND', 'CUSTOMER_ERASED'],
      handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) => {
        const groups = await setCustomerGroups(
          context,
          staffOrigin(staff, requestId, expectedUpdatedAtMs),
          staff.organizationId,
          params.customerId,
          body.customerGroupIds,
        );
        return reply(groups.map(shown));
      },
    }),
  ];
}

function shown({ id, name, description, created_at, updated_at }: CustomerGroupRow) {
  return {
    id,
    name,
    description,
    createdAt: isoTimestamp(created_at),
    updatedAt: isoTimestamp(updated_at),
  };
}
