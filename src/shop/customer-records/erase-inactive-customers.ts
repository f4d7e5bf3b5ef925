import { selectCustomerRetention } from '../../access/organizations/organizations.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { PruneStep } from '../../platform/upkeep/prune-step.ts';
import { selectInactiveCustomers } from '../orders/orders.ts';
import { eraseCustomer } from './erase-customer.ts';

const customersPerStep = 10;
const dayMs = 86_400_000;
const byRetention: Origin = { actor: 'job:customer-retention', requestId: null };

/**
 * Erases some of the customers who ordered nothing, and of whom nothing changed, for as long as the owner says (D76); none, if the
 * owner keeps customers. Each is a transaction of its own, announced and audited like an erasure by staff.
 */
export async function eraseInactiveCustomers(
  context: Context,
  organization: OrganizationId,
): Promise<PruneStep> {
  const [[setting]] = await context.database.read(organization, selectCustomerRetention({}));
  const days = setting?.customer_retention_days ?? null;
  if (days === null) return { pruned: 0, hasMore: false };
  const before = isoTimestamp(context.clock.now() - days * dayMs);
  const [found] = await context.database.read(
    organization,
    selectInactiveCustomers({ before, limit: customersPerStep, id: null }),
  );
  let pruned = 0;
  for (const { id } of found) {
    if (await eraseCustomer(context, byRetention, organization, id, before)) pruned += 1;
  }
  return { pruned, hasMore: found.length === customersPerStep && pruned > 0 };
}
