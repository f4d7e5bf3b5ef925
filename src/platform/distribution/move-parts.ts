import type { Client } from 'pg';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isDistributed } from '../connections/is-distributed.ts';
import type { ConnectionConfig } from '../connections/session-settings.ts';
import { withSession } from '../connections/with-session.ts';
import { movePart, serversWithoutLogicalLog, serversWithRows, unforced } from './move-part.ts';
import { planPartMoves, type SizedPart } from './plan-part-moves.ts';

/** What a server that takes rows has of them. */
interface ServerContents {
  /** `host:port`. */
  readonly server: string;
  readonly parts: number;
  readonly bytes: number;
}

/** The servers of a distributed database that take rows. Fails if one of them does not answer. */
export async function listServers(connection: ConnectionConfig): Promise<readonly ServerContents[]> {
  return onDistributed(connection, async (client) => {
    const parts = await partsOf(client);
    return (await serversWithRows(client)).map((server) => {
      const its = parts.filter((part) => part.server === server);
      return { server, parts: its.length, bytes: its.reduce((sum, { bytes }) => sum + bytes, 0) };
    });
  });
}

/** The servers for whose sake writes wait for as long as a part is copied, see `serversWithoutLogicalLog`. */
export async function serversThatBlock(connection: ConnectionConfig): Promise<readonly string[]> {
  return onDistributed(connection, serversWithoutLogicalLog);
}

/** A move that is about to begin. */
interface BegunMove {
  readonly part: SizedPart;
  readonly to: string;
  readonly organizations: readonly OrganizationId[];
}

/**
 * Moves parts between servers so that each has about as many bytes, or all parts of the server `leaving` to the others. Calls `before` for
 * each, with its organizations out of `all`. Returns how many were moved. If it is ended, what was moved stays, and the next call goes on.
 */
export async function moveParts(
  connection: ConnectionConfig,
  all: readonly OrganizationId[],
  { leaving, before }: { readonly leaving?: string | undefined; before(move: BegunMove): Promise<void> },
): Promise<number> {
  return onDistributed(connection, async (client) => {
    const servers = await serversWithRows(client);
    if (leaving !== undefined && !servers.includes(leaving)) {
      throw new Error(
        `The coordinator knows no server ${leaving} that takes rows; it knows ${servers.join(', ')}.`,
      );
    }
    if (leaving !== undefined && servers.length === 1)
      throw new Error('There is no other server that takes rows.');
    const moves = planPartMoves(await partsOf(client), servers, leaving);
    const { rows } = await client.query<{ id: OrganizationId; part: string }>(
      `select id::int8, get_shard_id_for_distribution_column('organizations', id)::text as part
         from unnest($1::bigint[]) id`,
      [all],
    );
    await unforced(client, async () => {
      for (const { part, to } of moves) {
        const its = new Set(rows.filter((row) => row.part === part.id).map(({ id }) => String(id)));
        const organizations = all.filter((id) => its.has(String(id)));
        await before({ part, to, organizations });
        await movePart(client, { id: part.id, ...placeOf(part.server) }, placeOf(to));
      }
    });
    return moves.length;
  });
}

async function onDistributed<Result>(
  connection: ConnectionConfig,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  if (!(await isDistributed(connection))) {
    throw new Error('This database is on one server: run "dispensary distribute" first.');
  }
  return withSession(connection, work);
}

/** Each with the bytes of all tables and their indexes. */
async function partsOf(client: Client): Promise<readonly SizedPart[]> {
  const { rows } = await client.query<{ id: string; server: string; bytes: string }>(
    `select first.shardid::text as id, sized.nodename || ':' || sized.nodeport as server, sum(sized.shard_size) as bytes
       from pg_dist_shard first
       join pg_dist_shard s on s.shardminvalue = first.shardminvalue and s.shardmaxvalue = first.shardmaxvalue
       join citus_shards sized on sized.shardid = s.shardid
      where first.logicalrelid = 'organizations'::regclass
      group by 1, 2 order by 1`,
  );
  return rows.map(({ bytes, ...part }) => ({ ...part, bytes: Number(bytes) }));
}

function placeOf(server: string) {
  const at = server.lastIndexOf(':');
  return { host: server.slice(0, at), port: Number(server.slice(at + 1)) };
}
