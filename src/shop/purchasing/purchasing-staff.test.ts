import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
let shop: TestShop;
let staff: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  staff = await service.staff(shop, 'inventory');
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const path = '/staff/v1/purchase-orders';
const label = (end: string) => `1A4FF${end.padStart(19, '0')}`;
const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
const line = (changes: object = {}) => ({
  productId: shop.productId('Moonlit Grove'),
  productOptionId: shop.optionId('sold out'),
  amount: '10',
  costPerUnit: '100',
  ...changes,
});
const jar = (changes: object = {}) => ({
  productId: shop.productId('Counter Jar'),
  amount: '100000',
  costPerUnit: '5.5',
  ...changes,
});
const create = async (changes: object = {}) => {
  const { status, data, text } = await staff.call('POST', path, {
    lineItems: [line()],
    expectedAt: '2026-03-14',
    inventoryVendor: { name: 'Tidewater Distribution' },
    ...changes,
  });
  expect([status, text]).toEqual([201, text]);
  return data;
};
const receive = (order: { id: number }, ...receptions: object[]) =>
  staff.call('POST', `${path}/${order.id}/receptions`, receptions);
const storefront = () => shop.locationId('Storefront');
const costs = async () => {
  const [row] = await sql(
    `select (select moving_average_cost_per_unit::text from product_options where id = ${shop.optionId('sold out')}) as option,
            (select moving_average_cost_per_unit::text from products where id = ${shop.productId('Counter Jar')}) as product`,
  );
  return row;
};
const driftless = async () => {
  const drift = await sql(
    `select * from (select product_id, product_option_id, inventory_location_id, package_id, sum(delta) as delta
       from stock_ledger_entries where organization_id = ${shop.organizationId} group by 1, 2, 3, 4) l
       full join (select * from stock_balances where organization_id = ${shop.organizationId}) b
         using (product_id, product_option_id, inventory_location_id, package_id)
      where coalesce(l.delta, 0) <> coalesce(b.on_hand, 0)`,
  );
  expect(drift).toEqual([]);
};

describe('a reception', () => {
  test('adds stock at the location, is the cause in the ledger, and the stock can be bought at once', async () => {
    const order = await create();
    const [{ id: lineItemId }] = order.lineItems;
    const buy = () =>
      service.call('POST', '/api/v1/orders', {
        keys: shop.keys,
        body: pickupBody(shop, { lineItems: [{ productOptionId: shop.optionId('sold out'), quantity: 1 }] }),
      });
    expect((await buy()).error?.code).toBe('OUT_OF_STOCK');
    const { status, data } = await receive(order, {
      lineItemId,
      inventoryLocationId: storefront(),
      amount: '4',
    });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      status: 'open',
      totalAmountReceived: '4',
      lineItems: [
        {
          amountReceived: '4',
          receptions: [
            { inventoryLocationId: storefront(), amount: '4', createdAt: '2026-03-10T18:00:00.000Z' },
          ],
        },
      ],
    });
    expect((await buy()).status).toBe(201);
    const entries = await sql(
      `select e.cause, e.delta::text, e.actor, e.package_id, r.purchase_order_line_id as line
         from stock_ledger_entries e join purchase_order_receptions r on r.id = e.cause_id`,
    );
    expect(entries).toEqual([
      { cause: 'received', delta: '4', actor: `staff:${staff.staffId}`, package_id: 0, line: lineItemId },
    ]);
    // More than the ordered amount can be received.
    const more = await receive(order, { lineItemId, inventoryLocationId: storefront(), amount: '7.5' });
    expect(more.data).toMatchObject({ totalAmountReceived: '11.5' });
    await driftless();
  });

  test('creates a package for a new label, and adds to it when the label is sent again', async () => {
    const order = await create({ lineItems: [line(), line({ costPerUnit: '400' })] });
    const [first, second] = order.lineItems;
    const pack = { label: label('77'), expirationDate: '2027-01-31', thcPercent: '21.5', unit: 'each' };
    const place = { inventoryLocationId: storefront() };
    await receive(
      order,
      { ...place, lineItemId: first.id, amount: '2', package: pack },
      {
        ...place,
        lineItemId: second.id,
        amount: '1',
        package: { label: label('77'), labName: 'Cedar Ridge Labs' },
      },
    );
    const shown = () => service.call('GET', `/api/v1/packages/${label('77')}`, { keys: shop.keys });
    expect((await shown()).data).toMatchObject({
      status: 'received',
      productOptionId: shop.optionId('sold out'),
      initialAmount: '3',
      unit: 'Each',
      multiplier: '1',
      costPerUnit: '200',
      expirationDate: '2027-01-31',
      thcPercent: '21.5',
      labName: 'Cedar Ridge Labs',
      receivedAt: '2026-03-10T18:00:00.000Z',
      locationInventory: [{ inventoryLocationId: storefront(), amount: '3' }],
      product: { name: 'Moonlit Grove' },
    });
    await receive(order, {
      inventoryLocationId: shop.locationId('Vault'),
      lineItemId: first.id,
      amount: '1',
      package: { label: label('77'), onHold: true },
    });
    expect((await shown()).data).toMatchObject({
      initialAmount: '3',
      costPerUnit: '175',
      onHold: true,
      thcPercent: '21.5',
      locationInventory: [
        { inventoryLocationId: storefront(), amount: '3' },
        { inventoryLocationId: shop.locationId('Vault'), amount: '1' },
      ],
    });
    await driftless();
  });

  test('is undone while nothing of it is used: stock, costs, the label and what is owed are as before', async () => {
    const before = await costs();
    const order = await create({ lineItems: [line(), jar()] });
    const [option, product] = order.lineItems.map(({ id }: { id: number }) => ({
      lineItemId: id,
      inventoryLocationId: storefront(),
    }));
    const undo = (receivedAt: string) =>
      staff.call('POST', `${path}/${order.id}/undo-reception`, { receivedAt });
    const tagged = { ...option, amount: '2', package: { label: label('77') } };
    const receivedAt = '2026-03-10T18:00:00.000Z';
    await receive(order, tagged, { ...product, amount: '50000' });
    const undone = await undo(receivedAt);
    expect(undone).toMatchObject({
      status: 200,
      data: {
        ...{ totalAmountReceived: '0', amountOutstanding: order.amountOutstanding },
        lineItems: [{ receptions: [] }, { receptions: [] }],
      },
    });
    expect((await costs())?.product).toBe(before?.product);
    await driftless();
    expect((await undo(receivedAt)).error?.message).toMatch(/^receivedAt must be/);
    const again = await receive(order, tagged);
    expect(again.data.totalAmountReceived).toBe('2');
    await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop, { lineItems: [{ productOptionId: shop.optionId('sold out'), quantity: 1 }] }),
    });
    expect((await undo(receivedAt)).error?.code).toBe('RECEPTION_USED');
    await driftless();
  });

  test('of cannabis is never loose where the state tags it; other goods are', async () => {
    await sql(`update organizations set state = 'CA', tz = 'America/Los_Angeles'`);
    const order = await create({
      lineItems: [line(), { productId: shop.productId('Rolling Tray'), amount: '5', costPerUnit: '2' }],
    });
    const [flower, tray] = order.lineItems.map(({ id }: { id: number }) => ({
      ...{ lineItemId: id, inventoryLocationId: storefront(), amount: '2' },
    }));
    expect((await receive(order, tray, flower)).error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: '[1].package.label must be the tag of the package: CA tags all cannabis.',
    });
    const tagged = await receive(order, tray, { ...flower, package: { label: label('77') } });
    expect(tagged.data.totalAmountReceived).toBe('4');
  });

  test('updates the moving average cost of options and products, exactly, to 6 decimals', async () => {
    expect(await costs()).toEqual({ option: '10', product: '4.5' });
    const order = await create({ lineItems: [line(), jar(), line({ costPerUnit: '1' })] });
    const [option, product, cheap] = order.lineItems.map(({ id }: { id: number }) => ({
      lineItemId: id,
      inventoryLocationId: storefront(),
    }));
    // Without stock on hand, the incoming cost applies. The jar has 100,000 on hand, at 4.5 each.
    await receive(order, { ...option, amount: '2' }, { ...product, amount: '50000' });
    expect(await costs()).toEqual({ option: '100', product: '4.833333' });
    await receive(order, { ...cheap, amount: '1' }, { ...option, amount: '1' });
    expect(await costs()).toEqual({ option: '75.25', product: '4.833333' });
    const all = await service.call('GET', '/api/v1/products/all', { keys: shop.keys });
    const shown = all.data.find(({ name }: { name: string }) => name === 'Counter Jar');
    expect(shown.movingAverageCostPerUnit).toBe('4.833333');
    // At the cost that is known, what a shop sells by stays as it is.
    const terms = () =>
      sql(`select version from terms_versions where organization_id = ${shop.organizationId}`);
    const before = await terms();
    await receive(order, {
      ...option,
      amount: '1',
      ...{ costPerUnit: '75.25', package: { label: label('78') } },
    });
    expect([await costs(), await terms()]).toEqual([{ option: '75.25', product: '4.833333' }, before]);
  });

  test('adds no stock of goods without stock tracking', async () => {
    const order = await create({
      lineItems: [{ productId: shop.productId('Rolling Tray'), amount: '5', costPerUnit: '2' }],
    });
    const [{ id: lineItemId }] = order.lineItems;
    const place = { lineItemId, inventoryLocationId: storefront(), amount: '5' };
    expect((await receive(order, place)).data.totalAmountReceived).toBe('5');
    const { error } = await receive(order, { ...place, package: { label: label('1') } });
    expect(error?.code).toBe('INVALID_INVENTORY_TYPE');
    expect(
      await sql(
        `select id from stock_ledger_entries where cause_id in (select id from purchase_order_receptions)`,
      ),
    ).toEqual([]);
  });

  test('is all or nothing, and refused if invalid', async () => {
    const order = await create({ lineItems: [line(), jar()] });
    const other = await create();
    const stranger = await createTestShop(service.context);
    const [option, product] = order.lineItems;
    const good = { lineItemId: option.id, inventoryLocationId: storefront(), amount: '1' };
    const before = await sql('select * from stock_balances order by 2, 3, 4, 5');
    const cases: [object, string, string][] = [
      [{ lineItemId: other.lineItems[0].id }, 'INVALID_CHILD_RESOURCE', '[1].lineItemId'],
      [
        { inventoryLocationId: stranger.locationId('Vault') },
        'INVENTORY_LOCATION_NOT_FOUND',
        '[1].inventoryLocationId',
      ],
      [{ amount: '0' }, 'INVALID_PARAMS', '[1].amount'],
      [{ amount: '-1' }, 'INVALID_PARAMS', '[1].amount'],
      [{ package: { label: 'short' } }, 'INVALID_PARAMS', '[1].package.label'],
      [{ package: { label: label('1') }, lineItemId: product.id }, 'INVALID_CHILD_RESOURCE', '[1].package'],
      [{ package: { label: label('3') } }, 'INVALID_CHILD_RESOURCE', '[1].package'],
    ];
    for (const [changes, code, message] of cases) {
      const { error } = await receive(order, good, { ...good, ...changes });
      expect([error?.code, error?.message]).toEqual([code, expect.stringContaining(message)]);
    }
    await sql(`update products set deleted_at = now() where id = ${shop.productId('Moonlit Grove')}`);
    expect((await receive(order, good)).error?.code).toBe('PRODUCT_NOT_FOUND');
    expect(await sql('select * from stock_balances order by 2, 3, 4, 5')).toEqual(before);
    expect(await sql('select id from purchase_order_receptions')).toEqual([]);
    expect((await receive({ id: 5 }, good)).error?.code).toBe('PURCHASE_ORDER_NOT_FOUND');
  });

  test('concurrent with others and with sales loses nothing, and creates one package per label', async () => {
    const order = await create({ lineItems: [line({ amount: '100', costPerUnit: '7' })] });
    const [{ id: lineItemId }] = order.lineItems;
    const buy = () =>
      service.call('POST', '/api/v1/orders', {
        keys: shop.keys,
        body: pickupBody(shop, { lineItems: [{ productOptionId: shop.optionId('sold out'), quantity: 1 }] }),
      });
    const place = {
      lineItemId,
      inventoryLocationId: storefront(),
      amount: '2',
      package: { label: label('88') },
    };
    // Enough for all sales, should they come before the other receptions.
    await receive(order, { ...place, amount: '8' });
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? receive(order, place) : buy())),
    );
    expect(replies.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([]);
    const [stock] = await sql(
      `select sum(on_hand)::text as on_hand from stock_balances where product_option_id = ${shop.optionId('sold out')}`,
    );
    expect(stock!.on_hand).toBe('16');
    expect((await costs())!.option).toBe('7');
    expect(
      await sql(`select cost_per_unit::text as cost from packages where label = '${label('88')}'`),
    ).toEqual([{ cost: '7' }]);
    await driftless();
  });
});

describe('a line with received goods', () => {
  test('keeps its order data; the others can change', async () => {
    const order = await create({ lineItems: [line(), jar()] });
    const [received, open] = order.lineItems;
    await receive(order, { lineItemId: received.id, inventoryLocationId: storefront(), amount: '1' });
    const put = (lineItems: object[]) => staff.call('PUT', `${path}/${order.id}`, { lineItems });
    for (const lineItems of [
      [{ id: received.id, amount: '11' }],
      [{ id: received.id, costPerUnit: '99' }],
      [{ id: received.id, productOptionId: shop.optionId('eighth') }],
      [{ id: open.id }],
    ]) {
      expect((await put(lineItems)).error?.code).toBe('PURCHASE_ORDER_LINE_ITEM_RECEIVED');
    }
    const { status, data } = await put([{ id: received.id, amount: '10.0' }, line({ amount: '3' })]);
    expect(status).toBe(200);
    expect(data.lineItems).toMatchObject([{ id: received.id, amountReceived: '1' }, { amount: '3' }]);
  });
});

describe('payments', () => {
  test('make an order partial and paid, never more than it costs with shipping', async () => {
    const order = await create({ shippingHandlingFee: 2500 });
    expect(order).toMatchObject({
      subtotal: 100_000,
      shippingHandlingFee: 2500,
      finalTotal: 102_500,
      paymentStatus: 'unpaid',
      amountOutstanding: 102_500,
    });
    const pay = (amount: unknown) => staff.call('POST', `${path}/${order.id}/payments`, { amount });
    expect(await pay(2500)).toMatchObject({
      status: 201,
      data: { amountPaid: 2500, amountOutstanding: 100_000, paymentStatus: 'partial' },
    });
    for (const wrong of [100_001, 0, -1, 1.5, '5']) {
      expect((await pay(wrong)).error).toMatchObject({
        code: 'INVALID_PARAMS',
        message: expect.stringContaining('amount'),
      });
    }
    const raced = await Promise.all([pay(100_000), pay(100_000)]);
    expect(raced.map(({ status }) => status).sort()).toEqual([201, 400]);
    const less = await staff.call('PUT', `${path}/${order.id}`, { shippingHandlingFee: 0 });
    expect(less.error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('shippingHandlingFee'),
    });
    const listed = await service.call('GET', '/api/v1/purchase-orders', { keys: shop.keys });
    expect(listed.data).toMatchObject([
      {
        id: order.id,
        paymentStatus: 'paid',
        amountPaid: 102_500,
        amountOutstanding: 0,
        shippingHandlingFee: 2500,
      },
    ]);
  });

  test('are not needed for an order that costs nothing', async () => {
    expect((await create({ lineItems: [line({ costPerUnit: '0' })] })).paymentStatus).toBe('paid');
  });
});

test('a closed order takes no edits, receptions or payments until it is reopened', async () => {
  const order = await create();
  const [{ id: lineItemId }] = order.lineItems;
  const turn = (how: string) => staff.call('POST', `${path}/${order.id}/${how}`);
  expect(await turn('close')).toMatchObject({ status: 200, data: { status: 'closed' } });
  const closed = (await turn('close')).data;
  const attempts = () => [
    staff.call('PUT', `${path}/${order.id}`, { notes: 'Late' }),
    service.call('PUT', `/api/v1/purchase-orders/${order.id}`, { keys: shop.keys, body: { notes: 'Late' } }),
    receive(order, { lineItemId, inventoryLocationId: storefront(), amount: '1' }),
    staff.call('POST', `${path}/${order.id}/payments`, { amount: 1 }),
  ];
  for (const { error } of await Promise.all(attempts())) expect(error?.code).toBe('PURCHASE_ORDER_CLOSED');
  expect((await staff.call('GET', path)).data).toEqual([closed]);
  expect(await turn('reopen')).toMatchObject({ status: 200, data: { status: 'open' } });
  for (const { error } of await Promise.all(attempts())) expect(error).toBeUndefined();
  const events = await sql(
    `select type from outbox_events where type in ('purchase_order.closed', 'purchase_order.reopened') order by id`,
  );
  expect(events.map(({ type }) => type)).toEqual(['purchase_order.closed', 'purchase_order.reopened']);
});

test('an order is read as the list shows it, only by its own organization', async () => {
  const made = await create();
  const read = (who: TestStaff) => who.call('GET', `${path}/${made.id}`);
  expect((await read(staff)).data).toEqual(made);
  expect((await staff.call('GET', path)).data).toEqual([made]);
  const strangers = await service.staff(await createTestShop(service.context), 'manager');
  expect((await read(strangers)).error?.code).toBe('PURCHASE_ORDER_NOT_FOUND');
  const budtender = await service.staff(shop, 'budtender');
  expect((await read(budtender)).status).toBe(403);
});

test('vendors are added, changed, listed and archived', async () => {
  const vendors = '/staff/v1/inventory-vendors';
  const made = await staff.call('POST', vendors, {
    name: ' Tidewater ',
    email: 'a@x.example',
    city: 'Oakland',
  });
  expect(made).toMatchObject({ status: 201, data: { name: 'Tidewater', city: 'Oakland', archivedAt: null } });
  const { id } = made.data;
  service.clock.advance(1000);
  const other = await staff.call('POST', vendors, { name: 'Other' });
  expect((await staff.call('PUT', `${vendors}/${id}`, { name: 'tidewater', phone: '1' })).data).toMatchObject(
    {
      name: 'tidewater',
      phone: '1',
      email: null,
      city: null,
    },
  );
  const order = await create({ inventoryVendor: undefined, inventoryVendorId: id });
  expect((await staff.call('DELETE', `${vendors}/${id}`)).data.archivedAt).toBe('2026-03-10T18:00:01.000Z');
  const named = { lineItems: [line()], expectedAt: '2026-03-14', inventoryVendorId: id };
  expect((await staff.call('POST', path, named)).error?.code).toBe('INVENTORY_VENDOR_NOT_FOUND');
  expect((await create({ inventoryVendor: { name: 'Tidewater' } })).inventoryVendorId).not.toBe(id);
  const listed = await staff.call('GET', vendors);
  expect(listed.data.map((vendor: { id: number }) => vendor.id).slice(1)).toEqual([other.data.id, id]);
  expect((await staff.call('GET', `${vendors}?startingAfter=${id}`)).data).toEqual([]);
  expect((await staff.call('GET', `${vendors}?startingAfter=5`)).error?.code).toBe('INVALID_CURSOR');
  const [shown] = (
    await staff.call('GET', `${path}?startingAfter=${(await staff.call('GET', path)).data[0].id}`)
  ).data;
  expect(shown).toMatchObject({ id: order.id, vendor: { id, archivedAt: '2026-03-10T18:00:01.000Z' } });
});
