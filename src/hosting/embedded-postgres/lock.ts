import { spawnSync } from 'node:child_process';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOfFileFailure } from '../../kernel/file-failure.ts';

/** The holder of a data directory. The start time distinguishes a live holder from a later process with the same id. */
interface Holder {
  readonly pid: number;
  readonly startedAt: string;
}

/**
 * Locks the data directory for this process and returns the function that unlocks it. Throws when a live process has
 * locked it. A lock left by `kill -9` or a power failure is taken over.
 */
export function lockDataDirectory(dataDir: string): () => void {
  const path = join(dataDir, 'lock');
  const own = JSON.stringify({ pid: process.pid, startedAt: startTimeOf(process.pid) } satisfies Holder);
  // Written under another name and linked into place, so that no reader sees a partial lock.
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

/** The id of the live process that has locked the data directory, if any. */
export function holderOf(dataDir: string): number | undefined {
  return livingHolder(readText(join(dataDir, 'lock')))?.pid;
}

/** Whether a process runs under this id, with any owner; false for a zombie. */
export function isAlive(pid: number): boolean {
  return idIsTaken(pid) && (process.platform !== 'linux' || processFields(pid)?.[0] !== 'Z');
}

/** Whether the system still reserves this process id. */
export function idIsTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Moves the lock away before deleting it: if another process was faster, this is its new lock, and it is put back. */
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

/** The start time of a process, in a form that no later process with its id shares; '' if unknown. */
function startTimeOf(pid: number): string {
  if (process.platform === 'win32') return '';
  if (process.platform === 'linux') {
    // In ticks since the boot, with the id of the boot.
    const boot = readText('/proc/sys/kernel/random/boot_id').trim();
    return `${boot} ${processFields(pid)?.[19] ?? ''}`;
  }
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
}

/** The fields of /proc/<pid>/stat after the name, which may contain spaces and brackets; state comes first. */
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
    // A process may end while its file is read.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw new Error(`${path} cannot be read: ${reasonOfFileFailure(error)}.`);
  }
}
