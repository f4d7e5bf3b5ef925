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

/** For a server of 2 cores and 2–4 GB that also runs the program; larger ones use an external PostgreSQL. */
const settings = {
  shared_buffers: '128MB',
  // Ten serving processes, the start and commands, with 16 each.
  max_connections: '200',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_compression: 'on',
  jit: 'off',
  checkpoint_timeout: '15min',
  max_wal_size: '1GB',
  // A slot, of the log's archive or of a backup, never fills the disk: beyond this it loses its log.
  max_slot_wal_keep_size: '4GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Cancels the statement of a disconnected client. Only Linux supports it.
  ...(process.platform === 'linux' && { client_connection_check_interval: '2s' }),
};

interface Launched {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  /** The end of its log output. */
  said(): string;
}

/** Starts the server process with its settings and the changes; `ready` resolves when it accepts connections. */
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
  rotateLog(logPath);
  const log = openSync(logPath, 'a', 0o600);
  const logStart = statSync(logPath).size;
  const child = spawn(binaries.path('postgres'), args, {
    ...childOptions(clusterDir, account),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  return { child, ready: untilReady(child, layout, logStart), said: () => logSince(logPath, logStart) };
}

/** Much more than the starts and crashes of a year write. */
const logBytesMax = 10_000_000;

/** Limits the log: a log that is too long is renamed, replacing the previous one. */
function rotateLog(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logBytesMax) renameSync(path, `${path}.1`);
}

/** Waits for `ready` in postmaster.pid, with no limit on the recovery after a crash. */
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

/** Replies to clients during the start; they would hide why the start failed. */
const refusal = /FATAL: {2}the database system is |DETAIL: {2}(?:Consistent )?recovery /i;
const reasonLengthMax = 4_096;

/** The end of the log since then: the reason comes last. */
function logSince(path: string, start: number): string {
  const end = statSync(path).size;
  const said = Buffer.alloc(Math.min(end - start, 65_536));
  const log = openSync(path, 'r');
  readSync(log, said, 0, said.length, end - said.length);
  closeSync(log);
  const lines = said.toString('utf8').split('\n');
  const telling = lines.filter((line) => !refusal.test(line)).join('\n');
  // PostgreSQL cannot log that the disk is full.
  return telling.trim().slice(-reasonLengthMax) || `it wrote nothing to ${path}; is the disk full?`;
}

/** After this time SIGQUIT ends it without a checkpoint, and the next start recovers. */
const patienceMs = 30_000;

/** Ends all sessions and waits for the end. */
export async function shutDown(child: ChildProcess, layout: Layout, binaries: Binaries): Promise<void> {
  if (!isRunning(child)) return;
  const exited = once(child, 'exit');
  askToEnd(child, layout, binaries);
  const impatient = setTimeout(() => child.kill('SIGQUIT'), patienceMs);
  await exited;
  clearTimeout(impatient);
}

/** Like `shutDown`, but synchronous: blocks this process until it has ended. */
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

/** Windows has no such signal; there pg_ctl waits for the end. */
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
 * Stops a PostgreSQL that outlived its parent process, and removes its lock files if a process id in them is in use (by
 * another program, or by its own zombie): PostgreSQL itself would refuse to start. PostgreSQL still checks, by its
 * shared memory, that no session survives.
 */
export async function stopOrphan(layout: Layout, onProgress: OnProgress): Promise<void> {
  const left = readPostmasterFile(layout);
  if (left && isPostmasterOf(left.pid, layout.clusterDir)) {
    onProgress(`Stopping the PostgreSQL left by a killed start (process ${left.pid})`);
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

/** The contents of PostgreSQL's lock file; its lines are fixed (miscadmin.h, LOCK_FILE_LINE_*). */
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
