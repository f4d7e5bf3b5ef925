import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { PlannedMigration, UpgradePlan } from '../src/database/upgrade-plan.ts';
import { planUpgrade } from '../src/database/upgrade-plan.ts';
import { programVersion } from '../src/kernel/project-folder.ts';
import type { Config } from '../src/startup/config.ts';
import { type Command, flag, type Result } from './command.ts';
import { openDeployment } from './deployment.ts';
import type { Screen } from './progress-bar.ts';
import { durationOf, sizeOf } from './status-report.ts';
import { UsageError } from './usage-error.ts';

/** Requests of callers end after three seconds; a lock that is held longer than this is felt. */
const lockedSecondsMax = 1;

/** What the release of this program will do to a database of an earlier one. */
export const upgradeCommands: Readonly<Record<string, Command>> = {
  upgrade: {
    summary:
      'say what the start of this release will do to the database, and change nothing (--check); exit code 0: nothing is in the way, 1: read what it says first',
    options: {
      check: flag('required: only look'),
    },
    acceptsAnySchema: true,
    runOnItsOwn: (config, options, { stderr }) => checkUpgrade(config, options, stderr),
  },
};

async function checkUpgrade(
  config: Config,
  { check }: Readonly<Record<string, string>>,
  screen: Screen,
): Promise<Result> {
  if (check === undefined) {
    throw new UsageError(
      'upgrade needs --check: the upgrade itself is the start of the new release, or migrate',
    );
  }
  const deployment = await openDeployment(config, screen, { acceptsAnySchema: true });
  try {
    const plan = await planUpgrade(deployment.database.owner);
    const isEmbedded = config.databaseUrl === undefined;
    const disk = isEmbedded ? statfsSync(config.dataDir) : null;
    const freeBytes = disk === null ? null : disk.bavail * disk.bsize;
    return upgradeResult(plan!, freeBytes, isEmbedded ? clusterVersion(config.dataDir) : null);
  } finally {
    await deployment.close();
  }
}

function clusterVersion(dataDir: string): string | null {
  const path = join(dataDir, 'postgres', 'PG_VERSION');
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
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
