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
import { Database } from '../src/database/database.ts';
import { migrate } from '../src/database/migrate.ts';
import { createDocumentDesk } from '../src/documents/document-desk.test-support.ts';
import { jpeg } from '../src/documents/sample-files.test-support.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts';
import { lockDataDirectory } from '../src/embedded-postgres/lock.ts';
import { loadConfig } from '../src/startup/config.ts';
import { execute, onDatabase } from '../test/harness/test-connection.ts';
import { startTestService, type TestService } from '../test/harness/test-service.ts';
import { pickupBody, type TestShop } from '../test/harness/test-shop.ts';
import { brokenRules } from '../test/simulation/trading-invariants.ts';
import { backupCommands } from './backup-commands.ts';
import { takeBackup } from './take-backup.ts';

/** Makes a cluster, migrates it, copies and starts it: seconds on a busy machine. */
const wholeLifeMs = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'dispensary backup-'));
const dataDir = join(folder, 'data');
const backup = join(folder, 'backup');
let server: EmbeddedPostgres;

beforeAll(async () => {
  server = await start(dataDir);
  await migrate(server.ownerConnection);
}, wholeLifeMs);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Nobody cuts the power: what is written need not be on the disk. */
function start(onDirectory: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir: onDirectory, onProgress: () => {}, settings: { fsync: 'off' } });
}

/** The service on a data directory, with its files and its key in it. */
function serve(onDirectory: string, { ownerConnection, servingConnection }: EmbeddedPostgres) {
  const database = { owner: ownerConnection, serving: servingConnection, drop: async () => {} };
  return startTestService({ database, dataFolder: onDirectory, documentMasterKeys: [] });
}

function backUp(to: string, onProgress: (share: number) => void = () => {}): Promise<void> {
  return takeBackup({ dataDir, admin: server.adminConnection, folder: to, onProgress });
}

/** Clients that buy and buy and send documents, while files of the database come, shrink and go. */
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
  const turmoil = (async () => {
    while (isOpen) {
      await sendDocument();
      await execute(
        server.ownerConnection,
        'create temporary table passing as select generate_series(1, 9999)',
      );
      await execute(server.ownerConnection, 'vacuum orders, stock_balances');
    }
  })();
  const ended = Promise.all([...clients, turmoil]);
  return {
    placed,
    /** Resolves once so many orders more were answered. */
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

/** Reads every page of tables and their indexes: checksums, structure, and that each row is in its indexes. */
async function expectSound({ adminConnection }: EmbeddedPostgres): Promise<void> {
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

test(
  'a backup under writes has every order that was acknowledged before it began, sound stock, and documents to read',
  async () => {
    const service = await serve(dataDir, server);
    const { shop, newCustomer, uploaded, listed, view } = await createDocumentDesk(service);
    const photo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    for (const name of ['0a1b.svg', '0a1c.svg']) await service.photoBlobs.put(name, photo);
    writeFileSync(join(dataDir, 'photos', '.0a1d.svg.unfinished'), '<sv');
    const [sent, { id: customerId }] = [{ file: jpeg(), mime: 'image/jpeg' }, await newCustomer()];
    const documentId = await uploaded(customerId, 'license', sent);
    const shown = await view(customerId, documentId);

    const { placed, sells, stop } = startTrading(service, shop, () => uploaded(customerId, 'license', sent));
    await sells(20);
    const acknowledged = [...placed];
    const shares: number[] = [];
    let switched: Promise<unknown> | undefined;
    await backUp(backup, (share) => {
      shares.push(share);
      // Its row, if it had one, is in the copy until the copy is done.
      rmSync(join(dataDir, 'photos', '0a1c.svg'), { force: true });
      // The copy needs more than one segment of the log, and all of it from before the last checkpoint.
      if (share > 0.7) switched ??= execute(server.adminConnection, 'checkpoint; select pg_switch_wal()');
    });
    await switched;
    await sells(20);
    await stop();
    await service.close();
    expect([shares.length > 500, shares.at(-1)! > 0.9]).toEqual([true, true]);
    const slots = await execute(server.adminConnection, 'select slot_name from pg_replication_slots');
    expect(slots).toEqual([]);

    const restored = await start(backup);
    try {
      const database = new Database(restored.servingConnection, 1);
      expect(await brokenRules(database, shop.organizationId)).toEqual([]);
      await database.close();
      const rows = await execute(onDatabase(restored.adminConnection, 'dispensary'), 'select id from orders');
      const kept = new Set(rows.map(({ id }) => id as string));
      expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
      expect([...kept].filter((id) => !placed.has(id))).toEqual([]);
      // What came while it was written is in it, too, as far as it had come.
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
      for (const name of ['0a1b.svg', '0a1c.svg']) expect(await again.photoBlobs.get(name)).toEqual(photo);
      await again.close();
      await expectSound(restored);
    } finally {
      await restored.stop();
    }
  },
  wholeLifeMs,
);

test('a backup is for its owner alone, has nothing in it of the running server, and is never written over', async () => {
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

  await expect(backUp(another)).rejects.toThrow(`--to: ${another} must be empty, or not be there`);
  expect(readdirSync(another).sort()).toEqual(ours);
  await expect(backUp(join(dataDir, 'backups', 'monday'))).rejects.toThrow('lies in DATA_DIR');
  expect(existsSync(join(dataDir, 'backups'))).toBe(false);
  symlinkSync(dataDir, join(folder, 'link'));
  await expect(backUp(join(folder, 'link', 'postgres', 'x'))).rejects.toThrow('lies in DATA_DIR');
  expect(existsSync(join(folder, 'nightly', 'monday.partial'))).toBe(false);
});

test('a backup that fails, or was killed, leaves none of its name, and the next one takes its place', async () => {
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
  await expect(backUp(to)).rejects.toThrow('tuesday.partial, where it is written first, has something else');
  expect(readdirSync(`${to}.partial`)).toEqual(['mine']);
  const unlock = lockDataDirectory(`${to}.partial`);
  await expect(backUp(to)).rejects.toThrow(`process ${process.pid} is writing a backup to it`);
  unlock();
  // As it is left by a process that is no more.
  writeFileSync(join(`${to}.partial`, 'lock'), JSON.stringify({ pid: process.pid, startedAt: 'long ago' }));
  await backUp(to);
  expect([existsSync(join(to, 'postgres')), existsSync(join(to, 'mine'))]).toEqual([true, false]);
  expect(existsSync(`${to}.partial`)).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)('a backup that root has copied back as its own starts', async () => {
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

test('a server of its own is refused before anything is opened, with what to copy beside it', () => {
  const check = (env: Record<string, string>) => () =>
    backupCommands.backup!.check!(loadConfig({ DATA_DIR: dataDir, ...env }, folder));
  expect(check({})).not.toThrow();
  const external = { DATABASE_URL: 'postgres://owner:hush@db.example.com/shop' };
  expect(check(external)).toThrow(
    `(pg_basebackup, pg_dump, snapshots of its host), and after it photos, documents and document-master-key in ${dataDir}`,
  );
  const bucket = { BLOB_STORE: 's3://files/shop', DOCUMENT_MASTER_KEY: Buffer.alloc(32).toString('base64') };
  expect(check({ ...external, ...bucket })).toThrow('and after it what is below s3://files/shop');
});
