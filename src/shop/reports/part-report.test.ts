import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, testOrigin } from '../../../test/harness/test-shop.ts';
import { stepOrder } from '../orders/orders.ts';

const service = await startTestService();
const shop = await createTestShop(service.context);
const stranger = await createTestShop(service.context);
const owner = await service.staff(shop);
afterAll(() => service.close());

type Row = Record<string, number> & { name: string };
const today = new Date(service.clock.now() - 12 * 3_600_000).toISOString().slice(0, 10);
const range = { from: today, to: new Date(service.clock.now() + 86_400_000).toISOString().slice(0, 10) };
const ask = (staff: typeof owner, name: string, query: object) =>
  staff.call('GET', `/staff/v1/reports/${name}`, undefined, { query: { ...query } });
const report = async (name: string, query: object = range) => {
  const reply = await ask(owner, name, query);
  expect([reply.status, reply.error]).toEqual([200, undefined]);
  return reply.data;
};

async function sell(more: object) {
  const payments = [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }];
  const body = pickupBody(shop, { payments, ...more });
  const placed = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(placed.error).toBeUndefined();
  const { id, status } = placed.data;
  const by = { staff: null };
  const step = (action: 'accept' | 'fulfill') =>
    stepOrder(service.context, testOrigin, shop.organizationId, id, action, by);
  if (status === 'draft') await step('accept');
  await step('fulfill');
}
const lines = (...keys: string[]) =>
  keys.map((key, index) => ({ productOptionId: shop.optionId(key), quantity: index + 1 }));
const sum = (rows: readonly Row[], name: string) => rows.reduce((total, row) => total + row[name]!, 0);

test('sales by vendor, customer and discount are the same sales, with cost and margin, and say what a discount took off', async () => {
  const discount = { name: 'Welcome', kind: 'order', type: 'percent', amount: 7, trigger: 'code' };
  const made = await owner.call('POST', '/staff/v1/discounts', { ...discount, codes: ['HELLO'] });
  expect(made.error).toBeUndefined();
  const bought = await owner.call('POST', '/staff/v1/purchase-orders', {
    lineItems: [
      {
        productId: shop.productId('Citrus Gummies'),
        productOptionId: shop.optionId('gummies'),
        amount: '12',
        costPerUnit: '4',
      },
    ],
    inventoryVendor: { name: 'Fernweh Farms' },
  });
  expect(bought.error).toBeUndefined();
  await sell({ lineItems: lines('gummies', 'eighth'), discountCodes: ['HELLO'] });
  await sell({ lineItems: lines('gummies') });
  await sell({ lineItems: lines('eighth') });

  const { total } = await report('sales');
  const { units, gross, net, cost, margin } = total;
  const byVendor = await report('sales-parts');
  const byCustomer = await report('sales-parts', { ...range, by: 'customer' });
  const same = { orders: 3, units, gross, net, cost, margin };
  expect([byVendor.total, byCustomer.total]).toMatchObject([same, same]);
  expect(byVendor.rows.map((row: Row) => [row.name, row.orders]).toSorted()).toEqual([
    ['Fernweh Farms', 2],
    ['Without vendor', 2],
  ]);
  expect([sum(byVendor.rows, 'net'), sum(byCustomer.rows, 'orders')]).toEqual([net, 3]);

  const { rows } = await report('sales-parts', { ...range, by: 'discount' });
  expect(rows).toMatchObject([
    { name: 'Welcome', orders: 1, discounts: total.discounts, net: rows[0].gross - total.discounts },
  ]);

  // What staff take off a price by hand is no discount of the sale, and stands beside them.
  const { data: by } = await owner.call('POST', '/staff/v1/orders', {
    ...{ type: 'in-store', lineItems: lines('tray', 'gummies'), idempotencyKey: randomUUID() },
    lineReductions: [{ productOptionId: shop.optionId('gummies'), amount: 150, reason: 'Torn bag' }],
  });
  const payments = [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }];
  const paid = await owner.call('POST', `/staff/v1/orders/${by.id}/fulfill`, { payments, idCheck: 'eye' });
  expect(paid.error).toBeUndefined();
  const given = await report('sales-parts', { ...range, by: 'discount' });
  expect(given.rows.map((row: Row) => [row.name, row.key, row.orders, row.discounts])).toEqual(
    expect.arrayContaining([
      ['Price overrides', 'price-overrides', 1, 300],
      ['Welcome', rows[0].key, 1, total.discounts],
    ]),
  );

  // An order with two of them is one sale.
  const second = { ...discount, name: 'Second', amount: 5, codes: ['MORE'] };
  expect((await owner.call('POST', '/staff/v1/discounts', second)).error).toBeUndefined();
  const before = await report('sales');
  await sell({ lineItems: lines('gummies', 'eighth'), discountCodes: ['HELLO', 'MORE'] });
  const after = await report('sales');
  const twice = await report('sales-parts', { ...range, by: 'discount' });
  expect(twice.rows.map((row: Row) => row.orders)).toEqual([2, 1, 1]);
  const names = ['orders', 'units', 'gross', 'net', 'cost', 'margin'];
  expect(names.map((name) => twice.total[name] - given.total[name])).toEqual(
    names.map((name) => after.total[name] - before.total[name]),
  );
  expect(twice.total.discounts).toBe(sum(twice.rows, 'discounts'));

  const long = await ask(owner, 'sales-parts', { from: '2026-01-01', to: '2026-04-30' });
  expect(long).toMatchObject({ status: 400, error: { code: 'INVALID_PARAMS' } });
  const ofStranger = await ask(await service.staff(stranger), 'sales-parts', { ...range, by: 'customer' });
  expect(ofStranger.data.rows).toEqual([]);
});
