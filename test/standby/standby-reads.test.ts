import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patientDeadlines } from '../../src/database/deadlines.ts';
import { Database } from '../../src/database/database.ts';
import type { Standby } from '../../src/database/standby.ts';
import { type StandbyPair, startStandbyPair } from '../harness/standby-pair.ts';
import { execute } from '../harness/test-connection.ts';
import { startTestService, type TestService } from '../harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../harness/test-shop.ts';

let pair: StandbyPair;
let services: readonly TestService[];
let standbys: readonly Standby[];
let shop: TestShop;

beforeAll(async () => {
  pair = await startStandbyPair();
  const database = {
    owner: pair.primary.connection('owner'),
    serving: pair.primary.connection('serving'),
    drop: async () => {},
  };
  services = [await startTestService({ database }), await startTestService({ database })];
  standbys = await Promise.all(
    services.map(({ context }) =>
      context.database.useStandby({ connection: pair.standby.connection('serving'), lagBytesMax: 1_048_576 }),
    ),
  );
  shop = await createTestShop(services[0]!.context);
}, 60_000);

afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  await pair.stop();
});

it('the standby answers lists, and shows what was answered before at once', async () => {
  await expect.poll(() => standbys.map(({ state }) => state)).toMatchObject([{ isInUse: true }, { isInUse: true }]);
  const before = standbys[1]!.statistics.standby;
  for (let i = 0; i < 20; i++) {
    const placed = await services[0]!.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
    expect(placed.status, placed.text).toBe(201);
    const listed = await services[1]!.call('GET', '/api/v1/orders', { keys: shop.keys });
    expect(listed.data.map((o: { id: string }) => o.id)).toContain(placed.data.id);
  }
  console.log(standbys.map((s) => [s.statistics, s.state]));
  expect(standbys[1]!.statistics.standby - before).toBeGreaterThan(10);
});
