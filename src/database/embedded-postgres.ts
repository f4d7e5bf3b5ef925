import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Account, chooseAccount } from './embedded-account.ts';
import { type Binaries, makePrivateDirectory, prepareBinaries } from './embedded-binaries.ts';
import { holderOf, idIsTaken, isAlive, lockDataDirectory } from './embedded-lock.ts';

/** Where and as whom to connect: usable as the configuration of a `pg` client. */
export interface DatabaseConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export interface EmbeddedConnections {
  /** Migrates and may create databases; owns everything. */
  readonly ownerConnection: DatabaseConnection;
  /** Serves: owns nothing and cannot bypass row-level security. */
  readonly servingConnection: DatabaseConnection;
  /** The superuser, for what neither of the others may do. */
  readonly adminConnection: DatabaseConnection;
}

export interface EmbeddedPostgres extends EmbeddedConnections {
  readonly version: string;
  /** Ends every session, writes a checkpoint, waits for the end and gives the data directory back. */
  stop(): Promise<void>;
}

interface Options {
  /** Everything is kept below it; it is made if need be. */
  readonly dataDir: string;
  readonly onProgress: (message: string) => void;
}

interface Passwords {
  readonly postgres: string;
  readonly owner: string;
  readonly app: string;
}

/** The paths below a data directory, all absolute. */
interface Layout {
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly logPath: string;
  readonly credentialsPath: string;
}

const socketPort = 5432;
const socketPathBytesMax = process.platform === 'linux' ? 107 : 103;

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
};

/**
 * Starts the PostgreSQL of this installation on `dataDir`, making the cluster and the two roles at the
 * first start, and starts it again should it end by itself. Throws when another living process holds the
 * directory, and with the remedy when this machine cannot run it. What a killed predecessor left behind
 * (lock, server, sockets, half a cluster) is cleared first.
 */
export async function startEmbeddedPostgres({ dataDir, onProgress }: Options): Promise<EmbeddedPostgres> {
  const layout = layoutOf(makeDataDirectory(dataDir));
  const unlock = lockDataDirectory(layout.dataDir);
  const undo: (() => unknown)[] = [unlock];
  const stop = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    const account = chooseAccount(layout.clusterDir);
    const binaries = prepareBinaries(layout.dataDir, account);
    undo.push(binaries.remove);
    const passwords = ensureCluster(layout, binaries, account, onProgress);
    const address = await chooseAddress(layout, account);
    undo.push(address.remove);
    const supervisor = supervise(async () => {
      await stopOrphan(layout, onProgress);
      return launch(layout, binaries, account, address);
    }, onProgress);
    undo.push(() => supervisor.stop((child) => shutDown(child, layout, binaries)));
    await supervisor.ready;
    const connections = connectionsTo(address.host, address.port, passwords);
    await ensureRoles(connections.adminConnection, passwords);
    let stopping: Promise<void> | undefined;
    return { ...connections, version: binaries.version, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The connections to the PostgreSQL that another living process has started on `dataDir`; null when there
 * is none, or none that takes connections yet.
 */
export function connectEmbedded({ dataDir }: Pick<Options, 'dataDir'>): EmbeddedConnections | null {
  if (!existsSync(dataDir)) return null;
  const layout = layoutOf(dataDir);
  if (!holderOf(layout.dataDir)) return null;
  const running = readPostmasterFile(layout);
  if (!running?.ready || !isAlive(running.pid)) return null;
  return connectionsTo(running.host, running.port, readPasswords(layout));
}

function makeDataDirectory(dataDir: string): string {
  try {
    mkdirSync(dirname(resolve(dataDir)), { recursive: true });
    if (!existsSync(dataDir)) mkdirSync(dataDir, { mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return dataDir;
  } catch (error) {
    throw new Error(`DATA_DIR ${dataDir} cannot be used by this account: ${(error as Error).message}`);
  }
}

function layoutOf(givenDir: string): Layout {
  const dataDir = realpathSync(resolve(givenDir));
  return {
    dataDir,
    clusterDir: join(dataDir, 'postgres'),
    logPath: join(dataDir, 'postgres.log'),
    credentialsPath: join(dataDir, 'postgres-credentials.json'),
  };
}

function connectionsTo(host: string, port: number, passwords: Passwords): EmbeddedConnections {
  const at = { host, port };
  return {
    ownerConnection: { ...at, user: 'dispensary_owner', password: passwords.owner, database: 'dispensary' },
    servingConnection: { ...at, user: 'dispensary_app', password: passwords.app, database: 'dispensary' },
    adminConnection: { ...at, user: 'postgres', password: passwords.postgres, database: 'postgres' },
  };
}

// ——— the cluster ———

/**
 * Makes the cluster if there is none. It is made aside and renamed when whole, so that a start killed in
 * the middle leaves nothing that looks like one.
 */
function ensureCluster(
  layout: Layout,
  binaries: Binaries,
  account: Account | undefined,
  onProgress: Options['onProgress'],
): Passwords {
  const { clusterDir, dataDir } = layout;
  if (existsSync(clusterDir)) {
    assertReadable(clusterDir);
    const made = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim();
    if (made !== binaries.version.split('.')[0]) {
      throw new Error(
        `${clusterDir} was made by PostgreSQL ${made}; this installation brings ${binaries.version}. Use the release that made it.`,
      );
    }
    return readPasswords(layout);
  }
  onProgress(`Making a PostgreSQL ${binaries.version} database in ${clusterDir}`);
  const passwords = { postgres: newPassword(), owner: newPassword(), app: newPassword() };
  writeFileSync(layout.credentialsPath, `${JSON.stringify(passwords, null, 2)}\n`, { mode: 0o600 });
  const draftDir = join(dataDir, 'postgres-unfinished');
  rmSync(draftDir, { recursive: true, force: true });
  mkdirSync(draftDir, { mode: 0o700 });
  if (account) chownSync(draftDir, account.uid, account.gid);
  initializeCluster(draftDir, passwords.postgres, binaries, account);
  renameSync(draftDir, clusterDir);
  return passwords;
}

function initializeCluster(
  draftDir: string,
  password: string,
  binaries: Binaries,
  account: Account | undefined,
): void {
  const passwordPath = `${draftDir}-password`;
  writeFileSync(passwordPath, `${password}\n`, { mode: 0o600 });
  const passwordFile = openSync(passwordPath, 'r');
  try {
    if (account) fchownSync(passwordFile, account.uid, account.gid);
    const args = [
      ...['-D', directoryArgument(draftDir, account), '-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8'],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--data-checksums'],
      // By its descriptor: the account may not be able to open it by its path.
      `--pwfile=${process.platform === 'win32' ? passwordPath : '/dev/fd/3'}`,
    ];
    const made = spawnSync(binaries.path('initdb'), args, {
      ...childOptions(draftDir, account),
      stdio: ['ignore', 'pipe', 'pipe', passwordFile],
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr.trim()}`);
  } finally {
    closeSync(passwordFile);
    rmSync(passwordPath, { force: true });
  }
}

function assertReadable(clusterDir: string): void {
  const owner = statSync(clusterDir).uid;
  const own = process.getuid?.();
  if (own === undefined || own === 0 || own === owner) return;
  throw new Error(
    `${clusterDir} belongs to another account (user id ${owner}). Start as the user who started it before (root, if it was root), or choose another DATA_DIR.`,
  );
}

/**
 * How the cluster is named to PostgreSQL. As another account it may not be able to walk to it (a clone in
 * root's home), but needs no more than the directory itself: it is put there by its working directory,
 * which Linux lets it open under this name whatever lies above.
 */
function directoryArgument(clusterDir: string, account: Account | undefined): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : clusterDir;
}

function childOptions(cwd: string, account: Account | undefined) {
  // A clean environment: PGPORT, PGDATA and the like would be obeyed.
  return { ...account, cwd, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, windowsHide: true };
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

function readPasswords(layout: Layout): Passwords {
  try {
    return JSON.parse(readFileSync(layout.credentialsPath, 'utf8'));
  } catch (error) {
    throw new Error(
      `${layout.credentialsPath} cannot be read (${(error as Error).message}), but the database in ${layout.clusterDir} is locked with the passwords in it: restore it from a backup.`,
    );
  }
}

async function ensureRoles(adminConnection: DatabaseConnection, passwords: Passwords): Promise<void> {
  const client = new pg.Client(adminConnection);
  await client.connect();
  try {
    const found = await client.query<{ name: string }>(
      `select rolname as name from pg_roles where rolname like 'dispensary%' union all select datname from pg_database`,
    );
    const missing = (name: string) => !found.rows.some((row) => row.name === name);
    if (missing('dispensary_owner')) {
      await client.query(`create role dispensary_owner login createdb password '${passwords.owner}'`);
    }
    if (missing('dispensary_app')) {
      await client.query(
        `create role dispensary_app login nobypassrls password '${passwords.app}';
         alter role dispensary_app set idle_in_transaction_session_timeout = '30s';
         grant dispensary_app to dispensary_owner with inherit false, set true`,
      );
    }
    if (missing('dispensary')) await client.query('create database dispensary owner dispensary_owner');
  } finally {
    await client.end();
  }
}

// ——— the address ———

interface Address {
  readonly host: string;
  readonly port: number;
  readonly args: readonly string[];
  remove(): void;
}

/**
 * A socket in the cluster's own private directory. Where that cannot be (the path is longer than a socket's
 * may be, a file system without sockets) in a private directory below the temporary one, and on Windows,
 * where Node has no such sockets, a free port on the loopback.
 */
async function chooseAddress(
  { clusterDir, dataDir }: Layout,
  account: Account | undefined,
): Promise<Address> {
  if (process.platform === 'win32') {
    const port = await freePort();
    return {
      host: '127.0.0.1',
      port,
      args: ['listen_addresses=127.0.0.1', `port=${port}`],
      remove: () => {},
    };
  }
  const onSocket = (host: string, directory: string, remove: () => void): Address => ({
    ...{ host, port: socketPort, remove },
    args: ['listen_addresses=', `port=${socketPort}`, `unix_socket_directories=${directory}`],
  });
  // Relative to PostgreSQL's working directory: it may not be able to walk the path.
  if (await takesSockets(clusterDir)) return onSocket(clusterDir, '.', () => {});
  for (const parent of [tmpdir(), '/tmp']) {
    const directory = makePrivateDirectory(parent, dataDir, 'socket', 0o700);
    const remove = () => rmSync(directory, { recursive: true, force: true });
    if (await takesSockets(directory)) {
      if (account) chownSync(directory, account.uid, account.gid);
      return onSocket(directory, directory, remove);
    }
    remove();
  }
  throw new Error(
    `Neither ${clusterDir} nor ${tmpdir()} takes a unix socket: choose a DATA_DIR with a shorter path.`,
  );
}

async function takesSockets(directory: string): Promise<boolean> {
  const path = join(directory, `.s.PGSQL.${socketPort}.probe`);
  if (Buffer.byteLength(path) > socketPathBytesMax) return false;
  const server = createServer();
  try {
    await once(server.listen(path), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

// ——— the process ———

interface Launched {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
}

function launch(
  layout: Layout,
  binaries: Binaries,
  account: Account | undefined,
  address: Address,
): Launched {
  const { clusterDir, logPath } = layout;
  const set = [...Object.entries(settings).map(([name, value]) => `${name}=${value}`), ...address.args];
  const args = ['-D', directoryArgument(clusterDir, account), ...set.flatMap((setting) => ['-c', setting])];
  const log = openSync(logPath, 'a', 0o600);
  const logStart = statSync(logPath).size;
  const child = spawn(binaries.path('postgres'), args, {
    ...childOptions(clusterDir, account),
    // A group of its own: Ctrl-C is for us, who still have requests to answer before it may go.
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  return { child, ready: untilReady(child, layout, logStart) };
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
  const said = readFileSync(layout.logPath).subarray(logStart).toString().trim();
  throw new Error(`PostgreSQL did not start: ${failure?.message ?? said}`);
}

/**
 * Keeps one PostgreSQL running until told to stop. A start that fails once may do better a moment later:
 * sessions of a killed server still hold its shared memory until they notice.
 */
function supervise(start: () => Promise<Launched>, onProgress: Options['onProgress']) {
  let child: ChildProcess | undefined;
  let stopped = false;
  const endWithUs = () => child?.kill('SIGINT');
  process.on('exit', endWithUs);

  const keepStarting = async (attemptsMax: number): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const launched = await start();
      child = launched.child;
      try {
        await launched.ready;
        child.once('exit', restart);
        return;
      } catch (error) {
        if (stopped || attempt >= attemptsMax) throw error;
        await delay(Math.min(100 * attempt, 2_000));
      }
    }
  };
  const restart = (): void => {
    if (stopped) return;
    onProgress('PostgreSQL ended unexpectedly; starting it again. Its log says why.');
    ready = keepStarting(Number.POSITIVE_INFINITY);
    ready.catch(() => {});
  };
  let ready = keepStarting(10);
  return {
    ready,
    stop: async (shutDown: (child: ChildProcess) => Promise<void>): Promise<void> => {
      stopped = true;
      process.off('exit', endWithUs);
      if (child) await shutDown(child);
      // One that was just being started again.
      await ready.catch(() => {});
      if (child) await shutDown(child);
    },
  };
}

async function shutDown(child: ChildProcess, layout: Layout, binaries: Binaries): Promise<void> {
  if (!isRunning(child)) return;
  const exited = once(child, 'exit');
  if (process.platform === 'win32') {
    spawnSync(binaries.path('pg_ctl'), ['stop', '-D', layout.clusterDir, '-m', 'fast'], {
      windowsHide: true,
    });
  } else {
    child.kill('SIGINT');
  }
  await exited;
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/**
 * Ends a PostgreSQL that outlived the process that started it, and clears its lock files if a process id
 * in them is taken, by something else or by its own uncollected remains: PostgreSQL itself would refuse to
 * start. That no session survives is still checked by PostgreSQL, on its shared memory.
 */
async function stopOrphan(layout: Layout, onProgress: Options['onProgress']): Promise<void> {
  const left = readPostmasterFile(layout);
  if (left && isPostmasterOf(left.pid, layout.clusterDir)) {
    onProgress(`Stopping the PostgreSQL that a killed start left running (process ${left.pid})`);
    process.kill(left.pid, 'SIGINT');
    const patienceMs = 30_000;
    const since = performance.now();
    while (isPostmasterOf(left.pid, layout.clusterDir)) {
      // Ends without a checkpoint; the next start recovers.
      if (performance.now() - since > patienceMs) process.kill(left.pid, 'SIGQUIT');
      await delay(20);
    }
  }
  for (const name of ['postmaster.pid', `.s.PGSQL.${socketPort}.lock`]) {
    const path = join(layout.clusterDir, name);
    if (existsSync(path) && idIsTaken(Number.parseInt(readFileSync(path, 'utf8'), 10))) rmSync(path);
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
function readPostmasterFile({ clusterDir }: Layout): Running | undefined {
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
