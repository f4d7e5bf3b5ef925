import { Gauge, type Registry } from 'prom-client';
import { readyDetails } from '../../kernel/ready-details.ts';
import type { AwayServers } from '../../platform/connections/away-servers.ts';

interface Parts {
  readonly context: { readonly database: { readonly awayServers: AwayServers | undefined } };
  readonly logger: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
  readonly metrics: { readonly registry: Registry };
}

/** Metrics, `/readyz` and the log tell which servers of a distributed database do not answer this process. Nothing on one server. */
export function tellOfServers({ context, logger, metrics }: Parts): void {
  const servers = context.database.awayServers;
  if (servers === undefined) return;
  readyDetails.set('databaseServers', () =>
    servers.names.length === 0 ? 'in use' : `away: ${servers.names.join(', ')}`,
  );
  servers.onChange(() => {
    const { names } = servers;
    if (names.length === 0) logger.info({}, 'all servers of the database answer again');
    else
      logger.warn(
        { servers: names },
        'servers of the database do not answer; their organizations are refused',
      );
  });
  registerServerMetrics(metrics.registry, servers);
}

/** How many servers are away, for an alarm; `/readyz` and the log name them. */
export function registerServerMetrics(registry: Registry, servers: Pick<AwayServers, 'names'>): void {
  new Gauge({
    name: 'database_servers_away',
    help: 'Servers of a distributed database that do not answer this process; their organizations are refused.',
    registers: [registry],
    collect() {
      this.set(servers.names.length);
    },
  });
}
