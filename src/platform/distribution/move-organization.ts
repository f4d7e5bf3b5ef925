import type { OrganizationId } from '../../kernel/ids.ts';
import { isDistributed } from '../connections/is-distributed.ts';
import type { ConnectionConfig } from '../connections/session-settings.ts';
import { withSession } from '../connections/with-session.ts';
import { type DatabaseServer, movePart, serversWithRows, setForced, unforced } from './move-part.ts';

/**
 * Moves the rows of an organization to a server, where they become a part of their own: no other organization shares it. Returns
 * false if they are there already, alone. Meanwhile all are read, and writes wait: while its rows get a part of their own, and
 * as `movePart` says. Throws if the database is not distributed, or has no such server.
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
    const servers = await serversWithRows(client);
    const wanted = `${host}:${port}`;
    if (!servers.includes(wanted)) {
      throw new Error(
        `The coordinator knows no server ${wanted} that takes rows; it knows ${servers.join(', ')}.`,
      );
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
        // Never by the logical log (Citus 13.2): the copy never ends if a row is changed before the new part has its primary keys.
        await client.query(
          `select isolate_tenant_to_new_shard('organizations', $1::bigint, 'CASCADE', shard_transfer_mode => 'block_writes')`,
          [organization],
        );
        part = await partOf();
      }
      if (!isThere()) await movePart(client, part, { host, port });
    });
    return true;
  });
}

interface Part {
  readonly id: string;
  readonly is_alone: boolean;
  readonly host: string;
  readonly port: number;
}
