import { escapeLiteral } from 'pg';
import { assert } from '../kernel/assert.ts';
import { distributedText } from './distributed-text.ts';
import type { PipelineStatement } from './pipeline.ts';
import type { ConnectionConfig } from './session-settings.ts';
import { withSession } from './with-session.ts';

/**
 * Whether the tables of this database are distributed over several servers (Citus), by `dispensary distribute`. The program
 * then plans each statement with its values, and sets the tenant on each server that a transaction reaches.
 */
export async function isDistributed(connection: ConnectionConfig): Promise<boolean> {
  return withSession(connection, async (client) => {
    const known = await client.query<{ is_there: boolean }>(
      `select to_regclass('pg_catalog.pg_dist_partition') is not null as is_there`,
    );
    if (!known.rows[0]!.is_there) return false;
    const found = await client.query(
      `select from pg_catalog.pg_dist_partition
        where logicalrelid = to_regclass('organizations') and partmethod = 'h'`,
    );
    return found.rowCount! > 0;
  });
}

/**
 * Settings of a session on a distributed database. Plans are made with the values of each statement: a generic plan hides
 * which organization, and so which server, a statement is about. Settings of a transaction reach every server that it reaches.
 */
export const distributedSession =
  '-c plan_cache_mode=force_custom_plan -c citus.propagate_set_commands=local';

/** Reads of one organization on a distributed database; a batch alone is no transaction on the other servers. */
export const beginRead: PipelineStatement = {
  name: 'begin_read',
  text: 'begin isolation level repeatable read, read only',
  values: [],
};

const setConfig = /^select set_config\('([a-z_.]+)', \$1, true\)$/;

/**
 * The statement for a distributed database. `set_config` acts on the server that runs it only; `set local` is told to the
 * others too, and takes no parameters.
 */
export function forDistributed(statement: PipelineStatement): PipelineStatement {
  const name = setConfig.exec(statement.text)?.[1];
  if (name === undefined) return { ...statement, text: distributedText(statement.text) };
  const [value] = statement.values;
  assert(typeof value === 'string', () => `the setting ${name} is no text`);
  return { name: '', text: `set local ${name} = ${escapeLiteral(value)}`, values: [] };
}
