import type { Client } from 'pg';
import { isDistributed } from '../connections/is-distributed.ts';
import {
  type Migration,
  migrationsFolder,
  readMigrations,
  statementsOf,
} from '../connections/migration-files.ts';
import { type LockPatience, lockPatience, withLockTimeout } from '../connections/migration-locks.ts';
import { earlierProcesses } from '../connections/serving-sessions.ts';
import { withMigrationLock } from '../connections/with-migration-lock.ts';
import { withSession } from '../connections/with-session.ts';
import type { ConnectionConfig } from '../database/database.ts';
import { applyDistributed } from './distributed-migration.ts';
import { migrateJobQueue } from './job-queue-schema.ts';

/** The oldest PostgreSQL with the features that the migrations use; 15 is also the oldest tested version. */
const serverVersionMin = 150_000;

export interface MigrateOptions extends Partial<LockPatience> {
  readonly folder?: string;
  /** Runs migrations of the phase `contract` although processes of an earlier release are connected. */
  readonly contractsNow?: boolean;
}

export interface Migrated {
  readonly applied: readonly string[];
  /** Migrations of the phase `contract` that wait until no process of an earlier release is connected. */
  readonly waiting: readonly string[];
}

/**
 * Migrates the schema: applies the files of `migrations/` in order, each in a transaction unless it is a concurrent one, then the
 * migrations of the job queue. Those of the phase `contract` wait while a process of an earlier release is connected. Refuses a
 * database whose applied files differ from these. Safe to run from many processes concurrently, and beside a running service: it
 * waits for no lock longer than `lockTimeoutMs`, and then tries again.
 */
export async function migrate(connection: ConnectionConfig, options: MigrateOptions = {}): Promise<Migrated> {
  const folder = options.folder ?? migrationsFolder;
  const files = await readMigrations(folder);
  const patience = { ...lockPatience, ...options };
  return withSession(connection, async (client) => {
    await refuseOldServer(client);
    return withMigrationLock(client, async () => {
      await prepareList(client, patience);
      const missing = await notApplied(client, files);
      const applied: string[] = [];
      const waiting: string[] = [];
      const isSpread = missing.length > 0 && (await isDistributed(connection));
      const run = ({ text }: Migration) => client.query(text);
      const runSpread = (migration: Migration) => applyDistributed(client, migration, folder);
      for (const migration of missing) {
        const mustWait =
          migration.phase === 'contract' &&
          !options.contractsNow &&
          (await earlierProcesses(client, migration.file)).length > 0;
        if (mustWait) {
          waiting.push(migration.file);
          continue;
        }
        await withLockTimeout(client, `Migration ${migration.file}`, patience, () =>
          migration.isConcurrent
            ? applyConcurrently(client, migration)
            : apply(client, migration, isSpread ? runSpread : run),
        );
        applied.push(migration.file);
      }
      await migrateJobQueue(connection, client, patience);
      return { applied, waiting };
    });
  });
}

/** What a database lacks of the migrations of this program. */
interface MissingMigrations {
  /** Without these the program cannot work. */
  readonly missing: readonly string[];
  /** See `Migrated`. */
  readonly waiting: readonly string[];
}

/** Returns null when none was ever applied. Changes nothing. Refuses what `migrate` refuses. */
export async function missingMigrations(
  connection: ConnectionConfig,
  folder: string = migrationsFolder,
): Promise<MissingMigrations | null> {
  const files = await readMigrations(folder);
  return withSession(connection, async (client) => {
    const made = await client.query<{ is_there: boolean }>(
      `select to_regclass('schema_migrations') is not null as is_there`,
    );
    if (!made.rows[0]!.is_there) return null;
    const all = await notApplied(client, files);
    if (all.length === files.length) return null;
    const of = (phase: Migration['phase']) =>
      all.filter((one) => one.phase === phase).map(({ file }) => file);
    return { missing: of('expand'), waiting: of('contract') };
  });
}

async function refuseOldServer(client: Client): Promise<void> {
  const version = await client.query<{ number: string; name: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as name`,
  );
  const server = version.rows[0]!;
  if (Number(server.number) < serverVersionMin) {
    throw new Error(
      `PostgreSQL 15 or newer is needed; this server is ${server.name}. Upgrade it, or name another one.`,
    );
  }
}

/** Makes the list of applied migrations. */
async function prepareList(client: Client, patience: LockPatience): Promise<void> {
  await withLockTimeout(client, 'The list of migrations', patience, () =>
    client.query(
      `create table if not exists schema_migrations (
        file text primary key, digest text not null, applied_at timestamptz not null default now(), phase text)`,
    ),
  );
}

async function apply(
  client: Client,
  migration: Migration,
  run: (migration: Migration) => Promise<unknown>,
): Promise<void> {
  await client.query('begin');
  try {
    await run(migration);
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    // A lost session has nothing to roll back; the first error is the one to tell.
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** A try that fails leaves an invalid index behind, which the first statements of the file drop. */
async function applyConcurrently(client: Client, migration: Migration): Promise<void> {
  // It waits for transactions that began before it, and blocks no request meanwhile.
  await client.query(`select set_config('lock_timeout', '0', false)`);
  for (const text of statementsOf(migration)) await client.query(text);
  await record(client, migration);
}

async function record(client: Client, { file, digest, phase }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (file, digest, phase) values ($1, $2, $3)', [
    file,
    digest,
    phase,
  ]);
}

/**
 * Throws for a database that is newer, or older than the baseline, or whose applied files differ. One that has only been expanded by
 * a later release still serves this one.
 */
async function notApplied(client: Client, files: readonly Migration[]): Promise<readonly Migration[]> {
  const known = await client.query<{ file: string; digest: string; phase?: string | null }>(
    'select * from schema_migrations order by file',
  );
  const [baseline] = files;
  if (
    known.rows.length > 0 &&
    baseline?.file.startsWith('0001_') &&
    !known.rows.some(({ file }) => file === baseline.file)
  ) {
    throw new Error(
      'The database was made by a program before 1.0.0, and this program does not read it. With the former program, export what ' +
        'you need (dispensary export, for each organization). Then start this program with a new database (another DATA_DIR or ' +
        'DATABASE_URL), and import it there (dispensary import; docs/BULK.md says what is taken).',
    );
  }
  const digests = new Map(known.rows.map((row) => [row.file, row.digest]));
  const missing = files.filter(({ file, digest }) => {
    const before = digests.get(file);
    if (before !== undefined && before !== digest) {
      throw new Error(`Migration ${file} was changed after it had been applied.`);
    }
    return before === undefined;
  });
  const others = known.rows.filter(({ file }) => !files.some((own) => own.file === file));
  const breaking = others.filter(({ phase }) => phase !== 'expand');
  const isEarlier = missing.every(({ phase }) => phase === 'contract');
  if (breaking.length > 0 || (others.length > 0 && !isEarlier)) {
    throw new Error(
      `The database is newer than this program: it has ${others.map(({ file }) => file).join(', ')}.`,
    );
  }
  return missing;
}
