import { isDistributed } from '../../platform/connections/is-distributed.ts';
import type { ConnectionConfig } from '../../platform/database/database.ts';
import { connectEmbedded, startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import type { RestartStatistics } from '../embedded-postgres/supervisor.ts';

export interface OpenDatabase {
  /** A login that may migrate and see all organizations. */
  readonly owner: ConnectionConfig;
  /** A login, or a role of one, that row-level security applies to. */
  readonly serving: ConnectionConfig;
  /** The superuser of the embedded database; null for an external server. */
  readonly admin: ConnectionConfig | null;
  /** Whether another process started it; then `stop` leaves it running. */
  readonly isShared: boolean;
  /** Restarts of an embedded database that this process started. */
  readonly restarts: Readonly<RestartStatistics>;
  /** See `EmbeddedPostgres`; false for other databases. */
  readonly endedUncleanly: boolean;
  /** See `EmbeddedPostgres`; does nothing for other databases. */
  leaveSignals(): void;
  stop(): Promise<void>;
}

interface Options {
  readonly share: boolean;
  /** See `startEmbeddedPostgres`. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** See `startEmbeddedPostgres`. */
  readonly onTrouble?: (message: string) => void;
  readonly onRecovered?: (message: string) => void;
  readonly onLost?: (reason: Error) => void;
}

const others = {
  isShared: true,
  endedUncleanly: false,
  restarts: { done: 0, failed: 0 },
  leaveSignals: () => {},
  stop: async () => {},
};

/** The database settings of the configuration. */
interface Settings {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly databaseAppUrl: string | undefined;
}

/**
 * Opens the database of this deployment: that of DATABASE_URL, or the embedded one. With `share`, an embedded one of
 * another process is used; without it, that is refused.
 */
export async function openDatabase(
  config: Settings,
  onProgress: (message: string) => void,
  { share, ...watch }: Options,
): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    const address = { connectionString: config.databaseUrl };
    const engine = { isDistributed: await isDistributed(address) };
    const owner = { ...address, ...engine };
    const down = { options: '-c role=dispensary_app' };
    // Servers speak to each other in the name of the current role. They know this one, not each login that may take it.
    const serving =
      config.databaseAppUrl === undefined
        ? { ...owner, ...down }
        : { connectionString: config.databaseAppUrl, ...engine, ...(engine.isDistributed && down) };
    return { owner, serving, admin: null, ...others };
  }
  const running = share ? connectEmbedded(config) : null;
  if (running !== null) {
    const { ownerConnection: owner, servingConnection: serving, adminConnection: admin } = running;
    return { owner, serving, admin, ...others };
  }
  const server = await startEmbeddedPostgres({ dataDir: config.dataDir, onProgress, ...watch });
  const { ownerConnection: owner, servingConnection: serving, adminConnection: admin, restarts } = server;
  const { endedUncleanly, leaveSignals, stop } = server;
  return { owner, serving, admin, isShared: false, restarts, endedUncleanly, leaveSignals, stop };
}
