import { randomUUID } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
import { productBody } from '../../src/shop/catalog/product-bodies.test-support.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { startTestService, type TestReply, type TestRequest } from '../harness/test-service.ts';
import { createTestShop, type ShopSettings, type TestShop } from '../harness/test-shop.ts';

const service = await startTestService();
const { database } = service.context;
/** Blocks of ids are fetched once in a thousand ids: they do not count for an operation. */
const blocks = vi.spyOn(database, 'global');
afterAll(() => service.close());

/** A shop with that many products, each with one option and one package. */
function shopOf(productCount: number): Promise<TestShop> {
  const products: ShopSettings['products'] = Array.from({ length: productCount }, (_, at) => ({
    key: `product ${at}`,
    tags: ['Staff pick'],
    options: [{ key: `option ${at}`, priceCents: 2500 }],
    stock: [{ option: `option ${at}`, amount: '1000', label: `1A4FF${String(at).padStart(19, '0')}` }],
  }));
  return createTestShop(service.context, { products });
}

/** The size of a cart and of a menu, and of a page of orders. */
const sizes = [1, 200] as const;
const shops = new Map<number, TestShop>();
for (const size of sizes) shops.set(size, await shopOf(size));

function cart(shop: TestShop, lineCount: number, type: 'pickup' | 'delivery') {
  return {
    type,
    lineItems: Array.from({ length: lineCount }, (_, at) => ({
      productOptionId: shop.optionId(`option ${at}`),
      quantity: 2,
    })),
    customer: { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' },
    idempotencyKey: randomUUID(),
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    deliveryFee: 0,
    address: { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' },
  };
}

async function call(
  shop: TestShop,
  method: string,
  path: string,
  request: TestRequest = {},
): Promise<TestReply> {
  const reply = await service.call(method, path, { keys: shop.keys, ...request });
  expect(reply.error).toBeUndefined();
  return reply;
}

interface Cost {
  readonly statements: number;
  readonly roundTrips: number;
}

async function costOf(run: () => Promise<unknown>): Promise<Cost> {
  const { statements, roundTrips } = database.statistics;
  const blockCount = blocks.mock.calls.length;
  await run();
  const fetched = blocks.mock.calls.length - blockCount;
  return {
    statements: database.statistics.statements - statements - fetched,
    roundTrips: database.statistics.roundTrips - roundTrips - fetched,
  };
}

// The first order of a shop also makes the customer, and the first request looks the keys up.
const lastOrderId = new Map<TestShop, string>();
const newestOrderId = new Map<TestShop, string>();
for (const [size, shop] of shops) {
  const { data } = await call(shop, 'POST', '/api/v1/orders', { body: cart(shop, size, 'delivery') });
  lastOrderId.set(shop, data.id);
  // A full page with rows after it; at least one after the newest.
  for (let count = 1; count < Math.max(2, Math.min(size, 60)); count++) {
    await call(shop, 'POST', '/api/v1/orders', { body: cart(shop, 1, 'delivery') });
  }
  const [newest] = await tenantSql(
    database,
    shop.organizationId,
    'select id from orders order by created_at desc, id desc limit 1',
  );
  newestOrderId.set(shop, newest!.id);
  await call(shop, 'GET', '/api/v1/orders', { query: { startingAfter: newest!.id } });
}

type Row = readonly [
  name: string,
  run: (shop: TestShop, size: number) => Promise<unknown>,
  cost: (size: number) => Cost,
  /** Not counted. */
  prepare?: (shop: TestShop) => Promise<unknown>,
];

const get =
  (path: string, query: NonNullable<TestRequest['query']> = {}) =>
  (shop: TestShop) =>
    call(shop, 'GET', path, { query });
const always = (statements: number, roundTrips: number) => (): Cost => ({ statements, roundTrips });

/** Created by the row before the rows that change it. */
const newestProduct = new Map<TestShop, { id: number; options: { id: number }[] }>();

const rows: readonly Row[] = [
  ['a menu', get('/api/v1/menu'), always(13, 1)],
  ['a menu again, unchanged', get('/api/v1/menu'), always(0, 0)],
  ['all products', get('/api/v1/products/all'), always(10, 1)],
  ['tags', get('/api/v1/products/tags'), always(2, 1)],
  ['categories', get('/api/v1/product-categories'), always(2, 1)],
  ['sub-categories', get('/api/v1/product-sub-categories'), always(2, 1)],
  ['payment types', get('/api/v1/payment-types'), always(2, 1)],
  ['locations', get('/api/v1/inventory-locations'), always(2, 1)],
  ['the organization', get('/api/v1/organization'), always(2, 1)],
  ['an order status', (shop) => get(`/api/v1/orders/${lastOrderId.get(shop)}`)(shop), always(2, 1)],
  ['an order', (shop) => get(`/api/v1/orders/${lastOrderId.get(shop)}/detail`)(shop), always(3, 1)],
  // Orders that are not cached are read with a second round trip.
  ['a page of orders', get('/api/v1/orders'), always(4, 2)],
  ['a page of orders again, unchanged', get('/api/v1/orders'), always(2, 1)],
  [
    'a page of orders after a cursor, shown before',
    (shop) => get('/api/v1/orders', { startingAfter: newestOrderId.get(shop)! })(shop),
    always(2, 1),
  ],
  ['a page of orders from a day', get('/api/v1/orders', { startingOn: '2026-03-10' }), always(4, 2)],
  [
    'a draft',
    (shop, size) => call(shop, 'POST', '/api/v1/orders', { body: cart(shop, size, 'delivery') }),
    // Claim, lock of the customer, places, stock, version of the terms, customer with account and purchases; head,
    // lines, taxes, payment, steps of the arithmetic, audit, event.
    always(2 + 6 + 7 + 1, 2),
  ],
  [
    'an order that takes stock',
    (shop, size) => call(shop, 'POST', '/api/v1/orders', { body: cart(shop, size, 'pickup') }),
    // The same, plus held stock, the ledger and the balances.
    always(2 + 6 + 10 + 1, 2),
  ],
  [
    'a priced cart after a change of the terms',
    (shop, size) => call(shop, 'POST', '/api/v1/orders/pricing', { body: cart(shop, size, 'delivery') }),
    // Version, customer with account and purchases; all terms of a cart, with the delivery zone of its address; the customer
    // again, by the new terms, whose version was read with them. The change drops the stock that was kept for previews too: places and levels are read
    // beside the others, so they add a round trip and no wait.
    always(3 + 9 + 4 + 2, 4),
    (shop) => tenantSql(database, shop.organizationId, 'update organizations set tz = tz'),
  ],
  [
    'a priced cart again: only whether the version is still the same, and what the customer brings',
    (shop, size) => call(shop, 'POST', '/api/v1/orders/pricing', { body: cart(shop, size, 'delivery') }),
    always(3, 1),
  ],
  [
    'a new product',
    async (shop, size) => {
      const options = Array(Math.min(size, 100)).fill({ amount: 1, price: 100, content: '1' });
      const { data } = await call(shop, 'POST', '/api/v1/products', { body: productBody({ options }) });
      newestProduct.set(shop, data);
    },
    // Its category and brand; the product and its options; the four reads of the reply; its doubtful contents; audit,
    // event.
    always(2 + 2 + 2 + 4 + 1 + 2 + 1, 3),
  ],
  [
    'its options, replaced',
    (shop) => {
      const { id, options } = newestProduct.get(shop)!;
      return call(shop, 'PUT', `/api/v1/products/${id}/options`, {
        body: { options: options.map(({ id }) => ({ id, upc: 'counted' })) },
      });
    },
    // Lock, category, stock and four reads; options and product; the same reads; doubtful contents; audit, event.
    always(2 + 7 + 2 + 4 + 1 + 2 + 1, 3),
  ],
];

test('every request takes the same statements and round trips for one row and for many', async () => {
  const expected: Record<string, Cost[]> = {};
  const actual: Record<string, Cost[]> = {};
  // One after the other: some rows use the result of the row before.
  for (const [name, run, cost, prepare] of rows) {
    expected[name] = sizes.map(cost);
    actual[name] = [];
    for (const size of sizes) {
      await prepare?.(shops.get(size)!);
      actual[name].push(await costOf(() => run(shops.get(size)!, size)));
    }
  }
  expect(actual).toEqual(expected);
});

test('a replay costs the claim and one read of the order of any size', async () => {
  for (const size of sizes) {
    const shop = shops.get(size)!;
    const body = cart(shop, size, 'pickup');
    await call(shop, 'POST', '/api/v1/orders', { body });
    const cost = await costOf(() => call(shop, 'POST', '/api/v1/orders', { body }));
    expect(cost).toEqual({ statements: 20, roundTrips: 3 });
  }
});

test('keys are looked up once in 800 ms, not once a request', async () => {
  const shop = shops.get(1)!;
  const { statements } = database.statistics;
  await call(shop, 'GET', '/api/v1/payment-types');
  expect(database.statistics.statements - statements).toBe(2);
  service.clock.advance(800);
  await call(shop, 'GET', '/api/v1/payment-types');
  expect(database.statistics.statements - statements).toBe(2 + 3 + 2);
});
