import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, type ShopSettings, type TestShop } from '../../../test/harness/test-shop.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';

const service = await startTestService();
const shops: TestShop[] = [];

afterEach(async () => {
  for (const { organizationId } of shops.splice(0)) {
    expect(await brokenRules(service.context.database, organizationId)).toEqual([]);
  }
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

async function openShop(settings: ShopSettings = {}): Promise<TestShop> {
  const shop = await createTestShop(service.context, settings);
  shops.push(shop);
  return shop;
}

/** A pickup of one unit of each option. */
function place(shop: TestShop, options: readonly string[], changes: object = {}): Promise<TestReply> {
  const body = {
    type: 'pickup',
    customer: buyer(0),
    idempotencyKey: randomUUID(),
    lineItems: options.map((option) => ({ productOptionId: shop.optionId(option), quantity: 1 })),
    ...changes,
  };
  return service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
}

function buyer(at: number) {
  return { firstName: 'Buyer', lastName: `No. ${at}`, email: `buyer${at}@customers.example.com` };
}

/** Runs all at once. */
function times<Result>(count: number, run: (at: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => run(at)));
}

/** The number of replies with each status, or each error code. */
function tally(replies: readonly TestReply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, error } of replies) {
    const key = error?.code ?? String(status);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const sql = (shop: TestShop, text: string) => tenantSql(service.context.database, shop.organizationId, text);

async function onHand(shop: TestShop, option: string): Promise<number> {
  const [row] = await sql(
    shop,
    `select sum(on_hand) as amount from stock_balances where product_option_id = ${shop.optionId(option)}`,
  );
  return Number(row!.amount);
}

test('50 creates with one key at once make one order and 49 equal replays, and take its stock once', async () => {
  const shop = await openShop();
  const before = await onHand(shop, 'eighth');
  const idempotencyKey = randomUUID();
  const replies = await times(50, () => place(shop, ['eighth', 'eighth'], { idempotencyKey }));
  expect(tally(replies)).toEqual({ 201: 50 });
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(49);
  expect(await sql(shop, 'select count(*) as count from orders')).toEqual([{ count: 1 }]);
  expect(before - (await onHand(shop, 'eighth'))).toBe(2);
});

test('50 creates with one key and different carts at once make one order, which every reply shows', async () => {
  const shop = await openShop();
  const idempotencyKey = randomUUID();
  const replies = await times(50, (at) =>
    place(shop, at % 2 ? ['eighth'] : ['gummies', 'tray'], { idempotencyKey, customer: buyer(at) }),
  );
  expect(tally(replies)).toEqual({ 201: 50 });
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(await sql(shop, 'select count(*) as count from customers')).toEqual([{ count: 1 }]);
});

test('a key whose holder is refused goes to one of the waiting requests', async () => {
  const shop = await openShop();
  const idempotencyKey = randomUUID();
  // Two of three are out of stock.
  const replies = await times(30, (at) =>
    place(shop, [at % 3 === 0 ? 'eighth' : 'sold out'], { idempotencyKey }),
  );
  const placed = replies.filter(({ status }) => status === 201);
  expect(placed.length).toBeGreaterThanOrEqual(10);
  expect(new Set(placed.map(({ text }) => text)).size).toBe(1);
  expect(placed.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
  const { 201: _, OUT_OF_STOCK: __, ...others } = tally(replies);
  expect(others).toEqual({});
});

test('40 buyers at once of 10 units, some in two lines, get exactly 10; the rest are refused with OUT_OF_STOCK', async () => {
  const shop = await openShop({
    products: [
      {
        key: 'Last Harvest',
        options: [{ key: 'last', priceCents: 3500 }],
        stock: [
          { option: 'last', amount: '4', label: '1A4FF0000000000000000011', receivedDaysAgo: 9 },
          { option: 'last', amount: '3', label: '1A4FF0000000000000000012', receivedDaysAgo: 5 },
          { option: 'last', amount: '3', location: 'Vault' },
        ],
      },
    ],
  });
  // Every fourth buys two units, as two lines of the same option.
  const replies = await times(40, (at) =>
    place(shop, at % 4 === 0 ? ['last', 'last'] : ['last'], { customer: buyer(at) }),
  );
  const { 201: placed = 0, OUT_OF_STOCK: refused = 0, ...others } = tally(replies);
  expect(others).toEqual({});
  expect(placed + refused).toBe(40);
  expect(await sql(shop, 'select sum(quantity) as units from order_line_items')).toEqual([{ units: 10 }]);
  expect(await onHand(shop, 'last')).toBe(0);
});

test('60 buyers at once of 60 single-unit packages, all drawing from the oldest, each get one', async () => {
  const shop = await openShop({
    products: [
      {
        key: 'Clones',
        options: [{ key: 'clone', priceCents: 1500 }],
        stock: Array.from({ length: 60 }, (_, at) => ({
          option: 'clone',
          amount: '1',
          label: `1A4FF${String(at).padStart(19, '0')}`,
        })),
      },
    ],
  });
  const replies = await times(60, (at) => place(shop, ['clone'], { customer: buyer(at) }));
  expect(tally(replies)).toEqual({ 201: 60 });
});

test('buyers of weighed-out stock in different sizes at once never take more than the jar holds', async () => {
  const shop = await openShop({
    products: [
      {
        key: 'Jar',
        unit: 'gram',
        inventoryType: 'product',
        options: [
          { key: 'gram', amount: '1', priceCents: 1200 },
          { key: 'eighth of an ounce', amount: '3.5', priceCents: 3500 },
        ],
        stock: [{ amount: '20.25' }],
      },
    ],
  });
  const replies = await times(30, (at) =>
    place(shop, ['gram', 'eighth of an ounce'].slice(at % 2), { customer: buyer(at) }),
  );
  expect(Object.keys(tally(replies)).sort()).toEqual(['201', 'OUT_OF_STOCK']);
  const [jar] = await sql(shop, 'select on_hand from stock_balances');
  expect(Number(jar!.on_hand)).toBeLessThan(3.5);
});

test('50 orders of one new customer at once make one profile, in any spelling of email and phone', async () => {
  const shop = await openShop();
  const email = 'Ines.Novak@customers.example.com';
  const ways = [{ email, phone: '(510) 555-0142' }, { email: ` ${email.toUpperCase()} ` }, { email }];
  const replies = await times(50, (at) =>
    place(shop, ['eighth'], { customer: { firstName: 'Ines', lastName: 'Novak', ...ways[at % 3] } }),
  );
  expect(tally(replies)).toEqual({ 201: 50 });
  expect(new Set(replies.map(({ data }) => data.customer.id)).size).toBe(1);
  expect(await sql(shop, 'select phone from customers')).toEqual([{ phone: '+15105550142' }]);
});

test('carts of new customers with scarce products in any order do not deadlock', async () => {
  const keys = ['a', 'b', 'c', 'd'];
  const shop = await openShop({
    products: keys.map((key) => ({
      key: `product ${key}`,
      options: [{ key, priceCents: 1000 }],
      stock: [{ option: key, amount: '6' }],
    })),
  });
  const replies = await times(50, (at) => {
    const turned = [...keys.slice(at % 4), ...keys.slice(0, at % 4)];
    return place(shop, turned.slice(0, 2 + (at % 3)), { customer: buyer(at % 5) });
  });
  expect(Object.keys(tally(replies)).sort()).toEqual(['201', 'OUT_OF_STOCK']);
});

test('hundreds of creates at once, many more than connections, all get a reply', async () => {
  const shop = await openShop();
  const crowd = casesOf({ everyRun: 60, long: 300 });
  const replies = await times(crowd, (at) => place(shop, ['eighth'], { customer: buyer(at) }));
  expect(tally(replies)).toEqual({ 201: crowd });
});
