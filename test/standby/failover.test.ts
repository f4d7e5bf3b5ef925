import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContext } from '../../src/app.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { casesOf } from '../harness/long-suite.ts';
import { type StandbyPair, startStandbyPair } from '../harness/standby-pair.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { execute } from '../harness/test-connection.ts';
import { startTestService, type TestReply, type TestService } from '../harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../harness/test-shop.ts';
import { clientPause } from '../simulation/client-pause.ts';

/*
 * Two processes whose addresses name both servers, under load, when the primary dies and the standby is promoted. Commits wait
 * for the standby (`synchronous_standby_names`), so that nothing answered is lost.
 */

let pair: StandbyPair;
let services: readonly TestService[] = [];
let shop: TestShop;

beforeAll(async () => {
  pair = await startStandbyPair({ isSynchronous: true });
  const serving = { connectionString: pair.both('serving') };
  const database = { owner: { connectionString: pair.both('owner') }, serving, drop: async () => {} };
  services = [await startTestService({ database }), await startTestService({ database })];
  for (const { context } of services) {
    await context.database.useStandby({ connection: serving, lagBytesMax: 1_048_576 });
  }
  shop = await createTestShop(services[0]!.context);
}, 120_000);

afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  await pair.stop();
});

/** Places one order after the other; one that gets no answer is repeated with its key until it does. */
function steadyBuyer(service: TestService, stopping: AbortSignal) {
  const placed = new Map<string, string>();
  const refusals = new Set<string>();
  const note = ({ status, error, headers }: TestReply) => {
    if (status >= 300) refusals.add(`${status} ${error?.code}, retry after ${headers['retry-after']}`);
  };
  const buy = async () => {
    while (!stopping.aborted) {
      const body = pickupBody(shop, { idempotencyKey: randomUUID() });
      for (;;) {
        const reply = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
        note(reply);
        if (reply.status < 300) {
          placed.set(body.idempotencyKey, reply.data.id);
          break;
        }
        await clientPause();
      }
      const listed = await service.call('GET', '/api/v1/orders', { keys: shop.keys });
      note(listed);
      // An own order that was answered is in the list, before, during and after.
      if (listed.status === 200) {
        expect(listed.data.map(({ id }: { id: string }) => id)).toContain([...placed.values()].at(-1));
      }
    }
  };
  return { placed, refusals, done: buy() };
}

test('orders go on by themselves when the standby is promoted: each answered one is there once, and no other fault is seen', async () => {
  const stopping = new AbortController();
  const buyers = services.flatMap((service) => [
    steadyBuyer(service, stopping.signal),
    steadyBuyer(service, stopping.signal),
  ]);
  const placedSoFar = () => buyers.reduce((sum, { placed }) => sum + placed.size, 0);
  const several = casesOf({ everyRun: 10, long: 300 });
  const patience = { timeout: 60_000 };
  await expect.poll(placedSoFar, patience).toBeGreaterThan(several);
  // The list of one process may have been behind.
  expect(services.map(({ context }) => context.database.standbyState?.isInUse)).toEqual([true, true]);

  await pair.primary.kill();
  await execute(pair.standby.connection('admin'), 'select pg_promote()');
  const promotedAtMs = performance.now();
  const before = placedSoFar();
  await expect.poll(placedSoFar, patience).toBeGreaterThan(before);
  const secondsUntilOrders = (performance.now() - promotedAtMs) / 1_000;
  await expect.poll(placedSoFar, patience).toBeGreaterThan(before + several);
  stopping.abort();
  await Promise.all(buyers.map(({ done }) => done));

  expect(secondsUntilOrders).toBeLessThan(10);
  const refusals = new Set(buyers.flatMap((buyer) => [...buyer.refusals]));
  for (const refusal of refusals) expect(refusal).toBe('503 SERVICE_UNAVAILABLE, retry after 2');
  expect(services.flatMap(({ faults }) => faults)).toEqual([]);
  // What was a standby is none any more.
  expect(services.map(({ context }) => context.database.standbyState?.isInUse)).toEqual([false, false]);

  const context = createContext({ connectionString: pair.both('serving') }, systemClock);
  const rows = await tenantSql(
    context.database,
    shop.organizationId,
    'select idempotency_key as key, id from orders order by id',
  );
  await context.database.close();
  const idOf = new Map(rows.map(({ key, id }) => [key, id]));
  expect(idOf.size).toBe(rows.length);
  for (const { placed } of buyers)
    for (const [key, id] of placed) expect([key, idOf.get(key)]).toEqual([key, id]);
  // No other orders: a repeated one was not made twice.
  expect(rows).toHaveLength(placedSoFar());
}, 180_000);
