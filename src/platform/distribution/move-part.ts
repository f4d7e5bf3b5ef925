import { type Client, escapeLiteral } from 'pg';
import { lockPatience, withLockTimeout } from '../connections/migration-locks.ts';

/** A server of a distributed database, as the coordinator knows it. */
export interface DatabaseServer {
  readonly host: string;
  readonly port: number;
}

/** The names of the servers that take rows, `host:port`. */
export async function serversWithRows(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select nodename || ':' || nodeport as name from pg_dist_node
      where isactive and shouldhaveshards and noderole = 'primary' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/**
 * The servers whose log does not tell the others of changed rows (`wal_level` below `logical`). While there is one, writes of all
 * organizations wait for as long as a part is copied.
 */
export async function serversWithoutLogicalLog(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select n.nodename || ':' || n.nodeport as name
       from run_command_on_all_nodes('show wal_level') said join pg_dist_node n using (nodeid)
      where n.isactive and n.shouldhaveshards and said.result <> 'logical' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/**
 * How Citus copies a part. With a logical log, what is written while it copies follows by that log, and writes wait for the last moment only;
 * without, they wait until it is copied. All organizations wait: Citus locks every part of a table for an `insert … select`.
 */
async function transferMode(client: Client): Promise<'force_logical' | 'block_writes'> {
  return (await serversWithoutLogicalLog(client)).length === 0 ? 'force_logical' : 'block_writes';
}

/**
 * Moves a part to a server: all rows of its organizations, in all tables. Meanwhile all are read; how long writes wait, `transferMode`
 * says. To be called within `unforced`.
 */
export async function movePart(
  client: Client,
  part: { readonly id: string } & DatabaseServer,
  to: DatabaseServer,
): Promise<void> {
  await raiseNumbers(client, part, to);
  await client.query(`select citus_move_shard_placement($1::bigint, $2, $3, $4, $5, $6)`, [
    part.id,
    part.host,
    part.port,
    to.host,
    to.port,
    await transferMode(client),
  ]);
}

/**
 * The servers copy rows in the name of the owner of the tables, which sees those of all organizations while its own security is not
 * forced: otherwise none would be copied. Meanwhile it holds for the serving role as ever.
 */
export async function unforced(client: Client, work: () => Promise<void>): Promise<void> {
  try {
    await setForced(client, false);
    await work();
  } finally {
    await setForced(client, true);
  }
}

/** Table by table: no request waits for all of them. */
export async function setForced(client: Client, isForced: boolean): Promise<void> {
  const { rows } = await client.query<{ name: string; change: string }>(
    `select c.relname as name, format('alter table %s %s force row level security', p.logicalrelid, $2::text) as change
       from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where c.relrowsecurity and c.relforcerowsecurity <> $1 and p.partmethod = 'h' order by 1`,
    [isForced, isForced ? '' : 'no'],
  );
  for (const { name, change } of rows) {
    await withLockTimeout(client, `The table ${name}`, lockPatience, () => client.query(change));
  }
  await client.query('reset lock_timeout');
}

/** More than are taken while the rows move; beside it, the numbers of a few thousand moves stay below 2^53. */
const taken = 2n ** 32n;

/**
 * Each server numbers changes by itself, from a range of its own. What follows a move must have higher numbers than what came
 * before: events, and changes of sums, are taken in their order. So the new server goes on behind the numbers of the old one.
 */
async function raiseNumbers(client: Client, from: DatabaseServer, to: DatabaseServer): Promise<void> {
  const numbers = await runOn(
    client,
    from,
    `select coalesce(json_object_agg(sequencename, last_value::text), '{}') from pg_sequences
      where schemaname = current_schema() and last_value is not null`,
  );
  const last = Object.entries(JSON.parse(numbers) as Record<string, string>);
  await raiseSequences(client, to, new Map(last.map(([name, number]) => [name, BigInt(number) + taken])));
}

/** Numbers of a server go on above these, by the names of its sequences; those that do already stay. */
async function raiseSequences(
  client: Client,
  to: DatabaseServer,
  leasts: ReadonlyMap<string, bigint>,
): Promise<void> {
  // One by one: writers hold several of them until they end, in any order, and a wait for one while others are held would block both.
  for (const [name, least] of leasts) {
    await runOn(
      client,
      to,
      `do $$ declare r record; begin
         set local citus.enable_ddl_propagation = off;
         for r in select s.sequencename as name from pg_sequences s
                   where s.sequencename = ${escapeLiteral(name)} and s.schemaname = current_schema()
                     and greatest(s.last_value, s.min_value) < ${least} loop
           execute format('alter sequence %I maxvalue ${2n ** 53n - 1n}', r.name);
           perform setval(r.name::regclass, ${least});
         end loop;
       end $$`,
    );
  }
}

/** Has the server of an organization number changes above these, by the names of its sequences. */
export async function numberAbove(
  client: Client,
  organization: number,
  highest: ReadonlyMap<string, bigint>,
): Promise<void> {
  const { rows } = await client.query<DatabaseServer>(
    `select n.nodename as host, n.nodeport as port
       from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
      where n.noderole = 'primary'
        and p.shardid = get_shard_id_for_distribution_column('organizations', $1::bigint)`,
    [organization],
  );
  // One more: a sequence that was never used begins with its least number.
  const leasts = new Map([...highest].map(([name, number]) => [name, number + 1n]));
  await raiseSequences(client, rows[0]!, leasts);
}

async function runOn(client: Client, { host, port }: DatabaseServer, command: string): Promise<string> {
  const { rows } = await client.query<{ success: boolean; result: string }>(
    'select success, result from master_run_on_worker(array[$1], array[$2::int], array[$3], false)',
    [host, port, command],
  );
  const [{ success, result }] = rows as [{ success: boolean; result: string }];
  if (!success) throw new Error(`The server ${host}:${port} refuses: ${result}`);
  return result;
}
