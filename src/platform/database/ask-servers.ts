import type { PoolConfig } from 'pg';
import { AwayServers } from '../connections/away-servers.ts';
import type { ConnectionPool } from '../connections/connection-pool.ts';
import { tryDatabase } from '../connections/database-trial.ts';
import { beginRead, forDistributed, selectOwnRow, selectServer } from '../connections/for-distributed.ts';
import type { RoundTrips } from '../connections/round-trips.ts';
import { commit, enterTenant } from './transaction-statements.ts';

/** The part of the time for an answer that a look takes: 1.3 seconds while requests are served, more for commands, which wait. */
const shareOfRoundTrip = 0.43;

/** Watches the servers of a distributed database: where rows are, the coordinator is asked on `pool`, and for a row each on a new connection. */
export function askServers(config: PoolConfig, pool: ConnectionPool, trips: RoundTrips): AwayServers {
  const lookMsMax = trips.limitMs(false) * shareOfRoundTrip;
  return new AwayServers({
    serverOf: async (organizationId) => {
      const ask = [selectServer(organizationId)];
      const [rows] = await pool.use('read', (client) => trips.send(client, ask, lookMsMax));
      return rows![0]!.server as string;
    },
    answers: async (organizationId) => {
      const read = [beginRead, enterTenant(organizationId), selectOwnRow(organizationId), commit];
      return (await tryDatabase(config, lookMsMax, read.map(forDistributed))).reached === 'commit';
    },
  });
}
