import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { onDatabase } from '../test/harness/test-connection.ts';
import { namingDatabase } from './database-failure.ts';
import { failure } from './kernel/failure.ts';

const databaseUrl = 'postgres://shop:hush@db.example.com:5433/sales?sslmode=hush';
const databaseAppUrl = 'postgres://serving:hush@db.example.com/sales';
const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

/** What an error of that login becomes. */
async function wordsFor(error: unknown, login: 'owner' | 'serving' = 'owner', app?: string): Promise<string> {
  const settings = { databaseUrl, databaseAppUrl: app };
  const thrown: unknown = await namingDatabase(settings, login, Promise.reject(error)).catch((it) => it);
  return (thrown as Error).message;
}

test.each([
  ['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.7:5433', 'Start the PostgreSQL there'],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND db.example.com', 'no name that this machine can look up'],
  ['28P01', 'password authentication failed for user "shop"', 'Name a login and a password that it knows'],
  ['3D000', 'database "sales" does not exist', 'Create that database'],
  ['42501', 'permission denied to grant role "dispensary_app"', 'docs/OPERATIONS.md, "The database"'],
])(
  'the setting is named, with its value but for the password, and what to do: %s',
  async (code, said, remedy) => {
    const words = await wordsFor(coded(code, said));
    expect(words).toContain(`DATABASE_URL postgres://***@db.example.com:5433/sales?***: ${said}. `);
    expect(words).toContain(remedy);
    expect(words).not.toContain('hush');
  },
);

test('the login that serves is named by the setting it comes from', async () => {
  const refused = new Error('the role shop owns the tables');
  expect(await wordsFor(refused, 'serving')).toMatch(/^DATABASE_URL .*: the role shop owns the tables\.$/);
  expect(await wordsFor(refused, 'serving', databaseAppUrl)).toMatch(
    /^DATABASE_APP_URL .*@db\.example\.com\/sales: /,
  );
  expect(await wordsFor(refused, 'owner', databaseAppUrl)).toMatch(/^DATABASE_URL /);
});

test('the reason is that of the connection, also where it was tried at several addresses or by the pool', async () => {
  const reason = coded('ECONNREFUSED', 'connect ECONNREFUSED ::1:5432');
  expect(await wordsFor(new AggregateError([reason]))).toContain(': connect ECONNREFUSED ::1:5432. Start');
  const refusal = failure('SERVICE_UNAVAILABLE', 'The database cannot be reached; try again.');
  refusal.cause = reason;
  expect(await wordsFor(refusal)).toContain(': connect ECONNREFUSED ::1:5432. Start');
});

test('what the driver and PostgreSQL say is understood', async () => {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  const nobody = new Client({ connectionString: `postgres://shop:hush@127.0.0.1:${port}/sales` });
  await expect(namingDatabase({ databaseUrl, databaseAppUrl }, 'owner', nobody.connect())).rejects.toThrow(
    /DATABASE_URL .*ECONNREFUSED.*Start the PostgreSQL there/,
  );
  const elsewhere = new Client(onDatabase(inject('server').owner, 'no_such_database'));
  const connecting = elsewhere.connect();
  await expect(namingDatabase({ databaseUrl, databaseAppUrl }, 'owner', connecting)).rejects.toThrow(
    /DATABASE_URL .*no_such_database.*Create that database/,
  );
});

test('the embedded one has no setting to name', async () => {
  const error = new Error('as it is');
  const settings = { databaseUrl: undefined, databaseAppUrl: undefined };
  await expect(namingDatabase(settings, 'owner', Promise.reject(error))).rejects.toBe(error);
});
