import { insertMany, statement } from '../../platform/statements/statement.ts';

/** SQL on the members of customer groups, and on groups by theirs. */

/** A group, in the form of its setting. */
export interface CustomerGroupRow {
  id: number;
  name: string;
  description: string | null;
  createdAt: number;
  updatedAt: number;
}

const groupColumns = 'g.id, g.name, g.description, g.created_at as "createdAt", g.updated_at as "updatedAt"';

/** Share-locks the groups until the commit, in order of id, so that none is deleted while it gets a member. */
export const lockCustomerGroupsInUse = statement<{ ids: readonly number[] }, CustomerGroupRow>(
  'lock_customer_groups_in_use',
  `select ${groupColumns} from customer_groups g
    where g.organization_id = :organizationId and g.id = any(:ids) and g.deleted_at is null
    order by g.id for share`,
);

export const insertCustomerGroups = insertMany<{
  id: number;
  name: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
}>('customer_groups', {
  id: 'id',
  name: 'name',
  description: 'description',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

/** The discounts that name a group and have not ended. */
export const selectDiscountsOfGroup = statement<{ id: number; at: string }, { name: string }>(
  'select_discounts_of_group',
  `select name from discounts
    where organization_id = :organizationId and customer_group_ids @> array[:id::bigint]
      and (ends_at is null or ends_at > :at)
    order by id`,
);

/** Sets `updated_at`, so that readers of changes see the customer. */
export const touchMembersOfGroup = statement<{ id: number; at: string }, never>(
  'touch_members_of_group',
  `update customers set updated_at = :at
    where organization_id = :organizationId
      and id in (select m.user_id from customer_group_members m
                  where m.organization_id = :organizationId and m.customer_group_id = :id)`,
);

export const removeMembersOfGroup = statement<{ id: number }, never>(
  'remove_members_of_group',
  `delete from customer_group_members where organization_id = :organizationId and customer_group_id = :id`,
);

/** Locked until the commit, so that two changes of one customer's groups run one after the other. */
export const lockCustomerOfGroups = statement<
  { userId: number },
  { erased_at: number | null; updated_at: number }
>(
  'lock_customer_of_groups',
  `select erased_at, updated_at from customers
    where organization_id = :organizationId and id = :userId for no key update`,
);

export const selectGroupsOfCustomer = statement<{ userId: number }, CustomerGroupRow>(
  'select_groups_of_customer',
  `select ${groupColumns} from customer_group_members m
     join customer_groups g on g.organization_id = m.organization_id and g.id = m.customer_group_id
    where m.organization_id = :organizationId and m.user_id = :userId order by g.id`,
);

export const insertGroupMembers = insertMany<{ userId: number; customerGroupId: number; addedAt: string }>(
  'customer_group_members',
  { userId: 'user_id', customerGroupId: 'customer_group_id', addedAt: 'added_at' },
);

export const removeFromGroups = statement<{ userId: number; customerGroupIds: readonly number[] }, never>(
  'remove_from_groups',
  `delete from customer_group_members
    where organization_id = :organizationId and user_id = :userId and customer_group_id = any(:customerGroupIds)`,
);

export const removeGroupMember = statement<{ userId: number; customerGroupId: number }, { user_id: number }>(
  'remove_group_member',
  `delete from customer_group_members
    where organization_id = :organizationId and user_id = :userId and customer_group_id = :customerGroupId
    returning user_id`,
);

export const touchCustomer = statement<{ userId: number; at: string }, never>(
  'touch_customer',
  `update customers set updated_at = :at where organization_id = :organizationId and id = :userId`,
);
