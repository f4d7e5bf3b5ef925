import { closeSync, openSync } from 'node:fs';
import { type CollectionName, collectionOf, collections, type LinkKind } from './collections.ts';
import {
  type EndedRecord,
  type MirrorState,
  type MirrorStore,
  MirrorTaken,
  type RecordVersion,
  type StoreWrite,
} from './store.ts';

/** An open SQLite database: `DatabaseSync` of `node:sqlite`, or that of `libsql` or `better-sqlite3`. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

interface SqliteStatement {
  // biome-ignore lint/suspicious/noExplicitAny: the libraries type their parameters in different ways
  run(...values: any[]): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  all(...values: any[]): any[];
}

const idType = { text: 'text', number: 'integer' } as const;

/*
 * One table for each collection: the record as JSON in `data`, which SQLite's JSON functions read. Tables of the mirror itself
 * begin with "mirror_". Deleted data is overwritten (secure_delete): an erased customer is not left in free pages.
 */
const schema = [
  ...collections.map(
    ({ name, ids }) => `create table if not exists ${name} (
       id ${idType[ids]} primary key not null, updated_at text not null, month text not null, data text not null)`,
  ),
  'create index if not exists orders_by_month on orders (month)',
  `create table if not exists ended_records (
     collection text not null, id text not null, reason text not null, into_id text, at text not null,
     primary key (collection, id))`,
  'create table if not exists mirror_state (one integer primary key check (one = 1), state text not null)',
  `create table if not exists mirror_links (
     kind text not null, ref text not null, collection text not null, id text not null,
     primary key (kind, ref, collection, id)) without rowid`,
  'create index if not exists mirror_links_of_record on mirror_links (collection, id)',
  `create table if not exists mirror_stale (
     collection text not null, id text not null, primary key (collection, id)) without rowid`,
];

const versionsPerPage = 5_000;

/** Before and behind every id. */
const ends = { text: ['', '~'], number: [0, Number.MAX_SAFE_INTEGER] } as const;

const statements = {
  readState: 'select state from mirror_state where one = 1',
  writeState: 'insert into mirror_state values (1, ?) on conflict (one) do update set state = excluded.state',
  unlink: 'delete from mirror_links where collection = ? and id = ?',
  link: 'insert into mirror_links (kind, ref, collection, id) values (?, ?, ?, ?) on conflict do nothing',
  stale: 'insert into mirror_stale (collection, id) values (?, ?) on conflict do nothing',
  staleLinked: `insert into mirror_stale (collection, id)
    select collection, id from mirror_links where kind = ? and ref = ? on conflict do nothing`,
  staleLinkedToAny: `insert into mirror_stale (collection, id)
    select distinct collection, id from mirror_links where kind = ? on conflict do nothing`,
  fresh: 'delete from mirror_stale where collection = ? and id = ?',
  end: `insert into ended_records (collection, id, reason, into_id, at) values (?, ?, ?, ?, ?)
    on conflict (collection, id) do update set reason = excluded.reason, into_id = excluded.into_id, at = excluded.at
     where excluded.reason <> 'missing'`,
  unend: `delete from ended_records where collection = ? and id = ? and reason <> 'erased'`,
  linked:
    'select id from mirror_links where collection = ? and kind = ? and ref in (select value from json_each(?))',
  nextStale: 'select collection from mirror_stale order by collection, id limit 1',
  staleOf: 'select id from mirror_stale where collection = ? order by id limit ?',
  idsOfMonth: 'select id from orders where month = ? order by id',
  ended: 'select collection, id, reason, into_id as "intoId", at from ended_records order by rowid',
} as const;

/** The statements on one collection's table. */
const statementsOf = Object.fromEntries(
  collections.map(({ name }) => [
    name,
    {
      upsert: `insert into ${name} (id, updated_at, month, data) values (?, ?, ?, ?)
        on conflict (id) do update set updated_at = excluded.updated_at, month = excluded.month, data = excluded.data
         where (data, updated_at, month) <> (excluded.data, excluded.updated_at, excluded.month)`,
      remove: `delete from ${name} where id = ?`,
      read: `select id, data from ${name} where id in (select value from json_each(?))`,
      between: `select id from ${name} where id > ? and id <= ? order by id`,
      versions: `select id, updated_at, month from ${name} where id > ? order by id limit ${versionsPerPage}`,
    },
  ]),
) as Readonly<
  Record<CollectionName, Readonly<Record<'upsert' | 'remove' | 'read' | 'between' | 'versions', string>>>
>;

/** A mirror in SQLite. */
export class SqliteStore implements MirrorStore {
  readonly #database: SqliteDatabase;
  readonly #prepared = new Map<string, SqliteStatement>();
  /** A customer was erased or merged, and records that showed them are still to be read again. */
  #isForgetting = false;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async prepare(): Promise<void> {
    // Another process may be reading or writing for a moment.
    this.#database.prepare('pragma busy_timeout = 10000').all();
    this.#database.prepare('pragma journal_mode = wal').all();
    this.#database.prepare('pragma synchronous = normal').all();
    this.#database.prepare('pragma secure_delete = on').all();
    this.#transact(() => {
      for (const sql of schema) this.#database.exec(sql);
    });
  }

  async readState(): Promise<MirrorState | null> {
    return this.#state();
  }

  async commit(write: StoreWrite): Promise<{ readonly changed: number; readonly removed: number }> {
    const result = this.#transact(() => {
      if ((this.#state()?.revision ?? null) !== write.after) throw new MirrorTaken();
      const changed = this.#upsert(write);
      let removed = 0;
      for (const { collection, id } of write.deletes) {
        this.#run(statements.unlink, collection, id);
        this.#run(statements.fresh, collection, id);
        removed += this.#run(statementsOf[collection].remove, bound(collection, id));
      }
      for (const { collection, id, reason, intoId, at } of write.ended) {
        this.#run(statements.end, collection, id, reason, intoId, at);
      }
      for (const { collection, id } of write.fresh) this.#run(statements.fresh, collection, id);
      for (const { collection, id } of write.stale) this.#run(statements.stale, collection, id);
      for (const { kind, ref } of write.staleLinked) {
        if (ref === null) this.#run(statements.staleLinkedToAny, kind);
        else this.#run(statements.staleLinked, kind, ref);
      }
      this.#run(statements.writeState, JSON.stringify(write.state));
      return { changed, removed };
    });
    this.#isForgetting ||= write.ended.some(({ collection }) => collection === 'customers');
    if (this.#isForgetting && this.#all(statements.nextStale).length === 0) this.#emptyJournal();
    return result;
  }

  /** The journal keeps what was overwritten until it is emptied; that it is busy is no error, and tried again when closed. */
  #emptyJournal(): void {
    this.#database.prepare('pragma wal_checkpoint(truncate)').all();
    this.#isForgetting = false;
  }

  async read(collection: CollectionName, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = this.#all(
      statementsOf[collection].read,
      JSON.stringify(ids.map((id) => bound(collection, id))),
    );
    return new Map(rows.map((row) => [String(row.id), row.data as string]));
  }

  async idsBetween(
    collection: CollectionName,
    after: string | null,
    upTo: string | null,
  ): Promise<readonly string[]> {
    const [first, last] = ends[collectionOf(collection).ids];
    const [from, to] = [
      after === null ? first : bound(collection, after),
      upTo === null ? last : bound(collection, upTo),
    ];
    return this.#all(statementsOf[collection].between, from, to).map(({ id }) => String(id));
  }

  async idsOfMonth(month: string): Promise<readonly string[]> {
    return this.#all(statements.idsOfMonth, month).map(({ id }) => String(id));
  }

  async linked(
    collection: CollectionName,
    kind: LinkKind,
    refs: readonly string[],
  ): Promise<readonly string[]> {
    return this.#all(statements.linked, collection, kind, JSON.stringify(refs)).map(({ id }) => String(id));
  }

  async stale(limit: number) {
    const [next] = this.#all(statements.nextStale);
    if (next === undefined) return null;
    const collection = next.collection as CollectionName;
    return { collection, ids: this.#all(statements.staleOf, collection, limit).map(({ id }) => String(id)) };
  }

  async ended(): Promise<readonly EndedRecord[]> {
    return this.#all(statements.ended).map(({ collection, id, reason, intoId, at }) => ({
      ...{ collection, id, reason, intoId, at },
    }));
  }

  async *versions(collection: CollectionName): AsyncGenerator<readonly RecordVersion[]> {
    for (let after: string | number = ends[collectionOf(collection).ids][0]; ; ) {
      const rows = this.#all(statementsOf[collection].versions, after);
      if (rows.length === 0) return;
      yield rows.map((row) => ({ id: String(row.id), updatedAt: row.updated_at, month: row.month }));
      after = rows.at(-1)!.id;
    }
  }

  async close(): Promise<void> {
    this.#emptyJournal();
    this.#prepared.clear();
    this.#database.close();
  }

  #state(): MirrorState | null {
    const [row] = this.#all(statements.readState);
    return row === undefined ? null : (JSON.parse(row.state) as MirrorState);
  }

  #upsert({ upserts }: StoreWrite): number {
    let changed = 0;
    for (const { collection, id, updatedAt, month, data, links } of upserts) {
      const differs = this.#run(
        statementsOf[collection].upsert,
        bound(collection, id),
        updatedAt,
        month,
        data,
      );
      this.#run(statements.unend, collection, id);
      this.#run(statements.fresh, collection, id);
      if (differs === 0) continue;
      changed += 1;
      this.#run(statements.unlink, collection, id);
      for (const [kind, ref] of links) this.#run(statements.link, kind, ref, collection, id);
    }
    return changed;
  }

  #transact<Result>(work: () => Result): Result {
    this.#database.exec('begin immediate');
    let result: Result;
    try {
      result = work();
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    }
    this.#database.exec('commit');
    return result;
  }

  #statement(sql: string): SqliteStatement {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }

  /** Returns the number of rows that changed. */
  #run(sql: string, ...values: (string | number | null)[]): number {
    const { changes } = this.#statement(sql).run(...values) as { readonly changes: number | bigint };
    return Number(changes);
  }

  // biome-ignore lint/suspicious/noExplicitAny: a row has the columns of its statement
  #all(sql: string, ...values: (string | number | null)[]): any[] {
    return this.#statement(sql).all(...values);
  }
}

/** The id as its column has it. */
function bound(collection: CollectionName, id: string): string | number {
  return collection === 'orders' ? id : Number(id);
}

/**
 * Opens a file with the SQLite that is there: Node's own (`node:sqlite`, from Node 22.13 on), else the package `libsql`, which
 * npm installs as a binary for the platform. Fails with a message that says what to install.
 */
export async function openSqliteStore(path: string): Promise<SqliteStore> {
  const Database = await loadSqlite();
  // Personal data: no other account of the machine reads it. Its journal gets the same mode.
  closeSync(openSync(path, 'a', 0o600));
  return new SqliteStore(new Database(path));
}

type OpenDatabase = new (path: string) => SqliteDatabase;

async function loadSqlite(): Promise<OpenDatabase> {
  const builtIn = process.getBuiltinModule?.('node:sqlite') as
    | { readonly DatabaseSync: OpenDatabase }
    | undefined;
  if (builtIn !== undefined) return builtIn.DatabaseSync;
  try {
    return ((await import('libsql')) as unknown as { readonly default: OpenDatabase }).default;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // The second one is that of `require`.
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new Error('A copy in SQLite needs Node 22.13 or newer, or the package libsql: npm install libsql', {
      cause,
    });
  }
}
