import { createContext } from '../src/app.ts';
import type { Config } from '../src/config.ts';
import type { Context } from '../src/database/context.ts';
import { Database } from '../src/database/database.ts';
import { migrate } from '../src/database/migrate.ts';
import { type OpenDatabase, openDatabase } from '../src/database/open-database.ts';
import { openBlobStores } from '../src/storage/blob-stores.ts';
import { openDocumentFiles } from '../src/storage/document-files.ts';
import type { SealedFiles } from '../src/storage/sealed-files.ts';

/** What a command works on. */
export interface Deployment {
  readonly config: Config;
  readonly database: OpenDatabase;
  /** As the server works: within one organization at a time. */
  readonly context: Context;
  /** As the operator, who may list organizations. */
  readonly operator: Database;
  readonly documentFiles: SealedFiles;
  /** Migrations that were applied on the way in. */
  readonly applied: readonly string[];
  readonly say: (message: string) => void;
  close(): Promise<void>;
}

/** Opens the deployment that the environment names, beside a running server or without one. */
export async function openDeployment(config: Config, say: (message: string) => void): Promise<Deployment> {
  const database = await openDatabase(config, say, { share: true });
  const { applied } = await migrate(database.owner);
  const context = createContext(database.serving);
  const operator = new Database(database.owner, 2);
  return {
    config,
    database,
    context,
    operator,
    documentFiles: openDocumentFiles(config, openBlobStores(config, say).documents),
    applied,
    say,
    close: async () => {
      await Promise.all([context.database.close(), operator.close()]);
      await database.stop();
    },
  };
}
