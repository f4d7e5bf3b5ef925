import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import type { Registry } from 'prom-client';
import { listOrganizations } from '../../access/organizations/organizations.ts';
import { systemClock } from '../../kernel/clock.ts';
import { withSession } from '../../platform/connections/with-session.ts';
import type { ConnectionConfig, Database } from '../../platform/database/database.ts';
import type { RunningJob } from '../../platform/upkeep/each-organization.ts';
import {
  dropArchiveSlots,
  openArchive,
  opensItself,
  registerArchiveMetrics,
  WalArchiver,
} from '../wal-archive/wal-archive.ts';
import type { Config } from './config.ts';

const lineVariable = 'DISPENSARY_DRILLED_LINE';

/** The line that this process restores and verifies, instead of serving; null: it serves. */
export function drilledTimeline(env: NodeJS.ProcessEnv): string | null {
  return env[lineVariable] ?? null;
}

interface Archiving {
  readonly config: Config;
  /** The superuser of the embedded database; null for an external server. */
  readonly admin: ConnectionConfig | null;
  readonly operator: Database;
  readonly registry: Registry;
  /** The environment of this process, for that of a drill. */
  readonly env: NodeJS.ProcessEnv;
  readonly logger: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

/** Archives the log of the embedded database while the process runs, if there is an archive for it (D77). */
export async function startArchiving(archiving: Archiving): Promise<RunningJob> {
  const { config, admin, operator, registry, env, logger } = archiving;
  if (admin === null) return { stop: async () => {} };
  if (config.walArchive === undefined) {
    // An archive that is no longer set would keep the WAL.
    await withSession(admin, dropArchiveSlots);
    return { stop: async () => {} };
  }
  const { place, includesMasterKey, baseHours, keepBases } = config.walArchive;
  const lock = config.backupLock;
  const drillsHere = lock === undefined || opensItself(lock);
  if (!drillsHere) {
    logger.info({}, 'the archive is encrypted for keys that are not here: drill it where a private key is');
  }
  const archiver = new WalArchiver({
    ...{ store: openArchive(place, lock), dataDir: config.dataDir, admin },
    ...{ hasBlobs: config.bucket === undefined, includesMasterKey, baseHours, keepBases },
    timeZone: async () => (await listOrganizations(operator))[0]?.tz ?? null,
    drill: drillsHere ? (line, stop) => drillApart(env, line, stop) : null,
    logger,
  });
  registerArchiveMetrics(registry, archiver.status, () => systemClock.now());
  return archiver.start();
}

/** Verifying takes a processor for seconds or minutes, so another process does it, after those that serve. */
async function drillApart(env: NodeJS.ProcessEnv, line: string, stop: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!], {
    env: { ...env, [lineVariable]: line },
    ...{ stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true },
  });
  const end = () => child.kill('SIGTERM');
  stop.addEventListener('abort', end);
  if (child.pid !== undefined) lower(child.pid);
  let said = '';
  child.stderr!.on('data', (text) => {
    said = (said + text).slice(-2_000);
  });
  try {
    const [code] = await once(child, 'close');
    if (code !== 0 && !stop.aborted)
      throw new Error(`The restore drill failed: ${said.trim().split('\n').at(-1)}`);
  } finally {
    stop.removeEventListener('abort', end);
  }
}

function lower(pid: number): void {
  try {
    setPriority(pid, 10);
  } catch {
    // It has ended, or the system does not allow it.
  }
}
