import { Client, type ClientConfig } from 'pg';

/**
 * A session of its own for `work`, ended after it. Resolves to what `work` resolves to. A session that the database ends
 * early fails the statement that runs, or the next one.
 */
export async function withSession<Result>(
  connection: ClientConfig,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(connection);
  // Told by the statement, too; told to nobody, it would end this process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
