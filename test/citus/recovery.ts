import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrationsFolder } from '../../src/platform/connections/migration-files.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import type { ClusterServer } from './citus-cluster.ts';
import { CitusWorld } from './citus-world.ts';
import { refusedMsMax, type SteadyShop } from './steady-shops.ts';

/* Standbys that take over, and all servers as they were at a moment, while shops sell. */

let world: CitusWorld;
let workerStandby: ClusterServer;
let hit: readonly SteadyShop[];
let others: readonly SteadyShop[];

beforeAll(async () => {
  world = await CitusWorld.make(join(inject('server').folder, 'recovering'));
  const { cluster } = world;
  cluster.coordinatorStandby = await cluster.coordinator.makeStandby('coordinator_standby');
  workerStandby = await cluster.workers[0]!.makeStandby('worker1_standby');
  // Its address now names both.
  await world.serve();
  hit = await world.openShops(cluster.workers[0]!, 5);
  others = await world.openShops(cluster.workers[1]!, 5);
}, 1_800_000);
afterAll(async () => {
  await world?.close();
  await world?.cluster.remove();
});

const longest = (shops: readonly SteadyShop[]) =>
  Math.round(Math.max(...shops.map(({ refusedMsMax }) => refusedMsMax)));
const refusalsOf = (shops: readonly SteadyShop[]) => shops.map(({ refusals }) => refusals);

/** The standby of the first server is promoted, and the coordinator told. */
async function takeOver(former: ClusterServer, standby: ClusterServer): Promise<void> {
  const { cluster } = world;
  await standby.promote();
  await cluster.coordinator.sql(
    `select citus_update_node(nodeid, '127.0.0.1', ${standby.port}, true, 1000)
       from pg_dist_node where nodeport = ${former.port}`,
  );
  cluster.workers[0] = standby;
}

test('the standby of a lost server takes over: its shops alone were refused meanwhile', async () => {
  const { cluster } = world;
  await Promise.all(world.shops.map((shop) => shop.goesOn()));
  for (const shop of world.shops) shop.forget();
  const lost = cluster.workers[0]!;
  await lost.kill();
  await expect.poll(() => hit.every(({ refusals }) => refusals > 0), { timeout: 30_000 }).toBe(true);
  const beganMs = performance.now();
  await takeOver(lost, workerStandby);
  const toldMs = performance.now();
  await Promise.all(hit.map((shop) => shop.goesOn()));
  console.log(
    `Standby of a server: promoted and told in ${Math.round(toldMs - beganMs)} ms, all shops back ${Math.round(performance.now() - toldMs)} ms later;`,
    `refusals ${refusalsOf(hit)}, the longest after ${longest(hit)} ms`,
  );
  await Promise.all(others.map((shop) => shop.goesOn()));
  expect(refusalsOf(others)).toEqual(others.map(() => 0));
});

test('a server is upgraded: it is stopped, its standby takes over, and its shops alone were refused meanwhile', async () => {
  const { cluster } = world;
  const former = cluster.workers[0]!;
  // It would have the next minor version.
  const upgraded = await former.makeStandby('worker1_upgraded');
  for (const shop of world.shops) shop.forget();
  const beganMs = performance.now();
  await former.stop();
  await takeOver(former, upgraded);
  const tookMs = Math.round(performance.now() - beganMs);
  await Promise.all(world.shops.map((shop) => shop.goesOn()));
  console.log(
    `A server was stopped, its standby promoted and told in ${tookMs} ms; refusals ${refusalsOf(hit)}, the longest after ${longest(hit)} ms`,
  );
  expect(longest(hit)).toBeLessThan(refusedMsMax);
  expect(refusalsOf(others)).toEqual(others.map(() => 0));
});

test('the standby of a lost coordinator takes over', async () => {
  const { cluster } = world;
  for (const shop of world.shops) shop.forget();
  const standby = cluster.coordinatorStandby!;
  await cluster.coordinator.kill();
  await expect
    .poll(() => refusalsOf(world.shops).every((count) => count > 0), { timeout: 60_000 })
    .toBe(true);
  const beganMs = performance.now();
  await standby.promote();
  await standby.sql(`select citus_set_coordinator_host('127.0.0.1', ${standby.port})`);
  const toldMs = performance.now();
  cluster.coordinator = standby;
  cluster.coordinatorStandby = undefined;
  await Promise.all(world.shops.map((shop) => shop.goesOn()));
  console.log(
    `Standby of the coordinator: promoted and told in ${Math.round(toldMs - beganMs)} ms, all shops back ${Math.round(performance.now() - toldMs)} ms later;`,
    `refusals ${refusalsOf(world.shops)}, the longest after ${longest(world.shops)} ms`,
  );
  for (const shop of world.shops) await shop.expectWhole(world.service);
});

test('a server is added, gets its share, and is emptied and removed while shops sell', async () => {
  const { cluster } = world;
  const added = await cluster.add('worker3');
  await cluster.coordinator.sql(`select citus_add_node('127.0.0.1', ${added.port})`);
  await cluster.coordinator.sql(`select replicate_reference_tables('block_writes')`);
  // Tells it of the role that serves.
  await world.command('distribute');
  const name = `127.0.0.1:${added.port}`;
  // While a part moves, all shops are read, and their writes wait; while an organization gets a part of its own, for seconds.
  const timed = async (...command: readonly string[]) => {
    const places = () => Promise.all(world.shops.map(({ shop }) => world.portOf(shop.organizationId)));
    const before = await places();
    for (const shop of world.shops) shop.forget();
    const beganMs = performance.now();
    const said = await world.command(...command);
    const tookMs = Math.round(performance.now() - beganMs);
    await Promise.all(world.shops.map((shop) => shop.goesOn()));
    console.log(
      `${command.join(' ')}: ${tookMs} ms, refusals ${refusalsOf(world.shops)}, the longest after ${longest(world.shops)} ms\n${said}`,
    );
    const after = await places();
    const stayed = world.shops.filter((_, at) => before[at] === after[at]);
    const slowest = (shops: readonly SteadyShop[]) =>
      Math.round(Math.max(...shops.map(({ answeredMsMax }) => answeredMsMax)));
    console.log(
      `longest answers: of ${stayed.length} shops that stayed ${slowest(stayed)} ms, of all ${slowest(world.shops)} ms`,
    );
    expect(refusalsOf(stayed)).toEqual(stayed.map(() => 0));
    expect(world.shops.map(({ refusedReads }) => refusedReads)).toEqual(world.shops.map(() => 0));
    expect(longest(world.shops)).toBeLessThan(refusedMsMax);
  };
  const one = String(world.shops[0]!.shop.organizationId);
  await timed('organization', 'move', '--organization', one, '--server', name);
  await timed('server', 'balance');
  expect(await world.command('server', 'list')).toMatch(new RegExp(`^${name}: [1-9]`, 'm'));
  await timed('server', 'empty', '--server', name);
  expect(await world.command('server', 'list')).toContain(`${name}: 0 parts`);
  await cluster.coordinator.sql(`select citus_remove_node('127.0.0.1', ${added.port})`);
  await added.stop();
  await Promise.all(world.shops.map((shop) => shop.goesOn()));
  for (const shop of world.shops) await shop.expectWhole(world.service);
});

test('a later migration adds columns and an index while shops sell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dispensary-later-'));
  cpSync(migrationsFolder, folder, { recursive: true });
  writeFileSync(
    join(folder, '9001_add_shelves.sql'),
    `alter table products add column shelf text not null default 'a' check (length(shelf) between 1 and 20);
alter table orders add column shelf text;`,
  );
  writeFileSync(
    join(folder, '9002_index_shelves.sql'),
    `-- concurrently: products are many
drop index concurrently if exists products_of_shelf;
create index concurrently products_of_shelf on products (organization_id, shelf);`,
  );
  for (const shop of world.shops) shop.forget();
  const beganMs = performance.now();
  expect((await migrate(world.owner, { folder })).applied).toHaveLength(2);
  const tookMs = Math.round(performance.now() - beganMs);
  await Promise.all(world.shops.map((shop) => shop.goesOn()));
  rmSync(folder, { recursive: true });
  console.log(`Two migrations: ${tookMs} ms, refusals ${refusalsOf(world.shops)}`);
});

test('all servers are restored to a moment, from base backups and archives that were made while shops sold', async () => {
  const { cluster } = world;
  const servers = [cluster.coordinator, ...cluster.workers];
  for (const server of servers) await server.backUp();
  await Promise.all(world.shops.map((shop) => shop.goesOn(2)));

  const placed = new Map(world.shops.map((shop) => [shop, [...shop.placed.values()]]));
  const pointMs = performance.now();
  await cluster.coordinator.sql(`select citus_create_restore_point('noon')`);
  const tookMs = performance.now() - pointMs;
  await Promise.all(world.shops.map((shop) => shop.goesOn(2)));
  const later = world.shops.flatMap((shop) => [...shop.placed.values()].slice(placed.get(shop)!.length + 1));
  expect(later.length).toBeGreaterThan(0);
  for (const server of servers) await server.archiveAll();
  await world.stopShops();
  for (const server of servers) await server.lose();

  const beganMs = performance.now();
  await Promise.all(servers.map((server) => server.restoreTo('noon')));
  await cluster.coordinator.sql('select recover_prepared_transactions()');
  console.log(
    `The restore point took ${Math.round(tookMs)} ms; the three servers were restored in ${Math.round(performance.now() - beganMs)} ms`,
  );
  await world.serve();
  await world.expectWhole(placed);
  // It is a moment: what came after it is not there.
  const [shop] = world.shops;
  const { data } = await world.service.call('GET', '/api/v1/orders', {
    keys: shop!.shop.keys,
    query: { limit: 100 },
  });
  const last = [...shop!.placed.values()].at(-1);
  expect(data.map(({ id }: { id: string }) => id)).not.toContain(last);
});
