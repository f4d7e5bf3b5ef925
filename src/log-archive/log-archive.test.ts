import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layCluster } from '../../test/harness/made-cluster.ts';
import { execute, onDatabase } from '../../test/harness/test-connection.ts';
import { startTestService, type TestService } from '../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../test/harness/test-shop.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { FolderArchive } from './archive-store.ts';
import { layRestored } from './lay-restored.ts';
import { LogArchiver } from './log-archiver.ts';
import { readLines, shopsOf } from './reachable.ts';

const folder = mkdtempSync(join(tmpdir(), 'dispensary-archive-'));
const dataDir = join(folder, 'data');
const store = new FolderArchive(join(folder, 'archive'));
let server: EmbeddedPostgres;
let service: TestService;
let shop: TestShop;
let archiver: LogArchiver;

beforeAll(async () => {
  await layCluster(dataDir);
  server = await startEmbeddedPostgres({ dataDir, onProgress: () => {}, settings: { fsync: 'off' } });
  const database = { owner: server.ownerConnection, serving: server.servingConnection, drop: async () => {} };
  service = await startTestService({ database, dataFolder: dataDir, documentMasterKeys: [] });
  shop = await createTestShop(service.context);
  const silent = { info: () => {}, warn: () => {}, error: console.error };
  archiver = new LogArchiver({
    ...{ store, dataDir, admin: server.adminConnection, hasBlobs: true, includesMasterKey: true },
    ...{ baseHours: 24, keepBases: 2, timeZone: async () => null, drill: async () => {}, logger: silent },
  });
}, 60_000);
afterAll(async () => {
  await service.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function place(): Promise<string> {
  const lineItems = [{ productOptionId: shop.optionId('tray'), quantity: 1 }];
  const reply = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: pickupBody(shop, { lineItems }),
  });
  expect([reply.status, reply.error]).toEqual([201, undefined]);
  return reply.data.id;
}

test('x', { timeout: 60_000 }, async () => {
  const first = await place();
  await service.photoBlobs.put('0a1b.svg', Buffer.from('<svg/>'));
  await archiver.tick();
  expect(archiver.status).toMatchObject({ failures: 0, reason: null });
  console.time('base');
  await archiver.base();
  console.timeEnd('base');
  expect(archiver.status.baseReason).toBe(null);
  const second = await place();
  await archiver.tick();
  const t = Date.now();
  await new Promise((r) => setTimeout(r, 20));
  const third = await place();
  await archiver.tick();
  const [shopId] = await shopsOf(store);
  const [line] = await readLines(store, shopId!);
  console.log(line!.reach, line!.bases[0]!.bytes, archiver.status);
  for (const [name, toMs, ids] of [
    ['a', t, [first, second]],
    ['b', null, [first, second, third]],
    ['c', Date.now() + 5000, [first, second, third]],
  ] as const) {
    const into = join(folder, name);
    await mkdir(into);
    console.time(name);
    await layRestored({
      store,
      line: line!,
      base: line!.bases[0]!,
      toMs,
      folder: into,
      onProgress: () => {},
    });
    console.timeEnd(name);
    const restored = await startEmbeddedPostgres({ dataDir: into, onProgress: () => {} });
    const rows = await execute(onDatabase(restored.adminConnection, 'dispensary'), 'select id from orders');
    expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
    console.log(await execute(restored.adminConnection, 'select timeline_id from pg_control_checkpoint()'));
    await restored.stop();
    console.log(readdirSync(into));
  }
});
