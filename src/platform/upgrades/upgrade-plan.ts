import type { Client } from 'pg';
import { type Migration, migrationsFolder, readMigrations } from '../connections/migration-files.ts';
import { withSession } from '../connections/with-session.ts';
import type { ConnectionConfig } from '../database/database.ts';
import { missingMigrations } from '../schema/migrate.ts';
import { blockTables, effectsOf, type TableLock, type TableWork } from '../schema/migration-effects.ts';

/** What a migration does to a table, and how much that is here. */
interface PlannedEffect {
  readonly table: string;
  /** `unknown`: inside a block, whose statements are not looked at. */
  readonly lock: TableLock | 'unknown';
  readonly work: TableWork | 'unknown';
  readonly rows: number;
  readonly bytes: number;
  /** Estimated; null for a block. */
  readonly seconds: number | null;
}

export interface PlannedMigration {
  readonly file: string;
  readonly phase: Migration['phase'];
  readonly isConcurrent: boolean;
  readonly effects: readonly PlannedEffect[];
  readonly seconds: number;
  /** For how long other sessions wait for one of its tables, all its statements together. */
  readonly lockedSeconds: number;
  readonly diskBytes: number;
}

/** What bringing a database to this release will do. */
export interface UpgradePlan {
  /** Run at the start of the new release, beside processes of the former one. */
  readonly expand: readonly PlannedMigration[];
  /** Run when no process of an earlier release is connected any more. */
  readonly contract: readonly PlannedMigration[];
  readonly seconds: number;
  readonly diskBytes: number;
  /** Measured on this server. */
  readonly readRowsPerSecond: number;
  readonly writtenRowsPerSecond: number;
}

const measuredRows = 50_000;
const makeTable = 'create temp table upgrade_speed (id bigint primary key, words text) on commit drop';
const writeSome = `insert into upgrade_speed select n, repeat('x', 100) from generate_series(1, ${measuredRows}) n`;
const readSome = "select count(*) from upgrade_speed where words > 'a'";
/** Bytes of an entry of an index, with its share of inner pages. */
const indexEntryBytes = 60;

interface Sizes {
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Reads what this program's migrations would do to a database. Changes nothing: to measure the speed it writes rows of a temporary
 * table and takes them back. Null: there is no database of this program yet. Refuses a newer one.
 */
export async function planUpgrade(
  connection: ConnectionConfig,
  folder: string = migrationsFolder,
): Promise<UpgradePlan | null> {
  const lacking = await missingMigrations(connection, folder);
  if (lacking === null) return null;
  const missing = new Set([...lacking.missing, ...lacking.waiting]);
  const files = (await readMigrations(folder)).filter(({ file }) => missing.has(file));
  return withSession(connection, async (client) => {
    const sizes = await readSizes(client);
    const speed = await measureSpeed(client);
    const planned = files.map((migration) => plan(migration, sizes, speed));
    const of = (phase: Migration['phase']) => planned.filter((one) => one.phase === phase);
    const sum = (figure: 'seconds' | 'diskBytes') => planned.reduce((total, one) => total + one[figure], 0);
    return {
      ...{ expand: of('expand'), contract: of('contract') },
      ...{ seconds: sum('seconds'), diskBytes: sum('diskBytes') },
      ...{ readRowsPerSecond: Math.round(speed.reads), writtenRowsPerSecond: Math.round(speed.writes) },
    };
  });
}

function plan(
  { file, text, phase, isConcurrent }: Migration,
  sizes: ReadonlyMap<string, Sizes>,
  speed: { readonly reads: number; readonly writes: number },
): PlannedMigration {
  let [seconds, lockedSeconds, diskBytes] = [0, 0, 0];
  const effects: PlannedEffect[] = [];
  for (const { table, lock, work, takesRoom } of effectsOf(text)) {
    // A table of another migration that is still missing has no rows yet.
    const { rows, bytes } = sizes.get(table) ?? { rows: 0, bytes: 0 };
    const takes = work === 'none' ? 0 : rows / (work === 'reads' ? speed.reads : speed.writes);
    seconds += takes;
    if (lock !== 'none') lockedSeconds += takes;
    if (takesRoom) diskBytes += work === 'writes' ? bytes : rows * indexEntryBytes;
    effects.push({ table, lock, work, rows, bytes, seconds: takes });
  }
  for (const table of blockTables(text)) {
    const size = sizes.get(table);
    if (size === undefined) continue;
    effects.push({ table, lock: 'unknown', work: 'unknown', ...size, seconds: null });
  }
  return { file, phase, isConcurrent, effects, seconds, lockedSeconds, diskBytes };
}

async function readSizes(client: Client): Promise<ReadonlyMap<string, Sizes>> {
  const { rows } = await client.query<{ name: string; rows: string; bytes: string }>(
    `select c.relname as name, pg_table_size(c.oid) as bytes,
            greatest(coalesce(s.n_live_tup, 0), c.reltuples::bigint, 0) as rows
       from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  );
  return new Map(
    rows.map(({ name, ...size }) => [name, { rows: Number(size.rows), bytes: Number(size.bytes) }]),
  );
}

/** Rows a second that this server reads, and writes with an index. */
async function measureSpeed(client: Client): Promise<{ reads: number; writes: number }> {
  const timed = async (text: string) => {
    const beganMs = performance.now();
    await client.query(text);
    return measuredRows / Math.max(0.001, (performance.now() - beganMs) / 1_000);
  };
  await client.query('begin');
  try {
    await client.query(makeTable);
    const writes = await timed(writeSome);
    const reads = await timed(readSome);
    return { reads, writes };
  } finally {
    await client.query('rollback');
  }
}
