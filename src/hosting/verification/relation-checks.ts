import type { Client } from 'pg';
import { isDistributed } from '../../platform/connections/is-distributed.ts';
import { withSession } from '../../platform/connections/with-session.ts';
import type { ConnectionConfig } from '../../platform/database/database.ts';
import type { FindingList, Named } from './finding.ts';

/**
 * Every table and index as PostgreSQL stores it: amcheck of each, and what has no words in its own structure: rows that only an
 * index knows, references to rows that are gone, conditions that no longer hold.
 */

const tableStructure: Named = {
  name: 'tables',
  promise: 'the pages of each table are well formed',
};
const indexStructure: Named = {
  name: 'indexes',
  promise: 'each index is well formed and has every row of its table',
};
const rowsByIndex: Named = {
  name: 'rows-by-index',
  promise: 'each table has the rows that its primary key has',
};
const references: Named = {
  name: 'references',
  promise: 'each row that refers to another one finds it',
};
const conditions: Named = {
  name: 'conditions',
  promise: 'each row fulfils the conditions of its table',
};

interface Relation {
  readonly id: string;
  readonly name: string;
  readonly kind: 'table' | 'index' | 'gin' | 'reference' | 'condition';
  readonly isPrimaryTable: boolean;
}

const selectRelations = `
  select c.oid::text as id, c.oid::regclass::text as name,
         case when c.relkind <> 'i' then 'table' when a.amname = 'btree' then 'index' else a.amname end as kind,
         c.relkind = 'r' and n.nspname = 'public' as "isPrimaryTable"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_am a on a.oid = c.relam
   where c.relkind in ('r', 't', 'i') and c.relpersistence = 'p'
     and (n.nspname in ('public', 'graphile_worker', 'pg_catalog') or c.relkind <> 'r')
   union all
  select k.oid::text, k.conrelid::regclass || ' ' || k.conname, case k.contype when 'f' then 'reference' else 'condition' end,
         false
    from pg_constraint k join pg_namespace n on n.oid = k.connamespace
   where k.contype in ('f', 'c') and k.conrelid <> 0 and n.nspname = 'public'
   order by 3 desc, 2`;

const heapFaults = `
  select blkno as page, msg as words from verify_heapam($1::oid::regclass, on_error_stop := false) limit 100`;
const indexFaults = 'select bt_index_check($1::oid::regclass, heapallindexed => true, checkunique => true)';
const ginFaults = 'select gin_index_check($1::oid::regclass)';
const countsOfTable =
  'select count_by_table($1::oid::regclass)::int as rows, count_by_index($1::oid::regclass)::int as found';
const brokenReferences = 'select key from broken_references($1::oid) key';
const brokenConditions = 'select key from broken_conditions($1::oid) key';

/** What has a row, or fails, if one of the relations has a fault: then each is asked by itself, which names it. */
const anyFault: Readonly<Record<string, string>> = {
  table: 'select from unnest($1::oid[]) id, verify_heapam(id::regclass, on_error_stop := true) limit 1',
  rows: `select from unnest($1::oid[]) id, count_by_index(id::regclass) found
          where found is not null and found <> count_by_table(id::regclass)`,
  index: `select from unnest($1::oid[]) id
           where bt_index_check(id::regclass, heapallindexed => true, checkunique => true) is null`,
  reference: 'select from unnest($1::oid[]) id, broken_references(id) limit 1',
  condition: 'select from unnest($1::oid[]) id, broken_conditions(id) limit 1',
};
/** An empty database has 1,500 relations, and each round trip waits for its turn on a busy machine. */
const relationsAtOnce = 25;

interface RelationRun {
  /** A superuser's: only that may look into all of it. */
  readonly admin: ConnectionConfig;
  readonly found: FindingList;
  readonly onProgress: (share: number, words: string) => void;
}

/** Checks all tables and indexes of the database, and has those counted that never were: the next questions are about their rows. */
export async function checkRelations({ admin, found, onProgress }: RelationRun): Promise<void> {
  if (await isDistributed(admin)) {
    // The coordinator has the tables without their rows.
    for (const check of [tableStructure, indexStructure, rowsByIndex, references, conditions]) {
      found.skipped(check, 'the rows are on other servers: run pg_amcheck on each');
    }
    return;
  }
  await withSession(admin, async (client) => {
    const hasAmcheck = await makeAmcheck(client);
    if (!hasAmcheck) {
      for (const check of [tableStructure, indexStructure]) {
        found.skipped(check, 'this PostgreSQL has no amcheck of 1.4 or later');
      }
    }
    const { rows: relations } = await client.query<Relation>(selectRelations);
    for (let at = 0; at < relations.length; ) {
      const { kind } = relations[at]!;
      const some = relations.slice(at, at + relationsAtOnce).filter((relation) => relation.kind === kind);
      if (await areWhole(client, some, hasAmcheck)) count(some, hasAmcheck, found);
      else for (const relation of some) await checkRelation(client, relation, hasAmcheck, found);
      at += some.length;
      onProgress(at / relations.length, some.at(-1)!.name);
    }
    // Behind the checks, which must see what the disk has.
    await ensureStatistics(client);
  });
}

/** Whether relations of one kind have no fault. */
async function areWhole(client: Client, some: readonly Relation[], hasAmcheck: boolean): Promise<boolean> {
  const { kind } = some[0]!;
  const ofRows = some.filter(({ isPrimaryTable }) => isPrimaryTable);
  const questions = [
    ...(hasAmcheck || !/^(table|index)$/.test(kind) ? [[anyFault[kind], some] as const] : []),
    ...(ofRows.length > 0 ? [[anyFault.rows, ofRows] as const] : []),
  ];
  try {
    for (const [text, relations] of questions) {
      if (text === undefined) return false;
      const { rowCount } = await client.query(text, [relations.map(({ id }) => id)]);
      if (rowCount! > 0) return false;
    }
    return true;
  } catch {
    return false;
  }
}

function count(some: readonly Relation[], hasAmcheck: boolean, found: FindingList): void {
  const { kind } = some[0]!;
  const checks = { table: tableStructure, index: indexStructure, gin: indexStructure };
  const check = { ...checks, reference: references, condition: conditions }[kind];
  if (hasAmcheck || !Object.hasOwn(checks, kind)) found.looked(check, some.length);
  const rows = some.filter(({ isPrimaryTable }) => isPrimaryTable).length;
  if (rows > 0) found.looked(rowsByIndex, rows);
}

async function makeAmcheck(client: Client): Promise<boolean> {
  try {
    await client.query('create extension if not exists amcheck');
    const { rows } = await client.query(
      `select extversion >= '1.4' as is_enough from pg_extension where extname = 'amcheck'`,
    );
    return rows[0]?.is_enough ?? false;
  } catch {
    return false;
  }
}

async function checkRelation(
  client: Client,
  { id, name, kind, isPrimaryTable }: Relation,
  hasAmcheck: boolean,
  found: FindingList,
): Promise<void> {
  const add = (check: Named, words: string, row: string | null = null) =>
    found.add(check, {
      ...{ organizationId: null, place: name.split(' ')[0]!, row, orderNumber: null, isDamage: true },
      words,
    });
  const ask = async (check: Named, text: string, tell: (row: Record<string, unknown>) => void) => {
    found.looked(check, 1);
    try {
      for (const row of (await client.query(text, [id])).rows) tell(row);
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      // A table that was just removed.
      if (code !== '42P01') add(check, message);
    }
  };
  if (kind === 'table') {
    if (hasAmcheck)
      await ask(tableStructure, heapFaults, (row) =>
        add(tableStructure, String(row.words), `page ${row.page}`),
      );
    if (isPrimaryTable) {
      await ask(rowsByIndex, countsOfTable, ({ rows, found: byIndex }) => {
        if (byIndex === null || byIndex === rows) return;
        add(rowsByIndex, `the table has ${rows} rows, its primary key ${byIndex}`);
      });
    }
  }
  if (kind === 'index' && hasAmcheck) await ask(indexStructure, indexFaults, () => {});
  if (kind === 'gin' && hasAmcheck) await ask(indexStructure, ginFaults, () => {});
  const constraint = name.slice(name.indexOf(' ') + 1);
  if (kind === 'reference') {
    await ask(references, brokenReferences, ({ key }) =>
      add(references, `${constraint}: the row it refers to does not exist`, String(key)),
    );
  }
  if (kind === 'condition') {
    await ask(conditions, brokenConditions, ({ key }) =>
      add(conditions, `it breaks ${constraint}`, String(key)),
    );
  }
}

/** Tables that have rows and were never analyzed; the statement that analyzes each. */
const selectUnknown = `
  select format('analyze %I.%I', n.nspname, c.relname) as statement
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = 'public' and c.relkind = 'r' and c.reltuples < 0 and pg_relation_size(c.oid) > 0`;

/**
 * Lets PostgreSQL count what it has never counted. Its own turn comes within minutes after the rows, and not while the clock
 * stands before the last one; until then it takes each table for empty, and some questions about a few hundred orders last
 * minutes. Changes no row.
 */
async function ensureStatistics(client: Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(selectUnknown);
  // A damaged table is told by the check of it.
  for (const { statement } of rows) await client.query(statement).catch(() => {});
}
