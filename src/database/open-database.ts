import type { ConnectionConfig } from './database.ts';
import { connectEmbedded, startEmbeddedPostgres } from './embedded-postgres.ts';

export interface OpenDatabase {
  /** A login that may migrate and see all organizations. */
  readonly owner: ConnectionConfig;
  /** A login, or a role of one, that row-level security holds. */
  readonly serving: ConnectionConfig;
  /** Whether it was running already; then `stop` leaves it alone. */
  readonly isShared: boolean;
  stop(): Promise<void>;
}

/** The part of the configuration that says where the database is. */
interface Settings {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly databaseAppUrl: string | undefined;
}

/**
 * Opens the database of this deployment: that of DATABASE_URL, or the embedded one. With `share`, an
 * embedded one that another process has running is used as it is; without, that is refused.
 */
export async function openDatabase(
  config: Settings,
  onProgress: (message: string) => void,
  { share }: { readonly share: boolean },
): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    const owner = { connectionString: config.databaseUrl };
    const serving =
      config.databaseAppUrl === undefined
        ? { ...owner, options: '-c role=dispensary_app' }
        : { connectionString: config.databaseAppUrl };
    return { owner, serving, isShared: true, stop: async () => {} };
  }
  const running = share ? connectEmbedded(config) : null;
  if (running !== null) {
    const { ownerConnection: owner, servingConnection: serving } = running;
    return { owner, serving, isShared: true, stop: async () => {} };
  }
  const server = await startEmbeddedPostgres({ dataDir: config.dataDir, onProgress });
  const { ownerConnection: owner, servingConnection: serving } = server;
  return { owner, serving, isShared: false, stop: () => server.stop() };
}
