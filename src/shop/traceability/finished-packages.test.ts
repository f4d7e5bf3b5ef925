import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { labels, openReportingShop } from './reporting-shop.test-support.ts';

const service = await startTestService();
afterAll(() => service.close());

test('a package whose last goods an accepted order holds is finished at the state after they are handed over', async () => {
  const shop = await openReportingShop(service);
  const { owner, sql, pass, reports } = shop;
  const placed = await owner.call('POST', '/staff/v1/orders', {
    ...{ type: 'pickup', idempotencyKey: randomUUID() },
    lineItems: [{ productOptionId: shop.shop.optionId('roll'), quantity: 3 }],
    customer: { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' },
    payments: [{ paymentTypeId: shop.shop.paymentTypeId('Cash'), remaining: true }],
  });
  expect(placed.status).toBe(201);
  const [{ id }] = (await sql(`select id from packages where label = '${labels.flower}'`)) as [
    { id: number },
  ];
  expect((await owner.call('POST', `/staff/v1/packages/${id}/finish`)).status).toBe(200);
  const pastSettling = async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await pass();
      service.clock.advance(2 * 60_000);
    }
  };
  await pastSettling();
  expect(await reports()).toMatchObject([{ kind: 'finish', state: 'waiting', attempts: 0 }]);
  const handedOver = await owner.call('POST', `/staff/v1/orders/${placed.data.id}/fulfill`, {});
  expect(handedOver.status).toBe(200);
  await pastSettling();
  expect(await reports()).toMatchObject([
    ...[
      { kind: 'finish', state: 'waiting', attempts: 0 },
      { kind: 'sale', state: 'accepted' },
    ],
  ]);
  service.clock.advance(30 * 60_000);
  await pass();
  expect(await reports()).toMatchObject([{ kind: 'finish', state: 'accepted' }, { kind: 'sale' }]);
  expect(shop.atState(labels.flower)).toMatchObject({ quantity: 0, finishedDate: '2026-03-10' });
  await shop.close();
  expect(service.faults).toEqual([]);
});
