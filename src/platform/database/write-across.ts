import type { OrganizationId } from '../../kernel/ids.ts';
import { bindAll, bindGlobal } from './bind-statements.ts';
import { forDistributed } from './for-distributed.ts';
import { runPipeline } from './pipeline.ts';
import { type ConnectionConfig, distributedSession } from './session-settings.ts';
import type { BoundStatement } from './statement.ts';
import { begin, commit, enterTenant } from './transaction-statements.ts';
import { withSession } from './with-session.ts';

/**
 * Writes global tables and rows of several organizations in one transaction, all or nothing. Each statement is bound to
 * the organization given with it. For the operator's commands: it uses a separate session, and does not run again after
 * a collision.
 */
export async function writeAcross(
  connection: ConnectionConfig,
  common: readonly BoundStatement<unknown>[],
  ofOrganizations: ReadonlyMap<OrganizationId, readonly BoundStatement<unknown>[]>,
): Promise<void> {
  const all = [
    begin,
    ...common.map(bindGlobal),
    ...[...ofOrganizations].flatMap(([id, statements]) => [enterTenant(id), ...bindAll(statements, id)]),
    commit,
  ];
  const options = [connection.options, connection.isDistributed && distributedSession]
    .filter(Boolean)
    .join(' ');
  await withSession({ ...connection, options }, (client) =>
    runPipeline(client, connection.isDistributed ? all.map(forDistributed) : all),
  );
}
