import Type from 'typebox';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, List } from '../../platform/http/schemas.ts';
import { customerGroupExample, customerGroups, StaffCustomerGroup } from './customer-group-setting.ts';
import { setCustomerGroups } from './set-customer-groups.ts';

const groupsOfCustomerMax = 200;

/** Staff operations on customer groups and their members. */
export function customerGroupStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    ...customerGroups.routes(context),
    staffEndpoint({
      id: 'setCustomerGroups',
      method: 'PUT',
      path: '/staff/v1/customers/{customerId}/groups',
      roles: ['owner', 'manager'],
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
        example: [customerGroupExample],
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
        return reply(groups.map(customerGroups.shown));
      },
    }),
  ];
}
