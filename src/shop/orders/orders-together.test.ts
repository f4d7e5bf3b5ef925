import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { createTestDatabase } from '../../../test/harness/test-database.ts';
import { startOwnTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';

/** Orders of one organization that come at the same moment, at one process or at two. */
const database = await createTestDatabase();
const [ours, theirs] = await Promise.all([
  startOwnTestService({ database }),
  startOwnTestService({ database }),
]);
const witness = await openWitness(database);
const shops: TestShop[] = [];

afterEach(async () => {
  for (const { organizationId } of shops.splice(0)) {
    expect(await brokenRules(ours.context.database, organizationId)).toEqual([]);
  }
  expect([...ours.faults, ...theirs.faults]).toEqual([]);
});
afterAll(async () => {
  await witness.end();
  for (const service of [ours, theirs]) await service.close();
  await database.drop();
});

async function openShop(): Promise<TestShop> {
  const shop = await createTestShop(ours.context);
  shops.push(shop);
  return shop;
}

/** An order of one unit, by a customer of its own. */
function place(shop: TestShop, at: number, changes: object = {}, service = ours): Promise<TestReply> {
  const body = {
    type: 'pickup',
    customer: { firstName: 'Buyer', lastName: `No. ${at}`, email: `buyer${at}@customers.example.com` },
    idempotencyKey: randomUUID(),
    lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1 }],
    ...changes,
  };
  return service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
}

function times<Result>(count: number, run: (at: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => run(at)));
}

const outcomes = (replies: readonly TestReply[]) => replies.map(({ status, error }) => error?.code ?? status);
const sql = (shop: TestShop, text: string) => tenantSql(ours.context.database, shop.organizationId, text);

test('30 orders at once take few round trips, and one alone takes two', async () => {
  const shop = await openShop();
  await place(shop, 0);
  const { statistics } = ours.context.database;
  const before = { ...statistics };
  await place(shop, 0);
  expect(statistics.roundTrips - before.roundTrips).toBe(2);
  const alone = statistics.statements - before.statements;
  const replies = await times(30, (at) => place(shop, at));
  expect(outcomes(replies)).toEqual(replies.map(() => 201));
  expect(new Set(replies.map(({ data }) => data.id)).size).toBe(30);
  // Thirty times as many if each were placed alone.
  expect(statistics.statements - before.statements).toBeLessThan(10 * alone);
  expect(await sql(shop, 'select count(*) as count from orders')).toEqual([{ count: 32 }]);
});

test('a refusal concerns its order only, and leaves its key free', async () => {
  const shop = await openShop();
  await place(shop, 0);
  const keys = Array.from({ length: 12 }, () => randomUUID());
  const wrong = [
    { expectedCustomerGrandTotal: 1 },
    { lineItems: [{ productOptionId: 999_999_999, quantity: 1 }] },
    { lineItems: [{ productOptionId: shop.optionId('sold out'), quantity: 1 }] },
  ];
  const replies = await times(12, (at) =>
    place(shop, at, { idempotencyKey: keys[at], ...(at % 2 === 1 && wrong[((at - 1) / 2) % 3]) }),
  );
  const codes = ['PRICE_CHANGED', 'PRODUCT_OPTION_NOT_FOUND', 'OUT_OF_STOCK'];
  const expected = replies.map((_, at) => (at % 2 === 1 ? codes[((at - 1) / 2) % 3]! : 201));
  expect(outcomes(replies)).toEqual(expected);
  const [left] = await sql(
    shop,
    `select count(*) as orders, (select count(*) from order_idempotency_keys) as keys,
            (select count(*) from customers where last_name = 'No. 1') as refused_customers from orders`,
  );
  expect(left).toEqual({ orders: 7, keys: 7, refused_customers: 0 });
  const again = await times(12, (at) => place(shop, at, { idempotencyKey: keys[at] }));
  expect(again.map(({ headers }) => headers['idempotent-replayed'] === 'true')).toEqual(
    replies.map((_, at) => at % 2 === 0),
  );
});

test('a refusal of all leaves nothing', async () => {
  const shop = await openShop();
  await place(shop, 0);
  const before = await witness.contents(shop.organizationId);
  const replies = await times(8, (at) => place(shop, at, { expectedCustomerGrandTotal: 1 }));
  expect(outcomes(replies)).toEqual(replies.map(() => 'PRICE_CHANGED'));
  expect(await witness.contents(shop.organizationId)).toEqual(before);
});

test('a statement that fails for one order fails no other', async () => {
  const shop = await openShop();
  const faulty = await startOwnTestService({ database });
  await place(shop, 0, {}, faulty);
  await witness.query(
    `alter table orders add constraint orders_without_this check (delivery_notes is distinct from 'breaks')`,
  );
  const replies = await times(8, (at) =>
    place(shop, at, at === 5 ? { deliveryNotes: 'breaks' } : {}, faulty),
  );
  await witness.query('alter table orders drop constraint orders_without_this');
  expect(outcomes(replies)).toEqual(replies.map((_, at) => (at === 5 ? 'INTERNAL_ERROR' : 201)));
  expect(await sql(shop, 'select count(*) as count from orders')).toEqual([{ count: 8 }]);
  expect(faulty.faults).toHaveLength(1);
  await faulty.close();
});

test('orders at two processes share stock, keys and customers of one organization', async () => {
  const shop = await openShop();
  await sql(shop, `update stock_balances set on_hand = 0`);
  await sql(
    shop,
    `update stock_balances set on_hand = 20 where (product_option_id, package_id) = (
       select product_option_id, min(package_id) from stock_balances
        where product_option_id = ${shop.optionId('eighth')} group by 1)`,
  );
  const keys = Array.from({ length: 15 }, () => randomUUID());
  // Each key goes to both processes, and pairs of keys belong to one customer.
  const replies = await times(60, (at) => {
    const one = Math.floor(at / 2) % 15;
    const idempotencyKey = at < 30 ? keys[one] : randomUUID();
    return place(shop, one % 8, { idempotencyKey }, at % 2 === 0 ? ours : theirs);
  });
  const placed = replies.filter(({ status }) => status === 201);
  expect(new Set(placed.map(({ data }) => data.id)).size).toBe(20);
  expect(outcomes(replies).filter((code) => code !== 201)).toEqual(
    Array.from({ length: 60 - placed.length }, () => 'OUT_OF_STOCK'),
  );
  expect(await sql(shop, 'select count(*) as count from orders')).toEqual([{ count: 20 }]);
  expect(await sql(shop, 'select sum(on_hand)::int as left from stock_balances')).toEqual([{ left: 0 }]);
  // The stock was set by hand, which the ledger does not know.
  shops.splice(0);
});

test('orders of two organizations at once stay in their own', async () => {
  const [first, second] = [await openShop(), await openShop()];
  const replies = await times(24, (at) => place(at % 2 === 0 ? first : second, at));
  expect(outcomes(replies)).toEqual(replies.map(() => 201));
  for (const [index, shop] of [first, second].entries()) {
    const rows = await sql(shop, 'select id::text as id from orders');
    expect(rows.map(({ id }) => id).sort()).toEqual(
      replies
        .filter((_, at) => at % 2 === index)
        .map(({ data }) => data.id)
        .sort(),
    );
  }
});

test('a price that changes while orders come is charged to all that come after the change was answered', async () => {
  const shop = await openShop();
  let asking = true;
  const crowd = times(6, async (at) => {
    while (asking) await place(shop, at);
  });
  const option = shop.optionId('eighth');
  for (let price = 3000; price < 3008; price++) {
    await sql(shop, `update product_options set price_cents = ${price} where id = ${option}`);
    const [reply] = await times(3, (at) => place(shop, 10 + at));
    expect(reply!.data.lineItems[0].optionPrice).toBe(price);
  }
  asking = false;
  await crowd;
});
