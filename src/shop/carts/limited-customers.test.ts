import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { limitedShops } from './limited-shops.test-support.ts';

const service = await startTestService();
const { shopIn, person, place, buy, price, usedOf, overagesOf, at, sql, known, setRule, step } =
  limitedShops(service);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const may = '2026-05-20T19:00:00Z';

describe('customers', () => {
  test('who are medical have the medical limits until their last day, and adult-use limits from the next day', async () => {
    at(may);
    const shop = await shopIn('CA');
    const patient = await known(shop, { medicalExpiration: '2026-05-20' });
    await buy(shop, { '1 oz': 8 }, patient);
    expect(await overagesOf(shop, { '3.5 g': 1 }, patient)).toMatchObject([{ limit: '8' }]);
    at('2026-05-21T19:00:00Z');
    expect(await overagesOf(shop, { '1 oz': 2 }, patient)).toMatchObject([{ limit: '28.5' }]);
    expect(await overagesOf(shop, { '1 oz': 2 }, person())).toMatchObject([{ limit: '28.5' }]);
  });

  test("have the organization's own rules for all customers or for their type", async () => {
    at(may);
    const shop = await shopIn('OK');
    for (const customerType of ['all', 'adult-use', 'medical']) {
      await setRule(shop, { name: customerType, customerType, limit: '5' });
    }
    const patient = await known(shop, { medicalExpiration: '2026-12-31' });
    expect(Object.keys(await usedOf(shop, { 'a tray': 1 }, patient))).toEqual(['all', 'medical']);
    expect(Object.keys(await usedOf(shop, { 'a tray': 1 }))).toEqual(['all', 'adult-use']);
  });

  test('below the legal age are refused by preview and order, by stored or else by sent birthday', async () => {
    at('2026-06-01T06:59:59.999Z');
    const shop = await shopIn('CA');
    const young = { ...person(), birthday: '2005-06-01' };
    for (const reply of [
      await price(shop, { 'a tray': 1 }, young),
      await place(shop, { 'a tray': 1 }, young),
    ]) {
      expect([reply.status, reply.error]).toEqual([
        422,
        {
          code: 'CUSTOMER_UNDERAGE',
          message: 'The customer must be at least 21 years old.',
          meta: { minimumAge: 21 },
        },
      ]);
    }
    const onFile = await known(shop, { birthday: '2005-06-01' });
    const older = { ...onFile, birthday: '1990-01-01' };
    expect((await place(shop, { 'a tray': 1 }, older)).error?.code).toBe('CUSTOMER_UNDERAGE');
    const adult = await known(shop, { birthday: '1990-01-01' });
    await buy(shop, { 'a tray': 1 }, { ...adult, birthday: '2005-06-01' });
    at('2026-06-01T07:00:00.000Z');
    await buy(shop, { 'a tray': 1 }, young);
    await buy(shop, { 'a tray': 1 }, older);
  });

  test('who are patients of 18 can buy, and are exempt where the state or the organization says so', async () => {
    at(may);
    const taxes = [{ rate: '10', exemptable: true }];
    for (const [state, settings, exempted] of [
      ['MI', {}, 100],
      ['CA', {}, 0],
      ['CA', { medicalTaxExempt: true }, 100],
    ] as const) {
      const shop = await shopIn(state, { taxes, ...settings });
      const patient = await known(shop, { birthday: '2008-05-20', medicalExpiration: '2026-05-20' });
      const { data } = await price(shop, { 'a tray': 1 }, patient);
      expect(data.taxes[0].amountExempted).toBe(exempted);
      await buy(shop, { 'a tray': 1 }, patient);
    }
  });

  test('who send two carts at once get one of them, if both together exceed a limit', async () => {
    at(may);
    const shop = await shopIn('CA');
    for (let round = 0; round < 20; round++) {
      // Half of the customers are new: the second request then finds the customer that the first one created.
      const ada = round % 2 === 0 ? person() : await known(shop);
      const replies = await Promise.all([1, 2].map(() => place(shop, { '3.5 g': 5 }, ada)));
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 422]);
      const refused = replies.find(({ status }) => status === 422);
      expect(refused?.error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
    }
  });
});

describe('an order at fulfillment', () => {
  test("is checked again by the customer's current status, without counting itself twice", async () => {
    at(may);
    const shop = await shopIn('CA');
    const patient = await known(shop, { medicalExpiration: '2026-05-20' });
    const id = await buy(shop, { '1 oz': 2 }, patient);
    at('2026-05-21T19:00:00Z');
    await expect(step(shop, id, 'fulfill')).rejects.toMatchObject({
      code: 'PURCHASE_LIMIT_EXCEEDED',
      meta: { overages: [{ limit: '28.5', total: '56.699047' }] },
    });
    expect(await sql(shop, 'select status from orders')).toEqual([{ status: 'new' }]);
    await sql(shop, `update customers set medical_expiration = '2026-05-21'`);
    await step(shop, id, 'fulfill');
    expect(await usedOf(shop, { 'a tray': 1 }, patient)).toMatchObject({ Flower: '0' });
  });

  test('is refused next to another order that together exceeds the limit, until that one is canceled', async () => {
    at('2026-05-20T19:00:00Z');
    const shop = await shopIn('CA');
    const ada = person();
    const first = await buy(shop, { '3.5 g': 8 }, ada);
    at('2026-05-21T19:00:00Z');
    const second = await buy(shop, { '3.5 g': 8 }, ada);
    await expect(step(shop, first, 'fulfill')).rejects.toMatchObject({ code: 'PURCHASE_LIMIT_EXCEEDED' });
    await step(shop, second, 'cancel');
    await step(shop, first, 'fulfill');
  });

  test('is refused next to an order of yesterday that was fulfilled today', async () => {
    at('2026-05-20T19:00:00Z');
    const shop = await shopIn('CA');
    const ada = person();
    const first = await buy(shop, { '3.5 g': 8 }, ada);
    at('2026-05-21T19:00:00Z');
    await step(shop, first, 'fulfill');
    const second = await buy(shop, { '3.5 g': 8 }, ada);
    await expect(step(shop, second, 'fulfill')).rejects.toMatchObject({ code: 'PURCHASE_LIMIT_EXCEEDED' });
    at('2026-05-22T19:00:00Z');
    await step(shop, second, 'fulfill');
  });

  test('placed long ago counts on the day of its fulfillment', async () => {
    at('2026-03-01T19:00:00Z');
    const shop = await shopIn('CA');
    const ada = person();
    const first = await buy(shop, { '3.5 g': 8 }, ada);
    at('2026-05-21T19:00:00Z');
    const second = await buy(shop, { '3.5 g': 8 }, ada);
    await step(shop, second, 'fulfill');
    await expect(step(shop, first, 'fulfill')).rejects.toMatchObject({ code: 'PURCHASE_LIMIT_EXCEEDED' });
    at('2026-05-22T19:00:00Z');
    await step(shop, first, 'fulfill');
    const third = await buy(shop, { '3.5 g': 1 }, ada);
    await expect(step(shop, third, 'fulfill')).rejects.toMatchObject({ code: 'PURCHASE_LIMIT_EXCEEDED' });
  });

  test('keeps its share of the limit against an order that is placed at the same moment', async () => {
    at(may);
    const shop = await shopIn('CA');
    const ada = await known(shop, { medicalExpiration: '2026-05-20' });
    for (let round = 0; round < 5; round++) {
      at(`2026-05-2${round}T19:00:00Z`);
      await sql(shop, `update customers set medical_expiration = '2026-05-2${round}'`);
      const id = await buy(shop, { '3.5 g': 5 }, ada);
      await sql(shop, `update customers set medical_expiration = null`);
      const results = await Promise.allSettled([step(shop, id, 'fulfill'), buy(shop, { '3.5 g': 5 }, ada)]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    }
  });
});
