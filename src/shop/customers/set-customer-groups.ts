import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import { type Announcement, announce } from '../../platform/events/announce.ts';
import {
  type CustomerGroupRow,
  insertGroupMembers,
  lockCustomerGroupsInUse,
  lockCustomerOfGroups,
  removeFromGroups,
  selectGroupsOfCustomer,
  touchCustomer,
} from './customer-group-queries.ts';
import { customerErased } from './find-customer.ts';

/**
 * Sets a customer's groups to exactly these. Setting the same groups again writes and announces nothing. Fails with
 * USER_NOT_FOUND, CUSTOMER_ERASED, STALE_EDIT when the customer has changed, or INVALID_PARAMS naming the first id
 * that is not a group.
 */
export async function setCustomerGroups(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  userId: number,
  customerGroupIds: readonly number[],
): Promise<CustomerGroupRow[]> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  return context.database.write(organization, async (tx) => {
    const [[customer], groups] = await tx.run(
      lockCustomerOfGroups({ userId }),
      lockCustomerGroupsInUse({ ids: customerGroupIds }),
    );
    if (customer === undefined) throw failure('USER_NOT_FOUND', 'There is no such customer.');
    if (customer.erased_at !== null) throw customerErased();
    refuseStaleEdit(origin, customer.updated_at);
    const wanted = new Set(groups.map(({ id }) => id));
    const unknownAt = customerGroupIds.findIndex((id) => !wanted.has(id));
    if (unknownAt >= 0) {
      throw failure('INVALID_PARAMS', `customerGroupIds[${unknownAt}] names no customer group.`);
    }
    // Read under the lock: another change of the same customer has been committed by then.
    const [present] = await tx.run(selectGroupsOfCustomer({ userId }));
    const added = groups.filter(({ id }) => !present.some((group) => group.id === id));
    const removed = present.filter(({ id }) => !wanted.has(id));
    if (added.length + removed.length === 0) return groups;
    tx.queue(
      removeFromGroups({ userId, customerGroupIds: removed.map(({ id }) => id) }),
      ...insertGroupMembers(added.map(({ id }) => ({ userId, customerGroupId: id, addedAt: at }))),
      touchCustomer({ userId, at }),
    );
    const change = (
      event: 'customer_group.customer_added' | 'customer_group.customer_removed',
      id: number,
    ): Announcement => ({
      event,
      subjectType: 'customer_group',
      subjectId: id,
      payload: { customerGroupId: id, customerId: userId },
    });
    await announce(
      tx,
      context,
      origin,
      nowMs,
      ...added.map(({ id }) => change('customer_group.customer_added', id)),
      ...removed.map(({ id }) => change('customer_group.customer_removed', id)),
    );
    return groups;
  });
}
