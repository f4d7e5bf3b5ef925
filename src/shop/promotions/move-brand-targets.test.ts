import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
afterAll(() => service.close());

test('discounts on a merged brand move to the other brand, once and audited; other discounts stay as they are', async () => {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const brand = async (name: string): Promise<number> =>
    (await owner.call('POST', '/staff/v1/brands', { name })).data.id;
  const [halden, haldenAgain, other] = [
    await brand('Halden'),
    await brand('Halden Row'),
    await brand('Other'),
  ];
  const discount = async (content: object): Promise<number> => {
    const { data, text } = await owner.call('POST', '/staff/v1/discounts', {
      name: 'Brand of the month',
      kind: 'line',
      type: 'percent',
      amount: '10',
      ...content,
    });
    expect(data, text).toBeDefined();
    return data.id;
  };
  const onOne = await discount({ targets: { brandIds: [other, haldenAgain] } });
  const onBoth = await discount({ targets: { brandIds: [haldenAgain, halden, other] } });
  const onAnother = await discount({ targets: { brandIds: [other] } });
  const bought = await discount({
    kind: 'buy-x-get-y',
    buyQuantity: 2,
    getQuantity: 1,
    buyTargets: { brandIds: [halden, other, haldenAgain] },
  });
  const read = async (id: number) => (await owner.call('GET', `/staff/v1/discounts/${id}`)).data;
  const untouched = await read(onAnother);
  service.clock.advance(60_000);

  const merged = await owner.call('POST', `/staff/v1/brands/${haldenAgain}/merge`, { intoBrandId: halden });
  expect([merged.status, merged.error]).toEqual([200, undefined]);
  expect((await read(onOne)).targets.brandIds).toEqual([other, halden]);
  expect((await read(onBoth)).targets.brandIds).toEqual([halden, other]);
  expect((await read(bought)).buyTargets.brandIds).toEqual([halden, other]);
  expect(await read(onAnother)).toEqual(untouched);
  const { data: entries } = await owner.call('GET', '/staff/v1/audit-log');
  const updated = entries
    .filter(({ action }: { action: string }) => action === 'discount.updated')
    .map(({ subjectId }: { subjectId: string }) => Number(subjectId));
  expect(updated.sort()).toEqual([onOne, onBoth, bought].sort());
});
