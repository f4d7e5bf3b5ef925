import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSqliteStore } from '../sdk/integrator/src/mirror/mirror-sdk.ts';
import {
  expectSameRows,
  openCopies,
  openSchema,
  rowsOfCopy,
  rowsOfService,
} from '../sdk/integrator/src/mirror/mirrored-shop.test-support.ts';
import { connectionUrl } from '../test/harness/test-connection.ts';
import { startOwnTestService } from '../test/harness/test-service.ts';
import { createTestShop, deliveryBody, type TestShop } from '../test/harness/test-shop.ts';
import { runCommandLine } from './run-command-line.ts';

const service = await startOwnTestService();
const addresses = await service.listen();
const copies = openCopies(service.database);
afterAll(async () => {
  await service.close();
  copies.close();
});

const envOf = (shop: TestShop) => ({
  DISPENSARY_URL: addresses.baseUrl,
  DISPENSARY_CONSUMER_KEY: shop.keys.consumerKey!,
  DISPENSARY_CLIENT_KEY: shop.keys.clientKey!,
});

/** The command, in this process. */
function dispensary(shop: TestShop, ...options: string[]) {
  const said = { out: '', err: '' };
  const stop = new AbortController();
  const ended = runCommandLine(['mirror', ...options], {
    env: envOf(shop),
    folder: copies.folder,
    stdout: { write: (text) => (said.out += text) },
    stderr: { write: (text) => (said.err += text) },
    stop: stop.signal,
  }).then((code) => ({ code, ...said }));
  return { stop, said, ended };
}

async function tradedShop(orders: number): Promise<{ shop: TestShop; place: () => Promise<void> }> {
  const shop = await createTestShop(service.context);
  let placed = 0;
  const place = async () => {
    placed += 1;
    const customer = {
      firstName: 'Ada',
      lastName: 'Okafor',
      email: `ada${placed % 7}@customers.example.com`,
    };
    const body = deliveryBody(shop, { customer });
    const { error } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    expect(error).toBeUndefined();
  };
  for (let at = 0; at < orders; at += 1) await place();
  return { shop, place };
}

test('copies a shop into a file, proves the copy, and tells by its exit code that it differs', async () => {
  const { shop } = await tradedShop(3);
  const file = join(copies.folder, 'shop.db');
  const first = await dispensary(shop, '--to', file, '--once', '--verify', '--json').ended;
  expect([first.code, first.err.includes('orders')]).toEqual([0, true]);
  const { proof, leftOut, startedOver } = JSON.parse(first.out);
  expect([proof.isExact, leftOut, startedOver]).toEqual([true, [], 'no copy']);
  // Personal data: for the account that made it.
  expect(statSync(file).mode & 0o077).toBe(0);

  const store = await openSqliteStore(file);
  await store.prepare();
  const state = (await store.readState())!;
  const [lost] = await store.idsBetween('orders', null, null);
  await store.commit({
    ...{ after: state.revision, state: { ...state, revision: state.revision + 1 } },
    ...{ upserts: [], ended: [], stale: [], staleLinked: [], fresh: [] },
    deletes: [{ collection: 'orders', id: lost! }],
  });
  await store.close();
  const differs = await dispensary(shop, '--to', file, '--once', '--verify').ended;
  expect(differs.code).toBe(3);
  expect(differs.out).toMatch(/orders: DIFFERS; 2 records here, 3 in the shop; months \d{4}-\d{2}/);
  const repaired = await dispensary(shop, '--to', file, '--once', '--repair').ended;
  expect(repaired.code).toBe(0);
  expect(repaired.out).toMatch(/Read again: orders of \d{4}-\d{2}; 1 records written, 0 removed/);
});

test('follows the shop until it is stopped, in PostgreSQL', async () => {
  const { shop, place } = await tradedShop(1);
  const url = connectionUrl(service.database.owner);
  const { stop, said, ended } = dispensary(shop, '--to', url, '--schema', 'followed');
  await expect.poll(() => said.err, { timeout: 60_000 }).toContain('Following the shop');
  await place();
  await expect.poll(() => said.err, { timeout: 60_000 }).toMatch(/[1-9]\d* changes: /);
  stop.abort();
  expect(await ended).toMatchObject({ code: 0 });
  const store = await openSchema(service.database, 'followed');
  await store.prepare();
  expectSameRows(await rowsOfCopy(store), await rowsOfService(addresses, shop.keys));
  await store.close();
});

test('a wrong command line is refused before anything is opened', async () => {
  const { shop } = await tradedShop(0);
  const refused = await dispensary(shop, '--to', './copy.db', '--schema', 'x', '--once').ended;
  expect([refused.code, refused.err.includes('--schema')]).toEqual([2, true]);
  expect((await dispensary(shop, '--once').ended).err).toContain('missing: --to');
});
