import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { statement } from '../../platform/statements/statement.ts';
import { lockCustomerGroupsInUse, removeGroupMember, touchCustomer } from './customer-group-queries.ts';
import { type ShownCustomerRow, selectShownCustomer } from './customer-list-queries.ts';
import { contactLookup, customerNotFound, sharedPhone } from './find-customer.ts';

/** No row: the customer is already in the group. */
const addGroupMember = statement<
  { userId: number; customerGroupId: number; at: string },
  { user_id: number }
>(
  'add_group_member',
  `insert into customer_group_members (organization_id, user_id, customer_group_id, added_at)
   values (:organizationId, :userId, :customerGroupId, :at) on conflict do nothing returning user_id`,
);

/** Violated when the customer was merged a moment ago: the retry looks them up again. */
const memberIsACustomer = 'customer_group_members_organization_id_user_id_fkey';

/**
 * Adds the customer with an email or phone number to a group, or removes them (D37), and resolves to the customer. An
 * unchanged membership writes and announces nothing. Fails with INVALID_PARAMS when the text is neither,
 * CUSTOMER_GROUP_NOT_FOUND, USER_NOT_FOUND.
 */
export async function changeGroupMembership(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  change: 'add' | 'remove',
  customerGroupId: number,
  emailOrPhone: string,
): Promise<ShownCustomerRow> {
  const lookup = contactLookup(emailOrPhone, 'emailOrPhone');
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  return context.database.write(
    organization,
    async (tx) => {
      // Share-locks the group until the commit, so that it cannot be deleted while it gets a member.
      const [[group], found] = await tx.run(lockCustomerGroupsInUse({ ids: [customerGroupId] }), lookup);
      if (group === undefined) throw failure('CUSTOMER_GROUP_NOT_FOUND', 'There is no such customer group.');
      if (found.length > 1) throw sharedPhone();
      const [customer] = found;
      if (customer === undefined) throw customerNotFound();
      const userId = customer.id;
      const [changed] = await tx.run(
        change === 'add'
          ? addGroupMember({ userId, customerGroupId, at })
          : removeGroupMember({ userId, customerGroupId }),
      );
      if (changed.length > 0) {
        await announce(tx, context, origin, nowMs, {
          event: change === 'add' ? 'customer_group.customer_added' : 'customer_group.customer_removed',
          subjectType: 'customer_group',
          subjectId: customerGroupId,
          payload: { customerGroupId, customerId: userId },
        });
      }
      const [, [shown]] = await tx.run(
        changed.length > 0 ? touchCustomer({ userId, at }) : null,
        selectShownCustomer({ id: userId }),
      );
      if (shown === undefined) throw customerNotFound();
      return shown;
    },
    { retryOnConstraints: [memberIsACustomer] },
  );
}
