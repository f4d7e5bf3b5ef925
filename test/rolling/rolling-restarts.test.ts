import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { casesOf, isLongSuite } from '../harness/long-suite.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';
import { startOwnTestService, type TestService } from '../harness/test-service.ts';
import { createTestShop, type TestShop } from '../harness/test-shop.ts';
import { type BuiltProgram, buildProgram } from '../simulation/built-program.ts';
import { type FleetProcess, fleetProcess } from './fleet-process.ts';
import { haproxy } from './haproxy.ts';
import { steadyCallers } from './steady-callers.ts';
import { type Health, tcpBalancer } from './tcp-balancer.ts';

/*
 * Programs on one database are restarted one after the other, under load, behind a balancer: no request fails. In `npm test`
 * behind a small balancer of connections; in the long suite behind HAProxy, one of the programs with two processes.
 */

let built: BuiltProgram;
let database: TestDatabase;
let service: TestService<typeof systemClock>;
let shop: TestShop;
let staffToken: string;

beforeAll(async () => {
  [built, database] = await Promise.all([buildProgram(), createTestDatabase()]);
  service = await startOwnTestService({ database, clock: systemClock });
  shop = await createTestShop(service.context);
  staffToken = (await service.staff(shop)).token;
}, 120_000);

afterAll(async () => {
  await built.remove();
  await service.close();
}, 60_000);

/** Every answered order is there once, and nothing else is. */
async function expectOrders(placed: ReadonlyMap<string, string>): Promise<void> {
  const rows = await tenantSql(
    service.context.database,
    shop.organizationId,
    'select idempotency_key as key, id from orders',
  );
  expect(new Map(rows.map(({ key, id }) => [key, id]))).toEqual(placed);
}

test(
  'programs that are restarted one after the other behind a balancer fail no request, close no stream by force and lose no order',
  async () => {
    const restarts = casesOf({ everyRun: 2, long: 100 });
    const settings = { ...built, database };
    const env = { ROLES: 'api,menu', DRAIN_SECONDS: isLongSuite ? '2' : '1' };
    const first = await fleetProcess('first', { ...settings, env });
    const second = await fleetProcess('second', {
      ...settings,
      env: { ...env, ...(isLongSuite && { WORKERS: '2' }) },
    });
    const all: readonly FleetProcess[] = [first, second];
    await Promise.all(all.map((process) => process.start()));
    const small = isLongSuite ? null : await tcpBalancer(all);
    const balancer = small ?? (await haproxy(built.folder, all));
    for (const process of all) await balancer.untilUsed(process);
    const callers = steadyCallers(balancer, { shop, staffToken });
    for (let count = 0; count < restarts; count += 1) {
      const process = all[count % all.length]!;
      const before = callers.answered();
      await process.stop();
      await process.start();
      await balancer.untilUsed(process);
      expect(callers.answered()).toBeGreaterThan(before);
      expect(callers.failures).toEqual([]);
    }
    await callers.stop();
    await balancer.close();
    expect(callers.failures).toEqual([]);
    await expectOrders(callers.placed);
    console.info(
      `${restarts} restarts, ${callers.answered()} requests answered, ${callers.placed.size} orders`,
    );
    // It says that it is not ready before it closes its ports.
    for (const process of small ? all : []) {
      const seen = small!.seenOf(process);
      const served = seen.slice(seen.indexOf(200));
      const before = served.flatMap((health, at): Health[] =>
        health === 'refused' ? [served[at - 1]!] : [],
      );
      expect(before).toEqual([503]);
    }
    await Promise.all(all.map((process) => process.stop()));
  },
  casesOf({ everyRun: 240_000, long: 3_600_000 }),
);
