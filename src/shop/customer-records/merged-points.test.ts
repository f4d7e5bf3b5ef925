import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, testOrigin } from '../../../test/harness/test-shop.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { movePoints } from '../promotions/promotions.ts';

const service = await startTestService();
const { context, clock } = service;
const shop = await createTestShop(context);
const manager = await service.staff(shop, 'manager');
afterEach(async () => {
  expect(service.faults).toEqual([]);
  expect(await brokenRules(context.database, shop.organizationId)).toEqual([]);
});
afterAll(() => service.close());

const customers = '/staff/v1/customers';
const sql = (text: string) => tenantSql(context.database, shop.organizationId, text);
const balanceOf = async (id: number) =>
  (
    await sql(
      `select points::integer as points, owed::integer as owed from loyalty_balances where user_id = ${id}`,
    )
  )[0];
const merge = async (fromId: number, intoCustomerId: number) => {
  const { error } = await manager.call('POST', `${customers}/${fromId}/merge`, { intoCustomerId });
  expect(error).toBeUndefined();
};
const create = async (firstName: string): Promise<number> => {
  const body = { firstName, lastName: 'Okafor', email: `${firstName}@customers.example.com` };
  return (await manager.call('POST', customers, body)).data.id;
};

/** A customer from whom returned goods took points that were spent. */
async function owing(firstName: string, points: number): Promise<number> {
  const customer = { firstName, lastName: 'Okafor', email: `${firstName}@customers.example.com` };
  const body = pickupBody(shop, { customer });
  const { data: order } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  const [row] = await sql(`select user_id from orders where id = '${order.id}'`);
  const userId = Number(row!.user_id);
  await context.database.write(shop.organizationId, (tx) =>
    movePoints(tx, context, testOrigin, {
      ...{ userId, type: 'taken-back', points: String(-points), reason: 'Goods returned' },
      ...{ orderId: order.id, causeId: userId, atMs: clock.now() },
    }),
  );
  return userId;
}

test('a merge adds up points, also of a customer who owes some', async () => {
  const [one, other, third] = [await owing('ada', 10), await owing('ben', 20), await owing('cy', 5)];
  const into = await create('marisol');
  await merge(one, into);
  expect(await balanceOf(into)).toEqual({ points: -10, owed: 10 });
  await merge(into, other);
  expect(await balanceOf(other)).toEqual({ points: -30, owed: 30 });
  const rich = await create('mary');
  await manager.call('POST', `${customers}/${rich}/loyalty-adjustments`, {
    pointsAmount: 28,
    reason: 'Welcome',
  });
  await merge(rich, other);
  expect(await balanceOf(other)).toEqual({ points: -2, owed: 2 });
  await merge(other, third);
  expect(await sql('select points::integer as points, owed::integer as owed from loyalty_balances')).toEqual([
    { points: -7, owed: 7 },
  ]);
});
