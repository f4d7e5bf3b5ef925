import type { Client, ClientConfig } from 'pg';
import { keepAlive, patientDeadlines } from './deadlines.ts';
import { WatchedClient } from './watched-client.ts';

/** Migrations rewrite whole tables and backups wait for a checkpoint: longer than any of those may take. */
const queryMs = 6 * 60 * 60_000;

/**
 * A session of its own for `work`, ended after it. Resolves to what `work` resolves to. A session that the database ends
 * early fails the statement that runs, or the next one.
 */
export async function withSession<Result>(
  connection: ClientConfig,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const limits = { connectMs: patientDeadlines.connectMs, queryMs };
  const client = new WatchedClient({ ...connection, ...keepAlive }, limits);
  // Told by the statement, too; told to nobody, it would end this process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client as Client);
  } finally {
    await client.end();
  }
}
