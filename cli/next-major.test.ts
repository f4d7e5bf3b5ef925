import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { majorOfInstallation } from '../src/hosting/embedded-postgres/binaries.ts';
import { copyFile, copyFolder } from '../src/hosting/embedded-postgres/copy-folder.ts';
import { startEmbeddedPostgres } from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import { openTradedShop } from '../src/hosting/verification/damaged-shop.test-support.ts';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { execute } from '../test/harness/test-connection.ts';
import { startOwnTestService } from '../test/harness/test-service.ts';
import { fixtureKey, fixtureNames, layFiles, layRows, readFixture } from '../test/release/release-fixture.ts';

/** Programs of the former major version; scripts/test-next-major.ts finds or fetches them. */
const programs = process.env.FORMER_PROGRAMS;
const major = majorOfInstallation();

/** Several starts, migrations of all releases, and copies. */
const moveMs = 600_000;

describe.runIf(programs !== undefined)('a database of the former major version of PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dispensary major-'));
  /** As the former release has left it. */
  const former = join(folder, 'former');
  const moved = join(folder, 'moved');
  const children = new Set<ChildProcess>();
  let totals: unknown;
  let digest: string;
  let version: string;

  beforeAll(async () => {
    const fixture = readFixture(fixtureNames().at(-1)!);
    const server = await startFormer(former);
    version = server.version.split('.')[0]!;
    const client = new Client({ ...server.adminConnection, database: 'dispensary' });
    await client.connect();
    await layRows(fixture, server.ownerConnection, client);
    await client.query('create role analyst');
    await client.query('alter system set work_mem = 8192');
    totals = await totalsOf(client);
    await client.end();
    await server.stop();
    layFiles(fixture, former);
    digest = digestOf(join(former, 'postgres'));
    expect(Number(version)).toBeLessThan(Number(major));
  }, moveMs);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    // The servers of a killed move end with the one that runs it again.
    rmSync(folder, { recursive: true, force: true });
  });

  const startFormer = (dataDir: string) =>
    startEmbeddedPostgres({ dataDir, programs, onProgress: () => {}, settings: { fsync: 'off' } });

  function dispensary(dataDir: string, args: readonly string[], key: Buffer = fixtureKey) {
    const child = spawn(process.execPath, ['--import', 'tsx', 'cli/main.ts', ...args], {
      cwd: projectFolder(),
      env: {
        ...{ PATH: process.env.PATH, DATA_DIR: dataDir, TMPDIR: tmpdir() },
        DOCUMENT_MASTER_KEY: key.toString('base64'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    let [out, err] = ['', ''];
    child.stdout.on('data', (text) => (out += text));
    child.stderr.on('data', (text) => (err += text));
    const ended = once(child, 'close').then(([code]) => {
      children.delete(child);
      return { code, out, err };
    });
    return { child, ended };
  }
  const move = (dataDir: string, key?: Buffer) =>
    dispensary(dataDir, ['upgrade', '--postgres', '--binaries', programs!, '--json'], key);

  test(
    'is moved with every row, and the old one stays as it was, and starts again',
    async () => {
      await copyFolder(former, moved);
      // Documents that no key opens are found before the old one gives up its place.
      const refused = await move(moved, Buffer.alloc(32, 1)).ended;
      expect([refused.code, JSON.parse(refused.out).verification.findings[0].check]).toEqual([
        1,
        'document-files',
      ]);
      expect(digestOf(join(moved, 'postgres'))).toBe(digest);
      expect(readdirSync(moved)).not.toContain('postgres-move');

      const done = await move(moved).ended;
      expect([done.code, done.err]).toEqual([0, expect.stringContaining('90 % compared')]);
      const kept = join(moved, `postgres-${version}`);
      expect(JSON.parse(done.out)).toMatchObject({
        ...{ from: version, to: major, isMoved: true, old: kept },
        left: ['work_mem = 8192', 'role analyst'].map((name) => expect.stringContaining(name.split(' ')[0]!)),
      });
      expect(digestOf(kept)).toBe(digest);
      expect(readdirSync(moved).filter((name) => /^(postgres-(move|next)|lock)/.test(name))).toEqual([]);

      const verified = await dispensary(moved, ['verify']).ended;
      expect([verified.code, verified.out]).toEqual([0, expect.any(String)]);
      const again = await move(moved).ended;
      expect([again.code, JSON.parse(again.out)]).toEqual([0, { from: major, to: major, isMoved: false }]);

      const back = join(folder, 'back');
      mkdirSync(back);
      await copyFolder(kept, join(back, 'postgres'));
      await copyFile(join(moved, 'postgres-credentials.json'), join(back, 'postgres-credentials.json'));
      const server = await startFormer(back);
      try {
        expect(await totalsAt(server.adminConnection)).toEqual(totals);
      } finally {
        await server.stop();
      }
    },
    moveMs,
  );

  test(
    'has the same totals after the move, and its service sells',
    async () => {
      const server = await startEmbeddedPostgres({ dataDir: moved, onProgress: () => {} });
      try {
        expect(server.version).toMatch(`${major}.`);
        expect(await totalsAt(server.adminConnection)).toEqual(totals);
        const database = {
          owner: server.ownerConnection,
          serving: server.servingConnection,
          drop: async () => {},
        };
        const service = await startOwnTestService({
          ...{ database, dataFolder: moved, documentMasterKeys: [fixtureKey] },
        });
        const { orders } = await openTradedShop(service, 2);
        expect(orders.length).toBe(2);
        expect(service.faults).toEqual([]);
        await service.close();
      } finally {
        await server.stop();
      }
    },
    moveMs,
  );

  /** When the process is killed: once this is there, or it has said this. */
  const instants: readonly (readonly [string, (dataDir: string, said: string) => boolean])[] = [
    ['while the old one is copied', (dir) => existsSync(join(dir, 'postgres-move/from/postgres'))],
    [
      'while the copy is migrated',
      (dir) => existsSync(join(dir, 'postgres-move/from/postgres/postmaster.pid')),
    ],
    ['while the new one is made', (dir) => existsSync(join(dir, 'postgres-move/to'))],
    ['while rows are copied', (_, said) => said.includes('copied public.')],
    ['while tables are compared', (_, said) => said.includes('compared public.')],
    ['after the last table', (_, said) => said.includes('90 % compared')],
  ];

  test(
    'is whole after a kill at any instant, and the next try moves it',
    async () => {
      const dataDir = join(folder, 'killed');
      await copyFolder(former, dataDir);
      for (const [name, isNow] of instants) {
        const { child, ended } = move(dataDir);
        let said = '';
        child.stderr!.on('data', (text) => (said += text));
        let isOver = false;
        void ended.then(() => (isOver = true));
        await expect.poll(() => isOver || isNow(dataDir, said), { interval: 2, timeout: moveMs }).toBe(true);
        const wasOver = isOver;
        child.kill('SIGKILL');
        await ended;
        expect([name, wasOver, digestOf(join(dataDir, 'postgres'))]).toEqual([name, false, digest]);
      }
      const done = await move(dataDir).ended;
      expect([done.code, done.err]).toEqual([0, expect.any(String)]);
      // What a kill between the two renames leaves: the next start, of a command too, goes on.
      renameSync(join(dataDir, 'postgres'), join(dataDir, 'postgres-next'));
      const verified = await dispensary(dataDir, ['verify']).ended;
      expect([verified.code, verified.out]).toEqual([0, expect.any(String)]);
      const server = await startEmbeddedPostgres({ dataDir, onProgress: () => {} });
      try {
        expect(await totalsAt(server.adminConnection)).toEqual(totals);
      } finally {
        await server.stop();
      }
    },
    moveMs,
  );
});

const selectTotals = `select
  (select array_agg(t::text order by t::text) from (select id, status, number from orders) t) as orders,
  (select count(*)::int from order_line_items) as lines, (select count(*)::int from audit_entries) as entries,
  (select sum(amount_cents)::text from order_taxes) as taxes, (select sum(delta)::text from stock_ledger_entries) as stock,
  (select count(*)::int from customers) as customers, (select count(*)::int from customer_documents) as documents`;

async function totalsOf(client: Client): Promise<unknown> {
  return (await client.query(selectTotals)).rows[0];
}

async function totalsAt(admin: object): Promise<unknown> {
  return (await execute({ ...admin, database: 'dispensary' }, selectTotals))[0];
}

/** The names and contents of all files below. */
function digestOf(path: string): string {
  const digest = createHash('sha256');
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  for (const file of entries
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name))
    .sort()) {
    digest.update(file.slice(path.length)).update(readFileSync(file));
  }
  return digest.digest('hex');
}
