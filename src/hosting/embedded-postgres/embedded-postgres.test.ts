import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Client, type ClientConfig } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bundleOptions } from '../../../scripts/prepare.mjs';
import { layCluster } from '../../../test/harness/made-cluster.ts';
import { projectFolder } from '../../kernel/project-folder.ts';
import { majorOfInstallation, packageFolder, packageName } from './binaries.ts';
import { hasCluster } from './cluster.ts';
import { connectEmbedded, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { formerPrograms, formerVersions } from './former-programs.ts';
import { isAlive } from './lock.ts';

/** A folder of its own with the bundled program, for tests in which a process of it ends. */
let program: string;
beforeAll(async () => {
  program = mkdtempSync(join(tmpdir(), 'dispensary program-'));
  symlinkSync(join(projectFolder(), 'node_modules'), join(program, 'node_modules'));
  await build({
    ...bundleOptions,
    entryPoints: [fileURLToPath(new URL('embedded-postgres.ts', import.meta.url))],
    outfile: join(program, 'embedded-postgres.mjs'),
  });
});
afterAll(() => rmSync(program, { recursive: true }));

let folder: string;
let dataDir: string;
let running: EmbeddedPostgres[];
let children: ChildProcess[];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'dispensary embedded-')));
  dataDir = join(folder, 'data');
  running = [];
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of running) await server.stop();
  rmSync(folder, { recursive: true });
});

async function start(onProgress: (message: string) => void = () => {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, onProgress });
  running.push(server);
  return server;
}

/** Starts a server on a data folder that a former start has made. */
async function startAgain(onProgress?: (message: string) => void): Promise<EmbeddedPostgres> {
  await layCluster(dataDir);
  return start(onProgress);
}

async function query(connection: ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Runs code in a child process, which can call `startEmbeddedPostgres`. */
function startProgram(code: string): ChildProcess {
  const file = join(program, `${randomUUID()}.mjs`);
  writeFileSync(file, `import { startEmbeddedPostgres } from './embedded-postgres.mjs';${code}`);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

/** Starts a server in a child process that inserts 1, 2, 3, … and reports each number once it is durable. */
async function startWriter() {
  await layCluster(dataDir);
  const child = startProgram(`
    import { Client } from 'pg';
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, onProgress: () => {} });
    const client = new Client(server.ownerConnection);
    await client.connect();
    await client.query('create table written (number int primary key)');
    for (let number = 1; ; number++) {
      await client.query('insert into written values ($1)', [number]);
      console.log(number);
    }`);
  let acknowledged = 0;
  const lines = createInterface(child.stdout!).on('line', (line) => {
    acknowledged = Number(line);
  });
  return {
    child,
    /** Resolves once this many rows are acknowledged. */
    async reached(count: number): Promise<void> {
      while (acknowledged < count) await once(lines, 'line');
    },
    /** Resolves to the number of acknowledged rows. */
    async killed(): Promise<number> {
      const ended = Promise.all([once(lines, 'close'), once(child, 'exit')]);
      child.kill('SIGKILL');
      await ended;
      return acknowledged;
    },
  };
}

/** Starts a server in an otherwise idle child process; resolves once it is up. */
async function startIdler(whenUp = ''): Promise<ChildProcess> {
  const child = startProgram(`
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, onProgress: () => {} });
    ${whenUp}
    setInterval(() => {}, 60_000);
    console.log('up');`);
  await once(child.stdout!, 'data');
  return child;
}

function postmasterPid(): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

test('the database is durable, has checksums, and keeps data across a restart', async () => {
  const first = await start();
  const settings = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'server_encoding'];
  const shown = await query(
    first.ownerConnection,
    `select ${settings.map((name) => `current_setting('${name}')`).join(` || ' ' || `)} as all`,
  );
  expect(shown).toEqual([{ all: 'on on on on UTF8' }]);
  await query(first.ownerConnection, 'create table kept as select 7 as seven');
  await first.stop();
  const second = await start();
  expect(second.endedUncleanly).toBe(false);
  expect(await query(second.ownerConnection, 'select seven from kept')).toEqual([{ seven: 7 }]);
  expect(second.version).toMatch(/^\d+\.\d+$/);
});

test('the serving role owns nothing and bypasses nothing; only the set-up role is a superuser', async () => {
  const { adminConnection, servingConnection } = await startAgain();
  const roles = await query(
    adminConnection,
    `select rolname as name, rolsuper as super, rolbypassrls as bypasses, rolcreaterole as makes_roles
     from pg_roles where rolcanlogin order by rolname collate "C"`,
  );
  expect(roles).toEqual([
    { name: 'dispensary_app', super: false, bypasses: false, makes_roles: false },
    { name: 'dispensary_owner', super: false, bypasses: false, makes_roles: false },
    { name: 'postgres', super: true, bypasses: true, makes_roles: true },
  ]);
  await expect(query(servingConnection, 'create table mine ()')).rejects.toThrow('permission denied');
  await expect(query({ ...servingConnection, password: 'guess' }, 'select 1')).rejects.toThrow('password');
});

test.skipIf(process.platform === 'win32')(
  'other accounts of the machine can neither reach the database nor read its passwords',
  async () => {
    await start();
    expect(statSync(join(dataDir, 'postgres')).mode & 0o077).toBe(0);
    expect(statSync(join(dataDir, 'postgres-credentials.json')).mode & 0o077).toBe(0);
    expect(await query(connectEmbedded({ dataDir })!.adminConnection, `show listen_addresses`)).toEqual([
      { listen_addresses: '' },
    ]);
  },
);

test('a second start on a directory in use is refused with the process id, and does not disturb the first', async () => {
  const { servingConnection } = await startAgain();
  await expect(startEmbeddedPostgres({ dataDir, onProgress: () => {} })).rejects.toThrow(
    `is in use by process ${process.pid}`,
  );
  expect(await query(servingConnection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('connectEmbedded returns the connections of a running server, or null', async () => {
  expect(connectEmbedded({ dataDir })).toBeNull();
  const server = await startAgain();
  expect(connectEmbedded({ dataDir })?.servingConnection).toEqual(server.servingConnection);
  await server.stop();
  expect(connectEmbedded({ dataDir })).toBeNull();
});

test('a path too long for a socket works, also after kill -9', async () => {
  dataDir = join(folder, 'x'.repeat(150), 'data');
  const writer = await startWriter();
  await writer.reached(1);
  await writer.killed();
  const { servingConnection, stop, endedUncleanly } = await start();
  expect(endedUncleanly).toBe(true);
  expect(await query(servingConnection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await stop();
  expect(existsSync(servingConnection.host)).toBe(false);
});

test('after kill -9 of the program, the next start stops the orphan and has every acknowledged row', async () => {
  const writer = await startWriter();
  await writer.reached(100);
  const acknowledged = await writer.killed();
  const said: string[] = [];
  const { ownerConnection } = await start((message) => said.push(message));
  expect(said).toEqual([expect.stringContaining('left by a killed start')]);
  const [row] = await query(
    ownerConnection,
    'select count(*)::int as count, max(number) as last from written',
  );
  // The last row may be written without an acknowledgement.
  expect(row!.count).toBe(row!.last);
  expect([acknowledged, acknowledged + 1]).toContain(row!.last);
});

test('after kill -9 of the program and of PostgreSQL, the next start has every acknowledged row', async () => {
  const writer = await startWriter();
  await writer.reached(100);
  process.kill(postmasterPid(), 'SIGKILL');
  const acknowledged = await writer.killed();
  const { ownerConnection } = await start();
  const [row] = await query(
    ownerConnection,
    'select count(*)::int as count, max(number) as last from written',
  );
  expect(row!.count).toBe(row!.last);
  expect([acknowledged, acknowledged + 1]).toContain(row!.last);
});

test('a PostgreSQL that dies is restarted at the same address', async () => {
  let restarted = () => {};
  const restarting = new Promise<void>((resolve) => {
    restarted = resolve;
  });
  const { ownerConnection } = await startAgain((message) => {
    if (message.includes('ended unexpectedly')) restarted();
  });
  await query(ownerConnection, 'create table kept as select 7 as seven');
  process.kill(postmasterPid(), 'SIGKILL');
  await restarting;
  await expect
    .poll(() => query(ownerConnection, 'select seven from kept').catch(() => []), { timeout: 20_000 })
    .toEqual([{ seven: 7 }]);
});

test.skipIf(process.platform === 'win32')(
  'a signal stops PostgreSQL and ends a program without handlers with 128 plus its number',
  async () => {
    await layCluster(dataDir);
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      const child = await startIdler();
      const pid = postmasterPid();
      expect(isAlive(pid)).toBe(true);
      const ended = once(child, 'exit');
      child.kill(signal);
      expect(await ended).toEqual([code, null]);
      expect(isAlive(pid)).toBe(false);
      expect(existsSync(join(dataDir, 'lock'))).toBe(false);
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'a program gets its signals after leaveSignals, and after stop',
  async () => {
    await layCluster(dataDir);
    const asking = await startIdler(`
      server.leaveSignals();
      process.on('SIGTERM', () => server.stop().then(() => process.exit(7)));`);
    const pid = postmasterPid();
    const asked = once(asking, 'exit');
    asking.kill('SIGTERM');
    expect(await asked).toEqual([7, null]);
    expect(isAlive(pid)).toBe(false);
    const stopped = await startIdler('await server.stop();');
    const killed = once(stopped, 'exit');
    stopped.kill('SIGTERM');
    expect(await killed).toEqual([null, 'SIGTERM']);
  },
);

test('a killed first start does not block the next one', async () => {
  mkdirSync(join(dataDir, 'postgres-unfinished'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres-unfinished', 'PG_VERSION'), '18\n');
  writeFileSync(join(dataDir, 'postgres-credentials.json'), '{"postg');
  const { servingConnection } = await start();
  expect(await query(servingConnection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a stale process id in a lock file that another program has now affects neither', async () => {
  await (await startAgain()).stop();
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    writeFileSync(join(dataDir, 'postgres', name), `${process.pid}\n${dataDir}/postgres\n1\n5432\n.\n`);
  }
  const { servingConnection } = await start();
  expect(await query(servingConnection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a database of another major version is refused, and the message names both', async () => {
  const { version, stop } = await startAgain();
  await stop();
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  const major = version.split('.')[0];
  await expect(start()).rejects.toThrow(
    new RegExp(`was made by PostgreSQL 17; this release has PostgreSQL ${major}\\. .*upgrade --postgres`),
  );
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '99\n');
  await expect(start()).rejects.toThrow(/was made by PostgreSQL 99; .* Use a release with PostgreSQL 99/);
});

test('a move to the next major version that ended between its two renames is ended by the next start', async () => {
  await layCluster(dataDir);
  const postgres = join(dataDir, 'postgres');
  renameSync(postgres, `${postgres}-next`);
  expect(hasCluster(dataDir)).toBe(true);
  const { ownerConnection } = await start();
  const isMigrated = `select to_regclass('orders') is not null as is_migrated`;
  expect(await query(ownerConnection, isMigrated)).toEqual([{ is_migrated: true }]);
  expect(existsSync(`${postgres}-next`)).toBe(false);
});

test('the programs of a former version come from the folder that is named, or from npm once, or it is said what to do', async () => {
  const programs = join(folder, 'programs');
  const name = process.platform === 'win32' ? 'postgres.exe' : 'postgres';
  const fetched: string[] = [];
  const fetch = async (wanted: string, into: string) => {
    fetched.push(wanted);
    const bin = join(into, 'node_modules', packageName(), 'native', 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, name), '');
  };
  const first = await formerPrograms('17', { folder: programs, fetch });
  expect(await formerPrograms('17', { folder: programs, fetch })).toBe(first);
  expect(fetched).toEqual([`${packageName()}@${formerVersions['17']}`]);
  for (const given of [first, join(first, 'bin')]) {
    expect(await formerPrograms('17', { given, folder: programs, fetch })).toBe(first);
  }
  await expect(formerPrograms('17', { given: folder, folder: programs, fetch })).rejects.toThrow(
    `--binaries: there is no bin/${name} in`,
  );
  await expect(formerPrograms('9', { folder: programs, fetch })).rejects.toThrow(
    'no version of PostgreSQL 9 for the move; it knows 15, 16, 17. Name a folder',
  );
  for (const [major, version] of Object.entries(formerVersions)) expect(version).toMatch(`${major}.`);
  expect(Object.keys(formerVersions).at(-1)).toBe(String(Number(majorOfInstallation()) - 1));
});

test('a machine without a package gets the advice to set DATABASE_URL', () => {
  expect(() => packageFolder('plan9', 'mips')).toThrow(
    /@embedded-postgres\/plan9-mips is not installed. Set DATABASE_URL/,
  );
});

test('its log is limited: a start renames a long one, replacing the previous one', async () => {
  await (await startAgain()).stop();
  const logPath = join(dataDir, 'postgres.log');
  const long = 'x'.repeat(10_000_001);
  writeFileSync(logPath, long);
  writeFileSync(`${logPath}.1`, 'the one before');
  await (await start()).stop();
  expect(readFileSync(`${logPath}.1`, 'utf8') === long).toBe(true);
  expect(readFileSync(logPath, 'utf8')).toMatch(/starting PostgreSQL/);
  await start();
  expect(statSync(`${logPath}.1`).size).toBe(long.length);
});

test('a failed start of PostgreSQL reports its output, and unlocks the directory', async () => {
  await (await startAgain()).stop();
  writeFileSync(join(dataDir, 'postgres', 'pg_hba.conf'), 'nonsense\n');
  await expect(start()).rejects.toThrow(/PostgreSQL did not start: .*nonsense/s);
  expect(existsSync(join(dataDir, 'lock'))).toBe(false);
});
