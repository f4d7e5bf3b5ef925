import type { Client } from 'pg';
import { withSession } from '../connections/with-session.ts';
import type { ConnectionConfig } from '../database/database.ts';
import { relayCopy } from './relay-copy.ts';

/** A table of either server. */
interface Table {
  /** Quoted, with its schema. */
  readonly name: string;
  /** Those that are stored, quoted, sorted by name: a later migration may have added them in another order. */
  readonly columns: readonly string[];
  /** Estimated, for the progress. */
  readonly bytes: number;
}

interface CopyRun {
  /** A superuser of the database that is read. */
  readonly source: ConnectionConfig;
  /** A superuser of a database with the same schema; its rows are replaced. */
  readonly target: ConnectionConfig;
  /** `share` from 0 to 1, approximate. */
  readonly onProgress: (share: number, words: string) => void;
}

/** What was copied. */
export interface CopiedTables {
  readonly tables: number;
  readonly rows: number;
  /** The size of the rows as text. */
  readonly bytes: number;
}

/** The same text for the same value on both sides, whatever the settings of the clusters are. */
const sameTexts = `
set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
set bytea_output = 'hex'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`;

/** The share of the copying in the work; the rest compares. */
const copyShare = 0.7;

/**
 * Copies the rows of every table of one database, of all schemas, on one snapshot, and the values of its sequences, into another
 * database with the same schema. No trigger runs and no reference is checked: the rows are those of the other one, and so they are
 * compared, by count and digest of every table. Throws if the schemas differ, or the rows afterwards.
 */
export async function copyTables({ source, target, onProgress }: CopyRun): Promise<CopiedTables> {
  return withSession(source, (from) =>
    withSession(target, async (into) => {
      await from.query(`${sameTexts}; begin transaction isolation level repeatable read read only`);
      await into.query(
        `${sameTexts}; set session_replication_role = replica; set maintenance_work_mem = '256MB'`,
      );
      const tables = await sameTables(from, into);
      const allBytes = tables.reduce((sum, { bytes }) => sum + bytes, 1);
      let doneBytes = 0;
      let bytes = 0;
      await into.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
      const addIndexes = await dropIndexes(into);
      for (const table of tables) {
        const columns = table.columns.join(', ');
        bytes += await relayCopy(from, into, {
          from: `copy (select ${columns} from ${table.name}) to stdout`,
          into: `copy ${table.name} (${columns}) from stdin`,
        });
        doneBytes += table.bytes;
        onProgress((copyShare * doneBytes) / allBytes, `copied ${table.name}`);
      }
      await addIndexes();
      await copySequences(from, into);
      // Half of the time is the digest of each side, and they do not wait for each other.
      doneBytes = 0;
      let rows = 0;
      for (const table of tables) {
        rows += await sameRows(from, into, table);
        doneBytes += table.bytes;
        onProgress(copyShare + ((1 - copyShare) * doneBytes) / allBytes, `compared ${table.name}`);
      }
      // The planner knows nothing of new rows, and pages are not yet known to be visible to all.
      await into.query('vacuum (analyze)');
      return { tables: tables.length, rows, bytes };
    }),
  );
}

/** The tables of both, largest first. Throws if one has a table or a column that the other one has not. */
async function sameTables(from: Client, into: Client): Promise<readonly Table[]> {
  const [own, wanted] = [await tablesOf(from), await tablesOf(into)];
  const described = (tables: readonly Table[]) =>
    new Set(tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => `${name}.${column}`)]));
  const [before, after] = [described(own), described(wanted)];
  const only = [...before].filter((name) => !after.has(name));
  const lacking = [...after].filter((name) => !before.has(name));
  if (only.length + lacking.length === 0) return own;
  const has = (names: string[]) => (names.length === 0 ? 'nothing else' : names.join(', '));
  throw new Error(
    `The schema of the database is not that of this release. Only there: ${has(only)}. Missing there: ${has(lacking)}. ` +
      'Export and drop what is your own, with the release that made the database, and try again.',
  );
}

async function tablesOf(client: Client): Promise<readonly Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; bytes: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name, pg_table_size(c.oid)::text as bytes,
            coalesce(array_agg(quote_ident(a.attname) order by a.attname collate "C")
                       filter (where a.attname is not null), '{}') as columns
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       left join pg_attribute a
         on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'
      group by n.nspname, c.relname, c.oid
      order by pg_table_size(c.oid) desc, 1`,
  );
  return rows.map(({ name, columns, bytes }) => ({ name, columns, bytes: Number(bytes) }));
}

/**
 * Drops the indexes that no constraint needs, and returns what makes them again: to sort all rows once takes a fraction of
 * inserting them one by one.
 */
async function dropIndexes(into: Client): Promise<() => Promise<void>> {
  const { rows } = await into.query<{ name: string; text: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name, pg_get_indexdef(i.indexrelid) as text
       from pg_index i
       join pg_class c on c.oid = i.indexrelid
       join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and not i.indisclustered and not i.indisreplident
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
  );
  if (rows.length > 0) await into.query(`drop index ${rows.map(({ name }) => name).join(', ')}`);
  return async () => {
    for (const { text } of rows) await into.query(text);
  };
}

async function copySequences(from: Client, into: Client): Promise<void> {
  const { rows: sequences } = await from.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences
      where schemaname !~ '^pg_' and schemaname <> 'information_schema' order by 1`,
  );
  for (const { name } of sequences) {
    const { rows } = await from.query<{ value: string; is_called: boolean }>(
      `select last_value::text as value, is_called from ${name}`,
    );
    await into.query('select setval($1, $2, $3)', [name, rows[0]!.value, rows[0]!.is_called]);
  }
}

/** Compares the rows of a table; resolves to their number. */
async function sameRows(from: Client, into: Client, { name, columns }: Table): Promise<number> {
  // The first 60 bits of the digest of each row, added: the order of the rows does not matter.
  const text = `select count(*)::text as rows,
      coalesce(sum(('x0' || left(md5(row(${columns.join(', ')})::text), 15))::bit(64)::bigint), 0)::text as digest
    from ${name}`;
  const [before, after] = await Promise.all(
    [from, into].map(async (client) => (await client.query<{ rows: string; digest: string }>(text)).rows[0]!),
  );
  if (before!.rows === after!.rows && before!.digest === after!.digest) return Number(before!.rows);
  throw new Error(
    `The copy of ${name} is not the original: ${before!.rows} rows (digest ${before!.digest}) before, ` +
      `${after!.rows} (${after!.digest}) after. The old database is as it was.`,
  );
}
