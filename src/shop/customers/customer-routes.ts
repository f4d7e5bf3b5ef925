import Type from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { Id, List, LocalDate, OneOf, withErrorCode } from '../../platform/http/schemas.ts';
import { PageEnds } from '../../platform/lists/page-ends.ts';
import { changeGroupMembership } from './change-group-membership.ts';
import { customerExample } from './customer-examples.ts';
import { customerGroups, selectCustomerGroups } from './customer-group-setting.ts';
import {
  customersPerPage,
  listCustomersAfter,
  listCustomersAfterByUpdate,
  listCustomersByTime,
  listCustomersByUpdate,
  selectShownCustomer,
} from './customer-list-queries.ts';
import { assertPlace } from './customer-place.ts';
import { Customer, CustomerGroup, GroupMemberBody, groupsMax } from './customer-schemas.ts';
import { customerMerged, customerNotFound } from './find-customer.ts';
import { shownCustomer } from './shown-customer.ts';
import { selectMergedCustomer } from './whole-customer.ts';

/** How long the positions are kept that a customer has left (`keep_past_places_of_customers` of the schema). */
const pastPlacesKeptMs = 600_000;

const groupParams = Type.Object({ customerGroupId: Id({ description: 'Id of the customer group' }) });

/** Operations on customers and their groups. */
export function customerRoutes(context: Context): Endpoint[] {
  const { database, clock } = context;
  const pageEnds = new PageEnds();

  const membership = (change: 'add' | 'remove') =>
    endpoint({
      id: change === 'add' ? 'addCustomerToGroup' : 'removeCustomerFromGroup',
      method: 'PUT',
      path: `/api/v1/customer-groups/{customerGroupId}/${change}-customer`,
      address: 'base',
      permission: 'customers',
      publishableKey: 'refused',
      kind: 'write',
      summary: change === 'add' ? 'Add a customer to a group' : 'Remove a customer from a group',
      description:
        change === 'add'
          ? 'Adds the customer with that email or phone to the group. A member stays a member.'
          : 'Removes the customer with that email or phone from the group. A customer who is not a member is unchanged.',
      tag: 'Customers',
      params: groupParams,
      resourceParams: { customerGroupId: 'CUSTOMER_GROUP_NOT_FOUND' },
      body: GroupMemberBody,
      requestExample: { emailOrPhone: 'marisol@customers.example.com' },
      success: { status: 200, data: Customer, description: 'The customer', example: customerExample },
      failures: ['CUSTOMER_GROUP_NOT_FOUND', 'USER_NOT_FOUND', 'TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ caller, params, body, requestId }) => {
        const row = await changeGroupMembership(
          context,
          { actor: `key:${caller.clientKeyId}`, requestId },
          caller.organizationId,
          change,
          params.customerGroupId,
          body.emailOrPhone,
        );
        return reply(shownCustomer(row));
      },
    });

  return [
    endpoint({
      id: 'listCustomers',
      method: 'GET',
      path: '/api/v1/customers',
      address: 'base',
      permission: 'customers',
      publishableKey: 'refused',
      kind: 'read',
      readsFrom: 'standby',
      list: { order: ({ sortBy }) => ({ descending: [sortBy ? 'updatedAt' : 'joinedAt', 'id'] }) },
      summary: 'List customers',
      description: `The organization's customers, newest first, ${customersPerPage} a page. Pass the last \`id\` of a page as \`startingAfter\` to get the next one; the page after the last is empty. With \`sortBy=updatedAt\` a change moves a customer to the front; the next pages continue where the last one ended, even if its last customer has moved.`,
      tag: 'Customers',
      query: Type.Object({
        startingAfter: Type.Optional(
          withErrorCode(Id({ description: 'Customer id; the page starts after it' }), 'INVALID_CURSOR'),
        ),
        startingOn: Type.Optional(
          LocalDate({
            description:
              "A day in the organization's time zone: the page starts with the latest customer of that day and continues backwards",
          }),
        ),
        sortBy: Type.Optional(
          OneOf(['updatedAt'], {
            description:
              'By the time of the last change, latest first; `startingOn` then refers to that time',
          }),
        ),
      }),
      success: {
        status: 200,
        data: List(Customer, { max: customersPerPage }),
        description: 'A page of customers',
        example: [customerExample],
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ caller, query }) => {
        const byUpdate = query.sortBy === 'updatedAt';
        const { startingAfter } = query;
        const startingOn = query.startingOn ?? null;
        const nowMs = clock.now();
        const [rows] = await database.read(
          caller.organizationId,
          startingAfter === undefined
            ? (byUpdate ? listCustomersByUpdate : listCustomersByTime)({ startingOn })
            : byUpdate
              ? listCustomersAfterByUpdate({
                  startingOn,
                  startingAfter,
                  seenAt: pageEnds.placeOf(caller.clientKeyId, startingAfter, nowMs),
                  since: isoTimestamp(nowMs - pastPlacesKeptMs),
                })
              : listCustomersAfter({ startingOn, startingAfter }),
        );
        await assertPlace(database, caller.organizationId, startingAfter, rows);
        const last = rows.at(-1);
        if (byUpdate && last !== undefined) {
          pageEnds.remember(caller.clientKeyId, last.id, last.position, nowMs);
        }
        return reply(rows.map(shownCustomer));
      },
    }),

    endpoint({
      id: 'getCustomer',
      method: 'GET',
      path: '/api/v1/customers/{customerId}',
      address: 'base',
      permission: 'customers',
      publishableKey: 'refused',
      kind: 'read',
      summary: 'Retrieve a customer',
      description:
        'A customer, in the shape of the list. A customer who was merged into another one is 410 `CUSTOMER_MERGED`, with ' +
        'the id of the customer who now has the data.',
      tag: 'Customers',
      params: Type.Object({ customerId: Id({ description: 'The customer id' }) }),
      resourceParams: { customerId: 'USER_NOT_FOUND' },
      success: { status: 200, data: Customer, description: 'The customer', example: customerExample },
      failures: ['USER_NOT_FOUND', 'CUSTOMER_MERGED'],
      handle: async ({ caller, params }) => {
        const { organizationId } = caller;
        const id = params.customerId;
        const [[row]] = await database.read(organizationId, selectShownCustomer({ id }));
        if (row === undefined) {
          const [[merged]] = await database.read(organizationId, selectMergedCustomer({ id }));
          throw merged === undefined ? customerNotFound() : customerMerged(merged.into_id);
        }
        return reply(shownCustomer(row));
      },
    }),

    endpoint({
      id: 'listCustomerGroups',
      method: 'GET',
      path: '/api/v1/customer-groups',
      address: 'base',
      permission: 'customers',
      publishableKey: 'refused',
      kind: 'read',
      readsFrom: 'standby',
      list: { staysSmall: 'settings of the shop' },
      summary: 'List customer groups',
      description: 'All customer groups of the organization, newest first.',
      tag: 'Customers',
      success: {
        status: 200,
        data: List(CustomerGroup, { max: groupsMax }),
        description: 'The groups',
        example: [
          {
            id: 4101,
            name: 'Veterans',
            description: 'Shown a service card once',
            createdAt: '2026-03-01T17:05:09.123Z',
            updatedAt: '2026-03-01T17:05:09.123Z',
          },
        ],
      },
      failures: [],
      handle: async ({ caller }) => {
        const [rows] = await database.read(caller.organizationId, selectCustomerGroups({}));
        rows.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
        return reply(rows.map(customerGroups.shown));
      },
    }),

    membership('add'),
    membership('remove'),
  ];
}
