import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { nameText } from '../../kernel/name-text.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import {
  type CustomerGroupRow,
  customerGroupNameConstraint,
  insertCustomerGroups,
  selectCustomerGroupOfName,
} from './customer-group-queries.ts';

export interface CustomerGroupSettings {
  readonly name: string;
  readonly description: string | null;
}

/** Creates a group without members. Fails with INVALID_PARAMS when the name is blank or taken. */
export async function createCustomerGroup(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  { name, description }: CustomerGroupSettings,
): Promise<CustomerGroupRow> {
  const id = await context.ids.takeOne();
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  return context.database.write(
    organization,
    async (tx) => {
      const group = { id, name: await freeGroupName(tx, name, id), description };
      tx.queue(...insertCustomerGroups([{ ...group, createdAt: at, updatedAt: at }]));
      await announce(tx, context, origin, nowMs, {
        event: 'customer_group.created',
        subjectType: 'customer_group',
        subjectId: id,
        payload: { customerGroupId: id },
        details: { customerGroupId: id, name: group.name, description },
      });
      return { ...group, created_at: nowMs, updated_at: nowMs };
    },
    { retryOnConstraints: [customerGroupNameConstraint] },
  );
}

/** The name as it is stored. Names are compared without case and outer spaces. */
export async function freeGroupName(tx: TenantTransaction, name: string, exceptId: number): Promise<string> {
  const kept = nameText(name);
  if (kept === '') throw failure('INVALID_PARAMS', 'name must not be blank.');
  const [others] = await tx.run(selectCustomerGroupOfName({ name: kept, exceptId }));
  if (others.length > 0) throw failure('INVALID_PARAMS', 'name is that of another customer group.');
  return kept;
}
