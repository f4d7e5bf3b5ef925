import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  type CustomerGroupRow,
  lockCustomerGroup,
  markCustomerGroupDeleted,
  removeMembersOfGroup,
  selectDiscountsOfGroup,
  touchMembersOfGroup,
} from './customer-group-queries.ts';

/** Discounts named in the refusal; one is enough to know where to look. */
const namedMax = 5;

/**
 * Deletes a group and removes all members. Fails with CUSTOMER_GROUP_NOT_FOUND, and with CUSTOMER_GROUP_IN_USE while a
 * discount that has not ended names it: that discount would then apply to no customer.
 */
export async function deleteCustomerGroup(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<CustomerGroupRow> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  return context.database.write(organization, async (tx) => {
    const [[group]] = await tx.run(lockCustomerGroup({ id }));
    if (group === undefined) throw failure('CUSTOMER_GROUP_NOT_FOUND', 'There is no such customer group.');
    // Read under the lock: a transaction that creates a discount for the group locks it too.
    const [discounts] = await tx.run(selectDiscountsOfGroup({ id, at }));
    if (discounts.length > 0) {
      const names = discounts.slice(0, namedMax).map(({ name }) => `"${name}"`);
      throw failure('CUSTOMER_GROUP_IN_USE', `Live discounts name the group: ${names.join(', ')}.`);
    }
    tx.queue(
      touchMembersOfGroup({ id, at }),
      removeMembersOfGroup({ id }),
      markCustomerGroupDeleted({ id, at }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'customer_group.deleted',
      subjectType: 'customer_group',
      subjectId: id,
      payload: { customerGroupId: id },
      details: { customerGroupId: id, name: group.name, description: group.description },
    });
    return { ...group, updated_at: nowMs };
  });
}
