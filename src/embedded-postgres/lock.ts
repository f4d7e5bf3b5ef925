import { spawnSync } from 'node:child_process';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOfFileFailure } from '../kernel/file-failure.ts';

/** Who holds a data directory. The start time tells a living holder from a later process with its id. */
interface Holder {
  readonly pid: number;
  readonly startedAt: string;
}

/**
 * Takes the data directory for this process and returns the function that gives it back. Throws when a
 * living process holds it. A lock left behind by `kill -9` or a power cut is taken over.
 */
export function lockDataDirectory(dataDir: string): () => void {
  const path = join(dataDir, 'lock');
  const own = JSON.stringify({ pid: process.pid, startedAt: startTimeOf(process.pid) } satisfies Holder);
  // Written aside and linked into place, so that nobody ever reads half a lock.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, own, { mode: 0o600 });
  try {
    while (!linked(draft, path)) {
      const seen = readText(path);
      const holder = livingHolder(seen);
      if (holder) {
        throw new Error(
          `${dataDir} is in use by process ${holder.pid}. Stop it first, or choose another DATA_DIR.`,
        );
      }
      removeStale(path, seen);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readText(path) === own) rmSync(path, { force: true });
  };
}

/** The id of the living process that holds the data directory, if there is one. */
export function holderOf(dataDir: string): number | undefined {
  return livingHolder(readText(join(dataDir, 'lock')))?.pid;
}

/** True while a process runs under this id, whoever owns it; not for one that only waits to be collected. */
export function isAlive(pid: number): boolean {
  return idIsTaken(pid) && (process.platform !== 'linux' || processFields(pid)?.[0] !== 'Z');
}

/** True while the system would not give this process id to anybody else. */
export function idIsTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Moved away before it is deleted: if another starter was faster, what we hold then is its fresh lock,
 * and it is put back.
 */
function removeStale(path: string, seen: string): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readText(aside) !== seen) linked(aside, path);
  rmSync(aside, { force: true });
}

function livingHolder(text: string): Holder | undefined {
  let holder: Holder;
  try {
    holder = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isAlive(holder.pid) && startTimeOf(holder.pid) === holder.startedAt ? holder : undefined;
}

/** When a process started, in a form that no second process of that id shares; '' where it cannot be told. */
function startTimeOf(pid: number): string {
  if (process.platform === 'win32') return '';
  if (process.platform === 'linux') {
    // In ticks since the boot, and which boot that was.
    const boot = readText('/proc/sys/kernel/random/boot_id').trim();
    return `${boot} ${processFields(pid)?.[19] ?? ''}`;
  }
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
}

/** Of /proc/<pid>/stat what follows the name, which may hold spaces and brackets: state first. */
function processFields(pid: number): string[] | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  return stat ? stat.slice(stat.lastIndexOf(')') + 2).split(' ') : undefined;
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // A process may also end while its file is read.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw new Error(`${path} cannot be read: ${reasonOfFileFailure(error)}.`);
  }
}
