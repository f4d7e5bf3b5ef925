import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { childOptions, chooseAccount } from '../../src/hosting/embedded-postgres/account.ts';
import type { Address } from '../../src/hosting/embedded-postgres/address.ts';
import { type Binaries, prepareBinaries } from '../../src/hosting/embedded-postgres/binaries.ts';
import { layoutOf, readPasswords } from '../../src/hosting/embedded-postgres/cluster.ts';
import { launch, shutDown } from '../../src/hosting/embedded-postgres/process.ts';
import type { ConnectionConfig } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { layCluster } from './made-cluster.ts';
import { execute } from './test-connection.ts';

type Login = 'owner' | 'serving' | 'admin';

/** A PostgreSQL of a test, at a port of the loopback. */
interface PairServer {
  readonly port: number;
  connection(login: Login): ConnectionConfig;
  /** All of its processes stand still, as on a machine that hangs. */
  stall(): void;
  resume(): void;
  /** All of its processes are gone, as of a machine that lost power. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface StandbyPair {
  readonly primary: PairServer;
  readonly standby: PairServer;
  /** Any of the two, by an address that names both. */
  both(login: Login): string;
  stop(): Promise<void>;
}

const logins = {
  owner: { user: 'dispensary_owner', database: 'dispensary', password: 'owner' },
  serving: { user: 'dispensary_app', database: 'dispensary', password: 'app' },
  admin: { user: 'postgres', database: 'postgres', password: 'postgres' },
} as const;

/**
 * A primary of the current schema and a streaming standby of it. Both begin as copies of
 * the same stopped cluster. `isSynchronous`: a commit waits for the standby. `slot`: the primary keeps log for the standby by
 * a slot of that name alone, `slotKeepsMax` at most.
 */
export async function startStandbyPair({
  isSynchronous = false,
  slot,
  slotKeepsMax = '1GB',
}: {
  isSynchronous?: boolean;
  slot?: string;
  slotKeepsMax?: string;
} = {}): Promise<StandbyPair> {
  const folder = await mkdtemp(join(tmpdir(), 'pair-'));
  // Another account must pass.
  chmodSync(folder, 0o711);
  const [one, other] = await freePorts(2);
  const primary = await makeServer(join(folder, 'primary'), one!, {
    fsync: 'off',
    ...(slot === undefined
      ? { wal_keep_size: '64MB' }
      : {
          wal_keep_size: '0',
          min_wal_size: '32MB',
          max_wal_size: '32MB',
          max_slot_wal_keep_size: slotKeepsMax,
        }),
    ...(isSynchronous && { synchronous_standby_names: '*' }),
  });
  const { password } = primary.connection('admin');
  const standby = await makeServer(
    join(folder, 'standby'),
    other!,
    {
      fsync: 'off',
      primary_conninfo: `host=127.0.0.1 port=${one} user=postgres password=${password}`,
      wal_retrieve_retry_interval: '100ms',
      ...(slot !== undefined && { primary_slot_name: slot }),
    },
    true,
  );
  await primary.start();
  if (slot !== undefined) {
    await execute(primary.connection('admin'), `select pg_create_physical_replication_slot('${slot}', true)`);
  }
  await standby.start();
  const addressOf = (login: Login) => {
    const of = primary.connection(login);
    return `postgres://${of.user}:${of.password}@127.0.0.1:${one},127.0.0.1:${other}/${of.database}`;
  };
  return {
    primary,
    standby,
    both: addressOf,
    stop: async () => {
      await Promise.all([primary.kill(), standby.kill()]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The programs of another PostgreSQL, such as Debian's; by default those of this installation. */
const { POSTGRES_PROGRAMS: otherPrograms } = process.env;

async function makeServer(
  dataDir: string,
  port: number,
  settings: Readonly<Record<string, string>>,
  isStandby = false,
): Promise<PairServer> {
  if (otherPrograms === undefined) await layCluster(dataDir);
  else await layOtherCluster(dataDir, otherPrograms, port);
  const layout = layoutOf(dataDir);
  const account = chooseAccount(layout.clusterDir);
  const binaries =
    otherPrograms === undefined ? prepareBinaries(layout.dataDir, account) : programsIn(otherPrograms);
  const passwords = otherPrograms === undefined ? readPasswords(layout) : noPasswords;
  if (isStandby) writeFileSync(join(layout.clusterDir, 'standby.signal'), '');
  const address = addressAt(port);
  let child: ChildProcess | undefined;
  const signal = (name: NodeJS.Signals) => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    // The postmaster first: it must not start others meanwhile.
    for (const pid of [child.pid, ...childrenOf(child.pid)]) send(pid, name);
  };
  return {
    port,
    connection: (login) => {
      const { user, database, password } = logins[login];
      return { host: '127.0.0.1', port, user, database, password: passwords[password] };
    },
    stall: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    kill: async () => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      signal('SIGKILL');
      await ended;
    },
    start: async () => {
      const launched = launch(layout, binaries, account, address, settings);
      child = launched.child;
      await launched.ready;
    },
  };
}

function addressAt(port: number): Address {
  const args = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
  return { host: '127.0.0.1', port, args, remove: () => {} };
}

function programsIn(folder: string): Binaries {
  return { version: folder, path: (program) => join(folder, program), remove: () => {} };
}

/** Its logins are trusted, whatever password they send. */
const noPasswords = { postgres: 'any', owner: 'any', app: 'any' };

/** As `layCluster`, by other programs. */
async function layOtherCluster(dataDir: string, programs: string, port: number): Promise<void> {
  const made = join(inject('server').folder, 'made-other-cluster');
  if (!existsSync(made)) await makeOtherCluster(made, programs, port);
  execFileSync('cp', ['-a', made, dataDir]);
}

async function makeOtherCluster(made: string, programs: string, port: number): Promise<void> {
  const draft = await mkdtemp(`${made}-`);
  const clusterDir = join(draft, 'data', 'postgres');
  mkdirSync(clusterDir, { recursive: true });
  // Another account must pass.
  for (const path of [draft, join(draft, 'data')]) chmodSync(path, 0o711);
  const account = chooseAccount(clusterDir);
  if (account) chownSync(clusterDir, account.uid, account.gid);
  const options = ['-D', clusterDir, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-locale'];
  execFileSync(join(programs, 'initdb'), options, {
    ...childOptions(clusterDir, account),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const layout = layoutOf(join(draft, 'data'));
  const launched = launch(layout, programsIn(programs), account, addressAt(port), { fsync: 'off' });
  try {
    await launched.ready;
    const at = { host: '127.0.0.1', port };
    // As docs/OPERATIONS.md says for an external server.
    for (const statement of [
      'create role dispensary_app login',
      'create role dispensary_owner login',
      'grant dispensary_app to dispensary_owner',
      'create database dispensary owner dispensary_owner',
    ]) {
      await execute({ ...at, ...logins.admin, password: 'any' }, statement);
    }
    await migrate({ ...at, ...logins.owner, password: 'any' });
  } finally {
    await shutDown(launched.child, layout, programsIn(programs));
  }
  // Of two workers that make one, the first one counts.
  await rename(join(draft, 'data'), made).catch((error) => {
    if (!existsSync(made)) throw error;
  });
}

export function childrenOf(pid: number): readonly number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return listed === '' ? [] : listed.split(' ').map(Number);
}

export function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Ports that nothing listened on a moment ago. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
