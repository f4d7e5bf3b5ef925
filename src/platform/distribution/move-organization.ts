import { type Client, escapeLiteral } from 'pg';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isDistributed } from '../connections/is-distributed.ts';
import { lockPatience, withLockTimeout } from '../connections/migration-locks.ts';
import type { ConnectionConfig } from '../connections/session-settings.ts';
import { withSession } from '../connections/with-session.ts';

/** A server of a distributed database, as the coordinator knows it. */
export interface DatabaseServer {
  readonly host: string;
  readonly port: number;
}

/**
 * Moves the rows of an organization to a server, where they become a part of their own: no other organization shares it. Returns
 * false if they are there already, alone. Meanwhile it is read, and writes of organizations in the same part wait. Throws if the database is not
 * distributed, or has no such server.
 */
export async function moveOrganization(
  connection: ConnectionConfig,
  organization: OrganizationId,
  { host, port }: DatabaseServer,
): Promise<boolean> {
  if (!(await isDistributed(connection))) {
    throw new Error('This database is on one server: run "dispensary distribute" first.');
  }
  return withSession(connection, async (client) => {
    const servers = await client.query<{ name: string }>(
      `select nodename || ':' || nodeport as name from pg_dist_node where isactive and shouldhaveshards order by 1`,
    );
    const wanted = `${host}:${port}`;
    if (!servers.rows.some(({ name }) => name === wanted)) {
      const known = servers.rows.map(({ name }) => name).join(', ');
      throw new Error(`The coordinator knows no server ${wanted} that takes rows; it knows ${known}.`);
    }
    const partOf = async () => {
      const { rows } = await client.query<Part>(
        `select s.shardid::text as id, s.shardminvalue = s.shardmaxvalue as is_alone, n.nodename as host, n.nodeport as port
           from pg_dist_shard s
           join pg_dist_placement p on p.shardid = s.shardid
           join pg_dist_node n on n.groupid = p.groupid
          where s.shardid = get_shard_id_for_distribution_column('organizations', $1::bigint)`,
        [organization],
      );
      return rows[0]!;
    };
    let part = await partOf();
    const isThere = () => part.host === host && part.port === port;
    if (part.is_alone && isThere()) {
      // A former run may have been killed.
      await setForced(client, true);
      return false;
    }
    await unforced(client, async () => {
      if (!part.is_alone) {
        await client.query(
          `select isolate_tenant_to_new_shard('organizations', $1::bigint, 'CASCADE', shard_transfer_mode => 'block_writes')`,
          [organization],
        );
        part = await partOf();
      }
      if (!isThere()) {
        await raiseNumbers(client, part, { host, port });
        await client.query(`select citus_move_shard_placement($1::bigint, $2, $3, $4, $5, 'block_writes')`, [
          part.id,
          part.host,
          part.port,
          host,
          port,
        ]);
      }
    });
    return true;
  });
}

/**
 * The servers copy rows in the name of the owner of the tables, which sees those of all organizations while its own security is not
 * forced: otherwise none would be copied. Meanwhile it holds for the serving role as ever.
 */
async function unforced(client: Client, work: () => Promise<void>): Promise<void> {
  try {
    await setForced(client, false);
    await work();
  } finally {
    await setForced(client, true);
  }
}

/** Table by table: no request waits for all of them. */
async function setForced(client: Client, isForced: boolean): Promise<void> {
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
  // One by one: writers hold several of them until they end, in any order, and a wait for one while others are held would block both.
  for (const [name, last] of Object.entries(JSON.parse(numbers) as Record<string, string>)) {
    const least = BigInt(last) + taken;
    await runOn(
      client,
      to,
      `do $$ declare r record; begin
         set local citus.enable_ddl_propagation = off;
         for r in select s.sequencename as name from pg_sequences s
                   where s.sequencename = ${escapeLiteral(name)} and s.schemaname = current_schema()
                     and coalesce(s.last_value, 0) < ${least} loop
           execute format('alter sequence %I maxvalue ${2n ** 53n - 1n}', r.name);
           perform setval(r.name::regclass, ${least});
         end loop;
       end $$`,
    );
  }
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

interface Part {
  readonly id: string;
  readonly is_alone: boolean;
  readonly host: string;
  readonly port: number;
}
