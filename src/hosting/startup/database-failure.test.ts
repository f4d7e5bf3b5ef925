import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join, sep } from 'node:path';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { onDatabase } from '../../../test/harness/test-connection.ts';
import { failure } from '../../kernel/failure.ts';
import { explainDatabaseFailure } from './database-failure.ts';

const databaseUrl = 'postgres://shop:hush@db.example.com:5433/sales?sslmode=hush';
const databaseAppUrl = 'postgres://serving:hush@db.example.com/sales';
const dataDir = join(sep, 'srv', 'shop');
const external = { dataDir, databaseUrl, databaseAppUrl };
const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

/** The message for an error of a login. */
async function wordsFor(error: unknown, login: 'owner' | 'serving' = 'owner', app?: string): Promise<string> {
  const settings = { dataDir, databaseUrl, databaseAppUrl: app };
  const thrown: unknown = await explainDatabaseFailure(settings, login, Promise.reject(error)).catch(
    (it) => it,
  );
  return (thrown as Error).message;
}

const said = (meaning: string, message: string) => `${meaning} (${message})`;

test.each([
  [
    'ECONNREFUSED',
    'connect ECONNREFUSED 10.0.0.7:5433',
    'no PostgreSQL listens there',
    'Start the PostgreSQL',
  ],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND db', 'this machine cannot resolve its host name', 'Correct'],
  ['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.7:5433', 'that host cannot be reached', 'firewalls'],
  ['ENOENT', 'connect ENOENT /run/.s.PGSQL.5432', 'there is no PostgreSQL socket', 'folder of its socket'],
  [
    'ECONNRESET',
    'read ECONNRESET',
    'the server there closes the connection',
    'Check that it is a PostgreSQL',
  ],
  [
    ...(['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate'] as const),
    ...(['the TLS certificate of the server is not trusted', 'sslrootcert='] as const),
  ],
  ['', 'The server does not support SSL connections', null, 'remove sslmode'],
  ['28000', 'no pg_hba.conf entry for host "10.0.0.9", no encryption', null, 'Add sslmode=require'],
  ['28P01', 'password authentication failed for user "shop"', null, 'Set a login and a password'],
  ['3D000', 'database "sales" does not exist', null, 'Create that database'],
  ['57P03', 'the database system is starting up', null, 'Wait until it is up'],
  ['53300', 'sorry, too many clients already', null, 'Raise its max_connections'],
  ['42501', 'permission denied to grant role "dispensary_app"', null, 'docs/OPERATIONS.md, "The database"'],
])(
  'the message has the setting, its value without the password, and a remedy: %s %s',
  async (code, message, meaning, remedy) => {
    const words = await wordsFor(coded(code, message));
    const sentence = meaning === null ? message : said(meaning, message);
    expect(words).toContain(`DATABASE_URL postgres://***@db.example.com:5433/sales?***: ${sentence}. `);
    expect(words.slice(words.indexOf(sentence))).toContain(remedy);
    expect(words).not.toContain('hush');
  },
);

test('a file in the address is named with the reason', async () => {
  const path = join(dataDir, 'root.crt');
  let missing: unknown;
  try {
    readFileSync(path);
  } catch (error) {
    missing = error;
  }
  expect(await wordsFor(missing)).toContain(
    `: its file ${path} cannot be read: it does not exist. Name another file.`,
  );
});

test('the serving login is named by its setting', async () => {
  const refused = new Error('the role shop owns the tables');
  expect(await wordsFor(refused, 'serving')).toMatch(/^DATABASE_URL .*: the role shop owns the tables\.$/);
  expect(await wordsFor(refused, 'serving', databaseAppUrl)).toMatch(
    /^DATABASE_APP_URL .*@db\.example\.com\/sales: /,
  );
  expect(await wordsFor(refused, 'owner', databaseAppUrl)).toMatch(/^DATABASE_URL /);
});

test('the reason is that of the connection, also with several addresses or a pool', async () => {
  const reason = coded('ECONNREFUSED', 'connect ECONNREFUSED ::1:5432');
  expect(await wordsFor(new AggregateError([reason]))).toContain('(connect ECONNREFUSED ::1:5432). Start');
  const refusal = failure('SERVICE_UNAVAILABLE', 'The database cannot be reached; try again.');
  refusal.cause = reason;
  expect(await wordsFor(refusal)).toContain('(connect ECONNREFUSED ::1:5432). Start');
});

test('the errors of the driver and of PostgreSQL are recognized', async () => {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  const refusedClient = new Client({ connectionString: `postgres://shop:hush@127.0.0.1:${port}/sales` });
  await expect(explainDatabaseFailure(external, 'owner', refusedClient.connect())).rejects.toThrow(
    /DATABASE_URL .*ECONNREFUSED.*Start the PostgreSQL there/,
  );
  const elsewhere = new Client(onDatabase(inject('server').owner, 'no_such_database'));
  const connecting = elsewhere.connect();
  await expect(explainDatabaseFailure(external, 'owner', connecting)).rejects.toThrow(
    /DATABASE_URL .*no_such_database.*Create that database/,
  );
  const { owner } = inject('server');
  for (const [settings, words] of [
    [{ password: 'wrong' }, /DATABASE_URL .*password authentication failed.*Set a login and a password/],
    [{ ssl: true }, /DATABASE_URL .*does not support SSL connections\. Enable TLS at the server/],
  ] as const) {
    const refused = new Client({ ...owner, ...settings }).connect();
    await expect(explainDatabaseFailure(external, 'owner', refused)).rejects.toThrow(words);
  }
});

test('for the embedded database the message names its password file', async () => {
  const error = new Error('unchanged');
  const settings = { dataDir, databaseUrl: undefined, databaseAppUrl: undefined };
  await expect(explainDatabaseFailure(settings, 'owner', Promise.reject(error))).rejects.toBe(error);
  const refused = coded('28P01', 'password authentication failed for user "postgres"');
  await expect(explainDatabaseFailure(settings, 'owner', Promise.reject(refused))).rejects.toThrow(
    `${join(dataDir, 'postgres-credentials.json')} does not contain the passwords of the database in ` +
      `${join(dataDir, 'postgres')}: password authentication failed for user "postgres". Restore both`,
  );
});
