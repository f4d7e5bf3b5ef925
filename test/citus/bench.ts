import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/hosting/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { execute } from '../harness/test-connection.ts';
import { startOwnTestService, type TestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';
import { openPlainShop, tradeBody } from '../harness/test-trade.ts';

/*
 * `CITUS_BENCH=yes`: the same callers on one plain PostgreSQL, on shops of one server of the distributed database, and on shops of
 * all of its servers, in turns, so that what else the machine does hits each alike. It prints a table.
 */

const shopsMax = 6;
const roundMs = 5_000;
const rounds = 3;

const distributed = await startOwnTestService();
const plainServer = await startEmbeddedPostgres({
  dataDir: join(inject('server').folder, 'plain'),
  onProgress: () => {},
  settings: { fsync: 'off', max_connections: '200' },
});
await migrate(plainServer.ownerConnection);
const plain = await startOwnTestService({
  database: {
    isShared: true,
    owner: plainServer.ownerConnection,
    serving: plainServer.servingConnection,
    drop: async () => {},
  },
});
afterAll(async () => {
  await Promise.all([plain.close(), distributed.close()]);
  await plainServer.stop();
});

async function serverOf({ organizationId }: TestShop): Promise<string> {
  const [row] = await execute(
    distributed.database.owner,
    `select p.groupid::text as server from pg_dist_placement p
      where p.shardid = get_shard_id_for_distribution_column('organizations', ${organizationId}::bigint)`,
  );
  return String(row!.server);
}

/** Shops by their servers, as many on each. */
async function spreadShops(): Promise<TestShop[][]> {
  const servers = new Map<string, TestShop[]>();
  for (let tries = 0; tries < 60; tries += 1) {
    const shop = await openPlainShop(distributed);
    const server = await serverOf(shop);
    servers.set(server, [...(servers.get(server) ?? []), shop]);
    if (servers.size > 1 && [...servers.values()].every(({ length }) => length >= shopsMax)) break;
  }
  return [...servers.values()].map((shops) => shops.slice(0, shopsMax));
}

const work = {
  'orders placed': ({ service, shop }: Place) => {
    const idempotencyKey = randomUUID();
    const customer = {
      firstName: 'Ada',
      lastName: 'Moreno',
      email: `${idempotencyKey}@customers.example.com`,
    };
    const body = tradeBody(shop, [['eighth', 1]], { idempotencyKey, customer });
    return service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  },
  'pages of orders': ({ service, shop }: Place) =>
    service.call('GET', '/api/v1/orders', { keys: shop.keys, query: { limit: 20 } }),
};

interface Place {
  readonly service: TestService;
  readonly shop: TestShop;
}

async function countIn(places: readonly Place[], call: (place: Place) => ReturnType<TestService['call']>) {
  let done = 0;
  const endsAt = performance.now() + roundMs;
  await Promise.all(
    places.map(async (place) => {
      while (performance.now() < endsAt) {
        expect((await call(place)).status).toBeLessThan(300);
        done += 1;
      }
    }),
  );
  return (done * 1_000) / roundMs;
}

test('what a second takes on one server and on several', async () => {
  const [one, other] = (await spreadShops()) as [TestShop[], TestShop[]];
  const half = shopsMax / 2;
  const plainShops: TestShop[] = [];
  while (plainShops.length < shopsMax) plainShops.push(await openPlainShop(plain));
  const on = (service: TestService, shops: readonly TestShop[]) => shops.map((shop) => ({ service, shop }));
  const sides = {
    'plain PostgreSQL': on(plain, plainShops),
    'Citus, shops of one server': on(distributed, one),
    'Citus, shops of two servers': on(distributed, [...one.slice(0, half), ...other.slice(0, half)]),
  };
  for (const [title, call] of Object.entries(work)) {
    const counts = new Map<string, number[]>();
    for (const places of Object.values(sides)) for (const place of places) await call(place);
    for (let round = 0; round < rounds; round += 1) {
      for (const [side, places] of Object.entries(sides)) {
        counts.set(side, [...(counts.get(side) ?? []), await countIn(places, call)]);
      }
    }
    for (const [side, found] of counts) {
      const middle = found.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!;
      console.log(`| ${title} | ${side} | ${Math.round(middle)} |`);
    }
  }
}, 600_000);
