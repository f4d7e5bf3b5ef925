import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';

const service = await startTestService();
let shop: TestShop;
let owner: TestStaff;
let clerk: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context, { budtenderDiscountPercent: '10' });
  owner = await service.staff(shop);
  clerk = await service.staff(shop, 'budtender');
});
afterEach(async () => {
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

const sql = (text: string, ...values: (string | number)[]) =>
  tenantSql(service.context.database, shop.organizationId, text, ...values);
const shelves = () =>
  sql(
    'select package_id, product_option_id, trim_scale(on_hand) as on_hand from stock_balances order by 1, 2',
  );
const line = (key: string, quantity: number) => ({ productOptionId: shop.optionId(key), quantity });

const body = (changes: object = {}) => ({
  type: 'in-store',
  lineItems: [line('eighth', 2)],
  payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
  idempotencyKey: randomUUID(),
  ...changes,
});

async function place(changes: object = {}, by = clerk): Promise<TestReply['data']> {
  const { status, data, text } = await by.call('POST', '/staff/v1/orders', body(changes));
  expect([status, text]).toEqual([201, text]);
  return data;
}

const edit = (id: string, change: object, by = clerk) => {
  service.clock.advance(1000);
  return by.call('PATCH', `/staff/v1/orders/${id}`, change);
};
const act = (id: string, action: string, sent?: object) =>
  clerk.call('POST', `/staff/v1/orders/${id}/${action}`, sent);
const show = async (id: string) => (await clerk.call('GET', `/staff/v1/orders/${id}?explain=true`)).data;

const held = (order: TestReply['data']) =>
  order.lineItems.map((item: TestReply['data']) =>
    item.fulfillAs.map((part: TestReply['data']) => [part.pkg?.label.slice(-1) ?? null, -part.optionSum]),
  );

test('an edited order equals a new order for the same cart, to the cent and the package', async () => {
  const order = await place({ lineItems: [line('eighth', 5), line('tray', 1)] });
  const lineItems = [line('gummies', 2), line('eighth', 3)];
  const edited = await edit(order.id, { lineItems });
  expect(edited.error).toBeUndefined();
  const fresh = await place({ lineItems });
  for (const field of ['totalPrice', 'netPrice', 'customerGrandTotal', 'taxes', 'discountsTotal']) {
    expect(edited.data[field]).toEqual(fresh[field]);
  }
  expect(edited.data.payments).toMatchObject([{ amount: fresh.netPrice }]);
  expect(held(edited.data)).toEqual([[[null, 2]], [['1', 3]]]);
  expect(edited.data).toMatchObject({ id: order.id, number: order.number, createdAt: order.createdAt });
  expect(edited.data.placedBy).toEqual(order.placedBy);
  const eighth = (shown: TestReply['data']) =>
    shown.lineItems.find((item: { optionId: number }) => item.optionId === shop.optionId('eighth')).id;
  expect(eighth(edited.data)).toBe(eighth(order));
  const { explanation } = await show(order.id);
  expect(explanation.at(-1)).toMatchObject({ step: 'grand-total', roundedCents: fresh.customerGrandTotal });
});

test('stock changes by the difference: lines keep their packages, and the last taken is returned first', async () => {
  const before = await shelves();
  const order = await place({ lineItems: [line('eighth', 103)] });
  expect(held(order)).toEqual([
    [
      ['1', 100],
      ['2', 3],
    ],
  ]);
  const more = await edit(order.id, { lineItems: [line('eighth', 105)] });
  expect(held(more.data)).toEqual([
    [
      ['1', 100],
      ['2', 5],
    ],
  ]);
  expect(more.data.lineItems[0]).toMatchObject({ packageLineCost: 1050, optionMovingAverageCostPerUnit: 10 });
  const less = await edit(order.id, { lineItems: [line('eighth', 99)] });
  expect(held(less.data)).toEqual([[['1', 99]]]);
  await act(order.id, 'cancel', { reason: 'Test' });
  expect(await shelves()).toEqual(before);
});

test('draws from the location given at acceptance, until it is a draft again', async () => {
  const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' };
  const { id } = await place({ type: 'delivery', address, lineItems: [line('tray', 9)] });
  const storefront = { inventoryLocationId: shop.locationId('Storefront') };
  expect((await act(id, 'accept', storefront)).status).toBe(200);
  const lineItems = [line('quarter', 2)];
  expect((await edit(id, { lineItems })).error?.code).toBe('OUT_OF_STOCK');
  expect((await act(id, 'unaccept')).status).toBe(200);
  expect((await edit(id, { lineItems })).status).toBe(200);
  expect((await act(id, 'accept', {})).data.lineItems[0].fulfillAs).toHaveLength(1);
});

test('stock that one line returns serves another line of the same product', async () => {
  const jar = await createTestShop(service.context, {
    products: [
      {
        key: 'Jar',
        unit: 'gram',
        inventoryType: 'product',
        options: [
          { key: 'gram', amount: '1', priceCents: 1200 },
          { key: 'half', amount: '0.5', priceCents: 700 },
        ],
        stock: [{ amount: '10', label: '1A4FF0000000000000000009' }],
      },
    ],
  });
  const staff = await service.staff(jar);
  const of = (key: string, quantity: number) => ({ productOptionId: jar.optionId(key), quantity });
  const { data } = await staff.call('POST', '/staff/v1/orders', {
    ...body({ payments: [] }),
    lineItems: [of('gram', 10)],
  });
  const change = (...lineItems: object[]) =>
    staff.call('PATCH', `/staff/v1/orders/${data.id}`, { lineItems });
  expect(held((await change(of('gram', 7), of('half', 6))).data)).toEqual([[['9', 7]], [['9', 3]]]);
  expect(held((await change(of('half', 20))).data)).toEqual([[['9', 10]]]);
  expect((await change(of('half', 20), of('gram', 1))).error?.code).toBe('OUT_OF_STOCK');
  expect(await brokenRules(service.context.database, jar.organizationId)).toEqual([]);
});

test('an edit beyond the stock is refused and changes nothing', async () => {
  const order = await place();
  const before = [await shelves(), await show(order.id)];
  for (const [change, status, code] of [
    [{ lineItems: [line('sold out', 1)] }, 409, 'OUT_OF_STOCK'],
    [{ lineItems: [line('eighth', 1), line('retired', 1)] }, 422, 'PRODUCT_IS_INACTIVE'],
    [{ lineItems: [{ productOptionId: 999, quantity: 1 }] }, 404, 'PRODUCT_OPTION_NOT_FOUND'],
    [{ lineItems: [line('eighth', 6000), line('eighth', 6000)] }, 400, 'INVALID_ORDER_QUANTITY'],
    [{ payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), amount: 1 }] }, 422, 'INVALID_ORDER'],
    [{ discountIds: [999] }, 404, 'DISCOUNT_NOT_FOUND'],
    [{ discountCodes: ['NONE'] }, 422, 'DISCOUNT_CODE_INVALID'],
    [{ adjustments: [{ amount: -1400, description: 'Dent' }] }, 403, 'INSUFFICIENT_PERMISSIONS'],
    [{ address: { street1: 'A', city: 'Oakland', state: 'CA', postalCode: '94607' } }, 422, 'INVALID_ORDER'],
  ] as const) {
    const reply = await edit(order.id, change);
    expect([change, reply.status, reply.error?.code]).toEqual([change, status, code]);
  }
  expect([await shelves(), await show(order.id)]).toEqual(before);
});

test('notes alone change no amount, and lines that stay keep their price, also after a change of prices', async () => {
  const order = await place({ deliveryNotes: 'Blue door', internalNotes: 'VIP' });
  await sql('update product_options set price_cents = price_cents + 100');
  const { data } = await edit(order.id, { deliveryNotes: null, internalNotes: 'Call first' });
  expect(data).toEqual({
    ...order,
    deliveryNotes: null,
    internalNotes: 'Call first',
    updatedAt: new Date(service.clock.now()).toISOString(),
  });
  const same = await edit(order.id, { lineItems: [line('eighth', 2)] });
  expect(same.data.totalPrice).toBe(order.totalPrice);
  const dearer = await act(order.id, 'reprice');
  expect(dearer.data.totalPrice).toBe(order.totalPrice + 200);
});

test('an edit without changes writes nothing', async () => {
  const order = await place();
  expect((await edit(order.id, {})).data).toEqual(order);
});

test('only drafts and new orders are edited', async () => {
  const { id } = await place();
  await act(id, 'pack');
  const refused = await edit(id, { lineItems: [line('eighth', 1)] });
  expect([refused.status, refused.error]).toMatchObject([
    409,
    { code: 'INVALID_ORDER_TRANSITION', meta: { status: 'packed', action: 'edit' } },
  ]);
  await act(id, 'unpack');
  expect((await edit(id, { lineItems: [line('eighth', 1)] })).status).toBe(200);
});

test('an edited draft of an integrator keeps its codes, fees and payments, and takes no stock', async () => {
  await owner.call('POST', '/staff/v1/discounts', {
    name: 'Spring',
    kind: 'order',
    type: 'percent',
    amount: '20',
    trigger: 'code',
    codes: ['SPRING'],
    usesTotal: 1,
  });
  const placed = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: deliveryBody(shop, {
      discountCodes: ['spring'],
      deliveryFee: 123,
      payments: [{ paymentTypeId: shop.paymentTypeId('Debit'), remaining: true }],
    }),
  });
  expect(placed.status).toBe(201);
  const before = await shelves();
  const { data } = await edit(placed.data.id, { lineItems: [line('eighth', 10)] });
  expect(data).toMatchObject({
    status: 'draft',
    source: 'open-api',
    apiConsumerName: shop.integrator.name,
    idempotencyKey: placed.data.idempotencyKey,
    deliveryFee: 123,
    discounts: [{ amountUsed: 7000 }],
    payments: [{ name: 'Debit', feeAmount: 350 }],
  });
  expect(await shelves()).toEqual(before);
  const moved = await edit(placed.data.id, {
    address: { street1: '9 Bay Road', city: 'Oakland', state: 'CA', postalCode: '94612' },
    discountCodes: [],
  });
  expect(moved.data).toMatchObject({
    postalCode: '94612',
    address: { street1: '9 Bay Road' },
    discounts: [],
  });
  // The code can be used again.
  expect((await edit(placed.data.id, { discountCodes: ['SPRING'] })).error).toBeUndefined();
  expect(await sql('select used::integer from discount_uses')).toEqual([{ used: 1 }]);
});

test('uses, credits and points of the order itself are available to its edit', async () => {
  const customer = { firstName: 'Ana', lastName: 'Ruiz', email: `${randomUUID()}@mail.example.com` };
  const first = await owner.call('POST', '/staff/v1/discounts', {
    name: 'First order',
    kind: 'order',
    type: 'flat',
    amount: '500',
    trigger: 'automatic',
    firstOrder: true,
    usesPerCustomer: 1,
    usesTotal: 1,
  });
  expect(first.error).toBeUndefined();
  const order = await place({ customer });
  const customerId = order.userId;
  expect(order.discounts).toMatchObject([{ amountUsed: 500 }]);
  await owner.call('POST', `/staff/v1/customers/${customerId}/credits`, {
    type: 'store-credit',
    amount: 3000,
    description: 'Sorry',
  });
  await owner.call('POST', `/staff/v1/customers/${customerId}/loyalty-adjustments`, {
    pointsAmount: 100,
    reason: 'Welcome',
  });
  const reward = await owner.call('POST', '/staff/v1/loyalty-rewards', {
    name: 'Five off',
    type: 'flat',
    pointsRequirement: '60',
    discountAmount: '500',
  });
  const loyaltyRewards = [{ rewardId: reward.data.id }];
  const account = () =>
    sql(
      `select (select sum(remaining_cents) from customer_credits)::integer as credit,
              (select sum(points) from loyalty_balances)::integer as points`,
    );
  for (const quantity of [2, 5, 1]) {
    const { data, error } = await edit(order.id, { lineItems: [line('eighth', quantity)], loyaltyRewards });
    expect(error).toBeUndefined();
    expect(data).toMatchObject({
      discounts: [{ amountUsed: 500 }],
      credits: [{ amountUsed: 3000 - (await account())[0]!.credit }],
      loyaltyRedemptions: [{ pointsAmount: '-60' }],
    });
    expect((await account())[0]!.points).toBe(40);
  }
  const without = await edit(order.id, { loyaltyRewards: [] });
  expect(without.data.loyaltyRedemptions).toEqual([]);
  expect((await account())[0]!.points).toBe(100);
  await act(order.id, 'cancel', { reason: 'Test' });
  expect(await account()).toEqual([{ credit: 3000, points: 100 }]);
});

test("limits count the customer's other purchases, not the order itself", async () => {
  const limited = await createTestShop(service.context, { state: 'CA' });
  const staff = await service.staff(limited, 'budtender');
  const customer = { firstName: 'Ana', lastName: 'Ruiz', email: `${randomUUID()}@mail.example.com` };
  const lineItems = (quantity: number) => [{ productOptionId: limited.optionId('eighth'), quantity }];
  const buy = (quantity: number) =>
    staff.call('POST', '/staff/v1/orders', {
      ...body({ payments: [] }),
      lineItems: lineItems(quantity),
      customer,
    });
  const { id } = (await buy(4)).data;
  expect((await buy(2)).status).toBe(201);
  const path = `/staff/v1/orders/${id}`;
  expect((await staff.call('PATCH', path, { lineItems: lineItems(6) })).status).toBe(200);
  const over = await staff.call('PATCH', path, { lineItems: lineItems(7) });
  expect(over.error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
});

test('a manual reduction stays with the staff member who gave it; the limit of a role is for new reductions', async () => {
  const given = [{ amount: -3000, description: 'Sorry' }];
  const order = await place({ adjustments: given, taxExempt: { exempt: true, reason: 'Card' } }, owner);
  const { data, error } = await edit(order.id, { lineItems: [line('eighth', 3)] });
  expect(error).toBeUndefined();
  expect(data).toMatchObject({ adjustments: given, taxExempt: true, taxExemptReason: 'Card' });
  expect(await sql('select admin_id from order_adjustments')).toEqual([{ admin_id: owner.staffId }]);
  const own = await edit(order.id, { adjustments: given });
  expect([own.status, own.error?.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS']);
  const plain = await edit(order.id, { adjustments: [], taxExempt: null });
  expect(plain.data).toMatchObject({ adjustments: [], taxExempt: false, taxExemptReason: null });
  const [audit] = await sql(
    `select actor, details from audit_entries where action = 'order.updated' order by id desc limit 1`,
  );
  expect(audit).toMatchObject({
    actor: `staff:${clerk.staffId}`,
    details: {
      adjustments: { from: [{ amount: -3000 }], to: [] },
      taxExempt: { from: { exempt: true, reason: 'Card' }, to: null },
      customerGrandTotal: { from: data.customerGrandTotal, to: plain.data.customerGrandTotal },
    },
  });
});

const manual = async (settings: object): Promise<number> => {
  const { data, error } = await owner.call('POST', '/staff/v1/discounts', {
    name: 'By hand',
    kind: 'order',
    trigger: 'manual',
    ...settings,
  });
  expect(error).toBeUndefined();
  return data.id;
};
const refusalOf = async (id: string, change: object) => {
  const { status, error } = await edit(id, change);
  return error ? [status, error.code] : status;
};

test('other lines cannot make a reduction exceed the limit of a role', async () => {
  const discountIds = [await manual({ type: 'flat', amount: '700' })];
  for (const gift of [{ discountIds }, { adjustments: [{ amount: -700, description: 'Dent' }] }]) {
    const { id } = await place(gift);
    const before = await show(id);
    expect(await refusalOf(id, { lineItems: [line('eighth', 1)] })).toEqual([
      403,
      'INSUFFICIENT_PERMISSIONS',
    ]);
    expect(await show(id)).toEqual(before);
    expect(await refusalOf(id, { lineItems: [line('eighth', 3)] })).toBe(200);
    expect((await edit(id, { lineItems: [line('eighth', 1)] }, owner)).status).toBe(200);
  }
});

test('a larger reduction by another staff member stays while it is no larger part of the price', async () => {
  const discountIds = [await manual({ type: 'percent', amount: '30' })];
  const percent = await place({ discountIds }, owner);
  // 1999, 4498 and 3249: a part rounded to the cent is no larger part.
  for (const lineItems of [[line('gummies', 1)], [line('gummies', 1), line('tray', 2)], [line('tray', 1)]]) {
    expect(await refusalOf(percent.id, { lineItems })).toBe(200);
  }
  const flat = await place({ adjustments: [{ amount: -3000, description: 'Sorry' }] }, owner);
  const cash = { paymentTypeId: shop.paymentTypeId('Cash'), remaining: true };
  expect(await refusalOf(flat.id, { payments: [cash] })).toBe(200);
  expect(await refusalOf(flat.id, { lineItems: [line('eighth', 4)] })).toBe(200);
  expect(await refusalOf(flat.id, { lineItems: [line('eighth', 3)] })).toEqual([
    403,
    'INSUFFICIENT_PERMISSIONS',
  ]);
});

test('a reduction of 0 on free products does not permit one on the products that replace them', async () => {
  await sql(
    'update product_options set price_cents = 0, sales_price_cents = null where id = $1',
    shop.optionId('tray'),
  );
  const { id } = await place({
    lineItems: [line('tray', 1)],
    adjustments: [{ amount: -3000, description: 'Dent' }],
  });
  expect(await refusalOf(id, { lineItems: [line('eighth', 1)] })).toEqual([403, 'INSUFFICIENT_PERMISSIONS']);
});

describe('at once', () => {
  test('an edit and a step of one order at once: both succeed in turn, or the later is refused', async () => {
    for (const action of ['pack', 'unaccept', 'cancel', 'fulfill']) {
      const { id } = await place();
      const [edited, stepped] = await Promise.all([
        edit(id, { lineItems: [line('eighth', 4)] }),
        act(id, action, action === 'cancel' ? { reason: 'Test' } : action === 'fulfill' ? {} : undefined),
      ]);
      expect(stepped.status).toBe(200);
      expect([200, 409]).toContain(edited.status);
      if (edited.status === 409) expect(edited.error?.code).toBe('INVALID_ORDER_TRANSITION');
    }
  });

  test('an edit and the acceptance of a draft leave it with the stock of its edited lines', async () => {
    const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' };
    for (let round = 0; round < 4; round++) {
      const { id } = await place({ type: 'delivery', address });
      const replies = await Promise.all([
        edit(id, { lineItems: [line('eighth', 4)] }),
        act(id, 'accept', {}),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      const { data } = await clerk.call('GET', `/staff/v1/orders/${id}`);
      expect(data).toMatchObject({ status: 'new', lineItems: [{ quantity: 4 }] });
      expect(data.lineItems[0].fulfillAs).toMatchObject([{ optionSum: -4 }]);
    }
  });

  test('concurrent edits of many orders never sell the same stock twice, and never deadlock', async () => {
    const scarce = await createTestShop(service.context, {
      products: ['One', 'Two'].map((key) => ({
        key,
        options: [{ key, priceCents: 1000 }],
        stock: [{ option: key, amount: '12' }],
      })),
    });
    const staff = await service.staff(scarce);
    const lines = (one: number, two: number) =>
      [
        { productOptionId: scarce.optionId('One'), quantity: one },
        { productOptionId: scarce.optionId('Two'), quantity: two },
      ].filter(({ quantity }) => quantity > 0);
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      const { data } = await staff.call('POST', '/staff/v1/orders', {
        ...body({ payments: [] }),
        lineItems: lines(1, 1),
      });
      ids.push(data.id);
    }
    for (const wish of [2, 3, 4]) {
      const replies = await Promise.all(
        ids.map((id, index) =>
          staff.call('PATCH', `/staff/v1/orders/${id}`, {
            lineItems: index % 2 === 0 ? lines(wish, 1) : lines(1, wish),
          }),
        ),
      );
      for (const { status } of replies) expect([200, 409]).toContain(status);
      expect(await brokenRules(service.context.database, scarce.organizationId)).toEqual([]);
    }
  });
});

test('random edits keep ledger, balances and totals consistent', async () => {
  const before = await shelves();
  let seed = 20_260_310;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const orders = [await place(), await place({ type: 'pickup' })];
  const keys = ['eighth', 'quarter', 'gram', 'half gram', 'gummies', 'tray'];
  for (let round = 0; round < 24; round++) {
    const order = orders[random(orders.length)]!;
    const chosen = keys.filter(() => random(2) === 0);
    const lineItems = (chosen.length === 0 ? ['eighth'] : chosen).map((key) => line(key, 1 + random(150)));
    const adjustments = random(3) === 0 ? [{ amount: random(900) + 1, description: 'Bag' }] : [];
    const { data, error } = await edit(order.id, { lineItems, adjustments });
    expect(error).toBeUndefined();
    const { data: priced } = await clerk.call('POST', '/staff/v1/orders/pricing', {
      type: order.type,
      lineItems,
      adjustments,
    });
    expect([data.totalPrice, data.netPrice]).toEqual([priced.totalPrice, priced.netPrice]);
    if (round % 6 === 5) {
      expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
      await act(order.id, 'unaccept');
      await act(order.id, 'accept', {});
    }
  }
  for (const { id } of orders) await act(id, 'cancel', { reason: 'Test' });
  expect(await shelves()).toEqual(before);
});
