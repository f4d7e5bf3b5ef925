import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { projectFolder } from '../kernel/project-folder.ts';
import type { ConnectionConfig } from './database.ts';
import { migrateJobQueue } from './job-queue-schema.ts';

/** Any number: whoever migrates this database holds this advisory lock. */
const migrationLock = 7_312_450_881;

/** The oldest PostgreSQL whose features the migrations use; 15 is also the oldest that is tested. */
const serverVersionMin = 150_000;

/**
 * Brings the schema up to date: applies the files of `migrations/` in order, each in a transaction, then what the
 * job queue brings. Refuses a database whose applied files differ from the ones here. Safe to run from many processes
 * at once.
 */
export async function migrate(
  connection: ConnectionConfig,
  folder: string = join(projectFolder(), 'migrations'),
): Promise<{ applied: string[] }> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).sort();
  const client = new Client(connection);
  await client.connect();
  try {
    const version = await client.query<{ server_version_num: string }>('show server_version_num');
    if (Number(version.rows[0]!.server_version_num) < serverVersionMin) {
      throw new Error('PostgreSQL 15 or newer is needed.');
    }
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(
      `create table if not exists schema_migrations (
        file text primary key, digest text not null, applied_at timestamptz not null default now())`,
    );
    const known = await client.query<{ file: string; digest: string }>(
      'select file, digest from schema_migrations',
    );
    const digests = new Map(known.rows.map((row) => [row.file, row.digest]));
    const missing = [...digests.keys()].filter((file) => !files.includes(file));
    if (missing.length > 0) {
      throw new Error(`The database is newer than this program: it has ${missing.join(', ')}.`);
    }
    const applied: string[] = [];
    for (const file of files) {
      const text = await readFile(join(folder, file), 'utf8');
      const digest = createHash('sha256').update(text).digest('hex');
      const before = digests.get(file);
      if (before === digest) continue;
      if (before !== undefined) throw new Error(`Migration ${file} was changed after it had been applied.`);
      await client.query('begin');
      await client.query(text);
      await client.query('insert into schema_migrations (file, digest) values ($1, $2)', [file, digest]);
      await client.query('commit');
      applied.push(file);
    }
    await migrateJobQueue(connection, client);
    return { applied };
  } finally {
    await client.end();
  }
}
