import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { majorOfInstallation } from '../src/hosting/embedded-postgres/binaries.ts';
import { hasCluster, otherMajor } from '../src/hosting/embedded-postgres/cluster.ts';
import { majorIn } from '../src/hosting/embedded-postgres/next-major.ts';
import type { Config } from '../src/hosting/startup/config.ts';
import { programVersion } from '../src/kernel/project-folder.ts';
import type { PlannedMigration, UpgradePlan } from '../src/platform/upgrades/upgrade-plan.ts';
import { planUpgrade } from '../src/platform/upgrades/upgrade-plan.ts';
import { type Command, flag, optional, type Result } from './command.ts';
import { openDeployment } from './deployment.ts';
import { moveToNextMajor } from './move-postgres.ts';
import type { Screen } from './progress-bar.ts';
import { durationOf, sizeOf } from './status-report.ts';
import { UsageError } from './usage-error.ts';

/** Requests of callers end after three seconds; a lock that is held longer than this is felt. */
const lockedSecondsMax = 1;

/** What the release of this program will do to a database of an earlier one. */
export const upgradeCommands: Readonly<Record<string, Command>> = {
  upgrade: {
    summary:
      'say what the start of this release will do to the database, and change nothing (--check; exit code 0: nothing is in the way, 1: read what it says first); or move the embedded database to the major version of PostgreSQL of this release (--postgres)',
    options: {
      check: flag('only look'),
      postgres: flag('move it, while no service runs; the old database is kept'),
      binaries: optional('with --postgres: folder of the former PostgreSQL; by default npm fetches it'),
      unverified: flag('with --postgres: do not verify what was moved'),
    },
    acceptsAnySchema: true,
    runOnItsOwn: (config, options, { stderr }) => runUpgrade(config, options, stderr),
  },
};

async function runUpgrade(
  config: Config,
  options: Readonly<Record<string, string>>,
  screen: Screen,
): Promise<Result> {
  const { check, postgres, binaries, unverified } = options;
  if ((check === undefined) === (postgres === undefined)) {
    throw new UsageError(
      'upgrade needs either --check or --postgres: the upgrade itself is the start of the new release, or migrate',
    );
  }
  if (postgres !== undefined) return moveToNextMajor(config, options, screen);
  if (binaries !== undefined || unverified !== undefined) {
    throw new UsageError('--binaries and --unverified belong to --postgres');
  }
  const made =
    config.databaseUrl === undefined && hasCluster(config.dataDir) ? majorIn(config.dataDir) : null;
  return made === null || made === majorOfInstallation()
    ? checkUpgrade(config, screen)
    : otherMajorResult(config, made);
}

/** What is in the way of a start, before any program of this release can read the database. */
function otherMajorResult({ dataDir }: Config, made: string): Result {
  const major = majorOfInstallation();
  const concern = otherMajor(join(dataDir, 'postgres'), made, major);
  return {
    lines: [`Release ${programVersion()}, database of PostgreSQL ${made}`, `! ${concern}`],
    data: { version: programVersion(), postgres: made, concerns: [concern] },
    exitCode: 1,
  };
}

async function checkUpgrade(config: Config, screen: Screen): Promise<Result> {
  const deployment = await openDeployment(config, screen, { acceptsAnySchema: true });
  try {
    const plan = await planUpgrade(deployment.database.owner);
    const isEmbedded = config.databaseUrl === undefined;
    const disk = isEmbedded ? statfsSync(config.dataDir) : null;
    const freeBytes = disk === null ? null : disk.bavail * disk.bsize;
    return upgradeResult(plan!, freeBytes, isEmbedded ? majorIn(config.dataDir) : null);
  } finally {
    await deployment.close();
  }
}

/** The plan in words. `freeBytes` null: the disk of an external server is not known here. */
export function upgradeResult(plan: UpgradePlan, freeBytes: number | null, postgres: string | null): Result {
  const { expand, contract, seconds, diskBytes } = plan;
  const all = [...expand, ...contract];
  // The log and the pages of the table grow together.
  const neededBytes = 2 * diskBytes;
  const concerns = [
    ...all
      .filter(({ lockedSeconds }) => lockedSeconds > lockedSecondsMax)
      .map(
        ({ file, lockedSeconds }) =>
          `${file} keeps a table locked for about ${durationOf(lockedSeconds)}: requests that need it get 503 meanwhile`,
      ),
    ...(freeBytes !== null && neededBytes > freeBytes
      ? [`the disk has ${sizeOf(freeBytes)} left, and about ${sizeOf(neededBytes)} are needed`]
      : []),
  ];
  const lines = [
    `Release ${programVersion()}${postgres === null ? '' : `, database of PostgreSQL ${postgres}`}`,
    ...(all.length === 0
      ? ['The schema is up to date: a start changes nothing.']
      : [
          `${expand.length} migrations run at the start, ${contract.length} when no process of an earlier release is connected.`,
          `Estimated time ${durationOf(seconds)}, room ${sizeOf(neededBytes)}${freeBytes === null ? '' : ` of ${sizeOf(freeBytes)} free`}; ` +
            `measured: ${plan.readRowsPerSecond} rows read and ${plan.writtenRowsPerSecond} written a second.`,
          'Processes of the earlier release may serve meanwhile. Take a backup first.',
        ]),
    ...all.flatMap(migrationLines),
    ...concerns.map((words) => `! ${words}`),
  ];
  return {
    lines,
    data: { version: programVersion(), postgres, ...plan, neededBytes, freeBytes, concerns },
    exitCode: concerns.length > 0 ? 1 : 0,
  };
}

function migrationLines({ file, phase, isConcurrent, effects }: PlannedMigration): string[] {
  const when = phase === 'contract' ? 'when the earlier release has ended' : 'at the start';
  return [
    `${file}: ${when}${isConcurrent ? ', beside the writes' : ''}`,
    ...effects.map(({ table, lock, work, rows, bytes, seconds }) => {
      const locked = { none: 'stops nothing', unknown: 'in a block: see the file' } as Record<string, string>;
      const worked = { none: '', unknown: '', reads: ', reads its rows', writes: ', writes its rows' }[work];
      const took = seconds === null || seconds < 0.5 ? '' : `, about ${durationOf(seconds)}`;
      return `  ${table} (${rows} rows, ${sizeOf(bytes)}): ${locked[lock] ?? lock}${worked}${took}`;
    }),
  ];
}
