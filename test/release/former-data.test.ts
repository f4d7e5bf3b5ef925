import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTradedShop, verifyShop } from '../../src/hosting/verification/damaged-shop.test-support.ts';
import { ManualClock } from '../../src/kernel/clock.ts';
import { organizationId } from '../../src/kernel/ids.ts';
import { purgeEvents } from '../../src/platform/events/purge-events.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { isLongSuite } from '../harness/is-long-suite.ts';
import { startOwnTestService, testNowMs } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';
import {
  fixtureKey,
  fixtureNames,
  fixturesFolder,
  layFixture,
  readFixture,
  writeFixture,
} from './release-fixture.ts';

/** Set by `npm run release:fixture`. */
const isWriting = process.env.RELEASE_FIXTURE === 'write';

test.runIf(isWriting)('the data of this release is written', async () => {
  const service = await startOwnTestService({ documentMasterKeys: [fixtureKey] });
  try {
    const { shop, orders } = await openTradedShop(service, 12);
    const owner = await service.staff(shop);
    const { data: sold } = await owner.call('GET', `/staff/v1/orders/${orders.at(-1)!.id}`);
    const returned = await owner.call('POST', `/staff/v1/orders/${sold.id}/returns`, {
      ...{
        refundType: 'payment-method',
        paymentTypeId: shop.paymentTypeId('Bank'),
        idempotencyKey: randomUUID(),
      },
      lineItems: [
        {
          ...{ orderLineItemId: sold.lineItems[0].id, quantity: 1, type: 'return' },
          ...{ inventoryAction: 'inventory', reason: 'Unopened' },
        },
      ],
    });
    expect(returned.error).toBeUndefined();
    const tag = await owner.call(
      'POST',
      '/staff/v1/tags',
      { name: 'New' },
      { headers: { 'idempotency-key': 'tag' } },
    );
    expect(tag.error).toBeUndefined();
    await service.apiRequests.write();
    await purgeEvents(service.context, shop.organizationId);
    const { name, bytes } = await writeFixture(service, [shop.organizationId]);
    console.log(`${name}: ${bytes} bytes`);
    expect(bytes).toBeLessThan(1_000_000);
  } finally {
    await service.close();
  }
});

test('there is the data of the last releases, three at most, each less than 1 MB', () => {
  const names = fixtureNames();
  expect(names.length).toBeGreaterThanOrEqual(1);
  expect(names.length).toBeLessThanOrEqual(3);
  for (const name of names)
    expect([name, statSync(join(fixturesFolder, name)).size < 1_000_000]).toEqual([name, true]);
});

test.skipIf(isWriting).each(fixtureNames())(
  'the data of the release %s is migrated, and the shop goes on',
  async (name) => {
    const fixture = readFixture(name);
    const dataFolder = mkdtempSync(join(tmpdir(), 'dispensary-former-'));
    const database = await layFixture(fixture, dataFolder);
    await migrate(database.owner, { contractsNow: true });
    const service = await startOwnTestService({
      ...{ database, dataFolder, documentMasterKeys: [fixtureKey] },
      clock: new ManualClock(testNowMs + 86_400_000),
    });
    try {
      for (const id of fixture.organizations) {
        const shop = { organizationId: organizationId(id) };
        const owner = await service.staff(shop);
        const listed = await owner.call('GET', '/staff/v1/orders');
        expect(listed.data.length).toBeGreaterThanOrEqual(12);
        const open = listed.data.find(({ status }: { status: string }) => status === 'new');
        const done = await owner.call('POST', `/staff/v1/orders/${open.id}/fulfill`, {});
        expect(done.error).toBeUndefined();
        if (!isLongSuite) continue;
        const { findings } = await verifyShop(service, shop as TestShop);
        expect(findings.filter(({ isDamage }) => isDamage)).toEqual([]);
      }
      expect(service.faults).toEqual([]);
    } finally {
      await service.close();
      rmSync(dataFolder, { recursive: true, force: true });
    }
  },
);
