import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
let shop: TestShop;
let staff: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  staff = await service.staff(shop, 'inventory');
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const path = '/staff/v1/purchase-orders';
const concurrent = 20;

async function createOrder() {
  const { status, data } = await staff.call('POST', path, {
    lineItems: [
      {
        productId: shop.productId('Moonlit Grove'),
        productOptionId: shop.optionId('sold out'),
        amount: '10',
        costPerUnit: '100',
      },
    ],
    expectedAt: '2026-03-14',
    inventoryVendor: { name: 'Tidewater Distribution' },
  });
  expect(status).toBe(201);
  return data;
}

const receive = (
  order: { id: number; lineItems: { id: number }[] },
  key: string | null,
  changes: object = {},
) =>
  staff.call('POST', `${path}/${order.id}/receptions${key === null ? '' : `?idempotencyKey=${key}`}`, [
    {
      lineItemId: order.lineItems[0]!.id,
      inventoryLocationId: shop.locationId('Storefront'),
      amount: '4',
      ...changes,
    },
  ]);
const pay = (order: { id: number }, changes: object = {}) =>
  staff.call('POST', `${path}/${order.id}/payments`, { amount: 10_000, ...changes });

async function ledger() {
  const [row] = await tenantSql(
    service.context.database,
    shop.organizationId,
    `select (select sum(delta)::text from stock_ledger_entries where cause_id in (select id from purchase_order_receptions)) as received,
            (select count(*)::int from outbox_events where type = 'purchase_order.received') as receptions,
            (select count(*)::int from outbox_events where type = 'purchase_order.paid') as payments`,
  );
  return row;
}

test('twenty equal concurrent requests receive goods once and pay once', async () => {
  const order = await createOrder();
  const key = randomUUID();
  const received = await Promise.all(Array.from({ length: concurrent }, () => receive(order, key)));
  const paid = await Promise.all(
    Array.from({ length: concurrent }, () => pay(order, { idempotencyKey: key })),
  );
  for (const replies of [received, paid]) {
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    const replayed = replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true');
    expect(replayed).toHaveLength(concurrent - 1);
  }
  expect(paid.at(-1)?.data).toMatchObject({ totalAmountReceived: '4', amountPaid: 10_000 });
  expect(await ledger()).toEqual({ received: '4', receptions: 1, payments: 1 });
});

test('a retry gets the current order, whatever it contains and even if the order is closed', async () => {
  const order = await createOrder();
  const key = randomUUID();
  await receive(order, key);
  await pay(order, { idempotencyKey: key });
  await pay(order, { amount: 500 });
  await staff.call('POST', `${path}/${order.id}/close`);
  for (const retry of [
    await receive(order, key.toUpperCase(), { amount: '9' }),
    await pay(order, { amount: 1, idempotencyKey: key.toUpperCase() }),
  ]) {
    expect([retry.status, retry.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(retry.data).toMatchObject({ status: 'closed', totalAmountReceived: '4', amountPaid: 10_500 });
  }
  expect((await receive(order, randomUUID())).error?.code).toBe('PURCHASE_ORDER_CLOSED');
  expect(await ledger()).toEqual({ received: '4', receptions: 1, payments: 2 });
});

test('a refused attempt leaves the key free; another order, another key or no key is another request', async () => {
  const order = await createOrder();
  const other = await createOrder();
  const key = randomUUID();
  expect((await receive(order, key, { inventoryLocationId: 1 })).status).toBe(404);
  expect((await pay(order, { amount: 100_001, idempotencyKey: key })).status).toBe(400);
  const all = [
    await receive(order, key),
    await receive(other, key),
    await receive(order, randomUUID()),
    await receive(order, null),
    await pay(order, { idempotencyKey: key }),
    await pay(other, { idempotencyKey: key }),
    await pay(order, { idempotencyKey: randomUUID() }),
    await pay(order),
  ];
  expect(all.map(({ status, headers }) => [status, headers['idempotent-replayed']])).toEqual(
    all.map(() => [201, undefined]),
  );
  expect(await ledger()).toEqual({ received: '16', receptions: 4, payments: 4 });
});

test('a key that is not a UUID v4 is refused', async () => {
  const order = await createOrder();
  expect((await receive(order, 'abc')).error?.code).toBe('INVALID_IDEMPOTENCY_KEY');
  expect((await pay(order, { idempotencyKey: 'abc' })).error?.code).toBe('INVALID_IDEMPOTENCY_KEY');
});
