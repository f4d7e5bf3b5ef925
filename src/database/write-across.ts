import type { OrganizationId } from '../kernel/ids.ts';
import { bindAll, bindGlobal } from './bind-statements.ts';
import { runPipeline } from './pipeline.ts';
import type { ConnectionConfig } from './session-settings.ts';
import type { BoundStatement } from './statement.ts';
import { begin, commit, enterTenant } from './transaction-statements.ts';
import { withSession } from './with-session.ts';

/**
 * Writes what belongs to no organization, and beside it rows of several organizations, in one transaction: all of it
 * becomes durable, or nothing. Each statement is bound to the organization that it is given for. For commands of the
 * operator: it takes a session of its own, and does not run again after a collision.
 */
export async function writeAcross(
  connection: ConnectionConfig,
  common: readonly BoundStatement<unknown>[],
  ofOrganizations: ReadonlyMap<OrganizationId, readonly BoundStatement<unknown>[]>,
): Promise<void> {
  await withSession(connection, (client) =>
    runPipeline(client, [
      begin,
      ...common.map(bindGlobal),
      ...[...ofOrganizations].flatMap(([id, statements]) => [enterTenant(id), ...bindAll(statements, id)]),
      commit,
    ]),
  );
}
