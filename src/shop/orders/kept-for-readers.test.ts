import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import { Database } from '../../platform/database/database.ts';

const service = await startTestService();
/** Another process that writes to the same database. */
const elsewhere = new Database(service.database.serving);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(async () => {
  await elsewhere.close();
  await service.close();
});

function list(shop: TestShop, query = {}): Promise<TestReply> {
  return service.call('GET', '/api/v1/orders', { keys: shop.keys, query });
}

async function place(shop: TestShop): Promise<TestReply['data']> {
  return (await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) })).data;
}

test('a page shows the current order and customer, also after a change by another process', async () => {
  const shop = await createTestShop(service.context);
  await place(shop);
  const { id } = await place(shop);
  expect((await list(shop)).data).toMatchObject(Array(2).fill({ status: 'new', customer: { zip: null } }));

  await tenantSql(elsewhere, shop.organizationId, `update customers set zip = '94607'`);
  expect((await list(shop)).data.map((order: TestReply['data']) => order.customer.zip)).toEqual([
    '94607',
    '94607',
  ]);
  await tenantSql(elsewhere, shop.organizationId, `update orders set status = 'packed' where id = $1`, id);
  const packed = (await list(shop)).data.filter((order: TestReply['data']) => order.status === 'packed');
  expect(packed.map((order: TestReply['data']) => order.id)).toEqual([id]);
});

test('each part of the profile that orders show is shown as it is now', async () => {
  const shop = await createTestShop(service.context);
  await place(shop);
  const shown = async () => JSON.stringify((await list(shop)).data[0].customer);
  const changes = {
    ...{
      email: 'new@customers.example.com',
      first_name: 'Ines',
      last_name: 'Marlow',
      phone: '(510) 555-0188',
    },
    ...{ hash_id: 'another', birthday: '1985-02-03', sex: 'female', zip: '94610' },
    ...{ license_expiry: '2031-04-05', medical_expiration: '2032-05-06' },
  };
  for (const [column, value] of Object.entries(changes)) {
    const before = await shown();
    await tenantSql(elsewhere, shop.organizationId, `update customers set ${column} = $1`, value);
    expect(await shown(), column).not.toBe(before);
  }
});

test('customers who earn points wait for no one and leave pages as they are kept: no profile changes', async () => {
  const shop = await createTestShop(service.context);
  const staff = await service.staff(shop);
  const rate = { pointsPerDollar: '1' };
  expect((await staff.call('PUT', '/staff/v1/loyalty-program', rate)).status).toBe(200);
  const payments = [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }];
  const body = pickupBody(shop, { payments });
  const { id } = (await service.call('POST', '/api/v1/orders', { keys: shop.keys, body })).data;
  const counted = () => tenantSql(elsewhere, shop.organizationId, 'select version from customer_versions');
  const before = await counted();
  expect((await staff.call('POST', `/staff/v1/orders/${id}/fulfill`, {})).status).toBe(200);
  const points = await tenantSql(elsewhere, shop.organizationId, 'select points from loyalty_balances');
  expect(points).toEqual([{ points: '70' }]);
  expect(await counted()).toEqual(before);
});

test('a page of one organization is not shown to another', async () => {
  const [ours, theirs] = [await createTestShop(service.context), await createTestShop(service.context)];
  const { id } = await place(ours);
  expect((await list(ours)).data).toHaveLength(1);
  expect((await list(theirs)).text).toBe('{"data":[]}');
  expect((await list(theirs, { startingAfter: id })).error?.code).toBe('INVALID_CURSOR');
});

test('a preview shows a write at once, also one of another process', async () => {
  const shop = await createTestShop(service.context, { taxes: [] });
  const body = { type: 'pickup', lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1 }] };
  const total = async (): Promise<number> =>
    (await service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body })).data.totalPrice;
  const setPrice = (database: Database, cents: number): Promise<unknown> =>
    tenantSql(
      database,
      shop.organizationId,
      `update product_options set price_cents = ${cents}, sales_price_cents = null`,
    );

  await total();
  await setPrice(service.context.database, 4000);
  expect(await total()).toBe(4000);
  await setPrice(elsewhere, 5000);
  expect(await total()).toBe(5000);
});

test('an order never uses the cache of previews', async () => {
  const shop = await createTestShop(service.context);
  const body = pickupBody(shop);
  const { data } = await service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body });
  await tenantSql(
    elsewhere,
    shop.organizationId,
    'update product_options set price_cents = price_cents + 100, sales_price_cents = null',
  );
  const { error } = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: { ...body, expectedCustomerGrandTotal: data.customerGrandTotal },
  });
  expect(error?.code).toBe('PRICE_CHANGED');
});
