import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { projectFolder } from '../kernel/project-folder.ts';
import type { ConnectionConfig } from './database.ts';
import { migrateJobQueue } from './job-queue-schema.ts';
import { withSession } from './with-session.ts';

/** An arbitrary number: the advisory lock of a process that migrates this database. */
const migrationLock = 7_312_450_881;

/** The oldest PostgreSQL with the features that the migrations use; 15 is also the oldest tested version. */
const serverVersionMin = 150_000;

/**
 * Migrates the schema: applies the files of `migrations/` in order, each in a transaction, then the migrations of the
 * job queue. Refuses a database whose applied files differ from these. Safe to run from many processes concurrently.
 */
export async function migrate(
  connection: ConnectionConfig,
  folder: string = join(projectFolder(), 'migrations'),
): Promise<{ applied: string[] }> {
  const files = await readMigrations(folder);
  return withSession(connection, async (client) => {
    const version = await client.query<{ number: string; name: string }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as name`,
    );
    const server = version.rows[0]!;
    if (Number(server.number) < serverVersionMin) {
      throw new Error(
        `PostgreSQL 15 or newer is needed; this server is ${server.name}. Upgrade it, or name another one.`,
      );
    }
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(
      `create table if not exists schema_migrations (
        file text primary key, digest text not null, applied_at timestamptz not null default now())`,
    );
    const applied: string[] = [];
    for (const { file, text, digest } of await notApplied(client, files)) {
      await client.query('begin');
      await client.query(text);
      await client.query('insert into schema_migrations (file, digest) values ($1, $2)', [file, digest]);
      await client.query('commit');
      applied.push(file);
    }
    await migrateJobQueue(connection, client);
    return { applied };
  });
}

/**
 * Returns the files of `migrations/` that a database lacks; null when none was ever applied. Changes nothing. Refuses
 * what `migrate` refuses.
 */
export async function missingMigrations(
  connection: ConnectionConfig,
  folder: string = join(projectFolder(), 'migrations'),
): Promise<readonly string[] | null> {
  const files = await readMigrations(folder);
  return withSession(connection, async (client) => {
    const made = await client.query<{ is_there: boolean }>(
      `select to_regclass('schema_migrations') is not null as is_there`,
    );
    if (!made.rows[0]!.is_there) return null;
    const missing = await notApplied(client, files);
    return missing.length === files.length ? null : missing.map(({ file }) => file);
  });
}

interface Migration {
  readonly file: string;
  readonly text: string;
  readonly digest: string;
}

async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8');
      return { file, text, digest: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Throws for a database that is newer, or whose applied files differ. */
async function notApplied(client: Client, files: readonly Migration[]): Promise<readonly Migration[]> {
  const known = await client.query<{ file: string; digest: string }>(
    'select file, digest from schema_migrations',
  );
  const digests = new Map(known.rows.map((row) => [row.file, row.digest]));
  const others = [...digests.keys()].filter((name) => !files.some(({ file }) => file === name));
  if (others.length > 0) {
    throw new Error(`The database is newer than this program: it has ${others.join(', ')}.`);
  }
  return files.filter(({ file, digest }) => {
    const before = digests.get(file);
    if (before !== undefined && before !== digest) {
      throw new Error(`Migration ${file} was changed after it had been applied.`);
    }
    return before === undefined;
  });
}
