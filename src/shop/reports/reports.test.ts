import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, pickupBody, testOrigin } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { stepOrder } from '../orders/orders.ts';
import { stepReportSums } from './keep-report-sums.ts';
import { selectTaxes } from './report-queries.ts';
import { rangeParameters } from './report-range.ts';
import { salesColumns, salesGroups, salesStatement } from './sales-report.ts';

const service = await startOwnTestService();
const { clock, context } = service;
const shop = await createTestShop(context, {
  taxes: [
    { description: 'City tax', rate: '5', tier: '1' },
    { description: 'Sales tax', rate: '9.25', tier: '2', encompass: true, appliesToFees: true },
  ],
});
const stranger = await createTestShop(context);
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});

type Row = Record<string, number> & { key: string; name: string };
// biome-ignore lint/suspicious/noExplicitAny: what the service answers; a test reads what it expects
const orders: Record<string, any> = {};
/** The sum of the rows. */
const amountColumns: readonly string[] = salesColumns.slice(3);
const march = { from: '2026-03-01', to: '2026-03-31' };
let manager: Awaited<ReturnType<typeof service.staff>>;
const report = async (name: string, query: object = march) => {
  const reply = await manager.call('GET', `/staff/v1/reports/${name}`, undefined, { query: { ...query } });
  expect([reply.status, reply.error]).toEqual([200, undefined]);
  return reply.data;
};

async function sell(name: string, body: object) {
  const placed = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(placed.error).toBeUndefined();
  const { id, status } = placed.data;
  const step = (action: 'accept' | 'fulfill') =>
    stepOrder(context, testOrigin, shop.organizationId, id, action, { staff: null });
  if (status === 'draft') await step('accept');
  await step('fulfill');
  orders[name] = (await service.call('GET', `/api/v1/orders/${id}/detail`, { keys: shop.keys })).data;
}

const payments = [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }];
const lines = (...keys: string[]) =>
  keys.map((key, index) => ({ productOptionId: shop.optionId(key), quantity: index + 1 }));

beforeAll(async () => {
  const owner = await service.staff(shop);
  const discount = { name: 'Welcome', kind: 'order', type: 'percent', amount: 7, trigger: 'code' };
  const made = await owner.call('POST', '/staff/v1/discounts', { ...discount, codes: ['HELLO'] });
  expect(made.error).toBeUndefined();
  await sell(
    'first',
    pickupBody(shop, { lineItems: lines('gummies', 'eighth', 'tray'), payments, discountCodes: ['HELLO'] }),
  );
  // Canceled and unfulfilled orders are not sales.
  await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
  // The last millisecond of the same day in Los Angeles, then the next.
  clock.advance(Date.parse('2026-03-11T06:59:59.999Z') - clock.now());
  await sell('late', deliveryBody(shop, { lineItems: lines('quarter', 'gram'), payments }));
  clock.advance(1);
  await sell('next', pickupBody(shop, { lineItems: lines('gummies'), payments }));
  manager = await service.staff(shop, 'manager');
});

const sum = <Item>(items: readonly Item[], amountOf: (item: Item) => number) =>
  items.reduce((total, item) => total + amountOf(item), 0);

test("sales are by local day of fulfilment, and equal the orders' amounts", async () => {
  const { from, to, by, rows, total } = await report('sales');
  expect({ from, to, by }).toEqual({ ...march, by: 'day' });
  expect(rows.map(({ key, orders }: Row) => [key, orders])).toEqual([
    ['2026-03-10', 2],
    ['2026-03-11', 1],
  ]);
  const all = Object.values(orders);
  const lineItems = all.flatMap((order) => order.lineItems);
  const gross = sum(lineItems, (line) => line.subtotalPrice);
  const discounts = sum(all, (order) => sum<{ amountUsed: number }>(order.discounts, (it) => it.amountUsed));
  expect(discounts).toBeGreaterThan(0);
  expect(total).toMatchObject({
    orders: 3,
    units: sum(lineItems, (line) => line.quantity),
    ...{ gross, discounts, net: gross - discounts, refunds: 0, refundedTax: 0 },
  });
  const one = await report('sales', { from: '2026-03-11', to: '2026-03-11' });
  expect([one.rows.length, one.total]).toEqual([1, (({ key: _, name: __, ...rest }) => rest)(rows[1])]);
  expect((await report('sales', { from: '2026-03-01', to: '2026-03-09' })).rows).toEqual([]);
});

/** A payment is of a whole order; a return counts in each part that it gives something back of. */
const addedUp = (by: string) =>
  amountColumns.filter(
    (it) => !['paid', 'paidBack', 'returns'].includes(it) || !/category|product|brand|location/.test(by),
  );

test('every grouping of sales gives the same sums, to the cent', async () => {
  const { total } = await report('sales');
  for (const by of salesGroups) {
    const grouped = await report('sales', { ...march, by });
    expect([by, grouped.total]).toEqual([by, total]);
    for (const field of addedUp(by)) {
      expect([by, field, sum<Row>(grouped.rows, (row) => row[field]!)]).toEqual([by, field, total[field]]);
    }
  }
  const names = async (by: string) =>
    (await report('sales', { ...march, by })).rows.map((it: Row) => it.name);
  expect(await names('category')).toEqual(['Flower', 'Edibles', 'Accessories', 'Whole orders']);
  expect(await names('type')).toEqual(['delivery', 'pickup']);
  expect(await names('source')).toEqual(['open-api']);
  expect(await names('location')).toEqual(['Storefront', 'Vault', 'Without location', 'Whole orders']);
});

test('sales of a location, by hour, payment and staff, are those of the orders with goods from there, over a month at most', async () => {
  const locationId = shop.locationId('Vault');
  const taken = (await manager.call('GET', '/staff/v1/orders', undefined, {
    query: { inventoryLocationId: locationId, status: 'fulfilled' },
  })) as { data: { customerGrandTotal: number; lineItems: { subtotalPrice: number; quantity: number }[] }[] };
  expect(taken.data.length).toBeGreaterThan(0);
  const lineItems = taken.data.flatMap((order) => order.lineItems);
  for (const by of salesGroups) {
    const at = await report('sales', { ...march, by, inventoryLocationId: String(locationId) });
    expect(at.total).toMatchObject({
      ...{ orders: taken.data.length, units: sum(lineItems, (line) => line.quantity) },
      gross: sum(lineItems, (line) => line.subtotalPrice),
    });
    for (const field of addedUp(by)) {
      expect([by, field, sum<Row>(at.rows, (row) => row[field]!)]).toEqual([by, field, at.total[field]]);
    }
    const all = await report('sales', { ...march, by });
    const named = new Map(all.rows.map(({ key, name }: Row) => [key, name]));
    for (const { key, name } of at.rows) expect([by, key, name]).toEqual([by, key, named.get(key)]);
  }
  const ask = (query: object) =>
    manager.call('GET', '/staff/v1/reports/sales', undefined, { query: { ...march, ...query } });
  const long = await ask({ inventoryLocationId: locationId, from: '2026-02-08' });
  expect(long.error).toMatchObject({ code: 'INVALID_PARAMS', message: expect.stringContaining('31 days') });
  expect((await ask({ inventoryLocationId: 999_999 })).error?.code).toBe('INVENTORY_LOCATION_NOT_FOUND');
});

test('taxes equal those of the orders, by tax and rate, with those on delivery fees apart', async () => {
  const { rows, total } = await report('taxes');
  const charged = Object.values(orders).flatMap((order) => order.taxes);
  for (const row of rows) {
    const own = charged.filter(({ description }: { description: string }) => description === row.description);
    expect([row.description, row.total]).toEqual([row.description, sum(own, (tax) => tax.amount)]);
  }
  expect(rows.map((row: { description: string; rate: string }) => [row.description, row.rate])).toEqual([
    ['City tax', '5'],
    ['Sales tax', '9.25'],
  ]);
  expect(total.total).toBe(sum(charged, (tax) => tax.amount));
  expect(total.fees).toBeGreaterThan(0);
  expect(total.total).toBe((await report('sales')).total.tax);
});

test('sales equal the orders to the cent, with adjustments, credits and refunds', async () => {
  const own = await createTestShop(context, {
    taxes: [
      { description: 'City tax', rate: '5', tier: '1' },
      { description: 'Sales tax', rate: '9.25', tier: '2', encompass: true, appliesToFees: true },
    ],
  });
  const owner = await service.staff(own);
  const read = async (by: string) =>
    (await owner.call('GET', '/staff/v1/reports/sales', undefined, { query: { by } })).data;
  const sold: string[] = [];
  const place = async (body: object) => {
    const { data, error } = await owner.call('POST', '/staff/v1/orders', {
      ...body,
      payments: [{ paymentTypeId: own.paymentTypeId('Cash'), remaining: true }],
      idempotencyKey: crypto.randomUUID(),
    });
    expect(error).toBeUndefined();
    if (data.status === 'draft') await owner.call('POST', `/staff/v1/orders/${data.id}/accept`, {});
    expect((await owner.call('POST', `/staff/v1/orders/${data.id}/fulfill`, {})).error).toBeUndefined();
    sold.push(data.id);
    return data;
  };
  const items = (units: Record<string, number>) =>
    Object.entries(units).map(([key, quantity]) => ({ productOptionId: own.optionId(key), quantity }));
  const customer = { firstName: 'Wren', lastName: 'Alder', email: 'wren@example.com' };
  const first = await place({
    ...{
      type: 'delivery',
      customer,
      lineItems: items({ gummies: 3, eighth: 1, tray: 2 }),
      deliveryFee: 2000,
    },
    address: { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' },
    adjustments: [{ amount: -4000, description: 'For the wait' }],
  });
  const credit = await owner.call('POST', `/staff/v1/customers/${first.customer.id}/credits`, {
    ...{ type: 'store-credit', amount: 1701, description: 'Sorry' },
  });
  expect(credit.error).toBeUndefined();
  const second = await place({
    ...{ type: 'in-store', customerId: first.customer.id, lineItems: items({ eighth: 3 }) },
    adjustments: [{ amount: 333, description: 'Gift box' }],
  });
  const takeBack = async (order: typeof first, units: [number, number][], changes: object = {}) => {
    const { error, data } = await owner.call('POST', `/staff/v1/orders/${order.id}/returns`, {
      refundType: 'payment-method',
      paymentTypeId: own.paymentTypeId('Cash'),
      lineItems: units.map(([line, quantity]) => ({
        orderLineItemId: order.lineItems[line].id,
        ...{ quantity, type: 'return', inventoryAction: 'inventory', reason: 'Changed their mind' },
      })),
      ...changes,
    });
    expect(error).toBeUndefined();
    return data;
  };
  const meets = async () => {
    const shown = await Promise.all(
      sold.map(async (id) => (await owner.call('GET', `/staff/v1/orders/${id}`)).data),
    );
    const net = sum(shown, ({ netPrice }) => netPrice);
    const refunds = sum(shown, ({ refundTotal }) => refundTotal);
    for (const by of salesGroups) {
      const { rows, total } = await read(by);
      expect([by, total.net + total.adjustments - total.credits + total.tax]).toEqual([by, net]);
      const back = total.refunds + total.refundedAdjustments - total.refundedCredits + total.refundedTax;
      expect([by, 0 - back - total.otherRefunds]).toEqual([by, refunds]);
      for (const field of addedUp(by)) {
        expect([by, field, sum<Row>(rows, (row) => row[field]!)]).toEqual([by, field, total[field]]);
      }
      for (const row of rows) expect([by, row.key, row.refundedTax <= row.tax]).toEqual([by, row.key, true]);
    }
    const taxes = (await owner.call('GET', '/staff/v1/reports/taxes')).data.total;
    const { total } = await read('day');
    expect([total.tax, total.refundedTax]).toEqual([taxes.total, taxes.refunded]);
  };
  expect((await read('day')).total).toMatchObject({ adjustments: -3667, credits: 1701, otherRefunds: 0 });
  await meets();
  await takeBack(first, [[0, 2]]);
  await meets();
  await takeBack(second, [[0, 1]], { adjustmentAmount: 200, adjustmentDescription: 'Opened' });
  await meets();
  await takeBack(first, [
    [0, 1],
    [1, 1],
  ]);
  await takeBack(first, [[2, 2]], { adjustmentAmount: -2000, adjustmentDescription: 'Delivery fee' });
  await takeBack(second, [[0, 2]]);
  await meets();
  for (const by of salesGroups) {
    for (const row of [...(await read(by)).rows, (await read(by)).total]) {
      expect([
        by,
        row.key,
        row.refunds,
        row.refundedAdjustments,
        row.refundedCredits,
        row.refundedTax,
      ]).toEqual([...[by, row.key], ...[row.net, row.adjustments, row.credits, row.tax]]);
    }
  }
  expect((await read('type')).total.otherRefunds).toBe(1800);
});

test('the value of stock is exactly its amount times its moving average cost', async () => {
  const { rows, total } = await report('inventory-value', {});
  const balances = await witness.query(
    `select b.inventory_location_id as id, sum(b.on_hand * coalesce(v.moving_average_cost_per_unit,
            p.moving_average_cost_per_unit))::text as value
       from stock_balances b join products p on p.organization_id = $1 and p.id = b.product_id
       left join product_options v on v.organization_id = $1 and v.id = b.product_option_id
      where b.organization_id = $1 and b.on_hand > 0 group by 1 order by 1`,
    [shop.organizationId],
    shop.organizationId,
  );
  const shown = (row: { inventoryLocationId: number; value: string }) => [
    row.inventoryLocationId,
    Number(row.value),
  ];
  expect(rows.map(shown)).toEqual(balances.map(({ id, value }) => [Number(id), Number(value)]));
  expect(total.value).toMatch(/^\d+(\.\d*[1-9])?$/);
  expect(Number(total.value)).toBeCloseTo(
    sum<{ value: string }>(rows, ({ value }) => Number(value)),
    4,
  );
});

test('a report is CSV if requested', async () => {
  const ask = (name: string, query: object) =>
    manager.call('GET', `/staff/v1/reports/${name}`, undefined, { query: { ...query, format: 'csv' } });
  const sales = await ask('sales', { ...march, by: 'category' });
  expect([sales.status, sales.headers['content-type'], sales.headers['content-disposition']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'attachment; filename="sales-by-category-2026-03-01-2026-03-31.csv"',
  ]);
  const { rows } = await report('sales', { ...march, by: 'category' });
  const [header, ...cells] = sales.text.trimEnd().split('\r\n');
  expect(header).toBe(
    'Key,Name,Orders,Units,Gross sales,Discounts,Net sales,Cost of goods,Margin,Adjustments,Credits used,Tax,Refunded sales,Refunded adjustments,Refunded credits,Refunded tax,Other refunds,Payments collected,Returns,Payments refunded,Net sales after refunds,Tax after refunds',
  );
  const counts = ['orders', 'units', 'returns'];
  const inDollars = (name: string, value: unknown) =>
    typeof value === 'number' && !counts.includes(name) ? (value / 100).toFixed(2) : value;
  expect(cells).toEqual(
    rows.map((row: Row) =>
      Object.entries(row)
        .map(([name, value]) => inDollars(name, value))
        .join(','),
    ),
  );
  const taxes = (await ask('taxes', march)).text.trimEnd().split('\r\n');
  expect(taxes[0]).toBe(
    'Tax,Rate (%),Included in price,Orders,Taxable sales,Tax on goods,Tax on delivery fees,Tax collected,Tax exempted,Tax refunded,Tax due',
  );
  // What a tax charged is its rate of what it was charged on, but for the rounding of each order.
  for (const { rate, taxable, total, orders: count } of (await report('taxes')).rows) {
    expect(Math.abs((taxable * Number(rate)) / 100 - total)).toBeLessThanOrEqual(count / 2);
  }
  expect(taxes[1]).toMatch(/^City tax,5,No,3,\d+\.\d\d,/);
  expect((await ask('inventory-value', {})).text).toMatch(/^Location,Value at cost,Items,/);
});

test('contradicting days are refused by name; the default is this month to date', async () => {
  for (const query of [
    { from: '2026-03-02', to: '2026-03-01' },
    { from: '2025-03-01', to: '2026-03-02' },
    { from: '2026-02-30', to: '2026-03-01' },
  ]) {
    const { status, error } = await manager.call('GET', '/staff/v1/reports/sales', undefined, { query });
    expect([query, status, error?.code]).toEqual([query, 400, 'INVALID_PARAMS']);
    expect(error!.message).toMatch(/^from/);
  }
  const { from, to, total } = await report('sales', {});
  expect([from, to, total.orders]).toEqual(['2026-03-01', '2026-03-11', 3]);
});

test('reports are for owners and managers, and only for their organization', async () => {
  const budtender = await service.staff(shop, 'budtender');
  expect((await budtender.call('GET', '/staff/v1/reports/sales')).status).toBe(403);
  const other = await service.staff(stranger);
  for (const name of ['sales', 'taxes']) {
    const { data } = await other.call('GET', `/staff/v1/reports/${name}`, undefined, { query: march });
    expect([data.rows, data.total.orders]).toEqual([[], 0]);
  }
});

test('a report reads the orders of its days, not all orders', async () => {
  // A temporary table is on one server. Its rows are in the two years before, so that no other test sees them.
  if (inject('server').isDistributed) return;
  const { organizationId } = shop;
  const copies = `select n, gen_random_uuid() as id, '2025-12-31Z'::timestamptz - n * interval '4 hours' as at
                    from generate_series(1, 4000) n`;
  await witness.query(`create temporary table copies as ${copies}`);
  const copied = (table: string, alias: string, changes: string) =>
    `insert into ${table} select made.*
       from copies, (select * from ${table} where organization_id = ${organizationId} order by created_at limit 1) ${alias},
            lateral jsonb_populate_record(null::${table}, to_jsonb(${alias}) || ${changes}) made`;
  const changes = `jsonb_build_object('id', copies.id, 'number', null, 'status', 'fulfilled', 'fulfilled_at', copies.at,
    'canceled_at', null)`;
  await witness.query(copied('orders', 'o', changes), [], organizationId);
  const ofCopy = `jsonb_build_object('order_id', copies.id)`;
  await witness.query(copied('order_line_items', 'l', ofCopy), [], organizationId);
  await witness.query(copied('order_taxes', 't', ofCopy), [], organizationId);
  await witness.query('analyze orders, order_line_items, order_taxes');
  const plans: (() => Promise<string>)[] = [];
  // The same settings as the service's connections.
  await witness.query('set plan_cache_mode = force_generic_plan');
  await witness.query('set random_page_cost = 1.1');
  const march = rangeParameters('2025-03-01', '2025-03-31', {
    tz: 'America/Los_Angeles',
    dayStartsAt: '00:00',
  });
  const statements = [salesStatement('day', march), salesStatement('product', march), selectTaxes(march)];
  for (const [at, { text, values }] of statements.entries()) {
    await witness.query(`prepare report_${at} as ${text}`);
    const given = values.map((it) => (typeof it === 'symbol' ? organizationId : `'${it}'`)).join(', ');
    const explained = async () =>
      (
        await witness.query(
          `explain (analyze, costs off) execute report_${at} (${given})`,
          [],
          organizationId,
        )
      )
        .map((row) => row['QUERY PLAN'])
        .join('\n');
    const counting = await explained();
    expect(counting).toMatch(
      /orders_by_fulfillment[^\n]*\n\s+Index Cond: [^\n]*fulfilled_at >= [^\n]*fulfilled_at < /,
    );
    expect(counting).not.toMatch(/Seq Scan on order/);
    plans.push(explained);
  }
  // Once they are in the sums, it reads none of them.
  while (await stepReportSums(context, organizationId));
  await witness.query('analyze book_sums, book_taxes, orders');
  for (const explained of plans) {
    const summed = await explained();
    const read = [...summed.matchAll(/(?:on|using) order(?:s|_)[^\n]*actual[^\n]* rows=([\d.]+)/g)];
    expect([summed, read.filter(([, rows]) => Number(rows) > 0)]).toEqual([summed, []]);
    expect(summed).not.toMatch(/Seq Scan on (?:order|book_sums|book_taxes)/);
  }
});

test('the day so far stands beside the same day of the week before, with what needs attention', async () => {
  const option = { amount: '1', priceCents: 1999 };
  const day = (days: number) => new Date(clock.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);
  const own = await createTestShop(context, {
    products: [
      {
        ...{ key: 'Gummies', category: 'Edibles', options: [{ key: 'gummies', ...option }] },
        stock: [
          { option: 'gummies', amount: '9', label: '1A4FF0000000000000000009', expirationDate: day(16) },
        ],
      },
      {
        ...{ key: 'Drinks', category: 'Edibles', options: [{ key: 'drinks', ...option }] },
        stock: [{ option: 'drinks', amount: '4' }],
      },
    ],
  });
  let owner = await service.staff(own);
  const ask = (query: object = {}) =>
    owner.call('GET', '/staff/v1/reports/today', undefined, { query: { ...query } });
  const today = async (query: object = {}) => {
    const { data, error } = await ask(query);
    expect(error).toBeUndefined();
    return data;
  };
  const place = async (key: string, quantity: number, isFulfilled = true) => {
    const { data, error } = await owner.call('POST', '/staff/v1/orders', {
      ...{ type: 'in-store', customer: { firstName: 'Wren', lastName: 'Alder', email: 'wren@example.com' } },
      lineItems: [{ productOptionId: own.optionId(key), quantity }],
      payments: [{ paymentTypeId: own.paymentTypeId('Cash'), remaining: true }],
      idempotencyKey: crypto.randomUUID(),
    });
    expect(error).toBeUndefined();
    if (data.status === 'draft') await owner.call('POST', `/staff/v1/orders/${data.id}/accept`, {});
    if (isFulfilled) await owner.call('POST', `/staff/v1/orders/${data.id}/fulfill`, {});
    return data;
  };
  const takeIntoSums = async () => {
    while (await stepReportSums(context, own.organizationId));
  };
  expect((await today()).total).toMatchObject({ orders: 0, net: 0, comparedNet: 0 });
  const former = await place('gummies', 1);
  await takeIntoSums();
  clock.advance(7 * 24 * 3_600_000);
  // The former session is over.
  owner = await service.staff(own);
  const sold = await place('gummies', 2);
  await place('gummies', 1, false);

  const report = await today();
  const [net, comparedNet] = [sold.totalPrice, former.totalPrice];
  expect(report.total).toMatchObject({ net, comparedNet, orders: 1, units: 2, comparedOrders: 1 });
  expect(Date.parse(report.comparedDay)).toBe(Date.parse(report.day) - 7 * 24 * 3_600_000);
  for (const part of ['hours', 'payments', 'staff', 'locations']) {
    const rows: Row[] = report[part];
    expect([part, sum(rows, (row) => row.net!), sum(rows, (row) => row.comparedNet!)]).toEqual([
      ...[part, net, comparedNet],
    ]);
  }
  expect(report.waiting).toMatchObject([{ type: 'in-store', orders: 1 }]);
  // Drinks are as few, but do not sell. What sold is in the sums of whole days.
  await takeIntoSums();
  expect(await today()).toEqual({
    ...report,
    lowStock: {
      count: 1,
      rows: [expect.objectContaining({ productName: 'Gummies', onHand: '5', unitsSold: 3 })],
    },
  });
  const best = await owner.call('GET', '/staff/v1/reports/best-sold-products');
  expect(best.data.products.map(({ name }: Row) => name)).toEqual(['Gummies']);
  await owner.call('PATCH', `/staff/v1/products/${own.productId('Gummies')}`, { isActive: false });
  const { data: withdrawn } = await owner.call('GET', '/staff/v1/reports/best-sold-products');
  expect(withdrawn.products).toEqual([]);
  expect(report.expiring).toMatchObject({ count: 1, rows: [{ label: '1A4FF0000000000000000009' }] });

  const vault = await today({ inventoryLocationId: own.locationId('Vault') });
  expect(vault).toMatchObject({
    total: report.total,
    waiting: [],
    lowStock: { count: 0 },
    expiring: { count: 0 },
  });
  const here = await today({ inventoryLocationId: own.locationId('Storefront') });
  expect(here.waiting).toEqual(report.waiting);
  const elsewhere = await ask({ inventoryLocationId: shop.locationId('Vault') });
  expect(elsewhere.error?.code).toBe('INVENTORY_LOCATION_NOT_FOUND');
});
