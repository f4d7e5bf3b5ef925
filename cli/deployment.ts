import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createContext } from '../src/app.ts';
import type { Context } from '../src/database/context.ts';
import { Database } from '../src/database/database.ts';
import { patientDeadlines } from '../src/database/deadlines.ts';
import { migrate, missingMigrations } from '../src/database/migrate.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { takeUpLaw, UnreadableEdition } from '../src/law/law-editions.ts';
import { termsLease } from '../src/settings/terms-of-sale.ts';
import type { Config } from '../src/startup/config.ts';
import { makeDataFolder, refuseLostDatabase } from '../src/startup/data-folder.ts';
import { explainDatabaseFailure } from '../src/startup/database-failure.ts';
import { type OpenDatabase, openDatabase } from '../src/startup/open-database.ts';
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
  /** Migrations that the schema lacks; only a command that leaves the schema as it is sees any. */
  readonly missing: readonly string[];
  readonly say: (message: string) => void;
  close(): Promise<void>;
}

/**
 * Opens the deployment that the environment names, beside a running server or without one. Throws where there is no
 * database, or one of another release, and the command does not make one or take it as it is: a wrong folder is not
 * made a database, and only who is asked to migrates.
 */
export async function openDeployment(
  config: Config,
  say: (message: string) => void,
  { makesDatabase, leavesSchema }: { readonly makesDatabase?: true; readonly leavesSchema?: true },
): Promise<Deployment> {
  refuseLostDatabase(config);
  if (!makesDatabase && config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres'))) {
    throw new Error(noDatabase(`in DATA_DIR ${config.dataDir}`));
  }
  // With a database elsewhere, too, there are files beside it.
  if (makesDatabase) makeDataFolder(config.dataDir, say);
  const database = await explainDatabaseFailure(config, 'owner', openDatabase(config, say, { share: true }));
  try {
    const named = <Result>(work: Promise<Result>) => explainDatabaseFailure(config, 'owner', work);
    const applied = makesDatabase ? (await named(migrate(database.owner))).applied : [];
    const missing = makesDatabase ? [] : await named(missingMigrations(database.owner));
    if (missing === null) {
      const where = config.databaseUrl === undefined ? `DATA_DIR ${config.dataDir}` : 'DATABASE_URL';
      throw new Error(noDatabase(`of this program in ${where}`));
    }
    if (missing.length > 0 && !leavesSchema) {
      throw new Error(
        `The schema of the database is of an earlier release: ${missing.length} migrations are missing. Take a backup; ` +
          'then migrate brings it up to date, as the next start of the service does.',
      );
    }
    const context = createContext(database.serving, systemClock, termsLease, patientDeadlines);
    if (missing.length === 0) await takeUpReadableLaw(context, say);
    const operator = new Database(database.owner, 2, termsLease, patientDeadlines);
    return {
      config,
      database,
      context,
      operator,
      documentFiles: openDocumentFiles(config, openBlobStores(config, say).documents),
      applied,
      missing,
      say,
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

/** Without its law a command can still import another one. */
async function takeUpReadableLaw(context: Context, say: (message: string) => void): Promise<void> {
  try {
    await takeUpLaw(context);
  } catch (error) {
    if (!(error instanceof UnreadableEdition)) throw error;
    say(error.message);
  }
}

function noDatabase(where: string): string {
  return `There is no database ${where}. The service makes one when it starts, and so do migrate, seed and organization create.`;
}
