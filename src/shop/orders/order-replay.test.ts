import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  deliveryBody,
  pickupBody,
  type TestKeys,
  testOrigin,
} from '../../../test/harness/test-shop.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { stepOrder } from './orders.ts';

const service = await startTestService();
const shop = await createTestShop(service.context);
afterEach(async () => {
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

function place(body: object, keys: TestKeys = shop.keys): Promise<TestReply> {
  return service.call('POST', '/api/v1/orders', { keys, body });
}

async function orderCount(): Promise<number> {
  const rows = await tenantSql(
    service.context.database,
    shop.organizationId,
    'select count(*) as n from orders',
  );
  return rows[0]!.n;
}

function expectReplayOf(first: TestReply, reply: TestReply): void {
  expect(reply.status).toBe(201);
  expect(reply.headers['idempotent-replayed']).toBe('true');
  expect(reply.text).toBe(first.text);
}

test('the same request again gets the same bytes with the replay header, and creates nothing', async () => {
  const body = deliveryBody(shop, {
    deliveryNotes: 'Blue door',
    lineItems: [
      { productOptionId: shop.optionId('quarter'), quantity: 1 },
      { productOptionId: shop.optionId('half gram'), quantity: 3 },
    ],
    payments: [{ paymentTypeId: shop.paymentTypeId('Bank'), remaining: true }],
  });
  const first = await place(body);
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  const count = await orderCount();
  expectReplayOf(first, await place(body));
  expectReplayOf(first, await place({ ...body, idempotencyKey: body.idempotencyKey.toUpperCase() }));
  expect(await orderCount()).toBe(count);
});

test('any other body with the key gets its order, also one that would be refused', async () => {
  const body = pickupBody(shop);
  const first = await place(body);
  const { idempotencyKey } = body;
  const stranger = { firstName: 'Some', lastName: 'One', email: 'some.one@customers.example.com' };
  const others: object[] = [
    { lineItems: [{ productOptionId: shop.optionId('gummies'), quantity: 9 }] },
    { customer: stranger },
    { lineItems: [{ productOptionId: shop.optionId('sold out'), quantity: 1 }] },
    { lineItems: [{ productOptionId: shop.optionId('retired'), quantity: 1 }] },
    { lineItems: [{ productOptionId: 999_999_999, quantity: 1 }] },
    { expectedCustomerGrandTotal: 1 },
    { discountCodes: ['NOPE'] },
    { payments: [{ paymentTypeId: 999_999_999, remaining: true }] },
  ];
  for (const changes of others) {
    expectReplayOf(first, await place(pickupBody(shop, { idempotencyKey, ...changes })));
  }
  expectReplayOf(first, await place(deliveryBody(shop, { idempotencyKey })));
  const known = await tenantSql(
    service.context.database,
    shop.organizationId,
    `select 1 from customers where email = $1`,
    stranger.email,
  );
  expect(known).toEqual([]);
});

test('a replay shows the current order, also after a change and a cancelation', async () => {
  const body = deliveryBody(shop);
  const first = await place(body);
  for (const [action, status] of [
    ['accept', 'new'],
    ['pack', 'packed'],
    ['cancel', 'canceled'],
  ] as const) {
    service.clock.advance(60_000);
    await stepOrder(service.context, testOrigin, shop.organizationId, first.data.id, action, {
      staff: null,
      cancelationReason: 'Changed their mind',
    });
    const replay = await place(body);
    expect(replay.headers['idempotent-replayed']).toBe('true');
    const updatedAt = new Date(service.clock.now()).toISOString();
    // Lines count as changed when their stock is taken or returned.
    const lineItems = first.data.lineItems.map((line: object) => ({
      ...line,
      updatedAt: expect.any(String),
    }));
    expect(replay.data).toEqual({ ...first.data, lineItems, status, updatedAt });
  }
});

test('the same key of another integrator or organization creates another order', async () => {
  const body = pickupBody(shop);
  const first = await place(body);
  const rival = await createTestIntegrator(service.context);
  const { keys: rivalKeys } = await createTestKeys(service.context, shop.organizationId, rival);
  const theirs = await place(body, rivalKeys);
  expect(theirs).toMatchObject({ status: 201, data: { apiConsumerName: rival.name } });
  expect(theirs.headers['idempotent-replayed']).toBeUndefined();
  expect(theirs.data.id).not.toBe(first.data.id);
  const branch = await createTestShop(service.context, { integrator: shop.integrator });
  const elsewhere = await place(pickupBody(branch, { idempotencyKey: body.idempotencyKey }), branch.keys);
  expect(elsewhere.data.organizationId).toBe(branch.organizationId);

  // A second key of the same integrator is the same integrator.
  const { keys: second } = await createTestKeys(service.context, shop.organizationId, shop.integrator);
  expectReplayOf(first, await place(body, second));

  const find = (keys: TestKeys) =>
    service.call('GET', '/api/v1/orders', { keys, query: { idempotencyKey: body.idempotencyKey } });
  const found = await Promise.all([shop.keys, second, rivalKeys, branch.keys].map(find));
  expect(found.map(({ data }) => data.map(({ id }: { id: string }) => id))).toEqual([
    [first.data.id],
    [first.data.id],
    [theirs.data.id],
    [elsewhere.data.id],
  ]);
});

test('a refused attempt leaves the key free for the next', async () => {
  const idempotencyKey = randomUUID();
  const count = await orderCount();
  for (const option of ['sold out', 'retired']) {
    const lineItems = [{ productOptionId: shop.optionId(option), quantity: 1 }];
    expect((await place(pickupBody(shop, { idempotencyKey, lineItems }))).status).toBeGreaterThan(400);
  }
  const asked = await service.call('GET', '/api/v1/orders', { keys: shop.keys, query: { idempotencyKey } });
  expect(asked.data).toEqual([]);
  const placed = await place(pickupBody(shop, { idempotencyKey }));
  expect(placed.status).toBe(201);
  expect(placed.headers['idempotent-replayed']).toBeUndefined();
  expect(await orderCount()).toBe(count + 1);
});

test('"did my order go in?" is answered by the key, in upper or lower case, also with other filters', async () => {
  const body = pickupBody(shop);
  const { data } = await place(body);
  const ask = async (query: Record<string, string | number | boolean>) => {
    const reply = await service.call('GET', '/api/v1/orders', { keys: shop.keys, query });
    return reply.error?.code ?? reply.data.map(({ id }: { id: string }) => id);
  };
  const { idempotencyKey } = body;
  expect(await ask({ idempotencyKey })).toEqual([data.id]);
  expect(await ask({ idempotencyKey: idempotencyKey.toUpperCase() })).toEqual([data.id]);
  expect(await ask({ idempotencyKey, type: 'pickup', userId: data.customer.id })).toEqual([data.id]);
  expect(await ask({ idempotencyKey, type: 'delivery' })).toEqual([]);
  expect(await ask({ idempotencyKey, fulfilledOnly: true })).toEqual([]);
  expect(await ask({ idempotencyKey, startingOn: '2020-01-01' })).toEqual([]);
  expect(await ask({ idempotencyKey: randomUUID() })).toEqual([]);
  expect(await ask({ idempotencyKey: 'no-uuid' })).toBe('INVALID_IDEMPOTENCY_KEY');
});

test('a body that cannot be read is refused for that, whatever its key', async () => {
  const body = pickupBody(shop);
  await place(body);
  expect((await place({ ...body, type: 'teleport' })).error?.code).toBe('INVALID_PARAMS');
  expect((await place({ ...body, customer: undefined })).error?.code).toBe('MISSING_PARAMS');
});
