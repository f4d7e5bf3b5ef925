import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { eventFeedOf } from '../../src/platform/events/event-feed.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { execute } from '../harness/test-connection.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';
import { openPlainShop, tradeBody } from '../harness/test-trade.ts';
import { brokenRules } from '../simulation/trading-invariants.ts';

/* `dispensary organization move`, to each server of the database and back, while the shop and others are served. */

const run = promisify(execFile);
const service = await startOwnTestService();
const { context, database } = service;
afterAll(() => service.close());

/** A shop that is written to and read from until it is told to stop. */
class Traffic {
  readonly placed: string[] = [];
  refusals = 0;
  refusedReads = 0;
  reads = 0;
  readonly shop: TestShop;

  constructor(shop: TestShop) {
    this.shop = shop;
  }

  async write(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const idempotencyKey = randomUUID();
      const customer = {
        firstName: 'Ada',
        lastName: 'Moreno',
        email: `${idempotencyKey}@customers.example.com`,
      };
      const body = tradeBody(this.shop, [['eighth', 1]], { idempotencyKey, customer });
      for (let isPlaced = false; !isPlaced; ) {
        const { status, data, error } = await this.#call('POST', { body });
        isPlaced = status === 201;
        if (isPlaced) this.placed.push(data.id);
        else {
          expect([status, error]).toEqual([503, expect.anything()]);
          this.refusals += 1;
          await pause(50);
        }
      }
    }
  }

  async read(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const known = this.placed.at(-1);
      const { status, data, error } = await this.#call('GET', { query: { limit: 5 } });
      if (status !== 200) {
        expect([status, error]).toEqual([503, expect.anything()]);
        this.refusedReads += 1;
        await pause(50);
        continue;
      }
      if (known !== undefined) expect(data.length).toBeGreaterThan(0);
      this.reads += 1;
    }
  }

  #call(method: string, request: object) {
    return service.call(method, '/api/v1/orders', { keys: this.shop.keys, ...request });
  }
}

const partOf = (organization: number) =>
  execute(
    database.owner,
    `select n.nodename || ':' || n.nodeport as server, s.shardminvalue = s.shardmaxvalue as is_alone
       from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
      where s.shardid = get_shard_id_for_distribution_column('organizations', ${organization}::bigint)`,
  );

test('an organization that is moved and moved back is served meanwhile, and loses and doubles nothing', async () => {
  const moved = new Traffic(await openPlainShop(service));
  const other = new Traffic(await openPlainShop(service));
  const { organizationId } = moved.shop;
  let isOver = false;
  const running = Promise.all(
    [moved, other].flatMap((traffic) => [traffic.write(() => isOver), traffic.read(() => isOver)]),
  );
  const goOn = async (traffic: Traffic) => {
    const { reads } = traffic;
    const { length } = traffic.placed;
    await expect.poll(() => traffic.placed.length, { timeout: 60_000 }).toBeGreaterThan(length + 2);
    await expect.poll(() => traffic.reads, { timeout: 60_000 }).toBeGreaterThan(reads + 2);
  };
  await goOn(moved);

  const servers = await execute(
    database.owner,
    `select nodename || ':' || nodeport as name from pg_dist_node where shouldhaveshards order by 1`,
  );
  const [{ server: home }] = (await partOf(organizationId)) as [{ server: string }];
  const away = servers.map(({ name }) => String(name)).filter((name) => name !== home);
  expect(away.length).toBeGreaterThan(0);
  const move = async (server: string) => {
    const { stdout } = await run(
      process.execPath,
      ['dispensary.mjs', 'organization', 'move', '--organization', `${organizationId}`, '--server', server],
      { env: { ...process.env, DATABASE_URL: database.owner.connectionString } },
    );
    return stdout;
  };
  for (const server of [...away, home]) {
    expect(await move(server)).toContain(`was moved to ${server}`);
    expect(await partOf(organizationId)).toEqual([{ server, is_alone: true }]);
    await goOn(moved);
    await goOn(other);
  }
  expect(await move(home)).toContain(`is alone on ${home}`);
  isOver = true;
  await running;
  console.log(
    [moved, other]
      .map(
        ({ placed, reads, refusals, refusedReads }) =>
          `${placed.length} orders, ${refusals} refused at first; ${reads} reads, ${refusedReads} refused`,
      )
      .join('\n'),
    [...new Set(service.faults.map((line) => JSON.parse(line).err?.message))],
  );

  for (const { shop, placed } of [moved, other]) {
    const ids: string[] = [];
    for (;;) {
      const query = { startingAfter: ids.at(-1), limit: 100 };
      const { data } = await service.call('GET', '/api/v1/orders', { keys: shop.keys, query });
      ids.push(...data.map(({ id }: { id: string }) => id));
      if (data.length === 0) break;
    }
    expect(ids.toSorted()).toEqual(placed.toSorted());
    expect(await brokenRules(context.database, shop.organizationId)).toEqual([]);
  }
  await eventFeedOf(context.database).publish(organizationId);
  // Each order was placed behind the ones before: their events are published in this order.
  const events = await tenantSql(
    context.database,
    organizationId,
    `select subject_id::text as id, announced::text from outbox_events
      where organization_id = $1 and type = 'order.placed' order by position`,
    organizationId,
  );
  expect(events.map(({ id }) => id)).toEqual(moved.placed);
}, 600_000);
