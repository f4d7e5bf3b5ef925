import { afterAll, describe, expect, test } from 'vitest';
import { addCredit, type TestDiscount } from '../../../test/harness/test-promotions.ts';
import { startTestService, type TestReply, testNowMs } from '../../../test/harness/test-service.ts';
import type { ShopSettings, TestShop } from '../../../test/harness/test-shop.ts';
import { type TradeLines, tradeBody, tradeInShops } from '../../../test/harness/test-trade.ts';
import { assert } from '../../kernel/assert.ts';

const service = await startTestService();
const { openShop, sql, discount, price, place } = tradeInShops(service);
afterAll(() => service.close());

/** The same for a cart that is not refused. */
async function placed(shop: TestShop, lines: TradeLines, changes: object = {}) {
  const outcome = await place(shop, lines, changes);
  assert(outcome.error === undefined, 'the cart is refused');
  return outcome;
}

describe('preview, order and detail show every kind of discount alike, flat and percent', () => {
  const cart: TradeLines = [
    ['eighth', 2],
    ['gummies', 3],
  ];
  const cases: readonly [string, TestDiscount, number[][]][] = [
    ['line, percent', { kind: 'line', type: 'percent', amount: '10' }, [[700], [600], []]],
    ['line, flat, once', { kind: 'line', type: 'flat', amount: '250' }, [[250], [250], []]],
    [
      'line, flat, per unit',
      { kind: 'line', type: 'flat', amount: '250', perUnit: true },
      [[500], [750], []],
    ],
    ['product, percent', { kind: 'product', type: 'percent', amount: '12.5' }, [[875], [750], []]],
    ['product, flat, once', { kind: 'product', type: 'flat', amount: '1000' }, [[1000], [1000], []]],
    [
      'product, flat, per unit, on one line',
      { kind: 'product', type: 'flat', amount: '250', perUnit: true, usesPerOrder: 1 },
      [[], [750], []],
    ],
    ['order, percent', { kind: 'order', type: 'percent', amount: '10' }, [[], [], [1300]]],
    ['order, flat', { kind: 'order', type: 'flat', amount: '500' }, [[], [], [500]]],
    [
      'buy-x-get-y, percent',
      { kind: 'buy-x-get-y', type: 'percent', amount: '50', buyQuantity: 2, getQuantity: 1 },
      [[], [1000], []],
    ],
    [
      'buy-x-get-y, flat',
      { kind: 'buy-x-get-y', type: 'flat', amount: '300', buyQuantity: 2, getQuantity: 1 },
      [[], [300], []],
    ],
  ];
  test.each(cases)('%s', async (_, settings, expected) => {
    const shop = await openShop();
    const id = await discount(shop, { ...settings, name: 'A test' });
    const { off, total, placed: order, detail } = await placed(shop, cart);
    const taken = off.flat().reduce((sum: number, cents: number) => sum + cents, 0);
    expect([taken > 0, total]).toEqual([true, 12_997 - taken]);
    if (settings.kind !== 'buy-x-get-y') expect(off).toEqual(expected);
    const used = [...order.lineItems, order].flatMap((part: TestReply['data']) => part.discounts);
    for (const row of used) {
      expect(row).toMatchObject({
        discountId: id,
        orderId: order.id,
        amount: Number(settings.amount),
        description: 'A test',
        deletedAt: null,
        adminId: null,
        createdAt: order.createdAt,
        updatedAt: order.createdAt,
      });
    }
    const onLine = order.lineItems.flatMap((line: TestReply['data']) =>
      line.discounts.map((row: TestReply['data']) => [row.orderLineItemId, line.id]),
    );
    for (const [named, actual] of onLine) expect(named).toBe(actual);
    expect(
      detail.discounts.length + detail.lineItems.flatMap((l: TestReply['data']) => l.discounts).length,
    ).toBe(used.length);
  });
});

describe('a discount applies exactly when its condition holds:', () => {
  const off10: TestDiscount = { kind: 'order', type: 'percent', amount: '10' };
  const one: TradeLines = [['tray', 4]];
  const isOff = async (shop: TestShop, lines: TradeLines = one, changes: object = {}) => {
    return (await placed(shop, lines, changes)).placed.discounts.length === 1;
  };

  test('targets', async () => {
    const shop = await openShop();
    const [brand] = await sql(shop, 'select id from brands');
    const [tag] = await sql(shop, `select id from tags where name = 'Staff pick'`);
    const targets: readonly [TestDiscount['targets'], boolean, boolean][] = [
      [{ productIds: [shop.productId('Moonlit Grove')] }, true, false],
      [{ optionIds: [shop.optionId('tray')] }, false, true],
      [{ categoryIds: [shop.categoryId('Flower')] }, true, false],
      [{ brandIds: [brand!.id] }, true, true],
      [{ tagIds: [tag!.id] }, true, false],
      [{ tagIds: [tag!.id], optionIds: [shop.optionId('tray')] }, true, true],
      [{ brandIds: [999_999] }, false, false],
    ];
    for (const [target, onFlower, onTray] of targets) {
      await sql(shop, `update discounts set ends_at = '2020-01-01'`);
      await discount(shop, {
        kind: 'line',
        type: 'percent',
        amount: '10',
        ...(target && { targets: target }),
      });
      const { off } = await place(shop, [
        ['eighth', 1],
        ['tray', 1],
      ]);
      expect(off.map((amounts) => amounts.length)).toEqual([Number(onFlower), Number(onTray), 0]);
    }
  });

  test('a product that gets a tag is discounted in the next preview', async () => {
    const shop = await openShop();
    const [tag] = await sql(shop, `select id from tags where name = 'Empty'`);
    await discount(shop, { kind: 'line', type: 'percent', amount: '10', targets: { tagIds: [tag!.id] } });
    expect((await price(shop, one)).data.discountsTotal).toBe(0);
    await sql(
      shop,
      `insert into product_tags (organization_id, tag_id, product_id)
       values (${shop.organizationId}, ${tag!.id}, ${shop.productId('Rolling Tray')})`,
    );
    expect((await price(shop, one)).data.discountsTotal).toBe(500);
  });

  test('order type', async () => {
    const shop = await openShop();
    await discount(shop, { ...off10, orderTypes: ['delivery'] });
    const dear: TradeLines = [['tray', 8]];
    expect([await isOff(shop, dear), await isOff(shop, dear, { type: 'delivery' })]).toEqual([false, true]);
  });

  test('customer group', async () => {
    const shop = await openShop();
    const groupId = await service.context.ids.takeOne();
    await sql(
      shop,
      `insert into customer_groups (organization_id, id, name, created_at, updated_at)
       values (${shop.organizationId}, ${groupId}, 'Veterans', now(), now())`,
    );
    await discount(shop, { ...off10, customerGroupIds: [groupId, 999_999] });
    expect(await isOff(shop)).toBe(false);
    await sql(
      shop,
      `insert into customer_group_members (organization_id, user_id, customer_group_id, added_at)
       select organization_id, id, ${groupId}, now() from customers`,
    );
    expect(await isOff(shop)).toBe(true);
    const stranger = { firstName: 'Some', lastName: 'Body', phone: '(510) 555-0142' };
    expect(await isOff(shop, one, { customer: stranger })).toBe(false);
  });

  test('minimum subtotal, to the cent', async () => {
    const shop = await openShop();
    await discount(shop, { ...off10, minimumSubtotalCents: 5000 });
    expect(await isOff(shop)).toBe(true);
    await sql(shop, 'update discounts set minimum_subtotal_cents = 5001');
    expect(await isOff(shop)).toBe(false);
  });

  test('first order: without an earlier order that is not canceled', async () => {
    const shop = await openShop();
    await discount(shop, { ...off10, firstOrder: true });
    const anonymous = await price(shop, one, { customer: undefined });
    expect(anonymous.data.discounts).toEqual([]);
    expect([await isOff(shop), await isOff(shop)]).toEqual([true, false]);
    await sql(shop, `update orders set status = 'canceled', canceled_at = now()`);
    expect((await price(shop, one)).data.discounts).toHaveLength(1);
    await sql(shop, `update orders set status = 'new', canceled_at = null`);
  });

  test("birthday month, by the shop's calendar; the birthday of the profile wins", async () => {
    const shop = await openShop();
    await discount(shop, { ...off10, birthdayMonth: true });
    const born = (birthday: string, email = 'b@customers.example.com') => ({
      customer: { firstName: 'B', lastName: 'Day', email, birthday },
    });
    // 31 March, 23:59:59 in Los Angeles; in UTC it is April.
    service.clock.set(Date.parse('2026-04-01T06:59:59.999Z'));
    expect(await isOff(shop, one, born('1990-03-01'))).toBe(true);
    expect(await isOff(shop, one, born('1990-04-01', 'c@customers.example.com'))).toBe(false);
    service.clock.advance(1);
    expect(await isOff(shop, one, born('1990-04-30'))).toBe(false);
    expect(await isOff(shop, one, born('1990-03-01', 'c@customers.example.com'))).toBe(true);
    expect(await isOff(shop)).toBe(false);
  });

  test("schedule, in the shop's local time, over midnight and over a clock change", async () => {
    const shop = await openShop();
    await discount(shop, { ...off10, schedule: [{ days: [6], fromMinute: 22 * 60, toMinute: 3 * 60 }] });
    // Saturday 7 March 22:00 to Sunday 03:00; the clock goes from 02:00 to 03:00 that night.
    const moments: readonly [string, boolean][] = [
      ['2026-03-08T05:59:59.999Z', false],
      ['2026-03-08T06:00:00.000Z', true],
      ['2026-03-08T09:59:59.999Z', true],
      ['2026-03-08T10:00:00.000Z', false],
      ['2026-03-09T06:00:00.000Z', false],
    ];
    for (const [at, applies] of moments) {
      service.clock.set(Date.parse(at));
      expect([at, await isOff(shop)]).toEqual([at, applies]);
    }
  });

  test('start and end, to the millisecond', async () => {
    const shop = await openShop();
    await discount(shop, { ...off10, startsAtMs: testNowMs + 1000, endsAtMs: testNowMs + 2000 });
    for (const [afterMs, applies] of [
      [999, false],
      [1000, true],
      [1999, true],
      [2000, false],
    ] as const) {
      service.clock.set(testNowMs + afterMs);
      expect([afterMs, await isOff(shop)]).toEqual([afterMs, applies]);
    }
  });
});

describe('several discounts', () => {
  test('apply by priority and id, each to the rest; the better of one exclusive discount and the stack wins', async () => {
    const shop = await openShop();
    await discount(shop, { kind: 'line', type: 'flat', amount: '1000', priority: 2, name: 'second' });
    await discount(shop, { kind: 'line', type: 'percent', amount: '10', priority: 1, name: 'first' });
    expect((await place(shop, [['eighth', 2]])).off).toEqual([[700, 1000], []]);
    await discount(shop, { kind: 'line', type: 'flat', amount: '1700', stackable: false });
    expect((await place(shop, [['eighth', 2]])).off).toEqual([[700, 1000], []]);
    await discount(shop, { kind: 'line', type: 'flat', amount: '1701', stackable: false });
    expect((await place(shop, [['eighth', 2]])).off).toEqual([[1701], []]);
  });

  test("are capped by the organization's maximum, including discounts on lines", async () => {
    const shop = await openShop();
    await sql(shop, 'update organizations set maximum_discount_percent = 30');
    await discount(shop, { kind: 'line', type: 'percent', amount: '20' });
    await discount(shop, { kind: 'order', type: 'percent', amount: '50' });
    await discount(shop, { kind: 'order', type: 'flat', amount: '100', priority: 1 });
    expect(await place(shop, [['eighth', 2]])).toMatchObject({ off: [[1400], [700]], total: 4900 });
  });

  test("leave a cent of each unit of cannabis where the state bars free cannabis, or the shop's minimum", async () => {
    const shop = await openShop({ state: 'OR' });
    await discount(shop, { kind: 'order', type: 'percent', amount: '100' });
    const cart: TradeLines = [
      ['eighth', 2],
      ['tray', 1],
    ];
    expect((await place(shop, cart)).total).toBe(2);
    await sql(shop, 'update organizations set free_product_floor_cents = 100');
    expect((await place(shop, cart)).total).toBe(200);
    await sql(shop, 'update organizations set free_product_floor_cents = 0');
    expect((await place(shop, cart)).total).toBe(2);
    await sql(shop, `update organizations set state = 'WY'`);
    expect((await place(shop, cart)).total).toBe(0);
  });

  test('and sale prices do not make cannabis free; an option without a price is free', async () => {
    const shop = await openShop({ state: 'CA' });
    const sell = (prices: string) =>
      sql(shop, `update product_options set ${prices} where id = ${shop.optionId('gummies')}`);
    await discount(shop, { kind: 'order', type: 'flat', amount: '100' });
    const cart: TradeLines = [
      ['eighth', 1],
      ['gummies', 2],
    ];
    await sell('price_cents = 0, sales_price_cents = null');
    expect((await place(shop, cart)).total).toBe(3400);
    expect((await place(shop, [['gummies', 1]])).total).toBe(0);
    await sell('price_cents = 0, sales_price_cents = 0');
    expect((await place(shop, [['gummies', 1]])).total).toBe(0);
    await sell('price_cents = 9, sales_price_cents = 0');
    expect((await place(shop, cart)).error).toEqual({
      code: 'INVALID_ORDER',
      message:
        'lineItems[1]: a unit of Citrus Gummies is on sale for 0 cents, but cannabis must cost at least 1 cents, required by the law of CA.',
    });
    await sell('price_cents = 701, sales_price_cents = 699');
    await sql(shop, 'update organizations set free_product_floor_cents = 700');
    expect((await place(shop, [['gummies', 1]])).error?.message).toBe(
      'lineItems[0]: a unit of Citrus Gummies is on sale for 699 cents, but cannabis must cost at least 700 cents, set by the organization.',
    );
    await sell('price_cents = 699, sales_price_cents = null');
    expect((await place(shop, [['gummies', 1]])).total).toBe(699);
    await sql(shop, `update organizations set free_product_floor_cents = null, state = 'WY'`);
    await sell('price_cents = 9, sales_price_cents = 0');
    expect((await place(shop, [['gummies', 1]])).total).toBe(0);
  });

  test('do not lower the tax base in the state that taxes established prices', async () => {
    const shop = await openShop({ state: 'MT', taxes: [{ rate: '20' }] });
    await discount(shop, { kind: 'order', type: 'percent', amount: '50' });
    expect((await place(shop, [['tray', 2]])).total).toBe(1250 + 500);
    await sql(shop, `update organizations set state = 'WY'`);
    expect((await place(shop, [['tray', 2]])).total).toBe(1250 + 250);
  });
});

test('deliveries to a zone with its own taxes are charged exactly these, others those of the organization', async () => {
  const shop = await openShop({ taxes: [{ rate: '10' }, { rate: '5', tier: '2' }] });
  const taxes = await sql(shop, 'select id from taxes order by tier');
  const deliver = { type: 'delivery', deliveryFee: 0 };
  const cart: TradeLines = [['tray', 8]];
  expect((await place(shop, cart, deliver)).total).toBe(11_500);
  await sql(shop, `update delivery_zones set tax_ids = '{${taxes[1]!.id}}' where name = 'Oakland'`);
  expect((await place(shop, cart, deliver)).total).toBe(10_500);
  expect((await place(shop, cart)).total).toBe(11_500);
  const far = {
    ...deliver,
    postalCode: '94699',
    address: { ...tradeBody(shop, cart).address, postalCode: '94699' },
  };
  expect((await place(shop, cart, far)).total).toBe(11_500);
  await sql(shop, `update delivery_zones set tax_ids = '{}' where name = 'Oakland'`);
  expect((await place(shop, cart, deliver)).total).toBe(10_000);
  await sql(shop, `update taxes set ends_at = '2020-01-01' where id = ${taxes[1]!.id}`);
  await sql(shop, `update delivery_zones set tax_ids = '{${taxes[1]!.id}}' where name = 'Oakland'`);
  expect((await place(shop, cart, deliver)).total).toBe(10_000);
});

describe('the worked examples of docs/PRICING.md', () => {
  const taxes: NonNullable<ShopSettings['taxes']> = [
    { description: 'City', rate: '5', tier: '1' },
    { description: 'Excise', rate: '15', tier: '2', type: 'excise', encompass: true, appliesToFees: true },
    {
      description: 'Sales',
      rate: '9.25',
      tier: '3',
      encompass: true,
      exemptable: true,
      nonExemptableCategories: ['Accessories'],
    },
  ];
  const cart: TradeLines = [
    ['eighth', 2],
    ['gummies', 3],
    ['tray', 1],
  ];
  const delivery = { type: 'delivery', deliveryFee: 500 };

  async function openExampleShop(): Promise<TestShop> {
    const shop = await openShop({ taxes, medicalTaxExempt: true });
    // The fee of the examples is the shop's own.
    await sql(shop, 'update organizations set tax_pass_through_fees = true');
    await discount(shop, {
      kind: 'line',
      type: 'percent',
      amount: '10',
      targets: { categoryIds: [shop.categoryId('Edibles')] },
    });
    await discount(shop, { kind: 'order', type: 'flat', amount: '500' });
    return shop;
  }

  test('A', async () => {
    const { placed: order, previewed } = await placed(await openExampleShop(), cart, delivery);
    expect(order.lineItems.map(({ finalPrice }: TestReply['data']) => finalPrice)).toEqual([
      7000, 5397, 1250,
    ]);
    expect(order.taxes.map(({ amount }: TestReply['data']) => amount)).toEqual([657, 2146, 1468]);
    expect(order).toMatchObject({ totalPrice: 13_647, netPrice: 17_418, customerGrandTotal: 17_918 });
    expect(previewed.discountsTotal).toBe(1100);
  });

  test('B', async () => {
    const shop = await openExampleShop();
    const { data } = await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: tradeBody(shop, [['tray', 1]]),
    });
    await sql(shop, `update customers set medical_expiration = '2030-01-01'`);
    await addCredit(service.context, shop.organizationId, data.customer.id, { cents: 1000 });
    const { placed: order } = await placed(shop, cart, delivery);
    expect(order.taxes.at(-1)).toMatchObject({
      amountBeforeExemption: 1468,
      amountExempted: 1334,
      amount: 134,
    });
    expect(order.credits).toMatchObject([{ amountUsed: 1000, percent: null, orderId: order.id }]);
    expect(order).toMatchObject({ netPrice: 15_084, customerGrandTotal: 15_584 });
  });

  test('H', async () => {
    const shop = await openShop({
      taxes: [{ rate: '8.875', excludedCategories: ['Accessories'] }],
      products: ['first', 'second', 'third'].map((key, index) => ({
        key,
        category: index === 2 ? 'Accessories' : 'Flower',
        inventoryType: 'none',
        options: [{ key, priceCents: index === 2 ? 3334 : 3333 }],
      })),
    });
    await discount(shop, { kind: 'order', type: 'flat', amount: '100' });
    await discount(shop, { kind: 'order', type: 'percent', amount: '12.5', priority: 1 });
    const { placed: order, off } = await placed(shop, [
      ['first', 1],
      ['second', 1],
      ['third', 1],
    ]);
    expect(off).toEqual([[], [], [], [100, 1238]]);
    expect(order).toMatchObject({ taxes: [{ amount: 512 }], netPrice: 9174 });
  });
});
