import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { limitedShops } from '../carts/limited-shops.test-support.ts';

const service = await startTestService();
const {
  shopIn,
  person,
  bodyOf,
  place,
  buy,
  price,
  limitsOf,
  usedOf,
  overagesOf,
  at,
  sql,
  known,
  setRule,
  step,
} = limitedShops(service);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const may = '2026-05-20T19:00:00Z';

describe('forms that a state limits apart from the rest', () => {
  test('Oregon counts seeds and inhalable products by the day, also with what was bought before', async () => {
    at(may);
    const shop = await shopIn('OR');
    const ada = person();
    await buy(shop, { '5 seeds': 1, '1 g to inhale': 9, '1 g of extract': 10 }, ada);
    await buy(shop, { '5 seeds': 1, '1 g to inhale': 1 }, ada);
    expect(await overagesOf(shop, { '5 seeds': 1, '1 g to inhale': 1 }, ada)).toEqual([
      { cannabisType: 'inhalables', limit: '10', total: '11', overage: '1' },
      { cannabisType: 'seeds', limit: '10', total: '15', overage: '5' },
    ]);
  });

  test('Alaska counts the THC of everything that a day has sold', async () => {
    at(may);
    const shop = await shopIn('AK');
    const ada = person();
    // 24.5 g with 21.5 % are 5,267.5 mg.
    await buy(shop, { '3.5 g': 7 }, ada);
    await buy(shop, { '100 mg': 3 }, ada);
    const over = [{ cannabisType: 'edibles', limit: '5600', total: '5667.5', overage: '67.5' }];
    expect(await overagesOf(shop, { '100 mg': 1 }, ada)).toEqual(over);
    expect(await usedOf(shop, { '100 mg': 1 }, ada)).toMatchObject({ 'THC of all forms': '5667.5' });
  });

  test('Washington sells low-dose drinks up to 200 mg of THC beside its 72 ounces, and ten other units', async () => {
    const shop = await shopIn('WA');
    await buy(shop, { '4 mg drink': 50, '12 fl oz': 6, 'a patch': 10 }, person());
    expect(await overagesOf(shop, { '4 mg drink': 51, 'a patch': 11 }, person())).toEqual([
      { cannabisType: 'low-dose-drinks', limit: '200', total: '204', overage: '4' },
      { cannabisType: 'other-units', limit: '10', total: '11', overage: '1' },
    ]);
  });

  test('Vermont counts concentrate, edibles and cartridges as flower, by its own equivalences', async () => {
    at('2026-07-01T19:00:00Z');
    const shop = await shopIn('VT');
    await buy(shop, { '1 oz': 1, '1 g of extract': 7, '100 mg': 42 }, person());
    const [overage] = await overagesOf(shop, { '1 oz': 1, '1 g of extract': 7, '100 mg': 43 }, person());
    expect(overage).toMatchObject({ cannabisType: 'non-concentrated', limit: '2' });
    await buy(shop, { '1 g to inhale': 16 }, person());
    await overagesOf(shop, { '1 g to inhale': 17 }, person());
  });
});

describe('a preview', () => {
  test('shows for each limit of the state: the maximum, what the cart and the day use, and the rest', async () => {
    at(may);
    const shop = await shopIn('CA');
    const ada = person();
    await buy(shop, { '3.5 g': 2, '1 g of extract': 1 }, ada);
    expect(await limitsOf(shop, { '3.5 g': 1, '100 mg': 3 }, ada)).toEqual([
      {
        name: 'Flower',
        cannabisType: 'non-concentrated',
        unit: 'g',
        limit: '28.5',
        used: '10.5',
        remaining: '18',
        exceeded: false,
      },
      {
        name: 'Concentrate',
        cannabisType: 'concentrated',
        unit: 'g',
        limit: '8',
        used: '1.3',
        remaining: '6.7',
        exceeded: false,
      },
      {
        name: 'Immature plants',
        cannabisType: 'immature-plant',
        unit: 'count',
        limit: '6',
        used: '0',
        remaining: '6',
        exceeded: false,
      },
    ]);
  });

  test('never refuses for limits, and says which are exceeded', async () => {
    const shop = await shopIn('CA');
    const [flower] = await limitsOf(shop, { '3.5 g': 9 });
    expect(flower).toMatchObject({ used: '31.5', remaining: '0', exceeded: true });
  });

  test('has adult-use limits without history for anonymous and for new customers', async () => {
    at(may);
    const shop = await shopIn('CA');
    await buy(shop, { '3.5 g': 8 }, person());
    for (const customer of [undefined, person()]) {
      expect(await usedOf(shop, { '3.5 g': 1 }, customer)).toEqual({
        Flower: '3.5',
        Concentrate: '0',
        'Immature plants': '0',
      });
    }
  });

  test('has no limits in a state without a known law', async () => {
    const shop = await shopIn('OK');
    expect(await limitsOf(shop, { '3.5 g': 100 })).toEqual([]);
    await buy(shop, { '3.5 g': 100 }, person());
  });

  test('answers in one round trip; an order decides the same when nothing else changed', async () => {
    const shop = await shopIn('CA');
    const ada = person();
    await buy(shop, { '3.5 g': 8 }, ada);
    await price(shop, { '3.5 g': 1 }, ada);
    const { roundTrips } = service.context.database.statistics;
    expect(await usedOf(shop, { '3.5 g': 1 }, ada)).toMatchObject({ Flower: '31.5' });
    expect(service.context.database.statistics.roundTrips - roundTrips).toBe(1);
  });
});

describe('an order', () => {
  test('is refused with the excess in words and as data, and nothing is written', async () => {
    at(may);
    const shop = await shopIn('CA');
    const ada = person();
    await buy(shop, { '3.5 g': 4 }, ada);
    const before = await sql(shop, 'select count(*) from outbox_events');
    const { status, error } = await place(shop, { '3.5 g': 5, '1 g of extract': 9 }, ada);
    expect(status).toBe(422);
    expect(error).toEqual({
      code: 'PURCHASE_LIMIT_EXCEEDED',
      message:
        'Over the purchase limit: Flower: 28.5 g a day, this would be 31.5 g; Concentrate: 8 g a day, this would be 9 g.',
      meta: {
        overages: [
          { cannabisType: 'non-concentrated', limit: '28.5', total: '31.5', overage: '3' },
          { cannabisType: 'concentrated', limit: '8', total: '9', overage: '1' },
        ],
      },
    });
    expect(await sql(shop, 'select count(*) from outbox_events')).toEqual(before);
    await buy(shop, { '3.5 g': 4 }, ada);
  });

  test('over a limit of plants is refused in plants', async () => {
    at(may);
    const shop = await shopIn('CA');
    const { error } = await place(shop, { 'a plant': 12 }, person());
    expect(error?.message).toBe(
      'Over the purchase limit: Immature plants: 6 plants a day, this would be 12 plants.',
    );
  });

  test('of another kind is accepted from a customer who has used up a limit', async () => {
    const shop = await shopIn('CA');
    const ada = person();
    await buy(shop, { '3.5 g': 8 }, ada);
    await setRule(shop, { limit: '1', window: 'local-day' });
    await buy(shop, { 'a tray': 1, '100 mg': 1 }, ada);
  });

  test('counts lines of one option together and flower by the gram by its amount; products without content do not count', async () => {
    const shop = await shopIn('CA');
    const ada = person();
    const cart = { 'loose 2.5 g': 2, '3.5 g': 1, unmeasured: 50 };
    expect(await usedOf(shop, cart, ada)).toMatchObject({ Flower: '8.5', Concentrate: '0' });
    await buy(shop, cart, ada);
    expect(await usedOf(shop, { 'loose 2.5 g': 1 }, ada)).toMatchObject({ Flower: '11', Concentrate: '0' });
    const line = { productOptionId: shop.optionId('3.5 g'), quantity: 3 };
    const { error } = await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: { ...bodyOf(shop, {}, ada), lineItems: [line, line], idempotencyKey: randomUUID() },
    });
    expect(error?.meta).toMatchObject({ overages: [{ total: '29.5', overage: '1' }] });
  });

  test('counts drafts, orders of other integrators, and the content at the time of the order', async () => {
    const shop = await shopIn('CA', { statusOnCreation: { delivery: 'draft', pickup: 'draft' } });
    const ada = person();
    await buy(shop, { '3.5 g': 4 }, ada);
    await sql(shop, 'update product_options set content = 1 where content = 3.5');
    expect(await usedOf(shop, { '3.5 g': 1 }, ada)).toMatchObject({ Flower: '15' });
  });

  test('that is canceled no longer counts', async () => {
    const shop = await shopIn('CA');
    const ada = person();
    const id = await buy(shop, { '3.5 g': 8 }, ada);
    await overagesOf(shop, { '3.5 g': 1 }, ada);
    await step(shop, id, 'cancel');
    expect(await usedOf(shop, { '3.5 g': 1 }, ada)).toMatchObject({ Flower: '3.5' });
    await buy(shop, { '3.5 g': 8 }, ada);
  });

  test("counts only the customer's own purchases: not another customer's, not those of the owner of the phone", async () => {
    const shop = await shopIn('CA');
    const [ada, grace] = [person(), { ...person(), phone: '+14155550142' }];
    await buy(shop, { '3.5 g': 8 }, grace);
    await buy(shop, { '3.5 g': 3 }, ada);
    // The email decides (D33), also when another customer has the phone.
    const both = { ...ada, phone: grace.phone };
    expect(await usedOf(shop, { '3.5 g': 1 }, both)).toMatchObject({ Flower: '14' });
    const { email: _, ...phoneOnly } = grace;
    expect(await usedOf(shop, { '3.5 g': 1 }, phoneOnly)).toMatchObject({ Flower: '31.5' });
    const another = { ...phoneOnly, firstName: 'Another' };
    expect(await usedOf(shop, { '3.5 g': 1 }, another)).toMatchObject({ Flower: '3.5' });
  });

  test("does not depend on another organization's rules and sales, for the same customer", async () => {
    const [shop, stranger] = [await shopIn('OK'), await shopIn('OK')];
    const ada = person();
    await setRule(stranger, { limit: '1' });
    await setRule(shop, { limit: '28', window: 'local-day' });
    await buy(shop, { '3.5 g': 8 }, ada);
    expect(await usedOf(stranger, { 'a tray': 1 }, ada)).toEqual({ House: '0' });
    await overagesOf(shop, { '3.5 g': 1 }, ada);
  });
});

describe('purchases count together', () => {
  test('in a local day: since midnight in the time zone of the shop', async () => {
    const shop = await shopIn('CA');
    const ada = person();
    at('2026-05-20T07:00:00.000Z');
    await buy(shop, { '3.5 g': 8 }, ada);
    at('2026-05-21T06:59:59.999Z');
    await overagesOf(shop, { '3.5 g': 1 }, ada);
    at('2026-05-21T07:00:00.000Z');
    await buy(shop, { '3.5 g': 8 }, ada);
  });

  test.each([
    ['23', '2026-03-08T08:00:00.000Z', '2026-03-09T06:59:59.999Z', '2026-03-09T07:00:00.000Z'],
    ['25', '2026-11-01T07:00:00.000Z', '2026-11-02T07:59:59.999Z', '2026-11-02T08:00:00.000Z'],
  ])('in a local day of %s hours: all of it and no more', async (_, first, last, next) => {
    const shop = await shopIn('CA');
    const ada = person();
    at(first);
    await buy(shop, { '3.5 g': 8 }, ada);
    at(last);
    await overagesOf(shop, { '3.5 g': 1 }, ada);
    at(next);
    expect(await usedOf(shop, { '3.5 g': 1 }, ada)).toMatchObject({ Flower: '3.5' });
  });

  test('in an order: that order', async () => {
    at(may);
    const shop = await shopIn('MI');
    const ada = person();
    await overagesOf(shop, { '1 oz': 3 }, ada);
    for (let count = 0; count < 3; count++) await buy(shop, { '1 oz': 2 }, ada);
  });

  test('in rolling days: today and the days before it', async () => {
    const shop = await shopIn('IL');
    const patient = await known(shop, { medicalExpiration: '2026-12-31' });
    at('2026-05-01T19:00:00Z');
    await buy(shop, { '1 oz': 2 }, patient);
    at('2026-05-14T19:00:00Z');
    expect(await usedOf(shop, { '1 oz': 1 }, patient)).toMatchObject({ Flower: '3' });
    expect(await overagesOf(shop, { '1 oz': 1 }, patient)).toMatchObject([
      { limit: '2.5', total: '3', overage: '0.5' },
    ]);
    at('2026-05-15T19:00:00Z');
    await buy(shop, { '1 oz': 1 }, patient);
  });

  test('in a calendar month: since its first day, besides the limit of the day', async () => {
    const shop = await shopIn('MI');
    const patient = await known(shop, { medicalExpiration: '2026-12-31' });
    for (const day of ['01', '08', '15', '22', '29']) {
      at(`2026-05-${day}T12:00:00Z`);
      await buy(shop, { '1 oz': 2 }, patient);
    }
    at('2026-06-01T06:59:59.999Z');
    expect(await overagesOf(shop, { '12 fl oz': 3 }, patient)).toEqual([
      { cannabisType: 'non-concentrated', limit: '10', total: '11', overage: '1' },
    ]);
    at('2026-06-01T07:00:00Z');
    expect(await overagesOf(shop, { '1 oz': 3 }, patient)).toMatchObject([{ limit: '2.5' }]);
    await buy(shop, { '12 fl oz': 3 }, patient);
  });

  test("in an organization's own window of any length", async () => {
    const shop = await shopIn('CA');
    const ada = person();
    await setRule(shop, { limit: '10', window: 'rolling-days', windowDays: 366 });
    at('2026-01-10T19:00:00Z');
    await buy(shop, { '3.5 g': 2 }, ada);
    at('2027-01-10T19:00:00Z');
    expect(await usedOf(shop, { '3.5 g': 1 }, ada)).toMatchObject({ House: '10.5', Flower: '3.5' });
    at('2027-01-11T19:00:00Z');
    expect(await usedOf(shop, { '3.5 g': 1 }, ada)).toMatchObject({ House: '3.5' });
    at(may);
  });
});

describe('a weighted sum', () => {
  test('counts each form by its own measure, and one form has its own maximum within the sum', async () => {
    const shop = await shopIn('MI');
    const cart = { '1 oz': 1, '4 oz of treats': 2, '12 fl oz': 3, '100 mg': 5 };
    expect(await usedOf(shop, cart)).toEqual({ 'All forms together': '2.5', Concentrate: '0' });
    await buy(shop, cart, person());
    expect(await overagesOf(shop, { ...cart, '1 g of extract': 1 }, person())).toEqual([
      { cannabisType: 'non-concentrated', limit: '2.5', total: '2.535274', overage: '0.035274' },
    ]);
    expect(await overagesOf(shop, { '1 g of extract': 16 }, person())).toEqual([
      { cannabisType: 'concentrated', limit: '15', total: '16', overage: '1' },
    ]);
    await buy(shop, { '1 g of extract': 15, '1 oz': 1 }, person());
  });

  test("of the organization's own counts the forms that it names", async () => {
    const shop = await shopIn('OK');
    await setRule(shop, {
      limit: '10',
      counts: [
        { cannabisType: 'non-concentrated' },
        { cannabisType: 'edibles', amount: '100', unit: 'mg', countsAs: '2.5', countsAsUnit: 'g' },
        { cannabisType: 'immature-plant', amount: '1', unit: 'count', countsAs: '1000', countsAsUnit: 'mg' },
      ],
    });
    expect(await usedOf(shop, { '3.5 g': 1, '100 mg': 2, 'a plant': 1 })).toEqual({ House: '9.5' });
  });
});
