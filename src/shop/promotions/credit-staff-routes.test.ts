import { afterAll, describe, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
const shop = await createTestShop(service.context);
const owner = await service.staff(shop);
afterAll(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

let count = 0;
async function newCustomer(): Promise<{ id: number; email: string }> {
  const email = `customer-${++count}@customers.example.com`;
  const body = pickupBody(shop, { customer: { firstName: 'Ines', lastName: 'Abara', email } });
  const placed = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  return { id: placed.data.customer.id, email };
}

const credit = { type: 'store-credit', amount: 1500, description: 'A broken jar' };
const creditsOf = (customerId: number) => `/staff/v1/customers/${customerId}/credits`;

describe('a credit', () => {
  test('is returned as issued, and listed with the rest after an order used it', async () => {
    const { id, email } = await newCustomer();
    const issued = await owner.call('POST', creditsOf(id), credit);
    expect(issued.status).toBe(201);
    expect(issued.data).toEqual({
      id: issued.data.id,
      ...credit,
      remaining: 1500,
      percent: null,
      remainingUses: null,
      expiresAt: null,
      createdAt: '2026-03-10T18:00:00.000Z',
      updatedAt: '2026-03-10T18:00:00.000Z',
    });
    const expiresAt = '2026-03-10T18:00:00.001Z';
    const percent = await owner.call('POST', creditsOf(id), {
      type: 'promo-code',
      percent: '12.5',
      description: 'Welcome',
      expiresAt,
    });
    expect(percent.data).toMatchObject({
      percent: 12.5,
      amount: null,
      remaining: null,
      remainingUses: 1,
      expiresAt,
    });
    const fixed = { type: 'promo-code', amount: 200, percent: null, description: 'Two dollars' };
    expect((await owner.call('POST', creditsOf(id), fixed)).data).toMatchObject(fixed);

    const customer = { firstName: 'Ines', lastName: 'Abara', email };
    const body = pickupBody(shop, { customer });
    const order = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    expect(order.data.credits).toHaveLength(3);
    const { data } = await owner.call('GET', creditsOf(id));
    expect(
      data.map((each: { remaining: number; remainingUses: number }) => each.remaining ?? each.remainingUses),
    ).toEqual([0, 0, 0]);
  });

  const cases: [string, object, string][] = [
    ['both', { type: 'promo-code', percent: 5 }, 'amount and percent must not both be given.'],
    ['neither', { amount: undefined }, 'amount or percent must be given.'],
    ['null', { amount: null }, 'amount or percent must be given.'],
    ['a percentage of store credit', { amount: null, percent: 5 }, 'percent is for type promo-code only.'],
    [
      'more than 100 %',
      { type: 'promo-code', amount: null, percent: '100.1' },
      'percent must be at most 100.',
    ],
    [
      '0 %',
      { type: 'promo-code', amount: null, percent: 0 },
      'percent must be a number above 0 and at most 1,000,000,000 with at most 6 decimals, or the same as text, or null.',
    ],
    ['0 cents', { amount: 0 }, 'amount must be a whole number from 1 to 1,000,000,000, or null.'],
    [
      'a fraction of a cent',
      { amount: 1.5 },
      'amount must be a whole number from 1 to 1,000,000,000, or null.',
    ],
    ['the past', { expiresAt: '2026-03-10T18:00:00.000Z' }, 'expiresAt must be in the future.'],
    ['no reason', { description: '  ' }, 'description must not be blank.'],
    ['another type', { type: 'gift' }, 'type must be one of store-credit, promo-code.'],
  ];
  test.each(cases)('of %s is refused', async (_, changes, message) => {
    const { id } = await newCustomer();
    const reply = await owner.call('POST', creditsOf(id), { ...credit, ...changes });
    expect(reply.error).toEqual({ code: 'INVALID_PARAMS', message });
    expect((await owner.call('GET', creditsOf(id))).data).toEqual([]);
  });
});

describe("a customer's points", () => {
  const adjustmentsOf = (customerId: number) => `/staff/v1/customers/${customerId}/loyalty-adjustments`;
  const adjust = (customerId: number, pointsAmount: unknown) =>
    owner.call('POST', adjustmentsOf(customerId), { pointsAmount, reason: 'A lost receipt' });
  const pointsOf = async (customerId: number) => {
    const { data } = await service.call('GET', `/api/v1/customers/${customerId}`, { keys: shop.keys });
    return data.loyalty.pointsAmount;
  };

  test('are added and removed manually, never below 0', async () => {
    const { id } = await newCustomer();
    const given = await adjust(id, 10.25);
    expect(given.status).toBe(201);
    expect(given.data).toEqual({
      id: given.data.id,
      organizationId: shop.organizationId,
      userId: id,
      type: 'adjusted',
      pointsAmount: 10.25,
      reason: 'A lost receipt',
      createdAt: '2026-03-10T18:00:00.000Z',
      updatedAt: '2026-03-10T18:00:00.000Z',
    });
    expect((await adjust(id, '-0.25')).data.pointsAmount).toBe(-0.25);
    expect((await adjust(id, -10.01)).error).toEqual({
      code: 'INVALID_PARAMS',
      message: 'pointsAmount must not take more points than the customer has.',
    });
    expect(await pointsOf(id)).toBe(10);
    expect((await adjust(id, -10)).status).toBe(201);
    expect(await pointsOf(id)).toBe(0);
  });

  test.each([0, '0.00', 0.001, '1.234', 1e-7, 'ten', null])('of %j are refused', async (points) => {
    const { id } = await newCustomer();
    expect((await adjust(id, points)).error).toEqual({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/^pointsAmount must be a number other than 0 .*with at most 2 decimals/),
    });
  });

  test('removed by many requests at once are removed once each', async () => {
    const { id } = await newCustomer();
    await adjust(id, 50);
    const replies = await Promise.all(Array.from({ length: 8 }, () => adjust(id, -20)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(6).fill(400)]);
    expect(await pointsOf(id)).toBe(10);
  });
});
