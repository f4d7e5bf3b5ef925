import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { runCommandLine } from '../../cli/run-command-line.ts';
import { layCluster } from '../../test/harness/made-cluster.ts';
import { startOwnTestService } from '../../test/harness/test-service.ts';
import { buildProgram } from '../../test/simulation/built-program.ts';
import { shippedEdition } from '../engines/jurisdictions/shipped-edition.ts';
import { selectLastRelease } from '../hosting/law/law-edition-queries.ts';
import type { ConnectionConfig } from '../platform/database/database.ts';
import { createDocumentDesk } from '../shop/documents/document-desk.test-support.ts';

const built = await buildProgram();
afterAll(() => built.remove());

/** Some tests start the program up to seven times, each time with its database: a minute on a busy machine. */
const startMs = 300_000;
const operatorKey = 'lantern-harbor-quiet-violet-0123';
/** A start may wait twice for a database that does not end: for one left behind, and for its own, 30 seconds each. */
const exitMs = 100_000;

test('the program is a text of Latin-1 only, of which V8 keeps one byte a letter and not two', () => {
  const letters =
    readFileSync(join(built.folder, 'main.mjs'), 'utf8').match(/.{0,40}[^\0-\xff].{0,40}/g) ?? [];
  expect(letters).toEqual([]);
});

function spawnProgram(env: Readonly<Record<string, string>>) {
  const program = spawn(process.execPath, [join(built.folder, 'main.mjs')], {
    cwd: built.folder,
    env: { PATH: process.env.PATH, PORT: '0', MENU_PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  built.running.add(program);
  program.once('exit', () => built.running.delete(program));
  return program;
}

/** The exit of a program; when it takes too long, an error with the start that hangs and the processes of its folder. */
async function exitOf(program: ChildProcess): Promise<unknown[]> {
  const asked = new Error('The program does not end.');
  try {
    return await once(program, 'exit', { signal: AbortSignal.timeout(exitMs) });
  } catch (error) {
    const list =
      spawnSync('ps', ['-eo', 'pid,ppid,etimes,stat,wchan:32,args'], { encoding: 'utf8' }).stdout ?? '';
    const near = list
      .split('\n')
      .filter((line) => line.includes(built.folder) || /^ *\d+ +1 .*postgres/.test(line));
    asked.message += ` Processes:\n${near.join('\n')}`;
    asked.cause = error;
    throw asked;
  }
}

/** The output of a failing start on both streams. */
async function failing(env: Readonly<Record<string, string>>): Promise<string> {
  const program = spawnProgram(env);
  const [[code], out, errors] = await Promise.all([
    exitOf(program),
    text(program.stdout),
    text(program.stderr),
  ]);
  expect({ code, out, errors }).toMatchObject({ code: 1 });
  return `${out}${errors}`;
}

test(
  'a port in use is reported before the demo shops are created',
  async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await layCluster(join(built.folder, 'taken'));
    const said = await failing({ DATA_DIR: 'taken', MENU_PORT: String(port) });
    expect(said).toContain(`Another program listens on 127.0.0.1:${port}. Stop it, or set MENU_PORT`);
    expect(said).not.toContain('Making the demo shop');
    other.close();
  },
  startMs,
);

test(
  'a startup error names its setting, and shows a stack on request, also by a setting in .env',
  async () => {
    writeFileSync(join(built.folder, 'file'), '');
    expect(await failing({ DATA_DIR: 'file' })).toContain(
      `DATA_DIR ${join(built.folder, 'file')} cannot be used: it is a file`,
    );
    const DATABASE_URL = 'postgres://shop:hush@127.0.0.1:1/sales';
    const env = { DATA_DIR: 'elsewhere', DATABASE_URL, LOG_LEVEL: '' };
    const said = await failing(env);
    expect(said).toContain(
      'DATABASE_URL postgres://***@127.0.0.1:1/sales: no PostgreSQL listens there (connect ECONNREFUSED',
    );
    expect(said).not.toMatch(/hush|\n +at /);
    writeFileSync(join(built.folder, '.env'), 'LOG_LEVEL=debug\n');
    expect(await failing(env)).toMatch(/\n +at /);
    writeFileSync(join(built.folder, '.env'), '');
  },
  startMs,
);

/** The output of a start up to its addresses, and the running process. */
async function starting(env: Readonly<Record<string, string>>) {
  const program = spawnProgram(env);
  const ended = once(program, 'exit');
  const errors = text(program.stderr);
  const said: string[] = [];
  let isUp = false;
  for await (const line of createInterface({ input: program.stdout })) {
    said.push(line);
    isUp = /^ +Data /.test(line);
    if (isUp) break;
  }
  if (!isUp) throw new Error(`The start ended: ${said.join('\n')}${await errors}`);
  const stop = async () => {
    program.kill('SIGTERM');
    expect(await Promise.race([ended, exitOf(program)])).toEqual([0, null]);
  };
  return { said: said.join('\n'), stop, program };
}

test(
  'several processes accept requests on the same ports; one that dies is replaced, and all stop with the start',
  async () => {
    await layCluster(join(built.folder, 'several'));
    const env = {
      DATA_DIR: 'several',
      DEMO: 'off',
      WORKERS: '2',
      METRICS_PORT: '0',
      OPERATOR_KEY: operatorKey,
    };
    const { said, stop, program } = await starting(env);
    expect(said).toMatch(/^ +Processes +2 accept requests$/m);
    // Of the start, and of each process.
    const metricsUrls = [...said.matchAll(/^Metrics: (\S+)$/gm)].map(([, url]) => url!);
    expect(metricsUrls).toHaveLength(3);
    // The page of the operator is in the process of the start alone.
    const pages = await Promise.all(metricsUrls.map((url) => fetch(new URL('/operator', url))));
    expect(pages.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
    const baseUrl = /Base address +(\S+)/.exec(said)![1]!;
    const isReady = async () => {
      // Each time another connection, which any of the processes may accept.
      const headers = { connection: 'close' };
      const reply = await fetch(`${baseUrl}/readyz`, { headers, signal: AbortSignal.timeout(20_000) });
      return reply.status === 200;
    };
    const serving = () =>
      spawnSync('pgrep', ['-P', String(program.pid), 'node'], { encoding: 'utf8' })
        .stdout.split('\n')
        .slice(0, -1);
    expect(await isReady()).toBe(true);
    const [first, other] = serving().map(Number);
    process.kill(first!, 'SIGKILL');
    for (let count = 0; count < 20; count += 1) {
      const isAnswered = await isReady().catch((error: Error) => error.name);
      // The process may die with a connection that it has accepted, but no request waits for ever.
      expect(isAnswered).not.toBe('TimeoutError');
    }
    expect(await isReady()).toBe(true);
    await expect
      .poll(
        () =>
          serving()
            .map(Number)
            .filter((id) => id !== first).length,
        { timeout: 60_000 },
      )
      .toBe(2);
    expect(serving().map(Number)).toContain(other);
    const all = serving().map(Number);
    await stop();
    for (const id of all) expect(() => process.kill(id, 0)).toThrow('ESRCH');
  },
  startMs,
);

test(
  'a warning about the law has its dates on the terminal and in the log',
  async () => {
    const dataDir = join(built.folder, 'lawful');
    await layCluster(dataDir);
    const shop = ['--name', 'Lantern Row', '--state', 'CA', '--tz', 'America/Los_Angeles'];
    const quiet = { write: () => {} };
    const caller = { env: { DATA_DIR: dataDir }, folder: built.folder, stdout: quiet, stderr: quiet };
    expect(await runCommandLine(['organization', 'create', ...shop], caller)).toBe(0);
    const { said, stop } = await starting({ DATA_DIR: 'lawful', DEMO: 'off' });
    await stop();
    expect(said).toMatch(/^Warning: .* ends after 2028-06-30/m);
    expect(said).toMatch(/^\{"level":"warn".*"warning":".* ends after 2028-06-30/m);
  },
  startMs,
);

test(
  'a process with the role worker only prints no address and has health checks beside its metrics; its folder is closed, and a damaged one is refused by name',
  async () => {
    const dataDir = join(built.folder, 'worker');
    await layCluster(dataDir);
    chmodSync(dataDir, 0o755);
    const env = {
      DATA_DIR: 'worker',
      DEMO: 'off',
      ROLES: 'worker',
      METRICS_PORT: '0',
      HOST: '0.0.0.0',
      OPERATOR_KEY: operatorKey,
    };
    const { said, stop } = await starting(env);
    expect(said).not.toMatch(/Base address|Menu address|Console/);
    const metricsUrl = /^Metrics: (\S+)$/m.exec(said)![1]!.replace('0.0.0.0', '127.0.0.1');
    for (const path of ['/healthz', '/readyz']) {
      expect((await fetch(new URL(path, metricsUrl))).status).toBe(200);
    }
    const list = new URL('/operator/v1/organizations', metricsUrl);
    const headers = { authorization: `Bearer ${operatorKey}` };
    expect(await (await fetch(list, { headers })).json()).toEqual({ data: [] });
    expect((await fetch(list)).status).toBe(401);
    await stop();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    // On the terminal and in the log.
    for (const warning of [
      ...['HOST is 0.0.0.0: other machines', 'HOST is 0.0.0.0: .* AND THE PAGE OF THE OPERATOR'],
      `DATA_DIR ${dataDir} was open`,
    ]) {
      expect(said).toMatch(new RegExp(`^Warning: ${warning}`, 'm'));
      expect(said).toMatch(new RegExp(`^\\{"level":"warn".*"msg":"${warning}`, 'm'));
    }

    /** The output of a start while a damaged file replaces the real one, which is then restored. */
    const failingWith = async (name: string, damage: (path: string) => void): Promise<string> => {
      const [path, aside] = [join(dataDir, name), join(built.folder, 'aside')];
      renameSync(path, aside);
      damage(path);
      const words = await failing(env);
      rmSync(path, { recursive: true, force: true });
      renameSync(aside, path);
      return words;
    };
    expect(await failingWith('document-master-key', (path) => writeFileSync(path, ''))).toContain(
      `${join(dataDir, 'document-master-key')} cannot be read: it is empty. Restore the file`,
    );
    const credentials = readFileSync(join(dataDir, 'postgres-credentials.json'), 'utf8');
    const others = credentials.replace(/"postgres": "../, '"postgres": "__');
    expect(await failingWith('postgres-credentials.json', (path) => writeFileSync(path, others))).toContain(
      'postgres-credentials.json does not contain the passwords of the database in',
    );
    expect(await failingWith('postgres/PG_VERSION', (path) => mkdirSync(path))).toContain(
      'is not a complete database: its file PG_VERSION cannot be read, it is a folder',
    );
    // The key is the only remaining data of the shop.
    expect(await failingWith('postgres', () => {})).toContain(
      `DATA_DIR ${dataDir} has document-master-key of a shop, but its database is missing, the folder`,
    );
    const again = await starting(env);
    await again.stop();
  },
  startMs,
);

test(
  'a start without the master key of stored documents is refused with the place of the key, and creates none',
  async () => {
    const key = randomBytes(32);
    const service = await startOwnTestService({ documentMasterKeys: [key] });
    const { newCustomer, uploaded } = await createDocumentDesk(service);
    await uploaded((await newCustomer()).id, 'license');
    const env = {
      ...{ DATA_DIR: 'keyless', DATABASE_URL: urlOf(service.database.owner), ROLES: 'worker' },
      DOCUMENT_MASTER_KEY: '',
    };
    const path = join(built.folder, 'keyless', 'document-master-key');
    expect(await failing(env)).toContain(`which is not in ${path}. Put it back: the file from a backup`);
    expect(existsSync(path)).toBe(false);
    const [other, right] = [randomBytes(32).toString('base64'), key.toString('base64')];
    expect(await failing({ ...env, DOCUMENT_MASTER_KEY: other })).toContain(
      `which is not in DOCUMENT_MASTER_KEY, nor in ${path}. Put it back`,
    );
    const former = await starting({ ...env, DOCUMENT_MASTER_KEY: `${other},${right}` });
    await former.stop();
    // The first start begins the record of the facts that releases shipped; the next one finds nothing new.
    const releases = () => service.context.database.global(selectLastRelease({ digest: Buffer.of() }));
    expect(await releases()).toMatchObject([{ number: 1, edition: shippedEdition.edition }]);
    const lost = await starting({ ...env, DOCUMENT_MASTER_KEY: other, DOCUMENT_KEY_CHECK: 'off' });
    expect(lost.said).toMatch(/^Warning: Documents of customers were encrypted under the master key/m);
    await lost.stop();
    expect(await releases()).toMatchObject([{ number: 1 }]);
    await service.close();
  },
  startMs,
);

/** The form for DATABASE_URL; a folder of sockets replaces the host. */
function urlOf({ connectionString, host, port, user, password, database }: ConnectionConfig): string {
  if (connectionString !== undefined) return connectionString;
  const at = `${encodeURIComponent(host ?? '')}:${port}`;
  return `postgres://${user}:${encodeURIComponent(String(password))}@${at}/${database}`;
}
