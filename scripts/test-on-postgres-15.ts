/*
 * The second part of `npm run test:long`: the tests of the contract, of concurrency and of trading once more, on PostgreSQL
 * 15, the oldest version that a deployment may use. The embedded server is newer.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { type Account, childOptions, chooseAccount } from '../src/hosting/embedded-postgres/account.ts';

/** Names of test files contain one of these; others can be given. */
const usualTests = [
  ...[
    'test/contract',
    'test/standby',
    'src/platform/database',
    'src/platform/idempotency',
    'src/platform/jobs',
  ],
  ...['concurrency', 'trading'],
];

/** Where Debian, Red Hat and Homebrew install it; another place is named in POSTGRES_15. */
const usualPlaces = [
  '/usr/lib/postgresql/15/bin',
  '/usr/pgsql-15/bin',
  '/opt/homebrew/opt/postgresql@15/bin',
  '/usr/local/opt/postgresql@15/bin',
];

const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };
const patienceMs = 30_000;

/** The folder of PostgreSQL 15's programs, or the reason why there is none. As root on Debian it is installed. */
function findPrograms(): { readonly folder: string } | { readonly missing: string } {
  const find = () =>
    [...(process.env.POSTGRES_15 ? [process.env.POSTGRES_15] : []), ...usualPlaces].find((folder) =>
      existsSync(join(folder, 'initdb')),
    );
  const found = find();
  if (found !== undefined) return { folder: found };
  const remedy =
    'Install it (apt-get install postgresql-15), or name the folder of its programs in POSTGRES_15.';
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return { missing: remedy };
  console.log('Installing PostgreSQL 15 …');
  // The run level keeps Debian from starting a server of its own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  spawnSync('apt-get', ['update'], { env });
  const packages = ['install', '-y', '--no-install-recommends', 'postgresql-15'];
  const { stderr } = spawnSync('apt-get', packages, { env, encoding: 'utf8' });
  const installed = find();
  return installed === undefined ? { missing: `${remedy} ${stderr.trim()}` } : { folder: installed };
}

/** A free port of the loopback. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Starts a new server in the folder; resolves to its URL once it answers. */
async function startServer(programs: string, folder: string, account: Account | undefined) {
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  if (account) for (const path of [folder, dataDir]) chownSync(path, account.uid, account.gid);
  const options = childOptions(dataDir, account);
  const init = [
    '-D',
    dataDir,
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--no-locale',
    '--no-sync',
  ];
  const made = spawnSync(join(programs, 'initdb'), init, { ...options, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  const port = await freePort();
  const chosen = { ...settings, listen_addresses: '127.0.0.1', port, unix_socket_directories: '' };
  const changes = Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(programs, 'postgres'), ['-D', dataDir, ...changes], {
    ...options,
    stdio: 'ignore',
  });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return { server, url, version: await versionOf(url) };
}

async function versionOf(connectionString: string): Promise<string> {
  const sinceMs = performance.now();
  for (;;) {
    const client = new Client({ connectionString });
    try {
      await client.connect();
      const { rows } = await client.query('show server_version');
      return rows[0].server_version;
    } catch (error) {
      if (performance.now() - sinceMs > patienceMs) throw error;
      await wait(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGINT');
  await ended;
}

/** Runs the tests on that server; resolves to their exit code. */
async function runTests(url: string, folder: string): Promise<number> {
  const vitest = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');
  // The counts of `npm test`: the full counts have run on the embedded server.
  const { TEST_SUITE: _, ...env } = process.env;
  const [, , ...given] = process.argv;
  const child = spawn(process.execPath, [vitest, 'run', ...(given.length > 0 ? given : usualTests)], {
    stdio: 'inherit',
    // Tests of a primary with its standby start servers of their own.
    env: { ...env, DATABASE_URL: url, POSTGRES_PROGRAMS: folder },
  });
  // Ctrl-C reaches the tests directly; the server is stopped after them.
  process.on('SIGINT', () => {}).on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

const programs = findPrograms();
if ('missing' in programs) {
  console.log(`\nNOT TESTED ON POSTGRESQL 15: there is none on this machine. ${programs.missing}`);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-15-'));
  let server: ChildProcess | undefined;
  try {
    const started = await startServer(programs.folder, folder, chooseAccount(join(folder, 'data')));
    server = started.server;
    console.log(`\nOn PostgreSQL ${started.version}:`);
    process.exitCode = await runTests(started.url, programs.folder);
  } finally {
    if (server) await stop(server);
    rmSync(folder, { recursive: true });
  }
}
