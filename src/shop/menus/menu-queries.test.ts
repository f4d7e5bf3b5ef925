import { brotliCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { addDiscount } from '../../../test/harness/test-promotions.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import { isOpen } from '../../engines/pricing/discounts/choose-discounts.ts';

const service = await startTestService();
let shop: TestShop;
/** A Tuesday, 17:30 in Los Angeles. */
const tuesday = Date.parse('2026-03-11T00:30:00.000Z');
const minutes = (count: number) => count * 60_000;

const jar = (name: string, key: string, priceCents: number, category = 'Flower') => ({
  key: name,
  category,
  options: [
    { key, priceCents },
    { key: `${key} sale`, name: 'On sale', priceCents: priceCents + 500, salesPriceCents: priceCents - 300 },
  ],
  stock: [
    { option: key, amount: '20' },
    { option: `${key} sale`, amount: '20' },
  ],
});

beforeEach(async () => {
  service.clock.set(tuesday);
  shop = await createTestShop(service.context, {
    products: [
      jar('Plum', 'eighth', 3333),
      jar('Fig', 'fig', 1999, 'Edibles'),
      jar('Quince', 'ounce', 9999),
      jar('Pear', 'pear', 700),
    ],
  });
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

type Row = TestReply['data'];
const menu = (query: object = {}, headers = {}) =>
  service.call('GET', '/api/v1/menu', { keys: shop.keys, query: { type: 'pickup', ...query }, headers });
const add = (discount: Parameters<typeof addDiscount>[2]) =>
  addDiscount(service.context, shop.organizationId, discount);
const optionsOf = ({ data }: TestReply): Row[] => data.flatMap(({ options }: Row) => options);
const namesOf = ({ data }: TestReply) => data.map(({ name }: Row) => name);

/** What a cart of one unit costs without a customer, after discounts and before taxes. */
async function priceOfOne(productOptionId: number, type: string): Promise<number> {
  const body = { type, lineItems: [{ productOptionId, quantity: 1 }] };
  const { data } = await service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body });
  return data.discounts.reduce((left: number, { amountUsed }: Row) => left - amountUsed, data.totalPrice);
}

async function expectCartPrices(): Promise<Row[]> {
  const all: Row[] = [];
  for (const type of ['pickup', 'delivery']) {
    for (const option of optionsOf(await menu({ type }))) {
      const { displayPrice, specialPrice, specialMinimumOrder } = option;
      const costs = await priceOfOne(option.id, type);
      expect([type, option.id, specialPrice ?? displayPrice]).toEqual([type, option.id, costs]);
      // What needs an order is a condition, not the price.
      if (specialMinimumOrder === null)
        expect([type, option.id, displayPrice]).toEqual([type, option.id, costs]);
      else expect(displayPrice).toBeGreaterThan(costs);
      all.push(option);
    }
  }
  return all;
}

describe('special prices', () => {
  test('are what a cart charges for one unit, whatever discounts there are', async () => {
    expect((await expectCartPrices()).every(({ specialPrice }) => specialPrice === null)).toBe(true);
    const categoryIds = [shop.categoryId('Edibles')];
    await add({
      kind: 'line',
      type: 'percent',
      amount: '12.5',
      name: 'Sweet week',
      targets: { categoryIds },
    });
    await add({ kind: 'line', type: 'flat', amount: '150', perUnit: true, priority: 2 });
    await add({ kind: 'order', type: 'percent', amount: '7', minimumSubtotalCents: 2500 });
    await add({ kind: 'order', type: 'flat', amount: '5000', orderTypes: ['delivery'], name: 'Free ride' });
    await add({ kind: 'product', type: 'percent', amount: '40', stackable: false });
    await add({ kind: 'buy-x-get-y', type: 'percent', amount: '100', buyQuantity: 1, getQuantity: 1 });
    await add({ kind: 'bundle', type: 'flat', amount: '1200', bundleQuantity: 1, excludeSaleItems: true });
    await add({ kind: 'line', type: 'percent', amount: '60', minimumQuantity: 2 });
    await add({ kind: 'line', type: 'percent', amount: '3', customerType: 'adult-use' });
    await add({ kind: 'line', type: 'percent', amount: '95', customerType: 'medical' });
    await add({ kind: 'line', type: 'percent', amount: '90', trigger: 'code', codes: ['SECRET'] });
    await add({ kind: 'line', type: 'percent', amount: '80', firstOrder: true });
    await add({ kind: 'line', type: 'percent', amount: '70', usesPerCustomer: 1 });
    const options = await expectCartPrices();
    expect(new Set(options.map(({ specialPrice }) => specialPrice)).size).toBeGreaterThan(6);
  });

  test('that need an order are told as a condition, and the price to display, its filters and its order leave them out', async () => {
    const shown = async () => {
      const [plum, plumSale, , , quince] = optionsOf(await menu());
      return [plum, plumSale, quince].map((it) => [it.displayPrice, it.specialPrice, it.specialMinimumOrder]);
    };
    await add({
      kind: 'product',
      type: 'flat',
      amount: '300',
      minimumSubtotalCents: 9999,
      name: 'Big order',
    });
    expect(await shown()).toEqual([
      [3333, null, null],
      [3033, null, null],
      [9999, 9699, 9999],
    ]);
    expect(namesOf(await menu({ maxPrice: 9998, minPrice: 9697 }))).toEqual(['Quince']);
    expect(optionsOf(await menu({ minPrice: 9999 })).map(({ name }) => name)).toContain('On sale');
    await add({ kind: 'line', type: 'percent', amount: '10', name: 'Ten' });
    expect(await shown()).toEqual([
      [3000, 3000, null],
      [2730, 2730, null],
      [8999, 8729, 9999],
    ]);
    await add({ kind: 'order', type: 'flat', amount: '100', minimumSubtotalCents: 3000, name: 'Dollar' });
    expect((await shown())[2]).toEqual([8999, 8629, 9999]);
  });

  test('have the names of their discounts, and the end of the first one', async () => {
    await add({ kind: 'line', type: 'percent', amount: '10', name: 'Ten', endsAtMs: tuesday + minutes(90) });
    // Tuesdays from 17:00 to 18:00, then on to midnight and into Wednesday.
    const schedule = [
      { days: [2], fromMinute: 1020, toMinute: 1080 },
      { days: [2], fromMinute: 1080, toMinute: 60 },
    ];
    await add({ kind: 'order', type: 'flat', amount: '100', name: 'Evening', schedule });
    const [plum] = optionsOf(await menu());
    const ends = new Date(tuesday + minutes(90)).toISOString();
    expect([plum.specialPrice, plum.specialName, plum.specialEndsAt]).toEqual([2900, 'Evening, Ten', ends]);
    service.clock.set(tuesday + minutes(90));
    const [later] = optionsOf(await menu());
    // 01:00 on Wednesday.
    const closes = '2026-03-11T08:00:00.000Z';
    expect([later.specialPrice, later.specialName, later.specialEndsAt]).toEqual([3233, 'Evening', closes]);
    const at = (minuteOfDay: number, dayOfWeek: number) =>
      schedule.some((window) => isOpen(window, { minuteOfDay, dayOfWeek }));
    expect([at(59, 3), at(60, 3)]).toEqual([true, false]);
    service.clock.set(Date.parse(closes));
    expect(optionsOf(await menu())[0].specialPrice).toBe(null);
  });

  test('begin and end on time in a menu that is only read, also by a limit of uses', async () => {
    const read = async () => {
      const [{ specialPrice }] = optionsOf(await menu());
      return specialPrice;
    };
    for (let round = 0; round < 3; round++) {
      service.clock.advance(900);
      expect(await read()).toBe(null);
    }
    const startsAtMs = service.clock.now() + minutes(10);
    await add({
      kind: 'line',
      type: 'flat',
      amount: '33',
      startsAtMs,
      endsAtMs: startsAtMs + 1000,
      usesTotal: 1,
    });
    expect(await read()).toBe(null);
    service.clock.set(startsAtMs);
    expect(await read()).toBe(3300);
    service.clock.advance(999);
    expect(await read()).toBe(3300);
    await expectCartPrices();
    service.clock.advance(1);
    service.clock.advance(900);
    expect(await read()).toBe(null);
    await add({ kind: 'line', type: 'flat', amount: '33', usesTotal: 1 });
    expect(await read()).toBe(3300);
    const lineItems = [{ productOptionId: shop.optionId('eighth'), quantity: 1 }];
    const placed = await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop, { lineItems }),
    });
    expect(placed.status).toBe(201);
    expect(await read()).toBe(null);
  });
});

describe('a part of a menu', () => {
  test('comes in pages of any size, in the order of its sort, and says how many products fit', async () => {
    for (const [sort, names] of [
      [undefined, ['Plum', 'Fig', 'Quince', 'Pear']],
      ['name', ['Fig', 'Pear', 'Plum', 'Quince']],
      ['price', ['Pear', 'Fig', 'Plum', 'Quince']],
      ['price-descending', ['Quince', 'Plum', 'Fig', 'Pear']],
    ] as const) {
      const shown: string[] = [];
      let startingAfter: number | undefined;
      for (let page = 0; page < 3; page++) {
        const reply = await menu({ sort, limit: 2, startingAfter });
        expect(reply.meta.total).toBe(4);
        shown.push(...namesOf(reply));
        startingAfter = reply.data.at(-1)?.id;
      }
      expect([sort, shown]).toEqual([sort, names]);
    }
    const { error } = await menu({ startingAfter: 999_999_999 });
    expect([error?.code, error?.message]).toEqual([
      'INVALID_CURSOR',
      expect.stringContaining('startingAfter'),
    ]);
  });

  test('continues after a product that no longer fits', async () => {
    const first = await menu({ sort: 'name', inStock: true, limit: 2 });
    expect(namesOf(first)).toEqual(['Fig', 'Pear']);
    await tenantSql(
      service.context.database,
      shop.organizationId,
      `update stock_balances set on_hand = 0 where product_id = ${shop.productId('Pear')}`,
    );
    const startingAfter = first.data[1].id;
    const rest = await menu({ sort: 'name', inStock: true, limit: 2, startingAfter });
    expect([namesOf(rest), rest.meta.total]).toEqual([['Plum', 'Quince'], 3]);
  });

  test('has an entity tag of its own', async () => {
    const query = { search: 'plum on sale' };
    const { data, headers } = await menu(query);
    expect(data).toHaveLength(1);
    expect((await menu(query, { 'if-none-match': headers.etag })).status).toBe(304);
    expect((await menu({}, { 'if-none-match': headers.etag })).status).toBe(200);
  });
});

describe('changedSince', () => {
  const sell = async (key: string) => {
    const lineItems = [{ productOptionId: shop.optionId(key), quantity: 1 }];
    const body = pickupBody(shop, { lineItems });
    expect((await service.call('POST', '/api/v1/orders', { keys: shop.keys, body })).status).toBe(201);
  };

  test('answers the products that differ, over several versions, in at most 2 KB after one sale', async () => {
    const whole = await menu();
    expect(whole.headers.etag).toBe(`"${whole.meta.version}"`);
    const since = whole.meta.version;
    expect(await menu({ changedSince: since })).toMatchObject({
      data: [],
      meta: { changesOnly: true, removedProductIds: [], version: since },
    });
    await sell('eighth');
    const one = await menu({ changedSince: whole.headers.etag });
    expect(namesOf(one)).toEqual(['Plum']);
    expect(one.data[0].options[0].maxQuantity).toBe(19);
    await sell('fig');
    expect(namesOf(await menu({ changedSince: one.meta.version }))).toEqual(['Fig']);
    expect(namesOf(await menu({ changedSince: since }))).toEqual(['Plum', 'Fig']);
    // What a copy becomes is the menu as it is.
    expect(await copyAfter(whole, { changedSince: since })).toEqual((await menu()).data);
    expect(brotliCompressSync(one.text).length).toBeLessThan(2_000);
  });

  test('names products that are gone, and those that a query no longer keeps', async () => {
    const whole = await menu();
    const cheap = await menu({ maxPrice: 2500 });
    expect(namesOf(cheap)).toEqual(['Fig', 'Pear']);
    const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
    await sql(`update products set is_active = false where name = 'Quince'`);
    await sql(`update product_options set price_cents = 8000, sales_price_cents = null
                where product_id = ${shop.productId('Fig')}`);
    service.clock.advance(900);
    const since = { changedSince: whole.meta.version };
    const changed = await menu(since);
    expect([namesOf(changed), changed.meta.removedProductIds]).toEqual([['Fig'], [shop.productId('Quince')]]);
    expect(await copyAfter(whole, since)).toEqual((await menu()).data);
    const { data, meta } = await menu({ ...since, maxPrice: 2500 });
    expect([data, meta.removedProductIds.includes(shop.productId('Fig'))]).toEqual([[], true]);
  });

  test('answers the whole menu for a version that it does not know', async () => {
    const whole = await menu();
    for (const changedSince of [
      'of another process',
      '""',
      (await menu({ type: 'delivery' })).meta.version,
    ]) {
      const reply = await menu({ changedSince });
      if (changedSince === whole.meta.version) continue;
      expect([reply.text, reply.meta.changesOnly]).toEqual([whole.text, undefined]);
    }
    const { error } = await menu({ changedSince: whole.meta.version, limit: 5 });
    expect([error?.code, error?.message]).toEqual([
      'INVALID_PARAMS',
      expect.stringContaining('changedSince'),
    ]);
  });

  /** A copy of the menu, brought up to date. */
  async function copyAfter(whole: TestReply, query: object): Promise<Row[]> {
    const { data, meta } = await menu(query);
    const copy = new Map<number, Row>(whole.data.map((product: Row) => [product.id, product]));
    for (const id of meta.removedProductIds) copy.delete(id);
    for (const product of data) copy.set(product.id, product);
    return [...copy.values()].sort((a, b) => a.id - b.id);
  }
});
