import { type CollectionName, collections, type LinkKind } from './collections.ts';
import {
  type EndedRecord,
  type MirrorState,
  type MirrorStore,
  MirrorTaken,
  type RecordName,
  type RecordVersion,
  type StoreWrite,
} from './store.ts';

/** A row has the columns of its statement. */
// biome-ignore lint/suspicious/noExplicitAny: the statement's text is what types it
type Row = any;

/** One connection to PostgreSQL, as `pg` has it: `new Client(url)`, connected. */
export interface PostgresConnection {
  query(
    sql: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: Row[]; readonly rowCount: number | null }>;
  end(): Promise<void>;
}

const idType = { text: 'text collate "C"', number: 'bigint' } as const;

/* One table for each collection: the record in `data`. Tables of the mirror itself begin with "mirror_". */
const schemaSql = [
  ...collections.map(
    ({ name, ids }) => `create table if not exists ${name} (
       id ${idType[ids]} primary key, updated_at text not null, month text not null, data jsonb not null)`,
  ),
  'create index if not exists orders_by_month on orders (month)',
  `create table if not exists ended_records (
     number bigint generated always as identity, collection text not null, id text not null, reason text not null, into_id text, at text not null,
     primary key (collection, id))`,
  'create table if not exists mirror_state (one integer primary key check (one = 1), state text not null)',
  `create table if not exists mirror_links (
     kind text not null, ref text not null, collection text not null, id text not null,
     primary key (kind, ref, collection, id))`,
  'create index if not exists mirror_links_of_record on mirror_links (collection, id)',
  'create table if not exists mirror_stale (collection text not null, id text not null, primary key (collection, id))',
];

const versionsPerPage = 10_000;

const names = `from jsonb_to_recordset($1::jsonb) as n(collection text, id text)`;

const statements = {
  readState: 'select state from mirror_state where one = 1',
  lockState: 'select state from mirror_state where one = 1 for update',
  writeState:
    'insert into mirror_state values (1, $1) on conflict (one) do update set state = excluded.state',
  unlink: `delete from mirror_links l using (select n.* ${names}) n where l.collection = n.collection and l.id = n.id`,
  link: `insert into mirror_links (kind, ref, collection, id)
    select n.kind, n.ref, n.collection, n.id
      from jsonb_to_recordset($1::jsonb) as n(kind text, ref text, collection text, id text) on conflict do nothing`,
  stale: `insert into mirror_stale (collection, id) select n.collection, n.id ${names} on conflict do nothing`,
  staleLinked: `insert into mirror_stale (collection, id)
    select distinct l.collection, l.id
      from jsonb_to_recordset($1::jsonb) as n(kind text, ref text)
      join mirror_links l on l.kind = n.kind and (n.ref is null or l.ref = n.ref) on conflict do nothing`,
  fresh: `delete from mirror_stale s using (select n.* ${names}) n where s.collection = n.collection and s.id = n.id`,
  end: `insert into ended_records (collection, id, reason, into_id, at)
    select n.collection, n.id, n.reason, n."intoId", n.at
      from jsonb_to_recordset($1::jsonb) as n(collection text, id text, reason text, "intoId" text, at text)
    on conflict (collection, id) do update set reason = excluded.reason, into_id = excluded.into_id, at = excluded.at
     where excluded.reason <> 'missing'`,
  unend: `delete from ended_records e using (select n.* ${names}) n
    where e.collection = n.collection and e.id = n.id and e.reason <> 'erased'`,
  linked: 'select id from mirror_links where collection = $1 and kind = $2 and ref = any($3::text[])',
  nextStale: 'select collection from mirror_stale order by collection, id limit 1',
  staleOf: 'select id from mirror_stale where collection = $1 order by id limit $2',
  idsOfMonth: 'select id from orders where month = $1 order by id',
  ended: 'select collection, id, reason, into_id as "intoId", at from ended_records order by number',
} as const;

const statementsOf = Object.fromEntries(
  collections.map(({ name, ids }) => {
    const type = ids === 'text' ? 'text' : 'bigint';
    return [
      name,
      {
        upsert: `insert into ${name} (id, updated_at, month, data)
          select n.id, n."updatedAt", n.month, n.data
            from jsonb_to_recordset($1::jsonb) as n(id ${type}, "updatedAt" text, month text, data jsonb)
          on conflict (id) do update set updated_at = excluded.updated_at, month = excluded.month, data = excluded.data
           where (${name}.data, ${name}.updated_at, ${name}.month) is distinct from
                 (excluded.data, excluded.updated_at, excluded.month)`,
        remove: `delete from ${name} where id = any($1::${type}[])`,
        read: `select id, data::text as data from ${name} where id = any($1::${type}[])`,
        between: `select id from ${name}
          where ($1::${type} is null or id > $1) and ($2::${type} is null or id <= $2) order by id`,
        versions: `select id, updated_at, month from ${name}
          where $1::${type} is null or id > $1 order by id limit ${versionsPerPage}`,
      },
    ];
  }),
) as Readonly<
  Record<CollectionName, Readonly<Record<'upsert' | 'remove' | 'read' | 'between' | 'versions', string>>>
>;

/** A mirror in PostgreSQL, in a schema of its own. */
export class PostgresStore implements MirrorStore {
  readonly #connection: PostgresConnection;
  readonly #schema: string;

  /** @param schema where the tables are; by default `dispensary` */
  constructor(connection: PostgresConnection, schema = 'dispensary') {
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
      throw new TypeError('The name of a schema has small letters, digits and _.');
    }
    this.#connection = connection;
    this.#schema = schema;
  }

  async prepare(): Promise<void> {
    await this.#connection.query(`select set_config('search_path', $1, false)`, [this.#schema]);
    await this.#transact(async () => {
      // Two mirrors that begin at once create the tables one after the other.
      await this.#connection.query('select pg_advisory_xact_lock(hashtext($1))', [`mirror ${this.#schema}`]);
      await this.#connection.query(`create schema if not exists ${this.#schema}`);
      for (const sql of schemaSql) await this.#connection.query(sql);
    });
  }

  async readState(): Promise<MirrorState | null> {
    return this.#state(statements.readState);
  }

  async commit(write: StoreWrite): Promise<{ readonly changed: number; readonly removed: number }> {
    return this.#transact(async () => {
      const state = await this.#state(statements.lockState);
      if ((state?.revision ?? null) !== write.after) throw new MirrorTaken();
      const changed = await this.#upsert(write);
      const removed = await this.#remove(write.deletes);
      await this.#send(statements.end, write.ended);
      await this.#send(statements.fresh, write.fresh);
      await this.#send(statements.stale, write.stale);
      await this.#send(statements.staleLinked, write.staleLinked);
      await this.#connection.query(statements.writeState, [JSON.stringify(write.state)]);
      return { changed, removed };
    });
  }

  async read(collection: CollectionName, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.#connection.query(statementsOf[collection].read, [ids]);
    return new Map(rows.map((row) => [String(row.id), row.data as string]));
  }

  async idsBetween(
    collection: CollectionName,
    after: string | null,
    upTo: string | null,
  ): Promise<readonly string[]> {
    return this.#ids(statementsOf[collection].between, [after, upTo]);
  }

  idsOfMonth(month: string): Promise<readonly string[]> {
    return this.#ids(statements.idsOfMonth, [month]);
  }

  linked(collection: CollectionName, kind: LinkKind, refs: readonly string[]): Promise<readonly string[]> {
    return this.#ids(statements.linked, [collection, kind, refs]);
  }

  async stale(limit: number) {
    const { rows } = await this.#connection.query(statements.nextStale);
    if (rows.length === 0) return null;
    const collection = rows[0].collection as CollectionName;
    return { collection, ids: await this.#ids(statements.staleOf, [collection, limit]) };
  }

  async ended(): Promise<readonly EndedRecord[]> {
    return (await this.#connection.query(statements.ended)).rows;
  }

  async *versions(collection: CollectionName): AsyncGenerator<readonly RecordVersion[]> {
    for (let after: string | null = null; ; ) {
      const { rows } = await this.#connection.query(statementsOf[collection].versions, [after]);
      if (rows.length === 0) return;
      yield rows.map((row) => ({ id: String(row.id), updatedAt: row.updated_at, month: row.month }));
      after = String(rows.at(-1)!.id);
    }
  }

  close(): Promise<void> {
    return this.#connection.end();
  }

  async #state(sql: string): Promise<MirrorState | null> {
    const { rows } = await this.#connection.query(sql);
    return rows.length === 0 ? null : (JSON.parse(rows[0].state) as MirrorState);
  }

  async #upsert({ upserts }: StoreWrite): Promise<number> {
    let changed = 0;
    for (const { name } of collections) {
      const rows = upserts.filter(({ collection }) => collection === name);
      if (rows.length === 0) continue;
      // As text, so that what the service wrote is not parsed and written again.
      const list = rows.map(
        ({ id, updatedAt, month, data }) =>
          `${JSON.stringify({ id, updatedAt, month }).slice(0, -1)},"data":${data}}`,
      );
      const { rowCount } = await this.#connection.query(statementsOf[name].upsert, [`[${list.join(',')}]`]);
      changed += rowCount ?? 0;
    }
    await this.#send(statements.unend, upserts.map(nameOf));
    await this.#send(statements.fresh, upserts.map(nameOf));
    await this.#send(statements.unlink, upserts.map(nameOf));
    await this.#send(
      statements.link,
      upserts.flatMap((record) => record.links.map(([kind, ref]) => ({ kind, ref, ...nameOf(record) }))),
    );
    return changed;
  }

  async #remove(deletes: readonly RecordName[]): Promise<number> {
    let removed = 0;
    for (const { name } of collections) {
      const ids = deletes.filter(({ collection }) => collection === name).map(({ id }) => id);
      if (ids.length === 0) continue;
      const { rowCount } = await this.#connection.query(statementsOf[name].remove, [ids]);
      removed += rowCount ?? 0;
    }
    await this.#send(statements.unlink, deletes);
    await this.#send(statements.fresh, deletes);
    return removed;
  }

  /** Sends a statement on a list of rows, if there are any. */
  async #send(sql: string, rows: readonly object[]): Promise<void> {
    if (rows.length > 0) await this.#connection.query(sql, [JSON.stringify(rows)]);
  }

  async #ids(sql: string, values: readonly unknown[]): Promise<readonly string[]> {
    const { rows } = await this.#connection.query(sql, values);
    return rows.map(({ id }) => String(id));
  }

  async #transact<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#connection.query('begin');
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      // The connection may be what failed; then nothing was committed.
      await this.#connection.query('rollback').catch(() => undefined);
      throw error;
    }
    await this.#connection.query('commit');
    return result;
  }
}

function nameOf({ collection, id }: RecordName): RecordName {
  return { collection, id };
}

/** Connects with the package `pg`. Fails with a message that says what to install. */
export async function openPostgresStore(url: string, schema?: string): Promise<PostgresStore> {
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw new Error('A copy in PostgreSQL needs the package pg: npm install pg', { cause });
  });
  const connection = new pg.Client({ connectionString: url, application_name: 'dispensary mirror' });
  // A connection that ends while it is idle: the next statement says so.
  connection.on('error', () => undefined);
  await connection.connect();
  return new PostgresStore(connection as PostgresConnection, schema);
}
