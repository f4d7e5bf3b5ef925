import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { addCredit, addDiscount, type TestDiscount } from '../../../test/harness/test-promotions.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { openPlainShop, placeTrade, type TradeLines } from '../../../test/harness/test-trade.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { recountDiscountUses } from '../promotions/promotions.ts';
import { stepOrder } from './orders.ts';

const service = await startTestService();
const { context } = service;
const shops: TestShop[] = [];
afterEach(async () => {
  for (const { organizationId } of shops.splice(0)) {
    expect(await brokenRules(context.database, organizationId)).toEqual([]);
  }
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

async function openShop(): Promise<TestShop> {
  const shop = await openPlainShop(service);
  shops.push(shop);
  return shop;
}

const cart: TradeLines = [['tray', 4]];
const buyer = (at: number) => ({
  customer: { firstName: 'Buyer', lastName: `No. ${at}`, email: `buyer${at}@customers.example.com` },
});

const place = (shop: TestShop, changes: object = {}) => placeTrade(service, shop, cart, changes);

const sql = (shop: TestShop, text: string) => tenantSql(context.database, shop.organizationId, text);

const discount = (shop: TestShop, changes: Partial<TestDiscount>) =>
  addDiscount(context, shop.organizationId, { kind: 'order', type: 'flat', amount: '500', ...changes });

function times<Result>(count: number, run: (at: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => run(at)));
}

/** The number of replies with each total, or each error code. */
function tally(replies: readonly TestReply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { data, error } of replies) {
    const key = error?.code ?? String(data.customerGrandTotal);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

test('50 carts at once with a code of 5 uses make 5 orders, and 45 refusals', async () => {
  const shop = await openShop();
  await discount(shop, { codes: ['five'], usesTotal: 5 });
  const replies = await times(50, (at) => place(shop, { ...buyer(at), discountCodes: ['five'] }));
  expect(tally(replies)).toEqual({ 4500: 5, DISCOUNT_CODE_INVALID: 45 });
  expect(await sql(shop, 'select used from discount_uses')).toEqual([{ used: 5 }]);
});

test('50 carts at once with an automatic discount of 5 uses are all placed, 5 of them cheaper', async () => {
  const shop = await openShop();
  await discount(shop, { usesTotal: 5 });
  expect(tally(await times(50, (at) => place(shop, buyer(at))))).toEqual({ 4500: 5, 5000: 45 });
});

test('an order that expects the price of a discount whose last use is taken is refused with the new price', async () => {
  const shop = await openShop();
  await discount(shop, { usesTotal: 5 });
  const replies = await times(30, (at) => place(shop, { ...buyer(at), expectedCustomerGrandTotal: 4500 }));
  expect(tally(replies)).toEqual({ 4500: 5, PRICE_CHANGED: 25 });
});

test('two limited discounts that carts use in any order cause no deadlock and no use beyond the limit', async () => {
  const shop = await openShop();
  await discount(shop, { usesTotal: 7, priority: 1 });
  await discount(shop, { usesTotal: 12, priority: 0, amount: '300', codes: ['b'] });
  const replies = await times(40, (at) =>
    place(shop, { ...buyer(at), ...(at % 2 === 0 && { discountCodes: ['b'] }) }),
  );
  const counts = tally(replies);
  expect(counts[4200]! + (counts[4500] ?? 0)).toBe(7);
  expect(counts.DISCOUNT_CODE_INVALID).toBe(8);
});

test('edits and carts that use the same limited discounts cause no deadlock', async () => {
  const shop = await openShop();
  const owner = await service.staff(shop);
  const lines: TradeLines = [['eighth', 1]];
  // The counters exist before the first use, so that no transaction runs twice. Orders have the discounts of their time.
  await discount(shop, { usesTotal: 1000 });
  await discount(shop, { usesTotal: 1000, amount: '300' });
  const placed = await times(30, (at) => placeTrade(service, shop, lines, buyer(at)));
  // The staff session is cached, so that both start at the same time.
  await owner.call('GET', '/staff/v1/orders');
  const { retries } = context.database.statistics;
  const replies = await times(60, (at) =>
    at % 2 === 0
      ? owner.call('PATCH', `/staff/v1/orders/${placed[at / 2]!.data.id}`, {
          lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 2 }],
        })
      : placeTrade(service, shop, lines, buyer(100 + at)),
  );
  expect(tally(replies)).toEqual({ 6200: 30, 2700: 30 });
  expect(context.database.statistics.retries).toBe(retries);
});

test('a limit per customer holds when a customer orders twice at once, also for a new customer', async () => {
  const shop = await openShop();
  await discount(shop, { codes: ['mine'], usesPerCustomer: 2 });
  for (const at of [1, 2]) {
    const replies = await times(8, () => place(shop, { ...buyer(at), discountCodes: ['mine'] }));
    expect(tally(replies)).toEqual({ 4500: 2, DISCOUNT_CODE_INVALID: 6 });
  }
});

test("a first order's discount goes to one of the orders that a new customer places at once", async () => {
  const shop = await openShop();
  await discount(shop, { firstOrder: true });
  expect(tally(await times(10, () => place(shop)))).toEqual({ 4500: 1, 5000: 9 });
});

test('a store credit is never spent twice, also when many orders use it at once', async () => {
  const shop = await openShop();
  const { data } = await place(shop);
  for (let round = 0; round < 5; round++) {
    await addCredit(context, shop.organizationId, data.customer.id, { cents: 3000 });
    await addCredit(context, shop.organizationId, data.customer.id, { percent: '50' });
    const replies = await times(6, () => place(shop));
    // Half by the percentage, 25.00 of the 30.00; the next one gets the rest.
    expect(tally(replies)).toEqual({ 0: 1, 4500: 1, 5000: 4 });
  }
  expect(await sql(shop, 'select sum(remaining_cents) as cents from customer_credits')).toEqual([
    { cents: '0' },
  ]);
});

test('orders and cancelations at once leave counters, credits and points equal to the orders', async () => {
  const shop = await openShop();
  const { data } = await place(shop, buyer(0));
  await discount(shop, { usesTotal: 6, usesPerCustomer: 3 });
  await discount(shop, { kind: 'line', amount: '200', usesPerCustomer: 4 });
  await addCredit(context, shop.organizationId, data.customer.id, { cents: 4000 });
  const outcomes = await times(40, async (at) => {
    const placed = await place(shop, buyer(at % 4));
    if (placed.error || at % 3 > 0) return placed.error?.code;
    const by = { staff: null, cancelationReason: 'Changed their mind' };
    await stepOrder(context, testOrigin, shop.organizationId, placed.data.id, 'cancel', by);
    return 'canceled';
  });
  expect(new Set(outcomes)).toEqual(new Set([undefined, 'canceled']));
});

test('a limit that is set while orders use the discount counts each of them', async () => {
  const shop = await openShop();
  for (let round = 0; round < 5; round++) {
    const id = await discount(shop, { codes: [`round ${round}`] });
    const setLimit = async () => {
      await context.database.write(shop.organizationId, async (tx) => {
        const text = `update discounts set uses_total = 6, uses_per_customer = 2
          where organization_id = ${shop.organizationId} and id = ${id}`;
        await tx.run({ name: '', text, values: [] });
        tx.queue(...recountDiscountUses([id]));
      });
    };
    await Promise.all([
      times(20, (at) => place(shop, { ...buyer(at % 12), discountCodes: [`round ${round}`] })),
      setLimit(),
    ]);
    expect(await brokenRules(context.database, shop.organizationId)).toEqual([]);
  }
});
