import { afterAll, describe, expect, test } from 'vitest';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
const shop = await createTestShop(service.context);
const stranger = await createTestShop(service.context);
const owner = await service.staff(shop);
const budtender = await service.staff(shop, 'budtender');
const strangerOwner = await service.staff(stranger);
afterAll(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

const path = '/staff/v1/loyalty-rewards';
const flat = { name: '5 dollars off', type: 'flat', pointsRequirement: 100, discountAmount: 500 };

describe('the earning rule', () => {
  const program = '/staff/v1/loyalty-program';

  test('is 0 until it is set', async () => {
    expect((await owner.call('GET', program)).data).toMatchObject({ pointsPerDollar: '0' });
    for (const [sent, text] of [
      ['1', '1'],
      [1.5, '1.5'],
      ['0.250', '0.25'],
      [0, '0'],
    ]) {
      const reply = await owner.call('PUT', program, { pointsPerDollar: sent });
      expect([reply.status, reply.data]).toMatchObject([200, { pointsPerDollar: text }]);
      expect((await budtender.call('GET', program)).data).toEqual(reply.data);
    }
    expect((await strangerOwner.call('GET', program)).data).toMatchObject({ pointsPerDollar: '0' });
  });

  test.each([[1000.5], ['-1'], ['1e3'], [0.0000001], [null]])('of %j is refused', async (pointsPerDollar) => {
    const reply = await owner.call('PUT', program, { pointsPerDollar });
    expect(reply.error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/^pointsPerDollar must/),
    });
  });

  test('is not set over a newer change, also the first time and with concurrent changes', async () => {
    const own = await createTestShop(service.context);
    const { call } = await service.staff(own);
    const set = (pointsPerDollar: string, updatedAt: string) =>
      call('PUT', program, { pointsPerDollar }, { headers: { 'if-match': `"${updatedAt}"` } });
    const { updatedAt } = (await call('GET', program)).data;
    service.clock.advance(1000);
    const both = await Promise.all([set('1', updatedAt), set('2', updatedAt)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { data } = await call('GET', program);
    expect(both.find(({ status }) => status === 409)!.error).toMatchObject({
      code: 'STALE_EDIT',
      meta: { updatedAt: data.updatedAt },
    });
    service.clock.advance(1000);
    expect((await set(data.pointsPerDollar, data.updatedAt)).data).toEqual(data);
    service.clock.set(testNowMs);
  });

  test('is set by owners and managers only', async () => {
    expect((await budtender.call('PUT', program, { pointsPerDollar: '1' })).status).toBe(403);
    const manager = await service.staff(shop, 'manager');
    expect((await manager.call('PUT', program, { pointsPerDollar: '1' })).status).toBe(200);
  });
});

describe('a reward', () => {
  test('of each type is returned as sent', async () => {
    const rewards = [
      flat,
      { name: 'Tenth off', type: 'percent', pointsRequirement: 250, discountAmount: 10 },
      { name: 'A cent a point', type: 'cash-back', pointsRequirement: 0.5, discountAmount: '0.75' },
      {
        name: 'Free tray',
        type: 'free-product',
        pointsRequirement: '400',
        productOptionId: shop.optionId('tray'),
      },
    ];
    for (const reward of rewards) {
      const reply = await owner.call('POST', path, reward);
      expect(reply.status).toBe(201);
      const { pointsRequirement, ...rest } = { discountAmount: null, productOptionId: null, ...reward };
      const discountAmount = rest.discountAmount === null ? null : Number(rest.discountAmount);
      expect(reply.data).toMatchObject({
        ...rest,
        discountAmount,
        pointsRequirement: Number(pointsRequirement),
        endedAt: null,
      });
      expect((await budtender.call('GET', `${path}/${reply.data.id}`)).data).toEqual(reply.data);
    }
    expect((await owner.call('GET', path)).data).toHaveLength(rewards.length);
  });

  test('is changed in part by PATCH and as a whole by PUT, until it has ended', async () => {
    const { data } = await owner.call('POST', path, flat);
    service.clock.advance(1000);
    const patched = await owner.call('PATCH', `${path}/${data.id}`, { pointsRequirement: '120.50' });
    expect(patched.data).toEqual({
      ...data,
      pointsRequirement: 120.5,
      updatedAt: '2026-03-10T18:00:01.000Z',
    });
    const free = { type: 'free-product', productOptionId: shop.optionId('tray') };
    expect((await owner.call('PATCH', `${path}/${data.id}`, free)).error?.message).toBe(
      'discountAmount is not for type free-product.',
    );
    const changed = await owner.call('PATCH', `${path}/${data.id}`, { ...free, discountAmount: null });
    expect(changed.data).toMatchObject({ ...free, discountAmount: null });
    const put = await owner.call('PUT', `${path}/${data.id}`, flat);
    expect(put.data).toMatchObject({ ...flat, productOptionId: null });

    const ended = await owner.call('DELETE', `${path}/${data.id}`);
    expect(ended.data.endedAt).toBe('2026-03-10T18:00:01.000Z');
    service.clock.advance(1000);
    expect((await owner.call('DELETE', `${path}/${data.id}`)).data).toEqual(ended.data);
    const ids = async (ended: boolean) =>
      (await owner.call('GET', path, undefined, { query: { ended } })).data.map(
        ({ id }: { id: number }) => id,
      );
    expect(await ids(false)).not.toContain(data.id);
    expect(await ids(true)).toContain(data.id);
    expect((await owner.call('PATCH', `${path}/${data.id}`, { name: 'Back' })).error?.code).toBe(
      'LOYALTY_REWARD_NOT_FOUND',
    );
  });

  const cases: [string, object, string][] = [
    ['no name', { name: ' ' }, 'name must not be blank.'],
    ['thirds of a point', { pointsRequirement: 0.333 }, 'pointsRequirement must have at most 2 decimals.'],
    ['no amount', { discountAmount: null }, 'discountAmount is required for type flat.'],
    [
      'nothing',
      { discountAmount: 0 },
      'discountAmount must be a number above 0 and at most 1,000,000,000 with at most 6 decimals, or the same as text, or null.',
    ],
    [
      '0 as text',
      { discountAmount: '0.00' },
      'discountAmount must be a number above 0 and at most 1,000,000,000 with at most 6 decimals, or the same as text, or null.',
    ],
    ['fractions of a cent', { discountAmount: 0.5 }, 'discountAmount must be whole cents for type flat.'],
    [
      'more than 100 %',
      { type: 'percent', discountAmount: 101 },
      'discountAmount must be at most 100 for type percent.',
    ],
    [
      '7 decimals',
      { type: 'cash-back', discountAmount: 1e-7 },
      'discountAmount must have at most 6 decimals.',
    ],
    [
      'a product and an amount',
      { productOptionId: shop.optionId('tray') },
      'productOptionId is for type free-product only.',
    ],
    [
      'no product',
      { type: 'free-product', discountAmount: null },
      'productOptionId is required for type free-product.',
    ],
    [
      'an unknown product',
      { type: 'free-product', discountAmount: null, productOptionId: 404_404 },
      'productOptionId names no product option.',
    ],
    [
      "a stranger's product",
      { type: 'free-product', discountAmount: null, productOptionId: stranger.optionId('tray') },
      'productOptionId names no product option.',
    ],
  ];
  test.each(cases)('with %s is refused', async (_, changes, message) => {
    const reply = await owner.call('POST', path, { ...flat, ...changes });
    expect(reply.error).toEqual({ code: 'INVALID_PARAMS', message });
    const { data } = await owner.call('POST', path, flat);
    const patched = await owner.call('PATCH', `${path}/${data.id}`, changes);
    expect(patched.error).toEqual({ code: 'INVALID_PARAMS', message });
    expect((await owner.call('GET', `${path}/${data.id}`)).data).toEqual(data);
  });
});
