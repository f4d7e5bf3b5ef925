import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Account, childOptions, directoryArgument } from './account.ts';
import { type Address, socketPort } from './address.ts';
import type { Binaries } from './binaries.ts';
import type { Layout } from './cluster.ts';
import { idIsTaken, isAlive } from './lock.ts';

type OnProgress = (message: string) => void;

/** For a server of 2 cores and 2–4 GB that also runs the program; a larger one has its own PostgreSQL. */
const settings = {
  shared_buffers: '128MB',
  max_connections: '60',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_compression: 'on',
  jit: 'off',
  checkpoint_timeout: '15min',
  max_wal_size: '1GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A session whose client is gone ends in the middle of its statement. Not every system can tell that.
  ...(process.platform === 'linux' && { client_connection_check_interval: '2s' }),
};

interface Launched {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  /** The end of what it has written to its log. */
  said(): string;
}

/** Starts the server process, with its settings but for the changes; `ready` tells when it takes connections. */
export function launch(
  layout: Layout,
  binaries: Binaries,
  account: Account | undefined,
  address: Address,
  changes: Readonly<Record<string, string>> = {},
): Launched {
  const { clusterDir, logPath } = layout;
  const chosen = Object.entries({ ...settings, ...changes });
  const set = [...chosen.map(([name, value]) => `${name}=${value}`), ...address.args];
  const args = ['-D', directoryArgument(clusterDir, account), ...set.flatMap((setting) => ['-c', setting])];
  setLogAside(logPath);
  const log = openSync(logPath, 'a', 0o600);
  const logStart = statSync(logPath).size;
  const child = spawn(binaries.path('postgres'), args, {
    ...childOptions(clusterDir, account),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  return { child, ready: untilReady(child, layout, logStart), said: () => logSince(logPath, logStart) };
}

/** Much more than the starts and crashes of a year leave behind. */
const logBytesMax = 10_000_000;

/** So that it does not grow for ever: what is too long is kept once, in the place of what was set aside before. */
function setLogAside(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logBytesMax) renameSync(path, `${path}.1`);
}

/** Waits for `ready` in postmaster.pid, however long the recovery after a crash may take. */
async function untilReady(child: ChildProcess, layout: Layout, logStart: number): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  while (!failure && isRunning(child)) {
    const running = readPostmasterFile(layout);
    if (running?.ready && running.pid === child.pid) return;
    await delay(10);
  }
  throw new Error(`PostgreSQL did not start: ${failure?.message ?? logSince(layout.logPath, logStart)}`);
}

/** What is said to each who connects meanwhile; it would hide why the start failed. */
const refusal = /FATAL: {2}the database system is |DETAIL: {2}(?:Consistent )?recovery /i;
const reasonLengthMax = 4_096;

/** The end of what was written to the log since then: the reason comes last. */
function logSince(path: string, start: number): string {
  const end = statSync(path).size;
  const said = Buffer.alloc(Math.min(end - start, 65_536));
  const log = openSync(path, 'r');
  readSync(log, said, 0, said.length, end - said.length);
  closeSync(log);
  const lines = said.toString('utf8').split('\n');
  const telling = lines.filter((line) => !refusal.test(line)).join('\n');
  // A full disk has no room for its own complaint.
  return telling.trim().slice(-reasonLengthMax) || `it wrote nothing to ${path}; is the disk full?`;
}

/** Who has not ended by then gets SIGQUIT: it ends without a checkpoint, and the next start recovers. */
const patienceMs = 30_000;

/** Ends every session and waits for the end. */
export async function shutDown(child: ChildProcess, layout: Layout, binaries: Binaries): Promise<void> {
  if (!isRunning(child)) return;
  const exited = once(child, 'exit');
  askToEnd(child, layout, binaries);
  await exited;
}

/** As `shutDown`, in one piece: nothing of this process goes on until it has ended. */
export function shutDownNow(child: ChildProcess, layout: Layout, binaries: Binaries): void {
  if (!isRunning(child)) return;
  askToEnd(child, layout, binaries);
  const since = performance.now();
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (isPostmasterOf(child.pid!, layout.clusterDir)) {
    if (performance.now() - since > patienceMs) child.kill('SIGQUIT');
    Atomics.wait(never, 0, 0, 20);
  }
}

/** Windows has no such signal; there the command waits for the end. */
function askToEnd(child: ChildProcess, layout: Layout, binaries: Binaries): void {
  if (process.platform !== 'win32') {
    child.kill('SIGINT');
    return;
  }
  spawnSync(binaries.path('pg_ctl'), ['stop', '-D', layout.clusterDir, '-m', 'fast'], {
    windowsHide: true,
  });
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/**
 * Ends a PostgreSQL that outlived the process that started it, and clears its lock files if a process id
 * in them is taken, by something else or by its own uncollected remains: PostgreSQL itself would refuse to
 * start. That no session survives is still checked by PostgreSQL, on its shared memory.
 */
export async function stopOrphan(layout: Layout, onProgress: OnProgress): Promise<void> {
  const left = readPostmasterFile(layout);
  if (left && isPostmasterOf(left.pid, layout.clusterDir)) {
    onProgress(`Stopping the PostgreSQL that a killed start left running (process ${left.pid})`);
    signal(left.pid, 'SIGINT');
    const since = performance.now();
    while (isPostmasterOf(left.pid, layout.clusterDir)) {
      if (performance.now() - since > patienceMs) signal(left.pid, 'SIGQUIT');
      await delay(20);
    }
  }
  for (const name of ['postmaster.pid', `.s.PGSQL.${socketPort}.lock`]) {
    const path = join(layout.clusterDir, name);
    if (existsSync(path) && idIsTaken(Number.parseInt(readFileSync(path, 'utf8'), 10))) rmSync(path);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function isPostmasterOf(pid: number, clusterDir: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === clusterDir;
    } catch {
      return false;
    }
  }
  const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.includes('postgres') && stdout.includes(clusterDir);
}

interface Running {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  readonly ready: boolean;
}

/** What PostgreSQL's own lock file says; its lines are fixed (miscadmin.h, LOCK_FILE_LINE_*). */
export function readPostmasterFile({ clusterDir }: Layout): Running | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const [pid, , , port, socketDir] = lines;
  const host = socketDir ? resolve(clusterDir, socketDir) : '127.0.0.1';
  return { pid: Number(pid), host, port: Number(port), ready: lines[7]?.trim() === 'ready' };
}
