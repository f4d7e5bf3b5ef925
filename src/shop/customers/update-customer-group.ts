import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/stale-edit.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { type CustomerGroupSettings, freeGroupName } from './create-customer-group.ts';
import {
  type CustomerGroupRow,
  customerGroupNameConstraint,
  lockCustomerGroup,
  touchMembersOfGroup,
  updateCustomerGroupRow,
} from './customer-group-queries.ts';

/**
 * Changes the given fields; unchanged values write nothing. Fails with CUSTOMER_GROUP_NOT_FOUND, or INVALID_PARAMS as
 * for a new group.
 */
export async function updateCustomerGroup(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  changes: { readonly [Name in keyof CustomerGroupSettings]?: CustomerGroupSettings[Name] | undefined },
): Promise<CustomerGroupRow> {
  const nowMs = context.clock.now();
  return context.database.write(
    organization,
    async (tx) => {
      const [[before]] = await tx.run(lockCustomerGroup({ id }));
      if (before === undefined) throw failure('CUSTOMER_GROUP_NOT_FOUND', 'There is no such customer group.');
      refuseStaleEdit(origin, before.updated_at);
      const name = changes.name === undefined ? before.name : await freeGroupName(tx, changes.name, id);
      const description = changes.description === undefined ? before.description : changes.description;
      const told = changesOf(before, { name, description });
      if (told === null) return before;
      const at = isoTimestamp(nowMs);
      // Customers show the names of their groups.
      if (name !== before.name) tx.queue(touchMembersOfGroup({ id, at }));
      tx.queue(updateCustomerGroupRow({ id, name, description, at }));
      await announce(tx, context, origin, nowMs, {
        event: 'customer_group.updated',
        subjectType: 'customer_group',
        subjectId: id,
        payload: { customerGroupId: id },
        details: { customerGroupId: id, ...told },
      });
      return { ...before, name, description, updated_at: nowMs };
    },
    { retryOnConstraints: [customerGroupNameConstraint] },
  );
}
