import type { OrganizationId } from '../../kernel/ids.ts';
import type { Database } from '../database/database.ts';
import type { BoundStatement } from '../statements/statement.ts';

/** What one short transaction has deleted of expired rows (D76). */
export interface PruneStep {
  readonly pruned: number;
  /** Whether there may be more. */
  readonly hasMore: boolean;
}

/** Deletes by a statement that returns a row for each deleted one, at most `limit` of them, in a transaction of its own. */
export async function pruneByStatement(
  database: Pick<Database, 'write'>,
  organization: OrganizationId,
  statement: BoundStatement<unknown>,
  limit: number,
): Promise<PruneStep> {
  const deleted = await database.write(organization, async (tx) => (await tx.run(statement))[0], {
    countsAsChange: false,
  });
  return { pruned: deleted.length, hasMore: deleted.length >= limit };
}
