import {
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../src/hosting/embedded-postgres/embedded-postgres.ts';
import { lockDataDirectory } from '../src/hosting/embedded-postgres/lock.ts';
import { loadConfig } from '../src/hosting/startup/config.ts';
import { Database } from '../src/platform/database/database.ts';
import { createDocumentDesk } from '../src/shop/documents/document-desk.test-support.ts';
import { jpeg } from '../src/shop/documents/sample-files.test-support.ts';
import {
  labels,
  openReportingShop,
  type ReportingShop,
} from '../src/shop/traceability/reporting-shop.test-support.ts';
import { layCluster } from '../test/harness/made-cluster.ts';
import { execute, onDatabase } from '../test/harness/test-connection.ts';
import { startOwnTestService, type TestService } from '../test/harness/test-service.ts';
import { pickupBody, type TestShop } from '../test/harness/test-shop.ts';
import { brokenRules } from '../test/simulation/trading-invariants.ts';
import { backupCommands } from './backup-commands.ts';
import { takeBackup } from './take-backup.ts';

/** Creates a cluster, migrates it, copies and starts it: takes seconds on a busy machine. */
const clusterLifeMs = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'dispensary backup-'));
const dataDir = join(folder, 'data');
const backup = join(folder, 'backup');
let server: EmbeddedPostgres;

beforeAll(async () => {
  await layCluster(dataDir);
  server = await start(dataDir);
}, clusterLifeMs);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** No power failure is tested, so data need not be flushed to disk. */
function start(onDirectory: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir: onDirectory, onProgress: () => {}, settings: { fsync: 'off' } });
}

/** The service on a data directory with its own files and key. */
function serve(onDirectory: string, { ownerConnection, servingConnection }: EmbeddedPostgres) {
  const database = { owner: ownerConnection, serving: servingConnection, drop: async () => {} };
  return startOwnTestService({ database, dataFolder: onDirectory, documentMasterKeys: [] });
}

function backUp(to: string, onProgress: (share: number) => void = () => {}): Promise<void> {
  return takeBackup({ dataDir, admin: server.adminConnection, folder: to, onProgress });
}

/** Clients that keep buying and uploading documents while database files are created, shrink and are removed. */
function startTrading(service: TestService, shop: TestShop, sendDocument: () => Promise<unknown>) {
  const placed = new Set<string>();
  let isOpen = true;
  const clients = [1, 2, 3].map(async (quantity) => {
    const lineItems = [{ productOptionId: shop.optionId('tray'), quantity }];
    while (isOpen) {
      const body = pickupBody(shop, { lineItems });
      const reply = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
      expect([reply.status, reply.error]).toEqual([201, undefined]);
      placed.add(reply.data.id);
    }
  });
  const churn = (async () => {
    while (isOpen) {
      await sendDocument();
      await execute(
        server.ownerConnection,
        'create temporary table passing as select generate_series(1, 9999)',
      );
      await execute(server.ownerConnection, 'vacuum orders, stock_balances');
    }
  })();
  const ended = Promise.all([...clients, churn]);
  return {
    placed,
    /** Resolves after this many more orders were answered. */
    sells: async (count: number) => {
      const before = placed.size;
      const sold = expect.poll(() => placed.size).toBeGreaterThanOrEqual(before + count);
      await Promise.race([sold, ended]);
    },
    stop: async () => {
      isOpen = false;
      await ended;
    },
  };
}

/** Reads every page of tables and indexes: checks checksums, structure, and that each row is in its indexes. */
async function expectConsistent({ adminConnection }: EmbeddedPostgres): Promise<void> {
  const admin = onDatabase(adminConnection, 'dispensary');
  const relations = (kinds: string, method: string) =>
    `pg_class c join pg_am a on a.oid = c.relam and a.amname = '${method}'
      where c.relkind in (${kinds}) and c.relpersistence = 'p'`;
  await execute(admin, 'create extension amcheck');
  const checked = await execute(
    admin,
    `select count(bt_index_check(c.oid, true)::text)::int as indexes from ${relations(`'i'`, 'btree')}`,
  );
  expect(checked[0]!.indexes).toBeGreaterThan(200);
  const corrupt = `select c.relname, v.* from ${relations(`'r', 't'`, 'heap')}`;
  expect(await execute(admin, corrupt.replace('where', ', lateral verify_heapam(c.oid) v where'))).toEqual(
    [],
  );
  expect(await execute(admin, 'show data_checksums')).toEqual([{ data_checksums: 'on' }]);
  const failures = 'select sum(checksum_failures)::int as failures from pg_stat_database';
  expect(await execute(admin, failures)).toEqual([{ failures: 0 }]);
}

/** One sale is at the state, one was being sent as the worker died, another one waits, and so does an adjustment. */
async function reportBeforeBackup(shop: ReportingShop): Promise<void> {
  await shop.sql("update state_connections set adjustment_reason = 'Entry Error'");
  await shop.sell([['roll', 1]]);
  await shop.pass();
  await shop.sell([['roll', 2]]);
  shop.dying.beat = 'after the call';
  await shop.pass();
  await shop.sell([['gram', 1]]);
  await shop.adjust(labels.second, -2);
  expect(await statesOf(shop)).toEqual(['accepted', 'sending', 'waiting', 'waiting']);
}

const statesOf = async (shop: ReportingShop) => (await shop.reports()).map(({ state }) => state);

/** Receipts and stock at the state. */
function shownByState(shop: ReportingShop) {
  const packages = Object.values(labels).map((label) => shop.atState(label).quantity);
  return { packages, receipts: shop.live().map(({ external }) => external) };
}

/** How many rows each table of reports has, and what is in them. */
async function rowsOfReports({ adminConnection }: EmbeddedPostgres) {
  const admin = onDatabase(adminConnection, 'dispensary');
  const tables = await execute(
    admin,
    `select relname from pg_class where relkind = 'r' and relname like 'state\\_%' order by relname`,
  );
  return execute(
    admin,
    tables
      .map(
        ({ relname }) =>
          `select '${relname}' as name, count(*)::int, md5(string_agg(t::text, ' ' order by t::text)) from ${relname} t`,
      )
      .join(' union all '),
  );
}

test(
  'a backup under writes has every order acknowledged before it began, consistent stock, readable documents, and reports that are not sent twice',
  async () => {
    const service = await serve(dataDir, server);
    const { shop, newCustomer, uploaded, listed, view } = await createDocumentDesk(service);
    const photo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    for (const name of ['0a1b.svg', '0a1c.svg']) await service.photoBlobs.put(name, photo);
    writeFileSync(join(dataDir, 'photos', '.0a1d.svg.unfinished'), '<sv');
    const [sent, { id: customerId }] = [{ file: jpeg(), mime: 'image/jpeg' }, await newCustomer()];
    const documentId = await uploaded(customerId, 'license', sent);
    const shown = await view(customerId, documentId);

    const reporting = await openReportingShop(service, { seed: 'backup' });
    await reportBeforeBackup(reporting);
    const reportsBefore = await rowsOfReports(server);
    const { placed, sells, stop } = startTrading(service, shop, () => uploaded(customerId, 'license', sent));
    await sells(20);
    const acknowledged = [...placed];
    const shares: number[] = [];
    let switched: Promise<unknown> | undefined;
    await backUp(backup, (share) => {
      shares.push(share);
      // Its row, if it had one, stays in the copy until the copy ends.
      rmSync(join(dataDir, 'photos', '0a1c.svg'), { force: true });
      // The copy needs more than one WAL segment, and all WAL since before the last checkpoint.
      if (share > 0.7) switched ??= execute(server.adminConnection, 'checkpoint; select pg_switch_wal()');
    });
    await switched;
    await sells(20);
    await stop();
    // The service goes on after the backup, and so does the state.
    service.clock.advance(10 * 60_000);
    await reporting.pass();
    await reporting.pass();
    expect(await statesOf(reporting)).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
    const atState = shownByState(reporting);
    await service.close();
    expect([shares.length > 500, shares.at(-1)! > 0.9]).toEqual([true, true]);
    const slots = await execute(server.adminConnection, 'select slot_name from pg_replication_slots');
    expect(slots).toEqual([]);

    const restored = await start(backup);
    try {
      const database = new Database(restored.servingConnection, 1);
      expect(await brokenRules(database, shop.organizationId)).toEqual([]);
      await database.close();
      const rows = await execute(
        onDatabase(restored.adminConnection, 'dispensary'),
        `select id from orders where organization_id = ${shop.organizationId}`,
      );
      const kept = new Set(rows.map(({ id }) => id as string));
      expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
      expect([...kept].filter((id) => !placed.has(id))).toEqual([]);
      // Later writes are in it too, as far as they had arrived.
      expect(kept.size).toBeGreaterThan(acknowledged.length);
      expect(kept.size).toBeLessThan(placed.size);
      const again = await serve(backup, restored);
      const budtender = await again.staff(shop, 'budtender');
      const documents: { id: number }[] = await listed(customerId, budtender);
      expect(documents.map(({ id }) => id)).toContain(documentId);
      for (const { id } of documents) {
        const again = await view(customerId, id, budtender);
        expect([again.error, again.bytes]).toEqual([undefined, shown.bytes]);
      }
      expect(await rowsOfReports(restored)).toEqual(reportsBefore);
      again.clock.set(service.clock.now() + 10 * 60_000);
      await reporting.restored(again);
      await reporting.pass();
      await reporting.pass();
      // Its key still opens, and what the state has got since is seen before anything is sent.
      expect(await statesOf(reporting)).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
      expect(shownByState(reporting)).toEqual(atState);
      await reporting.close();
      for (const name of ['0a1b.svg', '0a1c.svg']) expect(await again.photoBlobs.get(name)).toEqual(photo);
      await again.close();
      await expectConsistent(restored);
    } finally {
      await restored.stop();
    }
  },
  clusterLifeMs,
);

test('a backup is readable by its owner only, contains nothing of the running server, and is never overwritten', async () => {
  const modeOf = (name: string) => (statSync(join(backup, name)).mode & 0o777).toString(8);
  const names = ['', 'documents', 'document-master-key', 'postgres', 'postgres-credentials.json'];
  expect(names.map(modeOf)).toEqual(['700', '700', '600', '700', '600']);
  const another = join(folder, 'nightly', 'monday');
  mkdirSync(another, { recursive: true });
  await backUp(another);
  const ours = ['document-master-key', 'documents', 'photos', 'postgres', 'postgres-credentials.json'];
  expect(readdirSync(another).sort()).toEqual(ours);
  expect(readdirSync(join(another, 'photos'))).toEqual(['0a1b.svg']);
  const inCluster = readdirSync(join(another, 'postgres'));
  expect(inCluster).toContain('backup_label');
  expect(inCluster.filter((name) => /^postmaster|^\.s/.test(name))).toEqual([]);
  expect(statSync(join(another, 'postgres', 'backup_label')).uid).toBe(
    statSync(join(another, 'postgres')).uid,
  );

  await expect(backUp(another)).rejects.toThrow(`--to: ${another} must be empty or not exist`);
  expect(readdirSync(another).sort()).toEqual(ours);
  await expect(backUp(join(dataDir, 'backups', 'monday'))).rejects.toThrow('is inside DATA_DIR');
  expect(existsSync(join(dataDir, 'backups'))).toBe(false);
  symlinkSync(dataDir, join(folder, 'link'));
  await expect(backUp(join(folder, 'link', 'postgres', 'x'))).rejects.toThrow('is inside DATA_DIR');
  expect(existsSync(join(folder, 'nightly', 'monday.partial'))).toBe(false);
});

test('a failed or killed backup leaves no folder of that name, and the next one succeeds', async () => {
  const to = join(folder, 'tuesday');
  const failing = new Error('enough');
  await expect(
    backUp(to, () => {
      throw failing;
    }),
  ).rejects.toBe(failing);
  expect([existsSync(to), existsSync(`${to}.partial`)]).toEqual([false, false]);

  mkdirSync(`${to}.partial`);
  writeFileSync(join(`${to}.partial`, 'mine'), 'precious');
  await expect(backUp(to)).rejects.toThrow(
    'tuesday.partial, the temporary folder of the backup, contains other files',
  );
  expect(readdirSync(`${to}.partial`)).toEqual(['mine']);
  const unlock = lockDataDirectory(`${to}.partial`);
  await expect(backUp(to)).rejects.toThrow(`process ${process.pid} is writing a backup to it`);
  unlock();
  // Left by a process that no longer runs.
  writeFileSync(join(`${to}.partial`, 'lock'), JSON.stringify({ pid: process.pid, startedAt: 'long ago' }));
  await backUp(to);
  expect([existsSync(join(to, 'postgres')), existsSync(join(to, 'mine'))]).toEqual([true, false]);
  expect(existsSync(`${to}.partial`)).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)('a backup copied back by root starts', async () => {
  const to = join(folder, 'nightly', 'monday');
  lchownSync(to, 0, 0);
  for (const name of readdirSync(to, { recursive: true })) lchownSync(join(to, String(name)), 0, 0);
  const restored = await start(to);
  const rows = await execute(
    restored.ownerConnection,
    'select count(*)::int > 0 as any from schema_migrations',
  );
  expect(rows).toEqual([{ any: true }]);
  await restored.stop();
});

test('an external server is refused before anything is opened, with the files to copy', () => {
  const check = (env: Record<string, string>) => () =>
    backupCommands.backup!.check!(loadConfig({ DATA_DIR: dataDir, ...env }, folder));
  expect(check({})).not.toThrow();
  const external = { DATABASE_URL: 'postgres://owner:hush@db.example.com/shop' };
  expect(check(external)).toThrow(
    `(pg_basebackup, pg_dump, snapshots of its host), and afterwards photos, documents and document-master-key in ${dataDir}`,
  );
  const bucket = { BLOB_STORE: 's3://files/shop', DOCUMENT_MASTER_KEY: Buffer.alloc(32).toString('base64') };
  expect(check({ ...external, ...bucket })).toThrow('and afterwards everything below s3://files/shop');
});
