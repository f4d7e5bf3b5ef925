import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { inject } from 'vitest';
import { programVersion } from '../../src/kernel/project-folder.ts';
import { migrationsFolder } from '../../src/platform/connections/migration-files.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { onDatabase } from '../harness/test-connection.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';
import type { TestService } from '../harness/test-service.ts';

/*
 * The data of a small shop as a release left it: the rows of every table as text, in the order of their columns. The schema is that of
 * its migrations, which are never edited. So a later release can be tried on it without the former program.
 */

interface ReleaseFixture {
  readonly version: string;
  readonly organizations: readonly number[];
  /** The files that had been applied. */
  readonly migrations: readonly string[];
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly rows: readonly string[];
  }[];
  readonly sequences: readonly { readonly name: string; readonly value: string }[];
  /** Files of the folders `photos` and `documents`, in base64. */
  readonly files: Readonly<Record<string, string>>;
}

export const fixturesFolder = new URL('./fixtures/', import.meta.url).pathname;

/** The documents of every fixture are encrypted under this key, which protects nothing. */
export const fixtureKey = Buffer.alloc(32, 7);

/** In the order of releases. */
export function fixtureNames(): readonly string[] {
  return readdirSync(fixturesFolder)
    .filter((name) => name.endsWith('.json.gz'))
    .sort();
}

export function readFixture(name: string): ReleaseFixture {
  return JSON.parse(gunzipSync(readFileSync(join(fixturesFolder, name))).toString('utf8'));
}

/** Writes what a service has; resolves to the name of the file and its bytes. */
export async function writeFixture(
  service: TestService,
  organizations: readonly number[],
): Promise<{ name: string; bytes: number }> {
  const client = await openAdmin(service.database);
  try {
    const { rows: applied } = await client.query('select file from schema_migrations order by file');
    const tables = [];
    for (const { name, columns } of await tablesOf(client)) {
      const list = columns.map((column) => `"${column}"`).join(', ');
      const { rows } = await client.query(
        `select t::text as text from (select ${list} from "${name}") t order by 1`,
      );
      if (rows.length > 0) tables.push({ name, columns, rows: rows.map(({ text }) => text as string) });
    }
    const { rows: sequences } = await client.query(
      `select sequencename as name, last_value::text as value from pg_sequences
        where schemaname = 'public' and last_value is not null order by 1`,
    );
    const files: Record<string, string> = {};
    for (const folder of ['photos', 'documents']) {
      for (const name of readdirSync(join(service.documentFolder, folder))) {
        files[`${folder}/${name}`] = readFileSync(join(service.documentFolder, folder, name)).toString(
          'base64',
        );
      }
    }
    const migrations = applied.map(({ file }) => file as string);
    const fixture = { version: programVersion(), organizations, migrations, tables, sequences, files };
    const packed = gzipSync(JSON.stringify(fixture), { level: 9 });
    const name = `${migrations.at(-1)!.slice(0, 4)}-${programVersion()}.json.gz`;
    writeFileSync(join(fixturesFolder, name), packed);
    return { name, bytes: packed.length };
  } finally {
    await client.end();
  }
}

/** A new database with the schema and the rows of a fixture; its files are written to `dataFolder`. */
export async function layFixture(fixture: ReleaseFixture, dataFolder: string): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const client = await openAdmin(database);
  try {
    await client.query('drop schema public cascade; drop schema if exists graphile_worker cascade');
    await client.query(
      `create schema public authorization ${await ownerOf(database)}; grant usage on schema public to public`,
    );
    await layRows(fixture, database.owner, client);
  } finally {
    await client.end();
  }
  layFiles(fixture, dataFolder);
  return database;
}

/** The schema and the rows of a fixture, in an empty database; `client` is a superuser's. */
export async function layRows(
  fixture: ReleaseFixture,
  owner: TestDatabase['owner'],
  client: Client,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-fixture-'));
  try {
    for (const file of fixture.migrations) cpSync(join(migrationsFolder, file), join(folder, file));
    await migrate(owner, { folder, contractsNow: true });
    await client.query('set session_replication_role = replica');
    for (const { name, columns, rows } of fixture.tables) {
      if (name === 'schema_migrations') continue;
      const list = columns.map((column) => `"${column}"`).join(', ');
      // What a migration has put there.
      await client.query(`delete from "${name}"`);
      const types = await typesOf(client, name, columns);
      await client.query(`create type fixture_row as (${types})`);
      await client.query(
        `insert into "${name}" (${list}) overriding system value select (row_text::fixture_row).* from unnest($1::text[]) row_text`,
        [rows],
      );
      await client.query('drop type fixture_row');
    }
    for (const { name, value } of fixture.sequences)
      await client.query('select setval($1, $2)', [name, value]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The photos and documents of a fixture. */
export function layFiles(fixture: ReleaseFixture, dataFolder: string): void {
  for (const [path, content] of Object.entries(fixture.files)) {
    mkdirSync(join(dataFolder, path, '..'), { recursive: true });
    writeFileSync(join(dataFolder, path), Buffer.from(content, 'base64'));
  }
}

async function openAdmin({ owner }: TestDatabase): Promise<Client> {
  const name = owner.connectionString ? new URL(owner.connectionString).pathname.slice(1) : owner.database!;
  const client = new Client(onDatabase(inject('server').admin, name));
  await client.connect();
  return client;
}

async function ownerOf({ owner }: TestDatabase): Promise<string> {
  const client = new Client(owner);
  await client.connect();
  try {
    return (await client.query('select quote_ident(current_user) as name')).rows[0].name;
  } finally {
    await client.end();
  }
}

/** The columns that are stored, not generated. */
async function tablesOf(client: Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attgenerated = ''
      group by c.relname order by c.relname`,
  );
  return rows;
}

async function typesOf(client: Client, name: string, columns: readonly string[]): Promise<string> {
  const { rows } = await client.query(
    `select a.attname as column, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
      where a.attrelid = $1::regclass and a.attname = any($2)`,
    [`"${name}"`, columns],
  );
  const types = new Map(rows.map(({ column, type }) => [column, type]));
  return columns.map((column) => `"${column}" ${types.get(column)}`).join(', ');
}
