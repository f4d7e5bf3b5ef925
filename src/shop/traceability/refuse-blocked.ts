import { blockWords } from '../../engines/state-reports/state-package.ts';
import { failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { selectBlockedPackages } from '../inventory/stock.ts';
import { connectionsOf } from './connection-facts.ts';

/**
 * Refuses to hand over goods of a package that the state does not let be sold, with PACKAGE_BLOCKED. Without a connection
 * it costs nothing.
 */
export async function refuseBlocked(
  tx: TenantTransaction,
  context: Context,
  packageIds: readonly number[],
): Promise<void> {
  if ((await connectionsOf(context, tx)).length === 0) return;
  const ids = packageIds.filter((id) => id !== 0);
  if (ids.length === 0) return;
  const [[blocked]] = await tx.run(selectBlockedPackages({ ids, optionIds: [] }));
  if (blocked === undefined) return;
  const { id, label, state_block: reason } = blocked;
  throw failure(
    'PACKAGE_BLOCKED',
    `Package ${label} cannot be sold, ${blockWords[reason]}. Take the line out of the order and add it again.`,
    { package: { id, label }, reason },
  );
}
