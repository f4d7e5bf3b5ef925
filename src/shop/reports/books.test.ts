import { afterEach, beforeEach, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { timeZones } from '../../access/organizations/organizations.ts';
import { readAndCounted } from './counted-reports.test-support.ts';
import { bringReportSumsUpToDate, findReportDrift } from './reports.ts';

/** Books by the day of the money (D87). */

// biome-ignore lint/suspicious/noExplicitAny: what the service answers; a test reads what it expects
type Data = any;
const openService = () => startOwnTestService();
let service: Awaited<ReturnType<typeof openService>>;
let shop: TestShop;
let owner: TestStaff;
beforeEach(async () => {
  service = await openService();
  shop = await createTestShop(service.context, {
    taxes: [{ description: 'Sales tax', rate: '9.25', tier: '1', appliesToFees: true }],
  });
  await goTo('2026-11-24T20:00:00Z');
});
afterEach(() => service.close());

/** The clock moves; a session of the former time may be over. */
async function goTo(at: string): Promise<void> {
  service.clock.advance(Date.parse(at) - service.clock.now());
  owner = await service.staff(shop);
}

const ok = async (method: string, path: string, body?: object, query?: object): Promise<Data> => {
  const { data, error } = await owner.call(method, `/staff/v1/${path}`, body, {
    ...(query && { query: { ...query } }),
  });
  expect([path, error]).toEqual([path, undefined]);
  return data;
};
const sales = (query: object) => ok('GET', 'reports/sales', undefined, query);
const taxes = (query: object) => ok('GET', 'reports/taxes', undefined, query);
const on = (day: string) => ({ from: day, to: day });

async function sell(
  payments: object[] = [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
  changes: object = {},
): Promise<Data> {
  const placed = await ok('POST', 'orders', {
    ...{ type: 'in-store', lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 3 }] },
    ...{ payments, idempotencyKey: crypto.randomUUID(), ...changes },
  });
  if (placed.status === 'draft') await ok('POST', `orders/${placed.id}/accept`, {});
  return ok('POST', `orders/${placed.id}/fulfill`, {});
}

const takeBack = (order: Data, quantity: number, changes: object = {}): Promise<Data> =>
  ok('POST', `orders/${order.id}/returns`, {
    ...{ refundType: 'payment-method', paymentTypeId: shop.paymentTypeId('Cash') },
    lineItems: [
      {
        ...{ orderLineItemId: order.lineItems[0].id, quantity, type: 'return' },
        ...{ inventoryAction: 'waste', reason: 'Opened' },
      },
    ],
    ...changes,
  });

/** Every report of days that are over, in every grouping. */
async function filed(from: string, to: string): Promise<Data[]> {
  const groups = [
    'day',
    'category',
    'product',
    'brand',
    'type',
    'source',
    'hour',
    'payment',
    'staff',
    'location',
  ];
  const reports = [await taxes({ from, to }), await ok('GET', 'reports/taxes', undefined, { from: to, to })];
  for (const by of groups) reports.push(await sales({ from, to, by }));
  return reports;
}

/** The sums equal sales and returns, before and after they are taken in. */
async function expectExact(dayStartsAt = '00:00'): Promise<void> {
  for (const step of ['waiting', 'taken in']) {
    const days = { from: '2026-11-01', to: '2027-01-31', tz: 'America/Los_Angeles', dayStartsAt };
    const { read, counted } = await readAndCounted(service.context.database, shop.organizationId, days);
    expect([step, read]).toEqual([step, counted]);
    expect(await findReportDrift(service.context, shop.organizationId)).toEqual([]);
    await bringReportSumsUpToDate(service.context, shop.organizationId);
  }
}

test('a return of a later month, and its end, change no day that is over: each counts on its own', async () => {
  const order = await sell();
  const november = await filed('2026-11-01', '2026-11-30');
  expect(november[0].total).toMatchObject({ orders: 1, total: order.taxes[0].amount, refunded: 0 });
  await goTo('2026-12-02T20:00:00Z');
  const back = await takeBack(order, 2);
  const tax = -back.taxes[0].amount;
  expect(tax).toBeGreaterThan(0);
  expect(await filed('2026-11-01', '2026-11-30')).toEqual(november);
  expect(await taxes(on('2026-12-02'))).toMatchObject({
    rows: [{ orders: 0, total: 0, refunded: tax, due: -tax }],
    total: { orders: 0, total: 0, refunded: tax, due: -tax },
  });
  const december = await sales(on('2026-12-02'));
  expect(december.total).toMatchObject({
    ...{ orders: 0, net: 0, paid: 0, returns: 1, refunds: 7000, netAfterRefunds: -7000 },
    ...{ refundedTax: tax, taxAfterRefunds: -tax, paidBack: 7000 + tax },
  });
  await expectExact();
  // The view on the sales as they turned out.
  const byDayOfSale = { ...on('2026-11-24'), returnsBy: 'day-of-sale' };
  expect((await sales(byDayOfSale)).total).toMatchObject({ orders: 1, returns: 1, refunds: 7000 });
  expect((await taxes(byDayOfSale)).total).toMatchObject({ refunded: tax });
  expect((await sales({ ...on('2026-12-02'), returnsBy: 'day-of-sale' })).rows).toEqual([]);

  const filedDecember = await filed('2026-12-01', '2026-12-31');
  await goTo('2027-01-05T20:00:00Z');
  await ok('POST', `order-returns/${back.id}/void`, { reason: 'Wrong order' });
  expect(await filed('2026-11-01', '2026-11-30')).toEqual(november);
  expect(await filed('2026-12-01', '2026-12-31')).toEqual(filedDecember);
  expect((await taxes(on('2027-01-05'))).total).toMatchObject({ refunded: -tax, due: tax });
  expect((await sales(on('2027-01-05'))).total).toMatchObject({
    ...{ orders: 0, returns: -1, refunds: -7000, netAfterRefunds: 7000, paidBack: -7000 - tax },
  });
  expect((await sales(byDayOfSale)).total).toMatchObject({ returns: 0, refunds: 0 });
  await expectExact();
});

test('the returns of one sale on several days, some voided between them, add up to what is given back in the end', async () => {
  const order = await sell();
  const net = order.netPrice;
  await goTo('2026-12-01T20:00:00Z');
  const first = await takeBack(order, 1);
  await goTo('2026-12-02T20:00:00Z');
  await takeBack(order, 1);
  await goTo('2026-12-03T20:00:00Z');
  await ok('POST', `order-returns/${first.id}/void`, { reason: 'Wrong order' });
  await goTo('2026-12-04T20:00:00Z');
  await takeBack(order, 2);
  await expectExact();
  const { rows, total } = await sales({ from: '2026-11-24', to: '2026-12-31' });
  expect(rows.map(({ key, returns }: Data) => [key, returns])).toEqual([
    ['2026-11-24', 0],
    ['2026-12-01', 1],
    ['2026-12-02', 1],
    ['2026-12-03', -1],
    ['2026-12-04', 1],
  ]);
  expect(total).toMatchObject({
    paid: net,
    paidBack: net,
    netAfterRefunds: 0,
    taxAfterRefunds: 0,
    orders: 1,
  });
  for (const by of ['product', 'category', 'brand', 'location', 'payment']) {
    const grouped = await sales({ from: '2026-11-24', to: '2026-12-31', by });
    expect(grouped.total).toEqual(total);
    for (const row of grouped.rows) {
      expect([by, row.key, row.netAfterRefunds, row.taxAfterRefunds]).toEqual([by, row.key, 0, 0]);
    }
  }
});

test('a split payment counts under each of its types by amount, with taxes and fees; every column adds up', async () => {
  const card = await ok('POST', 'payment-types', {
    ...{ name: 'Debit', method: 'debit', feePercent: '1.5', feeDescription: 'Card fee' },
  });
  const cash = shop.paymentTypeId('Cash');
  const order = await sell([
    { paymentTypeId: cash, amount: 4000 },
    { paymentTypeId: card.id, remaining: true },
  ]);
  const { rows, total } = await sales({ ...on('2026-11-24'), by: 'payment' });
  const row = (id: number) => rows.find(({ key }: Data) => key === String(id));
  expect(row(cash)).toMatchObject({ name: 'Cash', orders: 1, paid: 4000 });
  expect(row(card.id)).toMatchObject({ name: 'Debit', orders: 1, paid: order.customerGrandTotal - 4000 });
  expect(rows).toHaveLength(2);
  expect(total).toMatchObject({ orders: 1, paid: order.customerGrandTotal });
  for (const field of ['units', 'gross', 'net', 'tax', 'paid', 'adjustments', 'credits']) {
    expect([field, row(cash)[field] + row(card.id)[field]]).toEqual([field, total[field]]);
  }
  const today = await ok('GET', 'reports/today');
  expect(today.payments.map(({ name, paid }: Data) => [name, paid])).toEqual([
    ['Debit', order.customerGrandTotal - 4000],
    ['Cash', 4000],
  ]);
  await expectExact();
});

test('store credit is no money: its refund stands in a row of its own', async () => {
  const customer = { firstName: 'Wren', lastName: 'Alder', email: 'wren@example.com' };
  const order = await sell(undefined, { customer });
  await takeBack(order, 1, { refundType: 'store-credit', paymentTypeId: undefined });
  await takeBack(order, 1, { refundType: 'none', paymentTypeId: undefined });
  const { rows, total } = await sales({ ...on('2026-11-24'), by: 'payment' });
  expect(rows.find(({ key }: Data) => key === 'store-credit')).toMatchObject({
    ...{ name: 'Store credit', orders: 0, returns: 1, refunds: 3500, paidBack: 0 },
  });
  expect(total).toMatchObject({ returns: 1, refunds: 3500, paidBack: 0 });
  await expectExact();
});

test('a business day may begin later than midnight: reports and the list of orders follow at once, also when it changes', async () => {
  // 1:30 in the night from Tuesday to Wednesday.
  await goTo('2026-11-25T09:30:00Z');
  const night = await sell();
  expect((await sales({ from: '2026-11-24', to: '2026-11-25' })).rows).toMatchObject([{ key: '2026-11-25' }]);
  await expectExact();
  await ok('PATCH', 'organization', { businessDayStartsAt: '04:00' });
  expect((await sales({ from: '2026-11-24', to: '2026-11-25' })).rows).toMatchObject([{ key: '2026-11-24' }]);
  expect((await taxes(on('2026-11-24'))).total.orders).toBe(1);
  expect((await ok('GET', 'reports/today')).day).toBe('2026-11-24');
  expect((await ok('GET', 'reports/sales')).to).toBe('2026-11-24');
  const listed = async (day: string) =>
    (await ok('GET', 'orders', undefined, on(day))).map(({ id }: Data) => id);
  expect(await listed('2026-11-24')).toContain(night.id);
  expect(await listed('2026-11-25')).toEqual([]);
  await expectExact('04:00');
  await takeBack(night, 1);
  await goTo('2026-11-25T12:00:00Z');
  const morning = await sell();
  expect(await listed('2026-11-25')).toEqual([morning.id]);
  await expectExact('04:00');
  expect((await sales(on('2026-11-24'))).total).toMatchObject({ orders: 1, returns: 1 });
  expect((await sales(on('2026-11-25'))).total).toMatchObject({ orders: 1, returns: 0 });
  // The days of integrators are those of the calendar.
  const listedBefore = async (day: string) =>
    (await service.call('GET', '/api/v1/orders', { keys: shop.keys, query: { startingOn: day } })).data.map(
      ({ id }: Data) => id,
    );
  expect(await listedBefore('2026-11-24')).not.toContain(night.id);
  expect(await listedBefore('2026-11-25')).toContain(night.id);
  await ok('PATCH', 'organization', { businessDayStartsAt: '00:00' });
  await expectExact();
  for (const value of ['12:00', '4:00', '24:00', '04:60', '', 'noon', '04:00:00', 4]) {
    const { error } = await owner.call('PATCH', '/staff/v1/organization', { businessDayStartsAt: value });
    expect([value, error?.code]).toEqual([value, 'INVALID_PARAMS']);
    expect(error!.message).toContain('businessDayStartsAt');
  }
});

test('a business day is the same by the program and by the database, on days of 23 and 25 hours and in repeated hours', async () => {
  const { businessDayAt, startOfBusinessDayMs } = await import('../../kernel/local-time.ts');
  const hours = (from: string, count: number) =>
    Array.from({ length: count * 4 }, (_, at) => new Date(Date.parse(from) + at * 900_000).toISOString());
  const moments = [...hours('2026-10-31T20:00:00Z', 40), ...hours('2026-03-07T20:00:00Z', 40)];
  const everyStart = ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '04:00', '11:59'];
  const closely: readonly string[] = ['America/Los_Angeles', 'US/Eastern', 'America/Phoenix', 'America/Adak'];
  for (const tz of timeZones) {
    for (const dayStartsAt of closely.includes(tz) ? everyStart : ['00:00']) {
      const rows = await service.context.database.read(shop.organizationId, {
        name: `test_business_days_${tz}_${dayStartsAt}`.replaceAll(/\W/g, '_').toLowerCase(),
        text: `select business_day(at, '${tz}', '${dayStartsAt}')::text as day from unnest('{${moments.join(',')}}'::timestamptz[]) at`,
        values: [],
      });
      const days = (rows as unknown as { day: string }[][])[0]!.map(({ day }) => day);
      const terms = { tz, dayStartsAt };
      expect([terms, days]).toEqual([terms, moments.map((at) => businessDayAt(Date.parse(at), terms))]);
      for (const [at, day] of days.entries()) {
        const nowMs = Date.parse(moments[at]!);
        expect(startOfBusinessDayMs(day, terms)).toBeLessThanOrEqual(nowMs);
      }
    }
  }
});

test('payments by type are to the cent those of the drawer: sales, refunds, voided refunds, change', async () => {
  const card = await ok('POST', 'payment-types', { name: 'Debit', method: 'debit', feePercent: '1.5' });
  const cash = shop.paymentTypeId('Cash');
  const { id: registerId } = await ok('POST', 'registers', {
    ...{ name: 'Counter', inventoryLocationId: shop.locationId('Storefront') },
  });
  const session = await ok('POST', `registers/${registerId}/drawer-sessions`, { float: 20_000 });
  const sellAt = async (payments: (due: number) => object[]) => {
    const placed = await ok('POST', 'orders', {
      ...{ type: 'in-store', lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 3 }] },
      ...{ payments: [{ paymentTypeId: cash, remaining: true }], idempotencyKey: crypto.randomUUID() },
    });
    if (placed.status === 'draft') await ok('POST', `orders/${placed.id}/accept`, {});
    return ok('POST', `orders/${placed.id}/fulfill`, { registerId, payments: payments(placed.netPrice) });
  };
  const split = await sellAt((due) => [
    { paymentTypeId: cash, amount: 4001, tendered: 5000 },
    { paymentTypeId: card.id, amount: due - 4001 },
  ]);
  await sellAt((due) => [{ paymentTypeId: cash, amount: due }]);
  await takeBack(split, 1, { registerId });
  const wrong = await takeBack(split, 1, { registerId });
  await ok('POST', `order-returns/${wrong.id}/void`, { reason: 'Wrong order', registerId });
  await ok('POST', `drawer-sessions/${session.id}/movements`, {
    kind: 'drop',
    amount: 1000,
    reason: 'Bag 1',
  });
  const { payments } = await ok('GET', `drawer-sessions/${session.id}`);
  const { rows } = await sales({ ...on('2026-11-24'), by: 'payment' });
  for (const [key, name] of [
    [String(cash), 'Cash'],
    [String(card.id), 'Debit'],
  ]) {
    const drawer = payments.find((it: Data) => it.name === name);
    const row = rows.find((it: Data) => it.key === key);
    expect([name, row.paid, row.paidBack]).toEqual([name, drawer.sales, 0 - drawer.refunds]);
  }
  const drawer = payments.find((it: Data) => it.name === 'Cash');
  expect(drawer.expected).toBe(20_000 + drawer.sales + drawer.refunds - 1000);
  await expectExact();
});

test('over a business day that begins at 04:00, the drawers of that day add up to its payments by type, to the cent', async () => {
  await ok('PATCH', 'organization', { businessDayStartsAt: '04:00' });
  const card = await ok('POST', 'payment-types', { name: 'Debit', method: 'debit' });
  const cash = shop.paymentTypeId('Cash');
  const { id: registerId } = await ok('POST', 'registers', {
    ...{ name: 'Counter', inventoryLocationId: shop.locationId('Storefront') },
  });
  const waiting = () => ({ payments: [{ paymentTypeId: cash, remaining: true }] });
  const sale = async (cashCents: number) => {
    const placed = await ok('POST', 'orders', {
      ...{ type: 'in-store', lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 3 }] },
      ...{ ...waiting(), idempotencyKey: crypto.randomUUID() },
    });
    if (placed.status === 'draft') await ok('POST', `orders/${placed.id}/accept`, {});
    return ok('POST', `orders/${placed.id}/fulfill`, {
      registerId,
      payments: [
        { paymentTypeId: cash, amount: cashCents },
        { paymentTypeId: card.id, amount: placed.netPrice - cashCents },
      ],
    });
  };
  /** One drawer: what it sells and takes back. */
  const shift = async (from: string, to: string, cashCents: number) => {
    await goTo(from);
    const { id, businessDay } = await ok('POST', `registers/${registerId}/drawer-sessions`, { float: 5000 });
    const order = await sale(cashCents);
    await goTo(to);
    await takeBack(order, 1, { registerId });
    await ok('POST', `drawer-sessions/${id}/close`, { counts: [{ paymentTypeId: null, counted: 0 }] });
    return [id, businessDay];
  };
  // In Los Angeles, 03:50 of the 25th still belongs to the 24th, and 02:30 of the 26th to the 25th.
  const before = await shift('2026-11-25T11:40:00Z', '2026-11-25T11:50:00Z', 1111);
  const morning = await shift('2026-11-25T12:00:00Z', '2026-11-25T23:00:00Z', 3333);
  const night = await shift('2026-11-26T06:00:00Z', '2026-11-26T10:30:00Z', 777);
  const after = await shift('2026-11-26T12:00:00Z', '2026-11-26T13:00:00Z', 2222);
  expect([before, morning, night, after].map(([, day]) => day)).toEqual([
    ...['2026-11-24', '2026-11-25', '2026-11-25', '2026-11-26'],
  ]);
  for (const [day, ids] of [
    ['2026-11-24', [before[0]]],
    ['2026-11-25', [night[0], morning[0]]],
    ['2026-11-26', [after[0]]],
  ] as const) {
    const drawers = await ok('GET', 'drawer-sessions', undefined, on(day));
    expect(drawers.map(({ id, businessDay }: Data) => [id, businessDay])).toEqual(ids.map((id) => [id, day]));
    const { rows } = await sales({ ...on(day), by: 'payment' });
    for (const [key, name] of [
      [String(cash), 'Cash'],
      [String(card.id), 'Debit'],
    ]) {
      const sum = (field: 'sales' | 'refunds') =>
        drawers
          .flatMap((it: Data) => it.payments)
          .filter((it: Data) => it.name === name)
          .reduce((total: number, it: Data) => total + it[field], 0);
      const row = rows.find((it: Data) => it.key === key);
      expect([day, name, row.paid, row.paidBack]).toEqual([day, name, sum('sales'), 0 - sum('refunds')]);
    }
  }
  const { businessDay } = await ok('GET', `drawer-sessions/${night[0]}`);
  expect(businessDay).toBe('2026-11-25');
  expect((await ok('GET', 'drawer-sessions', undefined, { from: '2026-11-25', registerId })).length).toBe(3);
  const { error } = await owner.call('GET', '/staff/v1/drawer-sessions', undefined, {
    query: { from: '2026-11-26', to: '2026-11-25' },
  });
  expect(error).toMatchObject({ code: 'INVALID_PARAMS', message: 'from must not be after to.' });
});
