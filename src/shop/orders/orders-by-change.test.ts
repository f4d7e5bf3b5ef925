import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import {
  startOwnTestService,
  startTestService,
  type TestReply,
  type TestService,
} from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
/** Another process with the same database. */
const elsewhere = await startOwnTestService({ database: service.database });
afterEach(() => expect([...service.faults, ...elsewhere.faults]).toEqual([]));
afterAll(async () => {
  await elsewhere.close();
  await service.close();
});

type Query = Readonly<Record<string, string | number | boolean>>;
type Order = TestReply['data'];
const byChange = { sortBy: 'updatedAt' };

async function list(shop: TestShop, query: Query, asked: TestService = service): Promise<Order[]> {
  const reply = await asked.call('GET', '/api/v1/orders', { keys: shop.keys, query });
  expect(reply.error).toBeUndefined();
  return reply.data;
}

async function place(shop: TestShop, body: object): Promise<Order> {
  const reply = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(reply.error).toBeUndefined();
  return reply.data;
}

const idsOf = (orders: readonly Order[]): string[] => orders.map(({ id }) => id);

/** Three pages of orders, which change one after another in the opposite order of placing. */
async function threePages(): Promise<TestShop> {
  const shop = await createTestShop(service.context);
  await place(shop, deliveryBody(shop));
  const { id } = await place(shop, pickupBody(shop));
  await tenantSql(
    service.context.database,
    shop.organizationId,
    `with copies as (select gen_random_uuid() as copy_id, i from generate_series(1, 128) i),
     read_with as (
       insert into order_explanations (organization_id, order_id, shown_rows)
       select k.organization_id, copy_id, k.shown_rows from order_explanations k, copies where k.order_id = $1)
     insert into orders
     select (jsonb_populate_record(o, jsonb_build_object('id', copy_id, 'number', null, 'idempotency_key', null,
              'type', (array['pickup', 'delivery', 'in-store'])[1 + i % 3],
              'status', case when i % 5 = 0 then 'draft' when i % 5 = 1 then 'packed' else 'new' end,
              'created_at', o.created_at - i * interval '1 second',
              'updated_at', o.updated_at - interval '2 hours' + i / 2 * interval '1 minute'))).*
       from orders o, copies where o.id = $1`,
    id,
  );
  return shop;
}

async function change(shop: TestShop, id: string): Promise<void> {
  service.clock.advance(1_000);
  const at = new Date(service.clock.now()).toISOString();
  const { database } = service.context;
  await tenantSql(database, shop.organizationId, `update orders set updated_at = '${at}' where id = $1`, id);
}

/** Follows the cursor to the end; `between` runs after each page. */
async function allPages(
  shop: TestShop,
  query: Query,
  between?: (page: readonly Order[]) => Promise<TestService | undefined>,
): Promise<Order[]> {
  const orders: Order[] = [];
  let asked = service;
  for (;;) {
    const last = orders.at(-1)?.id;
    const page = await list(shop, last === undefined ? query : { ...query, startingAfter: last }, asked);
    orders.push(...page);
    if (page.length < 50) return orders;
    asked = (await between?.(page)) ?? service;
  }
}

test('the list by change is every order, latest change first, and each filter keeps its own', async () => {
  const shop = await threePages();
  const listed = await allPages(shop, byChange);
  const rows = await tenantSql(
    service.context.database,
    shop.organizationId,
    'select id, type, status, updated_at from orders order by updated_at desc, id desc',
  );
  expect(listed.map(({ id, updatedAt }) => [id, Date.parse(updatedAt)])).toEqual(
    rows.map(({ id, updated_at }) => [id, updated_at]),
  );
  const ofStatus = (status: string) => rows.filter((row) => row.status === status);
  expect(idsOf(await allPages(shop, { ...byChange, status: 'packed' }))).toEqual(idsOf(ofStatus('packed')));
  expect(idsOf(await allPages(shop, { ...byChange, status: 'new', type: 'delivery' }))).toEqual(
    idsOf(ofStatus('new').filter((row) => row.type === 'delivery')),
  );
  expect(new Set(idsOf(await allPages(shop, { status: 'new' })))).toEqual(new Set(idsOf(ofStatus('new'))));
  expect(await list(shop, { status: 'new', fulfilledOnly: true })).toEqual([]);
});

test('pages continue where the last one ended, although its last order has moved to the front', async () => {
  const shop = await threePages();
  const before = await list(shop, byChange);
  const all = new Set(idsOf(await allPages(shop, byChange)));
  const seen = await allPages(shop, byChange, async (page) => {
    await change(shop, page.at(-1).id);
  });
  expect(idsOf(seen.slice(0, 50))).toEqual(idsOf(before));
  expect(new Set(idsOf(seen))).toEqual(all);
  expect(seen).toHaveLength(all.size);
});

test('when another process answers, an order may come twice, and none is left out', async () => {
  const shop = await threePages();
  const all = new Set(idsOf(await allPages(shop, byChange)));
  let moves = 0;
  const seen = await allPages(shop, byChange, async (page) => {
    if (moves++ > 0) return elsewhere;
    await change(shop, page.at(-1).id);
    return elsewhere;
  });
  expect(new Set(idsOf(seen))).toEqual(all);
});

test('every change of an order moves its updatedAt, also when the clock stands still', async () => {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const paid = { payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }] };
  const { id, customer } = await place(shop, deliveryBody(shop, paid));
  const detail = async () =>
    (await service.call('GET', `/api/v1/orders/${id}/detail`, { keys: shop.keys })).data;
  let shown = await detail();
  const lineItems = [
    {
      orderLineItemId: shown.lineItems[0].id,
      quantity: 1,
      type: 'return',
      inventoryAction: 'inventory',
      reason: 'Torn',
    },
  ];
  const order = `/staff/v1/orders/${id}`;
  const returned = {
    refundType: 'payment-method',
    paymentTypeId: shop.paymentTypeId('Cash'),
    lineItems,
  };
  const changes: (() => Promise<TestReply>)[] = [
    ...(shown.status === 'draft' ? [() => owner.call('POST', `${order}/accept`, {})] : []),
    () => owner.call('PATCH', order, { deliveryNotes: 'Blue door' }),
    () => owner.call('POST', `${order}/pack`, {}),
    () => owner.call('POST', `${order}/dispatch`, { status: 'active', driverName: 'Tomas Reyes' }),
    () => owner.call('POST', `${order}/dispatch`, { status: 'completed' }),
    () => owner.call('POST', `${order}/fulfill`, {}),
    () => owner.call('POST', `${order}/returns`, returned),
    async () =>
      owner.call('POST', `/staff/v1/order-returns/${(await detail()).returns[0].id}/void`, {
        reason: 'Typed wrongly',
      }),
    async () => {
      const into = await owner.call('POST', '/staff/v1/customers', { firstName: 'Ana', lastName: 'Two' });
      return owner.call('POST', `/staff/v1/customers/${customer.id}/merge`, { intoCustomerId: into.data.id });
    },
    async () => owner.call('DELETE', `/staff/v1/customers/${(await detail()).userId}`),
  ];
  for (const change of changes) {
    const reply = await change();
    expect(reply.error).toBeUndefined();
    const now = await detail();
    expect(now.updatedAt > shown.updatedAt).toBe(true);
    expect(await list(shop, byChange)).toEqual([now]);
    const { data } = await owner.call('GET', order);
    expect(data.updatedAt).toBe(now.updatedAt);
    shown = now;
  }
});
