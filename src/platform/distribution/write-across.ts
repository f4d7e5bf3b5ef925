import type { OrganizationId } from '../../kernel/ids.ts';
import { forDistributed } from '../connections/for-distributed.ts';
import { runPipeline } from '../connections/pipeline.ts';
import { type ConnectionConfig, distributedSession } from '../connections/session-settings.ts';
import { withSession } from '../connections/with-session.ts';
import { bindAll, bindGlobal } from '../database/bind-statements.ts';
import { begin, commit, enterTenant } from '../database/transaction-statements.ts';
import type { BoundStatement } from '../statements/statement.ts';

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
