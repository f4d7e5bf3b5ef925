import { listOrganizations } from '../src/access/organizations/organizations.ts';
import { checksummedCollections } from '../src/app/app.ts';
import { majorOfInstallation } from '../src/hosting/embedded-postgres/binaries.ts';
import type { EmbeddedPostgres } from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import { formerPrograms } from '../src/hosting/embedded-postgres/former-programs.ts';
import {
  beginMove,
  freeBytesOf,
  type Move,
  newFolderOf,
  ownObjects,
  ownSettings,
  startCopy,
  startNew,
  swapClusters,
} from '../src/hosting/embedded-postgres/next-major.ts';
import type { Config } from '../src/hosting/startup/config.ts';
import {
  reportLines,
  type VerificationReport,
  verifyLatest,
} from '../src/hosting/verification/verification.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { type CopiedTables, copyTables } from '../src/platform/distribution/copy-tables.ts';
import { migrate } from '../src/platform/schema/migrate.ts';
import type { Result } from './command.ts';
import { openDeployment } from './deployment.ts';
import { ProgressBar, type Screen } from './progress-bar.ts';
import { durationOf, sizeOf } from './status-report.ts';
import { UsageError } from './usage-error.ts';
import { filesOf } from './verify-folder.ts';

/** The progress when each part ends; the rest verifies. */
const shares = { copied: 0.1, schema: 0.2, tables: 0.95 };

/** More than the look after a crash: no customer waits. */
const look = { msMax: 120_000, orders: 2_000, documents: 100 };

/**
 * Moves the embedded database to the major version of PostgreSQL of this release, while no service runs. Until the last two renames the
 * old one is in its place and as it was; afterwards it has another name. What is killed begins again.
 */
export async function moveToNextMajor(
  config: Config,
  { binaries, unverified }: Readonly<Record<string, string>>,
  screen: Screen,
): Promise<Result> {
  if (config.databaseUrl !== undefined) {
    throw new UsageError(
      'upgrade --postgres: the database of DATABASE_URL is not moved; its server is upgraded by its own means',
    );
  }
  const major = majorOfInstallation();
  const startedAtMs = systemClock.now();
  const move = await beginMove(config.dataDir, major);
  if (move === null) {
    return {
      lines: [`The database is of PostgreSQL ${major} already: there is nothing to move.`],
      data: { from: major, to: major, isMoved: false },
    };
  }
  const bar = new ProgressBar(screen, () => systemClock.now());
  try {
    const freeBytes = freeBytesOf(config.dataDir);
    if (freeBytes < move.neededBytes) {
      throw new Error(
        `The disk of DATA_DIR has ${sizeOf(freeBytes)} left; the move of ${sizeOf(move.bytes)} takes about ${sizeOf(move.neededBytes)}. ` +
          'Nothing was changed.',
      );
    }
    const programs = await formerPrograms(move.from, { given: binaries, folder: move.programsDir });
    const left = [...ownSettings(move)];
    const copied = await copyRows(move, programs, bar, left);
    if (unverified === undefined) {
      const report = await verifyNew(config, move, screen);
      if (!report.isWhole) return refused(move, report);
    }
    await swapClusters(move);
    const seconds = (systemClock.now() - startedAtMs) / 1_000;
    return movedResult(config, move, { ...copied, major, left, seconds });
  } finally {
    bar.end();
    await move.end();
  }
}

/** Copies the rows from a copy of the old cluster into a new one; both servers have ended then. Adds to `left` what it does not copy. */
async function copyRows(
  move: Move,
  programs: string,
  bar: ProgressBar,
  left: string[],
): Promise<CopiedTables> {
  const part = (from: number, to: number) => (share: number, words: string) =>
    bar.show(from + (to - from) * share, words);
  const copied = part(0, shares.copied);
  const old = await startCopy(move, programs, (share) => copied(share, 'copy of the old database'));
  let made: EmbeddedPostgres | undefined;
  try {
    left.push(...(await ownObjects(old)));
    await migrate(old.ownerConnection, { contractsNow: true });
    bar.show(shares.schema, 'schema of this release');
    made = await startNew(move);
    await migrate(made.ownerConnection);
    return await copyTables({
      source: { ...old.adminConnection, database: 'dispensary' },
      target: { ...made.adminConnection, database: 'dispensary' },
      onProgress: part(shares.schema, shares.tables),
    });
  } finally {
    await old.stop();
    await made?.stop();
  }
}

/** Starts the new cluster as the service does, and looks at what was written last. */
async function verifyNew(config: Config, move: Move, screen: Screen): Promise<VerificationReport> {
  const own = { ...config, dataDir: newFolderOf(move), databaseUrl: undefined, databaseAppUrl: undefined };
  const { context, database, operator, close } = await openDeployment(own, screen, {});
  try {
    return await verifyLatest(
      {
        ...{ context, serving: database.serving, organizations: await listOrganizations(operator) },
        ...{ collections: checksummedCollections, files: filesOf(config, config.dataDir) },
      },
      look,
    );
  } finally {
    await close();
  }
}

/** The rows are equal, so it is old damage, or a setting of this command. */
function refused({ layout }: Move, report: VerificationReport): Result {
  return {
    lines: [
      ...reportLines(report),
      `The database was not moved: ${layout.clusterDir} is as it was. Its rows were copied as they are, so what was found was there before,`,
      "or this command lacks the service's settings (keys of documents, the bucket). Restore a backup that is whole with the former release,",
      'or move the database as it is: --unverified.',
    ],
    data: { isMoved: false, verification: report },
    exitCode: 1,
  };
}

function movedResult(
  config: Config,
  { from, keptDir, layout }: Move,
  facts: CopiedTables & {
    readonly major: string;
    readonly left: readonly string[];
    readonly seconds: number;
  },
): Result {
  const { major, tables, rows, bytes, left, seconds } = facts;
  const archived =
    config.walArchive === undefined
      ? []
      : ['The WAL archive has it as another shop from now on: a base backup begins with the service.'];
  return {
    lines: [
      `Moved from PostgreSQL ${from} to ${major} in ${durationOf(seconds)}: ${tables} tables, ${rows} rows, all compared.`,
      ...left.map((name) => `! Not moved, because it is not of this program: ${name}`),
      ...archived,
      'Start the service, and take a backup.',
      `The old database is ${keptDir}; remove it when you do not want to go back.`,
      `To go back: stop the service, rename ${layout.clusterDir} to another name and ${keptDir} to ${layout.clusterDir}, and start ` +
        'the former release. What was sold since is lost then.',
    ],
    data: { from, to: major, isMoved: true, tables, rows, bytes, seconds, left, old: keptDir },
  };
}
