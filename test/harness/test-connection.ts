import { Client } from 'pg';
import type { ConnectionConfig } from '../../src/platform/database/database.ts';

/** The same login on another database of the server. */
export function onDatabase(connection: ConnectionConfig, database: string): ConnectionConfig {
  if (!connection.connectionString) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { ...connection, connectionString: url.href };
}

/** Runs one statement in a separate session and returns its rows. */
export async function execute(
  connection: ConnectionConfig,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const client = new Client(connection);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The address of a database, as a command line has it. */
export function connectionUrl({
  connectionString,
  host,
  port,
  user,
  password,
  database,
}: ConnectionConfig): string {
  if (connectionString) return connectionString;
  const url = new URL(`postgres://${user}@localhost/${database}`);
  url.password = String(password ?? '');
  url.searchParams.set('host', host!);
  url.searchParams.set('port', String(port));
  return url.href;
}
