import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  pickupBody,
  type TestKeys,
  type TestShop,
} from '../../../test/harness/test-shop.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

/** A shop with the keys of two integrators that have `create-orders` and `menu`, and of one with everything. */
async function openShop() {
  const shop = await createTestShop(service.context);
  const settings = { permissions: ['create-orders', 'menu'] } as const;
  const { keys } = await createTestKeys(service.context, shop.organizationId, shop.integrator, settings);
  const otherIntegrator = await createTestIntegrator(service.context);
  const other = await createTestKeys(service.context, shop.organizationId, otherIntegrator, settings);
  return { shop, keys, others: other.keys };
}

function ask(keys: TestKeys, method: string, path: string, rest: object = {}) {
  return service.call(method, `/api/v1/${path}`, { keys, ...rest });
}

async function place(shop: TestShop, keys: TestKeys, changes: Record<string, unknown> = {}) {
  service.clock.advance(1_000);
  const body = pickupBody(shop, changes);
  const { status, data } = await ask(keys, 'POST', 'orders', { body });
  expect(status).toBe(201);
  return { id: data.id as string, key: body.idempotencyKey, total: data.customerGrandTotal };
}

test('a key with create-orders and menu does a whole shop', async () => {
  const { shop, keys } = await openShop();
  const organization = await ask(keys, 'GET', 'organization');
  expect(organization.data).toMatchObject({ name: 'Test Shop', tz: 'America/Los_Angeles' });
  const menu = await ask(keys, 'GET', 'menu', { address: 'menu' });
  expect(menu.status).toBe(200);
  const payments = await ask(keys, 'GET', 'payment-types');
  expect(payments.status).toBe(200);

  const cart = pickupBody(shop, {
    payments: [{ paymentTypeId: shop.paymentTypeId('Debit'), remaining: true }],
  });
  const { idempotencyKey: _, ...priced } = cart;
  const preview = await ask(keys, 'POST', 'orders/pricing', { body: priced });
  expect(preview.status).toBe(200);
  const total = preview.data.customerGrandTotal;
  const placed = await ask(keys, 'POST', 'orders', {
    body: { ...cart, expectedCustomerGrandTotal: total },
  });
  expect(placed).toMatchObject({ status: 201, data: { status: 'new', customerGrandTotal: total } });
  const { id } = placed.data;

  // The reply was lost: the order is found by its key.
  const found = await ask(keys, 'GET', 'orders', { query: { idempotencyKey: cart.idempotencyKey } });
  expect(found.data).toMatchObject([{ id, status: 'new', lineItems: [{ quantity: 2 }] }]);
  const detail = await ask(keys, 'GET', `orders/${id}/detail`, { query: { explain: true } });
  expect(detail.data).toMatchObject({ ...found.data[0], explanation: expect.any(Object) });

  const second = await place(shop, keys);
  const statuses = await ask(keys, 'GET', 'orders/statuses', { query: { ids: `${second.id},${id}` } });
  expect(statuses.data).toEqual([
    { id: second.id, status: 'new' },
    { id, status: 'new' },
  ]);
  const changes = await ask(keys, 'GET', 'changes', { query: { types: 'order.*' } });
  expect(changes.data.map((event: { resource: { id: string } }) => event.resource.id)).toEqual([
    id,
    second.id,
  ]);

  const canceled = await ask(keys, 'POST', `orders/${second.id}/cancel`, {
    body: { reason: 'Ordered twice' },
  });
  expect(canceled.data).toMatchObject({
    ...{ id: second.id, status: 'canceled', cancelationReason: 'Ordered twice', cancelAdminId: null },
    lineItems: [{ fulfillAs: [] }],
  });
  const staff = await service.staff(shop);
  for (const step of ['pack', 'fulfill']) await staff.call('POST', `/staff/v1/orders/${id}/${step}`, {});
  expect((await ask(keys, 'GET', `orders/${id}`)).data.status).toBe('fulfilled');
  expect((await ask(keys, 'GET', 'orders')).data.map((order: { id: string }) => order.id)).toEqual([
    second.id,
    id,
  ]);
});

test('an own cancellation gives back the stock, is in the audit and the events, and happens once', async () => {
  const { shop, keys } = await openShop();
  const onHand = async () =>
    (
      await tenantSql(
        service.context.database,
        shop.organizationId,
        'select sum(on_hand)::text as sum from stock_balances',
      )
    )[0]!.sum;
  const before = await onHand();
  const { id } = await place(shop, keys);
  expect(await onHand()).not.toBe(before);
  const headers = { 'idempotency-key': 'cancel-1' };
  const cancel = () => ask(keys, 'POST', `orders/${id}/cancel`, { body: {}, headers });
  const [first, replayed] = await Promise.all([cancel(), cancel()]);
  expect([first.status, replayed.status]).toEqual([200, 200]);
  expect(first.data).toEqual(replayed.data);
  expect(first.data.cancelationReason).toBe(`Canceled by ${shop.integrator.name}`);
  expect(await onHand()).toBe(before);
  const rows = await tenantSql(
    service.context.database,
    shop.organizationId,
    `select a.actor, (select count(*)::int from outbox_events where type = 'order.canceled') as events
       from audit_entries a where a.action = 'order.canceled'`,
  );
  expect(rows).toEqual([{ actor: expect.stringMatching(/^key:\d+$/), events: 1 }]);
  const again = await ask(keys, 'POST', `orders/${id}/cancel`, { body: {} });
  expect(again).toMatchObject({ status: 200, data: first.data });
});

test('an order that is packed is canceled by staff only', async () => {
  const { shop, keys } = await openShop();
  const { id } = await place(shop, keys);
  const staff = await service.staff(shop);
  await staff.call('POST', `/staff/v1/orders/${id}/pack`, {});
  const refused = await ask(keys, 'POST', `orders/${id}/cancel`, { body: {} });
  expect(refused).toMatchObject({
    status: 409,
    error: { code: 'INVALID_ORDER_TRANSITION', meta: { status: 'packed' } },
  });
});

test('the orders of others are neither listed, read nor canceled, and their status is not told', async () => {
  const { shop, keys, others } = await openShop();
  const own = await place(shop, keys);
  const theirs = await place(shop, others);
  for (const [method, path] of [
    ['GET', `orders/${theirs.id}/detail`],
    ['POST', `orders/${theirs.id}/cancel`],
  ] as const) {
    const reply = await ask(keys, method, path, method === 'POST' ? { body: {} } : {});
    expect(reply).toMatchObject({ status: 404, error: { code: 'ORDER_NOT_FOUND' } });
  }
  expect((await ask(keys, 'GET', 'orders')).data).toMatchObject([{ id: own.id }]);
  expect((await ask(keys, 'GET', 'orders', { query: { idempotencyKey: theirs.key } })).data).toEqual([]);
  const behind = await ask(keys, 'GET', 'orders', { query: { startingAfter: theirs.id } });
  expect(behind).toMatchObject({ status: 400, error: { code: 'INVALID_CURSOR' } });
  expect((await ask(keys, 'GET', 'orders', { query: { startingAfter: own.id } })).data).toEqual([]);
  const status = await ask(keys, 'GET', `orders/${theirs.id}`);
  expect(status).toMatchObject({ status: 404, error: { code: 'ORDER_NOT_FOUND' } });
  const statuses = await ask(keys, 'GET', 'orders/statuses', { query: { ids: `${theirs.id},${own.id}` } });
  expect(statuses.data).toEqual([{ id: own.id, status: 'new' }]);
  // With analytics, and for another filter.
  expect((await ask(shop.keys, 'GET', 'orders')).data).toHaveLength(2);
  const filtered = await ask(keys, 'GET', 'orders', { query: { status: 'new' } });
  expect(filtered).toMatchObject({ status: 403, error: { code: 'INSUFFICIENT_PERMISSIONS' } });
  expect(filtered.error!.message).toContain('analytics to send status');
});

test('a hundred statuses are asked for at once; unknown ids are left out', async () => {
  const { shop, keys } = await openShop();
  const { id } = await place(shop, keys);
  const strange = Array.from({ length: 99 }, () => randomUUID());
  const all = [...strange.slice(0, 50), id, ...strange.slice(50)];
  const statuses = (ids: readonly string[]) =>
    ask(keys, 'GET', 'orders/statuses', { query: { ids: ids.join(',') } });
  expect((await statuses(all)).data).toEqual([{ id, status: 'new' }]);
  expect((await statuses([id, '', '4711', id])).data).toEqual([{ id, status: 'new' }]);
  const tooMany = await statuses([...all, randomUUID()]);
  expect(tooMany).toMatchObject({ status: 400, error: { code: 'INVALID_PARAMS' } });
});
