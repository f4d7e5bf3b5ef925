import type { Client } from 'pg';
import type { ConnectionConfig } from './session-settings.ts';
import { withSession } from './with-session.ts';

/**
 * Whether the tables of this database are distributed over several servers (Citus), by `dispensary distribute`. The program
 * then plans each statement with its values, and sets the tenant on each server that a transaction reaches.
 */
export async function isDistributed(connection: ConnectionConfig): Promise<boolean> {
  return withSession(connection, isDistributedHere);
}

/** The same of the database of a session. */
export async function isDistributedHere(client: Pick<Client, 'query'>): Promise<boolean> {
  const known = await client.query<{ is_there: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as is_there`,
  );
  if (!known.rows[0]!.is_there) return false;
  const found = await client.query(
    `select from pg_catalog.pg_dist_partition
      where logicalrelid = to_regclass('organizations') and partmethod = 'h'`,
  );
  return found.rowCount! > 0;
}
