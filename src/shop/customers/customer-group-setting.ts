import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { Id, Named, Nullable, Text, Timestamp } from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import { settingField, settingTable, uniqueNameField } from '../../platform/resources/setting-table.ts';
import {
  removeMembersOfGroup,
  selectDiscountsOfGroup,
  touchMembersOfGroup,
} from './customer-group-queries.ts';

const fields = {
  name: uniqueNameField(),
  description: settingField(Nullable(Text({ max: 2000 })), 'description', { absent: null }),
};

const customerGroupTable = settingTable('customer_groups', {
  fields,
  ends: 'deleted',
  // Discounts that name the group lock it too.
  lock: 'for update',
  uniqueName: { key: 'name_key', constraint: 'customer_groups_of_name' },
});

/** By id, without deleted ones. */
export const { selectAll: selectCustomerGroups } = customerGroupTable;

export const StaffCustomerGroup = Named(
  'StaffCustomerGroup',
  Type.Object({
    id: Id(),
    name: Text({ max: 200 }),
    description: Nullable(Text({ max: 2000 })),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

const requestExample = { name: 'Veterans', description: 'Shown a service card once' } as const;

export const customerGroupExample = {
  id: 4101,
  ...requestExample,
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
};

/** Discounts named in the refusal; one is enough to know where to look. */
const namedMax = 5;

/** Customer groups. Discounts can name them as a condition, and integrators put customers into them. */
export const customerGroups = settingResource({
  table: customerGroupTable,
  noun: 'customer group',
  called: 'group',
  subject: 'customer_group',
  idName: 'customerGroupId',
  notFound: 'CUSTOMER_GROUP_NOT_FOUND',
  beside: ({ id, nowMs, former, next }) =>
    // Customers show the names of their groups.
    former === null || former.name === next.name
      ? []
      : [touchMembersOfGroup({ id, at: isoTimestamp(nowMs) })],
  ending: async (tx, { id }, nowMs) => {
    const at = isoTimestamp(nowMs);
    // Read under the lock: a transaction that creates a discount for the group locks it too. Without its group, the
    // discount would apply to no customer.
    const [discounts] = await tx.run(selectDiscountsOfGroup({ id, at }));
    if (discounts.length > 0) {
      const names = discounts.slice(0, namedMax).map(({ name }) => `"${name}"`);
      throw failure('CUSTOMER_GROUP_IN_USE', `Live discounts name the group: ${names.join(', ')}.`);
    }
    tx.queue(touchMembersOfGroup({ id, at }), removeMembersOfGroup({ id }));
  },
  path: '/staff/v1/customer-groups',
  tag: 'Marketing',
  readers: ['owner', 'manager', 'budtender'],
  writers: ['owner', 'manager'],
  data: StaffCustomerGroup,
  example: customerGroupExample,
  list: {
    id: 'staffListCustomerGroups',
    summary: 'List customer groups',
    description: 'All customer groups, by id.',
    max: 10_000,
    sorts: { id: 'ascending', name: 'ascending', createdAt: 'descending', updatedAt: 'descending' },
  },
  get: {
    id: 'staffGetCustomerGroup',
    summary: 'Get a customer group',
    description: 'One customer group.',
  },
  create: {
    id: 'createCustomerGroup',
    summary: 'Create a customer group',
    description: 'A new group without members. Discounts can use it as a condition.',
    requestExample,
  },
  replace: {
    id: 'replaceCustomerGroup',
    summary: 'Replace a customer group',
    description: 'Absent fields become empty. Members stay.',
    requestExample,
  },
  update: {
    id: 'updateCustomerGroup',
    summary: 'Update a customer group',
    description: 'Changes the given fields only.',
    requestExample,
  },
  end: {
    id: 'deleteCustomerGroup',
    summary: 'Delete a customer group',
    description: 'Removes all members. Refused while a discount that has not ended names the group.',
    failures: ['CUSTOMER_GROUP_IN_USE'],
  },
});
