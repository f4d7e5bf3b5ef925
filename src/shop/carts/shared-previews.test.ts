import { afterAll, afterEach, expect, test } from 'vitest';
import { addCredit, addDiscount } from '../../../test/harness/test-promotions.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { openPlainShop, placeTrade, priceTrade, type TradeLines } from '../../../test/harness/test-trade.ts';
import { limitedShops } from './limited-shops.test-support.ts';

/* Previews that arrive together share a read; their results must equal separate reads. */

const service = await startTestService();
const { context } = service;
const { shopIn, known, buy, usedOf, at, setRule } = limitedShops(service);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const cart: TradeLines = [['tray', 4]];

test('concurrent previews of many customers each get their own credits, by email or phone, and unknown customers get none', async () => {
  const shop = await openPlainShop(service);
  const people = Array.from({ length: 12 }, (_, index) => ({
    customer: {
      firstName: 'Ada',
      lastName: `Quill ${index}`,
      ...(index % 3 === 0
        ? { phone: `+1415555${1000 + index}` }
        : { email: `ada${index}@customers.example.com` }),
    },
    creditCents: index % 4 === 3 ? 0 : 100 + index,
  }));
  for (const { customer, creditCents } of people) {
    const { data } = await placeTrade(service, shop, [['tray', 1]], { customer });
    if (creditCents > 0)
      await addCredit(context, shop.organizationId, data.customer.id, { cents: creditCents });
  }
  const asked = [...people, ...people, { customer: undefined, creditCents: 0 }];
  const replies = await Promise.all(
    asked.map(({ customer }) => priceTrade(service, shop, cart, { customer })),
  );
  const used = replies.map(({ data }) =>
    data.credits.reduce((sum: number, credit: { amountUsed: number }) => sum + credit.amountUsed, 0),
  );
  expect(used).toEqual(asked.map(({ creditCents }) => creditCents));
});

test("a preview whose email and phone belong to two customers uses the email's customer", async () => {
  const shop = await openPlainShop(service);
  const ada = { firstName: 'Ada', lastName: 'Quill', email: 'ada@customers.example.com' };
  const ben = { firstName: 'Ben', lastName: 'Stone', phone: '+14155551999' };
  for (const [customer, cents] of [
    [ada, 250],
    [ben, 900],
  ] as const) {
    const { data } = await placeTrade(service, shop, [['tray', 1]], { customer });
    await addCredit(context, shop.organizationId, data.customer.id, { cents });
  }
  const both = { ...ada, phone: ben.phone };
  const replies = await Promise.all(
    [ada, ben, both].map((customer) => priceTrade(service, shop, cart, { customer })),
  );
  expect(replies.map(({ data }) => data.credits[0].amountUsed)).toEqual([250, 900, 250]);
});

test('concurrent previews of many customers each count their own purchases against limits', async () => {
  at('2026-05-20T19:00:00Z');
  const shop = await shopIn('CA');
  const buyers = await Promise.all([1, 2, 3, 4].map(() => known(shop)));
  for (const [index, buyer] of buyers.entries()) {
    if (index > 0) await buy(shop, { '3.5 g': index }, buyer);
  }
  const used = await Promise.all(buyers.map((buyer) => usedOf(shop, { '3.5 g': 1 }, buyer)));
  expect(used.map((byRule) => Object.values(byRule)[0])).toEqual(['3.5', '7', '10.5', '14']);
});

test('a limit with a longer window counts earlier purchases from its very first preview', async () => {
  at('2026-05-01T19:00:00Z');
  const shop = await shopIn('CA');
  const buyer = await known(shop);
  await buy(shop, { '3.5 g': 2 }, buyer);
  at('2026-05-20T19:00:00Z');
  // The law counts days here: purchases of weeks ago were not read before.
  expect(Object.values(await usedOf(shop, { '3.5 g': 1 }, buyer))[0]).toBe('3.5');
  await setRule(shop, { name: 'House', limit: '100', window: 'rolling-days', windowDays: 30 });
  expect((await usedOf(shop, { '3.5 g': 1 }, buyer)).House).toBe('10.5');
});

test('cached terms count purchases from the first minute of a window, and none before it', async () => {
  at('2026-05-01T06:59:00Z');
  const shop = await shopIn('CA');
  await setRule(shop, { name: 'House', limit: '100', window: 'rolling-days', windowDays: 30 });
  const [late, early] = [await known(shop), await known(shop)];
  await buy(shop, { '3.5 g': 2 }, early);
  // Midnight in Los Angeles.
  at('2026-05-01T07:00:00Z');
  await buy(shop, { '3.5 g': 2 }, late);
  at('2026-05-31T06:59:00Z');
  // From here on, the terms are cached and all customers are read together.
  await usedOf(shop, { '3.5 g': 1 });
  const used = await Promise.all([late, early].map((buyer) => usedOf(shop, { '3.5 g': 1 }, buyer)));
  expect(used.map(({ House }) => House)).toEqual(['10.5', '3.5']);
});

test('the very first preview finds its customer', async () => {
  const shop = await shopIn('CA');
  const buyer = await known(shop);
  await buy(shop, { '3.5 g': 2 }, buyer);
  expect(Object.values(await usedOf(shop, { '3.5 g': 1 }, buyer))[0]).toBe('10.5');
});

test('more concurrent customers than one read takes are all answered', async () => {
  const shop = await openPlainShop(service);
  const replies = await Promise.all(
    Array.from({ length: 150 }, (_, index) =>
      priceTrade(service, shop, cart, {
        customer: { firstName: 'Ada', lastName: 'Quill', email: `many${index}@customers.example.com` },
      }),
    ),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
});

test("a shop's first discount reads its customer data from its very first preview", async () => {
  const shop = await openPlainShop(service);
  const ada = { firstName: 'Ada', lastName: 'Quill', email: 'ada@customers.example.com' };
  const { data: order } = await placeTrade(service, shop, [['tray', 1]], { customer: ada });
  await addCredit(context, shop.organizationId, order.customer.id, { cents: 250 });
  const stranger = { firstName: 'Nia', lastName: 'Fern', email: 'nia@customers.example.com' };
  const price = async (customer: object) => (await priceTrade(service, shop, cart, { customer })).data;
  // There are no discounts yet: only the customer's credits count.
  expect(await price(ada)).toMatchObject({ discounts: [], credits: [{ amountUsed: 250 }] });
  await addDiscount(context, shop.organizationId, {
    kind: 'order',
    type: 'percent',
    amount: '10',
    firstOrder: true,
  });
  const [known, unknown] = await Promise.all([price(ada), price(stranger)]);
  expect(known).toMatchObject({ discounts: [], credits: [{ amountUsed: 250 }] });
  expect(unknown.discounts.length).toBe(1);
});
