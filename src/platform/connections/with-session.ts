import type { Client, ClientConfig } from 'pg';
import { keepAlive, patientDeadlines } from './deadlines.ts';
import { WatchedClient } from './watched-client.ts';

/** Migrations rewrite whole tables and backups wait for a checkpoint; this is longer than any of those takes. */
export const migrationMsMax = 6 * 60 * 60_000;

/**
 * Opens a session for `work` and ends it afterwards. Resolves to the result of `work`. If the database ends the session
 * early, the running or the next statement fails.
 */
export async function withSession<Result>(
  connection: ClientConfig,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const limits = { connectMs: patientDeadlines.connectMs, queryMs: migrationMsMax };
  const client = new WatchedClient({ ...connection, ...keepAlive }, limits);
  // The statement reports the error, too. Without a listener it would end this process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client as Client);
  } finally {
    await client.end();
  }
}
