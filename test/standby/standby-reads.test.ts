import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainDatabaseFailure } from '../../src/hosting/startup/database-failure.ts';
import { useStandby } from '../../src/hosting/startup/use-standby.ts';
import { readyDetails } from '../../src/kernel/ready-details.ts';
import { createMetrics } from '../../src/platform/http/metrics.ts';
import { readyBody } from '../../src/platform/http/probes.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import type { Standby } from '../../src/platform/standby/standby.ts';
import { statement } from '../../src/platform/statements/statement.ts';
import {
  createStaffTenant,
  endsItsSession,
  memberOf,
  sendAs,
  staffRequest,
} from '../contract/staff-world.ts';
import { type StandbyPair, startStandbyPair } from '../harness/standby-pair.ts';
import { connectionUrl, execute, onDatabase } from '../harness/test-connection.ts';
import { startOwnTestService, type TestService } from '../harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../harness/test-shop.ts';
import { bearerHeader, type TestStaff } from '../harness/test-staff.ts';

/*
 * Two processes whose lists come from a standby, and one without. What a standby answers is what the primary would: every commit
 * from before the request, of any process.
 */

const lagBytesMax = 200_000;
let pair: StandbyPair;
let services: TestService[];
let writer: TestService;
let reader: TestService;
/** Has no standby. */
let plain: TestService;
let standby: Standby;
let shop: TestShop;
let owner: TestStaff;
const said: string[] = [];
const metrics = createMetrics();

beforeAll(async () => {
  pair = await startStandbyPair();
  const database = {
    owner: pair.primary.connection('owner'),
    serving: pair.primary.connection('serving'),
    drop: async () => {},
  };
  services = [];
  for (let count = 0; count < 3; count += 1) services.push(await startOwnTestService({ database }));
  [writer, reader, plain] = services as [TestService, TestService, TestService];
  const connection = pair.standby.connection('serving');
  await writer.context.database.useStandby({ connection, lagBytesMax });
  const note = (level: string) => (fields: object, message: string) =>
    void said.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const config = {
    databaseReadUrl: connectionUrl(connection),
    databaseAppUrl: 'the login of the address is the one that serves',
    readLagBytes: lagBytesMax,
  };
  const logger = { info: note('info'), warn: note('warn') };
  standby = (await useStandby({ config, context: reader.context, logger, metrics }))!;
  shop = await createTestShop(writer.context);
  owner = await writer.staff(shop);
}, 120_000);

afterAll(async () => {
  readyDetails.clear();
  await Promise.all(services.map((service) => service.close()));
  await pair.stop();
});

const inUse = () => expect.poll(() => standby.state.trouble, { timeout: 15_000 }).toBe(null);
const replay = (word: 'pause' | 'resume') =>
  execute(pair.standby.connection('admin'), `select pg_wal_replay_${word}()`);

/** Reads of the standby, and of the primary in its place, that `work` makes in the reading process. */
async function readsOf(work: () => Promise<unknown>) {
  const before = { ...standby.statistics };
  await work();
  const { standby: own, unused, behind, repeated } = standby.statistics;
  return {
    standby: own - before.standby,
    primary: unused - before.unused + behind - before.behind + repeated - before.repeated,
  };
}

const listOrders = (service: TestService, query: object = {}) =>
  service.call('GET', '/api/v1/orders', { keys: shop.keys, query: query as never });

async function place(service = writer): Promise<string> {
  // Orders of one moment are listed by their ids: with more than a page of them, the last one may be on the next page.
  service.clock.advance(1_000);
  const placed = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
  expect(placed.status, placed.text).toBe(201);
  return placed.data.id;
}

const idsOf = (reply: { readonly data: readonly { readonly id: string }[] }) =>
  reply.data.map(({ id }) => id);

describe('a list from the standby', () => {
  it('shows an order that another process has just placed, every time', async () => {
    await inUse();
    const reads = await readsOf(async () => {
      for (let count = 0; count < 25; count += 1) {
        const id = await place();
        expect(idsOf(await listOrders(reader))).toContain(id);
      }
    });
    // Some may have found the standby a moment behind.
    expect(reads.standby).toBeGreaterThan(5);
  });

  it('shows what a process without a standby shows, after a write of every kind by another process', async () => {
    // Writes of every kind change what an order of it may have.
    const tenant = await createStaffTenant(writer);
    const member = await memberOf(writer, tenant);
    const lists = reader.staffEndpoints.filter(({ readsFrom }) => readsFrom === 'standby');
    const writes = writer.staffEndpoints.filter(({ kind, roles }) => kind === 'write' && roles !== 'anyone');
    expect(lists.length).toBeGreaterThan(30);
    const requests = new Map(
      await Promise.all(lists.map(async (list) => [list, await staffRequest(writer, list, tenant)] as const)),
    );
    const reads = await readsOf(async () => {
      for (const [at, write] of writes.entries()) {
        const request = await staffRequest(writer, write, tenant);
        const sender = endsItsSession.has(write.id) ? await writer.staff(tenant.shop) : member;
        const done = await sendAs(writer, sender, write, request);
        expect([write.id, done.status]).toEqual([write.id, write.success.status]);
        const near = lists.filter(({ tag }) => tag === write.tag);
        // Of the others each has its turn.
        for (const list of new Set([...near, lists[at % lists.length]!])) {
          const shown = await sendAs(reader, member, list, requests.get(list)!);
          const expected = await sendAs(plain, member, list, requests.get(list)!);
          expect([write.id, list.id, shown.status, shown.text]).toEqual([
            ...[write.id, list.id, expected.status, expected.text],
          ]);
        }
      }
    });
    expect(reads.standby).toBeGreaterThan(10);
  }, 240_000);

  it('shows the menu with a change of its own process at once', async () => {
    for (const name of ['First Name', 'Second Name', 'Third Name']) {
      const path = `/staff/v1/products/${shop.productId('Moonlit Grove')}`;
      const headers = bearerHeader(owner.token);
      const changed = await reader.call('PUT', path, { headers, body: { name } });
      expect(changed.status, changed.text).toBe(200);
      const menu = await reader.call('GET', '/api/v1/menu', { keys: shop.keys });
      expect(menu.data.map((product: { name: string }) => product.name)).toContain(name);
    }
  });
});

describe('a standby that is behind', () => {
  it('is not read while it does not show the last write, and is used again when it does', async () => {
    await inUse();
    await replay('pause');
    try {
      const id = await place();
      const reads = await readsOf(async () => {
        for (let count = 0; count < 5; count += 1) expect(idsOf(await listOrders(reader))).toContain(id);
      });
      expect(reads).toMatchObject({ standby: 0 });
      await expect.poll(() => standby.state.lagBytes).toBeGreaterThan(0);
    } finally {
      await replay('resume');
    }
    await expect.poll(async () => (await readsOf(() => listOrders(reader))).standby).toBeGreaterThan(0);
  });

  it('is given up beyond the limit of bytes: metrics, /readyz and the log say so', async () => {
    await inUse();
    await replay('pause');
    try {
      while (standby.state.trouble !== 'it is too far behind') await place();
      expect(standby.state.lagBytes).toBeGreaterThan(lagBytesMax);
      expect(JSON.parse(readyBody()).data).toMatchObject({
        status: 'ready',
        standby: 'not in use: it is too far behind',
      });
      const text = await metrics.registry.metrics();
      expect(text).toMatch(/^database_standby_in_use 0$/m);
      expect(text).toMatch(/^database_standby_lag_bytes [1-9]\d{5,}$/m);
      expect(text).toMatch(/^database_standby_reads_total\{outcome="standby"\} [1-9]/m);
      const id = await place();
      expect(idsOf(await listOrders(reader))).toContain(id);
      const warned = () =>
        said.filter(
          (line) => line.startsWith('warn the standby is not used') && line.includes('too far behind'),
        );
      await expect.poll(warned, { timeout: 25_000 }).toHaveLength(1);
    } finally {
      await replay('resume');
    }
    await inUse();
    expect(JSON.parse(readyBody()).data.standby).toBe('in use');
  });
});

/** A read that is under way for that long. */
const slowRead = statement<{ seconds: number }, { orders: number }>(
  'test_slow_read',
  `with slept as materialized (select pg_sleep(:seconds::float8))
   select count(*)::int as orders from orders cross join slept where organization_id = :organizationId`,
  { isLong: true },
);
const readSlowly = async (seconds: number) => {
  const { database } = reader.context;
  const [[row]] = await database.fromStandby(() => database.read(shop.organizationId, slowRead({ seconds })));
  return row!.orders;
};
/** A slow read that the standby works on: one that went to the primary, or was over before it was seen, is begun again. */
const readingAtStandby = async (seconds: number): Promise<{ readonly reading: Promise<number> }> => {
  await inUse();
  const reading = readSlowly(seconds);
  let isOver = false;
  void reading.then(() => {
    isOver = true;
  });
  const active = `select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = 'dispensary'`;
  const isSeen = async () => (await execute(pair.standby.connection('admin'), active)).length === 1;
  await expect.poll(async () => isOver || (await isSeen()), { interval: 20 }).toBe(true);
  return isOver ? readingAtStandby(seconds) : { reading };
};
const countOrders = async (): Promise<number> => {
  const listed = await plain.call('GET', '/staff/v1/orders', { headers: bearerHeader(owner.token) });
  return listed.meta.total;
};

describe('a read under way', () => {
  it('is repeated on the primary when the standby stands still', async () => {
    const orders = await countOrders();
    const { reading } = await readingAtStandby(0.5);
    const sinceMs = performance.now();
    pair.standby.stall();
    try {
      expect(await reading).toBe(orders);
      // By the look that finds out: the read itself might have taken half a minute.
      expect(performance.now() - sinceMs).toBeLessThan(10_000);
      // All others go to the primary.
      const id = await place();
      expect(idsOf(await listOrders(reader))).toContain(id);
      expect(standby.state.trouble).toBe('it does not answer');
    } finally {
      pair.standby.resume();
    }
    await inUse();
  });

  it('is repeated on the primary when it stands in the way of the replay', async () => {
    await execute(pair.standby.connection('admin'), `alter system set max_standby_streaming_delay = 0`);
    await execute(pair.standby.connection('admin'), 'select pg_reload_conf()');
    const orders = await countOrders();
    const before = standby.statistics.repeated;
    const { reading } = await readingAtStandby(1.5);
    const shopDatabase = onDatabase(pair.primary.connection('admin'), 'dispensary');
    // Locks the table, also on the standby.
    await execute(shopDatabase, `alter table orders set (fillfactor = 90)`);
    await execute(shopDatabase, `begin; lock table orders in access exclusive mode; commit`);
    expect(await reading).toBe(orders);
    expect(standby.statistics.repeated).toBe(before + 1);
    await inUse();
  });

  it('is repeated on the primary when the standby dies, and lists go on', async () => {
    const orders = await countOrders();
    const { reading } = await readingAtStandby(1);
    await pair.standby.kill();
    expect(await reading).toBe(orders);
    const id = await place();
    expect(idsOf(await listOrders(reader))).toContain(id);
    await pair.standby.start();
    await inUse();
    expect(reader.faults).toEqual([]);
  });
});

it('the feed of changes gives each change once and in order, whatever becomes of the standby', async () => {
  await inUse();
  const { keys } = shop;
  const { data: start } = await reader.call('GET', '/api/v1/changes/latest', { keys });
  const seen: string[] = [];
  let cursor = start.cursor;
  const readOn = async () => {
    const page = await reader.call('GET', '/api/v1/changes', {
      keys,
      query: { after: cursor, types: 'order.placed' },
    });
    expect(page.status, page.text).toBe(200);
    for (const change of page.data) seen.push(change.resource.id);
    cursor = page.meta.cursor;
  };
  const placed: string[] = [];
  const troubles = [
    () => replay('pause'),
    () => replay('resume'),
    async () => pair.standby.stall(),
    async () => pair.standby.resume(),
    async () => {},
  ];
  for (const trouble of troubles) {
    await trouble();
    for (let count = 0; count < 4; count += 1) {
      placed.push(await place(count % 2 === 0 ? writer : reader));
      await readOn();
      // What a reply has shown is never missing from the next one.
      expect(seen).toEqual(placed);
    }
  }
  await inUse();
});

it('a start on a standby alone is refused in plain words, and one that may also go to the primary is not', async () => {
  const { connectionString: _, ...at } = pair.standby.connection('owner');
  const databaseUrl = connectionUrl(at);
  const config = { dataDir: '/nowhere', databaseUrl, databaseAppUrl: undefined };
  await expect(
    explainDatabaseFailure(config, 'owner', migrate({ connectionString: databaseUrl })),
  ).rejects.toThrow(
    'the server there is a standby, which takes no writes. Set the address of the primary, or of both servers',
  );
  expect((await migrate({ connectionString: pair.both('owner') })).applied).toEqual([]);
});

it('a server that is no standby of the primary, or a login that could bypass row-level security, is never read', async () => {
  const troubleOf = async (
    connection: Parameters<TestService['context']['database']['useStandby']>[0]['connection'],
  ) => {
    const other = await startOwnTestService({
      database: { owner: plain.database.owner, serving: plain.database.serving, drop: async () => {} },
    });
    const { state } = await other.context.database.useStandby({ connection, lagBytesMax });
    const listed = await listOrders(other);
    await other.close();
    return [state.trouble, listed.status];
  };
  expect(await troubleOf(pair.primary.connection('serving'))).toEqual(['it is no standby', 200]);
  expect(await troubleOf(onDatabase(pair.standby.connection('admin'), 'dispensary'))).toEqual([
    'its login may bypass row-level security',
    200,
  ]);
  expect(await troubleOf({ ...pair.standby.connection('serving'), port: 1 })).toEqual([
    'it does not answer',
    200,
  ]);
});
