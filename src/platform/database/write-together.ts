import type { OrganizationId } from '../../kernel/ids.ts';
import { statement } from '../statements/statement.ts';
import type { Database } from './database.ts';

/** Begins and ends a transaction that has no statement of its own. */
const nothing = statement<Record<never, never>, never>('write_together', 'select :organizationId::bigint');

/**
 * Runs a function in one transaction: all its writes, and its reads after the first one. It is a part of the transaction that it is
 * in already, if any. Like `withAmbientTransaction`, it writes sequentially, in this organization only.
 */
export function writeTogether<Result>(
  database: Database,
  organizationId: OrganizationId,
  work: () => Promise<Result>,
): Promise<Result> {
  if (database.isInAmbientTransaction(organizationId)) return work();
  return database.withAmbientTransaction(organizationId, nothing({}), work, () => nothing({}));
}
