import type { OrganizationId } from '../kernel/ids.ts';
import { isDistributed } from './is-distributed.ts';
import type { ConnectionConfig } from './session-settings.ts';
import { withSession } from './with-session.ts';

/** A server of a distributed database, as the coordinator knows it. */
export interface DatabaseServer {
  readonly host: string;
  readonly port: number;
}

/**
 * Moves the rows of an organization to a server, where they become a part of their own: no other organization shares it. Returns
 * false if they are there already, alone. Writes of organizations in the same part wait meanwhile. Throws if the database is not
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
    if (part.is_alone && isThere()) return false;
    if (!part.is_alone) {
      await client.query(
        `select isolate_tenant_to_new_shard('organizations', $1::bigint, 'CASCADE', shard_transfer_mode => 'block_writes')`,
        [organization],
      );
      part = await partOf();
    }
    if (!isThere()) {
      await client.query(`select citus_move_shard_placement($1::bigint, $2, $3, $4, $5, 'block_writes')`, [
        part.id,
        part.host,
        part.port,
        host,
        port,
      ]);
    }
    return true;
  });
}

interface Part {
  readonly id: string;
  readonly is_alone: boolean;
  readonly host: string;
  readonly port: number;
}
