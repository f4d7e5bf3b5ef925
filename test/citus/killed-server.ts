import { exec } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';
import { openPlainShop, tradeBody } from '../harness/test-trade.ts';
import { brokenRules } from '../simulation/trading-invariants.ts';

/*
 * A server of the database is killed under load, and comes back. The commands are those of who runs the servers: for example
 * CITUS_KILL='pkill -9 -f /data/worker1' CITUS_REVIVE='pg_ctl -D /data/worker1 start'.
 */

const shell = promisify(exec);
const { CITUS_KILL: kill, CITUS_REVIVE: revive } = process.env;
if (!kill || !revive)
  throw new Error('CITUS_KILL and CITUS_REVIVE: give the commands that kill a server and start it');

const service = await startTestService();
afterAll(() => service.close());

/** The shops' own callers: each places one order after another, and sends it again until it is placed. */
class Caller {
  /** When the last order was placed. */
  placedAt = 0;
  refusals = 0;
  readonly placed = new Map<string, string>();
  readonly shop: TestShop;

  constructor(shop: TestShop) {
    this.shop = shop;
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.#placeOne(randomUUID(), isOver);
  }

  async #placeOne(idempotencyKey: string, isOver: () => boolean): Promise<void> {
    const customer = {
      firstName: 'Ada',
      lastName: 'Moreno',
      email: `${idempotencyKey}@customers.example.com`,
    };
    const body = tradeBody(this.shop, [['eighth', 1]], { idempotencyKey, customer });
    for (;;) {
      const { status, data, error } = await service.call('POST', '/api/v1/orders', {
        keys: this.shop.keys,
        body,
      });
      if (status === 201) {
        this.placed.set(idempotencyKey, data.id);
        this.placedAt = performance.now();
        return;
      }
      expect([status, error]).toEqual([503, expect.anything()]);
      this.refusals += 1;
      if (isOver()) return;
      await pause(100);
    }
  }
}

test('a server that is killed under load refuses its shops, holds up no other, and loses and doubles nothing', async () => {
  const callers: Caller[] = [];
  for (let count = 0; count < 12; count += 1) callers.push(new Caller(await openPlainShop(service)));
  let isOver = false;
  const running = Promise.all(callers.map((caller) => caller.run(() => isOver)));
  const since = async (moment: number, of: readonly Caller[]) => {
    await expect
      .poll(() => of.filter(({ placedAt }) => placedAt <= moment).length, { timeout: 120_000, interval: 100 })
      .toBe(0);
  };
  await since(performance.now(), callers);

  await shell(kill);
  const killedAt = performance.now();
  await expect
    .poll(() => callers.filter(({ refusals }) => refusals > 5).length, { timeout: 60_000 })
    .toBeGreaterThan(0);
  const hit = callers.filter(({ refusals }) => refusals > 5);
  const others = callers.filter(({ refusals }) => refusals === 0);
  expect(others.length).toBeGreaterThan(0);
  await since(performance.now(), others);

  await shell(revive);
  await since(performance.now(), callers);
  isOver = true;
  await running;
  console.log(
    `${hit.length} of ${callers.length} shops were on the killed server, which was away for ${Math.round((performance.now() - killedAt) / 1000)} s`,
  );

  for (const { shop, placed } of callers) {
    const ids: string[] = [];
    for (let startingAfter: string | undefined; ; startingAfter = ids.at(-1)) {
      const { data } = await service.call('GET', '/api/v1/orders', {
        keys: shop.keys,
        query: { startingAfter, limit: 100 },
      });
      ids.push(...data.map(({ id }: { id: string }) => id));
      if (data.length === 0) break;
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([...placed.values()]));
    expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  }
}, 600_000);
