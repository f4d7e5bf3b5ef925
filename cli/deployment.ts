import { createContext } from '../src/app/app.ts';
import { hasCluster } from '../src/hosting/embedded-postgres/cluster.ts';
import { takeUpLaw, UnreadableEdition } from '../src/hosting/law/law-editions.ts';
import type { Config } from '../src/hosting/startup/config.ts';
import { refuseLostDatabase } from '../src/hosting/startup/data-folder.ts';
import { explainDatabaseFailure } from '../src/hosting/startup/database-failure.ts';
import { type OpenDatabase, openDatabase } from '../src/hosting/startup/open-database.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { patientDeadlines } from '../src/platform/connections/deadlines.ts';
import type { Context } from '../src/platform/database/context.ts';
import { Database } from '../src/platform/database/database.ts';
import { migrate, missingMigrations } from '../src/platform/schema/migrate.ts';
import type { SealedFiles } from '../src/platform/storage/sealed-files.ts';
import { openBlobStores } from '../src/shop/files/blob-stores.ts';
import { openDocumentFiles } from '../src/shop/files/document-files.ts';
import { termsLease } from '../src/shop/settings/terms-of-sale.ts';
import type { Screen } from './progress-bar.ts';

/** The deployment that a command works on. */
export interface Deployment {
  readonly config: Config;
  readonly database: OpenDatabase;
  /** Access like the server's: one organization at a time. */
  readonly context: Context;
  /** Access as the operator, who can list organizations. */
  readonly operator: Database;
  readonly documentFiles: SealedFiles;
  /** Migrations applied when opening. */
  readonly applied: readonly string[];
  /** Missing migrations of the schema; non-empty only for commands that accept any schema. */
  readonly missing: readonly string[];
  /** Migrations that wait until no process of an earlier release is connected. */
  readonly waiting: readonly string[];
  readonly say: (message: string) => void;
  /** Shows the progress of a long command. */
  readonly screen: Screen;
  close(): Promise<void>;
}

/**
 * Opens the deployment of the environment, beside a running server or without one. Throws if there is no database, or one of
 * another release, unless the command migrates or accepts it. Only the service makes a database: a wrong folder does not become
 * one.
 */
export async function openDeployment(
  config: Config,
  screen: Screen,
  {
    migrates,
    acceptsAnySchema,
    settings,
  }: {
    readonly migrates?: true;
    readonly acceptsAnySchema?: true;
    /** The settings of a PostgreSQL that this starts; see `startEmbeddedPostgres`. */
    readonly settings?: Readonly<Record<string, string>>;
  },
): Promise<Deployment> {
  const say = (message: string) => void screen.write(`${message}\n`);
  refuseLostDatabase(config);
  if (config.databaseUrl === undefined && !hasCluster(config.dataDir)) {
    throw new Error(noDatabase(`in DATA_DIR ${config.dataDir}`));
  }
  const database = await explainDatabaseFailure(
    config,
    'owner',
    openDatabase(config, say, { share: true, settings }),
  );
  try {
    const named = <Result>(work: Promise<Result>) => explainDatabaseFailure(config, 'owner', work);
    const migrated = migrates ? await named(migrate(database.owner)) : null;
    const lacking = migrated
      ? { missing: [], waiting: migrated.waiting }
      : await named(missingMigrations(database.owner));
    if (lacking === null) {
      const where = config.databaseUrl === undefined ? `DATA_DIR ${config.dataDir}` : 'DATABASE_URL';
      throw new Error(noDatabase(`of this program in ${where}`));
    }
    const { missing, waiting } = lacking;
    if (missing.length > 0 && !acceptsAnySchema) {
      throw new Error(
        `The schema of the database is of an earlier release: ${missing.length} migrations are missing. Take a backup; ` +
          'then run migrate, or start the service, to bring it up to date.',
      );
    }
    const context = createContext(
      database.serving,
      systemClock,
      termsLease,
      patientDeadlines,
      config.fileLimits,
    );
    if (missing.length === 0) await takeUpReadableLaw(context, say);
    const operator = new Database(database.owner, 2, termsLease, patientDeadlines);
    const documentFiles = openDocumentFiles(config, openBlobStores(config, say).documents);
    context.sealing.use(() => documentFiles.keys.sealer(context.randomBytes));
    return {
      config,
      database,
      context,
      operator,
      documentFiles,
      applied: migrated?.applied ?? [],
      missing,
      waiting,
      say,
      screen,
      close: async () => {
        await Promise.all([context.database.close(), operator.close()]);
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** A command can still import an edition if the one in force is not readable. */
async function takeUpReadableLaw(context: Context, say: (message: string) => void): Promise<void> {
  try {
    await takeUpLaw(context);
  } catch (error) {
    if (!(error instanceof UnreadableEdition)) throw error;
    say(error.message);
  }
}

function noDatabase(where: string): string {
  return (
    `There is no database ${where}. The service makes one when it starts; migrate makes the tables in that of DATABASE_URL. ` +
    'Set DATA_DIR or DATABASE_URL to those of the service.'
  );
}
