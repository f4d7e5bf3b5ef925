import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { openPlainShop, placeTrade } from '../../../test/harness/test-trade.ts';

const service = await startTestService();
afterAll(() => service.close());

const shop = await openPlainShop(service);
const manager = await service.staff(shop, 'manager');
const budtender = await service.staff(shop, 'budtender');
const cash = shop.paymentTypeId('Cash');
const { data: card } = await manager.call('POST', '/staff/v1/payment-types', {
  name: 'Terminal',
  method: 'debit',
});

async function newRegister(changes: object = {}): Promise<number> {
  const { status, data } = await manager.call('POST', '/staff/v1/registers', {
    name: 'Counter',
    inventoryLocationId: shop.locationId('Storefront'),
    ...changes,
  });
  expect(status).toBe(201);
  return data.id;
}

const open = (registerId: number, float = 20_000, by: TestStaff = budtender) =>
  by.call('POST', `/staff/v1/registers/${registerId}/drawer-sessions`, { float });
const read = async (sessionId: number, by: TestStaff = manager) =>
  (await by.call('GET', `/staff/v1/drawer-sessions/${sessionId}`)).data;
const move = (sessionId: number, kind: string, amount: number, by: TestStaff = manager) =>
  by.call('POST', `/staff/v1/drawer-sessions/${sessionId}/movements`, { kind, amount, reason: 'Bag 12' });
const close = (sessionId: number, counted: number, by: TestStaff = budtender, others: object[] = []) =>
  by.call('POST', `/staff/v1/drawer-sessions/${sessionId}/close`, {
    counts: [{ paymentTypeId: null, counted }, ...others],
  });

/** An order of one eighth at $35, ready to be paid. */
async function placed(at: TestShop = shop): Promise<string> {
  const { data, error } = await placeTrade(service, at, [['eighth', 1]], {
    payments: [{ paymentTypeId: at.paymentTypeId('Cash'), remaining: true }],
  });
  expect(error).toBeUndefined();
  if (data.status === 'draft') {
    expect((await manager.call('POST', `/staff/v1/orders/${data.id}/accept`, {})).status).toBe(200);
  }
  return data.id;
}

const pay = (
  orderId: string,
  registerId: number | undefined,
  payments: object[] = [{ paymentTypeId: cash, amount: 3500 }],
) =>
  budtender.call('POST', `/staff/v1/orders/${orderId}/fulfill`, {
    payments,
    ...(registerId && { registerId }),
  });

const refund = async (orderId: string, registerId: number) => {
  const { data } = await budtender.call('GET', `/staff/v1/orders/${orderId}`);
  return budtender.call('POST', `/staff/v1/orders/${orderId}/returns`, {
    refundType: 'payment-method',
    paymentTypeId: cash,
    registerId,
    idempotencyKey: randomUUID(),
    lineItems: [
      {
        orderLineItemId: data.lineItems[0].id,
        quantity: 1,
        type: 'return',
        inventoryAction: 'waste',
        reason: 'Dented',
      },
    ],
  });
};

describe('a drawer', () => {
  test('expects the float, what was sold, refunded and moved by hand, to the cent, by payment type', async () => {
    const registerId = await newRegister();
    const { data: session } = await open(registerId);
    const sold = await placed();
    expect((await pay(sold, registerId)).status).toBe(200);
    const split = [
      { paymentTypeId: cash, amount: 1001 },
      { paymentTypeId: card.id, amount: 2499 },
    ];
    expect((await pay(await placed(), registerId, split)).status).toBe(200);
    expect((await refund(sold, registerId)).status).toBe(201);
    await move(session.id, 'paid-in', 700);
    await move(session.id, 'paid-out', 333);
    await move(session.id, 'drop', 1000, budtender);
    const cashRow = {
      paymentTypeId: null,
      name: 'Cash',
      orders: 2,
      float: 20_000,
      sales: 4501,
      refunds: -3500,
      paidIn: 700,
      paidOut: -333,
      drops: -1000,
      expected: 20_368,
      counted: null,
      overShort: null,
    };
    const x = await read(session.id);
    expect(x).toMatchObject({
      kind: 'x',
      closedAt: null,
      payments: [cashRow, { name: 'Terminal', expected: 2499 }],
    });
    expect(x.movements.map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount])).toEqual([
      ['paid-in', 700],
      ['paid-out', -333],
      ['drop', -1000],
    ]);
    const { status, data: z } = await close(session.id, 20_350, budtender, [
      { paymentTypeId: card.id, counted: 2499 },
    ]);
    expect(status).toBe(200);
    expect(z).toMatchObject({
      kind: 'z',
      closedBy: { staffId: budtender.staffId },
      payments: [
        { ...cashRow, counted: 20_350, overShort: -18 },
        { paymentTypeId: card.id, expected: 2499, counted: 2499, overShort: 0 },
      ],
    });
    expect(await read(session.id)).toEqual(z);
  });

  test('closes with a report of its sales, discounts, tax, returns, voids and tenders, to the cent', async () => {
    const taxed = await createTestShop(service.context, {
      state: 'OR',
      taxes: [{ description: 'Tax', rate: '17', rounding: 'up' }],
    });
    const staff = await service.staff(taxed, 'manager');
    const ask = async (path: string, body: object) => {
      const { data, error } = await staff.call('POST', `/staff/v1/${path}`, body);
      expect(error).toBeUndefined();
      return data;
    };
    const till = { name: 'Counter', inventoryLocationId: taxed.locationId('Storefront') };
    const { id: registerId } = await ask('registers', till);
    const session = await ask(`registers/${registerId}/drawer-sessions`, { float: 10_000 });
    const { id: tenth } = await ask('discounts', {
      ...{ name: 'Long wait', kind: 'order', type: 'percent', amount: '10', trigger: 'manual' },
    });
    const productOptionId = taxed.optionId('eighth');
    const own = { paymentTypeId: taxed.paymentTypeId('Cash') };
    const customer = {
      firstName: 'Wren',
      lastName: 'Castellan',
      birthday: '1990-04-02',
      email: 'w@example.com',
    };
    const sell = async (more: object = {}) => {
      const { id } = await ask('orders', {
        ...{ type: 'in-store', customer, idempotencyKey: randomUUID() },
        lineItems: [{ productOptionId, quantity: 1 }],
        ...more,
      });
      const payments = [{ ...own, remaining: true }];
      return ask(`orders/${id}/fulfill`, { payments, registerId, idCheck: 'eye' });
    };
    // $35.00, and with 17 % tax; then 10 % off of both; then $5.00 and 20 % off the price by hand, and a dearer one, which gives nothing.
    const plain = await sell();
    await sell({ discountIds: [tenth] });
    const reason = 'Torn bag';
    await sell({ priceOverrides: [{ productOptionId, unitPrice: 3000, reason }] });
    await sell({ lineReductions: [{ productOptionId, percent: '20', reason }] });
    await sell({ priceOverrides: [{ productOptionId, unitPrice: 3600, reason }] });
    const wrong = await sell();
    await ask(`orders/${wrong.id}/void`, { reason: 'Rung up twice' });
    await ask(`orders/${plain.id}/returns`, {
      ...{ refundType: 'payment-method', ...own, registerId, idempotencyKey: randomUUID() },
      lineItems: [
        {
          ...{ orderLineItemId: plain.lineItems[0].id, quantity: 1, type: 'return' },
          ...{ inventoryAction: 'waste', reason: 'Dented' },
        },
      ],
    });
    await ask(`drawer-sessions/${session.id}/movements`, {
      kind: 'drop',
      amount: 2000,
      reason: 'Safe, bag 12',
    });
    const z = await ask(`drawer-sessions/${session.id}/close`, {
      counts: [{ paymentTypeId: null, counted: 22_600 }],
      note: 'A roll of dimes is missing',
    });
    expect(z).toMatchObject({
      ...{ kind: 'z', note: 'A roll of dimes is missing' },
      sales: {
        ...{ orders: 5, gross: 16_400, discounts: 350, priceOverrides: 1200, net: 16_050 },
        ...{ tax: 2729, total: 18_779 },
        ...{ cashRounding: 0, returns: 1, refunds: 4095, voids: 1 },
      },
      payments: [
        {
          ...{ name: 'Cash', orders: 5, float: 10_000, sales: 18_779, refunds: -4095, drops: -2000 },
          ...{ expected: 22_684, counted: 22_600, overShort: -84 },
        },
      ],
      movements: [{ kind: 'drop', amount: -2000, reason: 'Safe, bag 12' }],
    });
  });

  test('is counted blind: a budtender sees what was expected after the count only', async () => {
    const registerId = await newRegister();
    const { data: session } = await open(registerId);
    expect(session.payments).toBe(null);
    await pay(await placed(), registerId);
    expect((await move(session.id, 'drop', 500, budtender)).data.payments).toBe(null);
    expect((await read(session.id, budtender)).payments).toBe(null);
    const { data: list } = await budtender.call('GET', `/staff/v1/drawer-sessions?registerId=${registerId}`);
    expect(list).toMatchObject([{ id: session.id, payments: null }]);
    expect((await close(session.id, 23_000)).data.payments).toMatchObject([
      { expected: 23_000, overShort: 0 },
    ]);
  });

  test('has one open session, however many open it at once', async () => {
    const registerId = await newRegister();
    const replies = await Promise.all(Array.from({ length: 8 }, () => open(registerId)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.error?.code).toBe('DRAWER_IS_OPEN');
    const { data } = await manager.call('GET', '/staff/v1/registers');
    const listed = data.find(({ id }: { id: number }) => id === registerId);
    expect(listed.openSession).toMatchObject({ openedBy: { staffId: budtender.staffId } });
    const archive = await manager.call('PATCH', `/staff/v1/registers/${registerId}`, { archived: true });
    expect(archive.error?.code).toBe('DRAWER_IS_OPEN');
  });

  test('is opened, paid into, paid out and closed once by a request with a key, however often it is sent', async () => {
    const registerId = await newRegister();
    const headers = { 'idempotency-key': randomUUID() };
    const path = `/staff/v1/registers/${registerId}/drawer-sessions`;
    const opened = await budtender.call('POST', path, { float: 100 }, { headers });
    const again = await budtender.call('POST', path, { float: 100 }, { headers });
    expect([again.status, again.data]).toEqual([201, opened.data]);
    const dropKey = { headers: { 'idempotency-key': randomUUID() } };
    const drop = { kind: 'paid-in', amount: 50, reason: 'Coins' };
    const movements = `/staff/v1/drawer-sessions/${opened.data.id}/movements`;
    await Promise.all([1, 2, 3].map(() => budtender.call('POST', movements, drop, dropKey)));
    expect((await read(opened.data.id)).payments).toMatchObject([{ paidIn: 50, expected: 150 }]);
  });
});

describe('who handles a drawer', () => {
  test('a budtender neither pays out nor closes what another person opened', async () => {
    const registerId = await newRegister();
    const { data: session } = await open(registerId, 5000, manager);
    expect((await move(session.id, 'paid-out', 100, budtender)).error?.code).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await close(session.id, 5000, budtender)).error?.code).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await close(session.id, 5000, manager)).status).toBe(200);
    expect((await close(session.id, 5000, manager)).error?.code).toBe('DRAWER_SESSION_CLOSED');
    expect((await move(session.id, 'drop', 100)).error?.code).toBe('DRAWER_SESSION_CLOSED');
  });

  test('a count names the cash, and each payment type once', async () => {
    const { data: session } = await open(await newRegister());
    const path = `/staff/v1/drawer-sessions/${session.id}/close`;
    const ask = (counts: object[]) => budtender.call('POST', path, { counts });
    const cashOf = { paymentTypeId: null, counted: 0 };
    expect((await ask([{ paymentTypeId: card.id, counted: 0 }])).error?.code).toBe('INVALID_PARAMS');
    expect((await ask([cashOf, cashOf])).error?.code).toBe('INVALID_PARAMS');
    expect((await ask([cashOf, { paymentTypeId: cash, counted: 0 }])).error?.code).toBe('INVALID_PARAMS');
    expect((await ask([cashOf, { paymentTypeId: 99, counted: 0 }])).error?.code).toBe(
      'PAYMENT_TYPE_NOT_FOUND',
    );
    expect((await read(session.id)).closedAt).toBe(null);
  });
});

test('the audit entry of a changed register has the values before and after', async () => {
  const registerId = await newRegister();
  const changes = { cashWithoutSession: 'refuse', archived: true };
  expect((await manager.call('PATCH', `/staff/v1/registers/${registerId}`, changes)).status).toBe(200);
  const [entry] = await tenantSql(
    service.context.database,
    shop.organizationId,
    "select details from audit_entries where action = 'register.updated' and subject_id = $1",
    String(registerId),
  );
  expect(entry!.details).toEqual({
    registerId,
    cashWithoutSession: { from: 'warn', to: 'refuse' },
    archived: { from: false, to: true },
  });
  expect((await open(registerId)).error?.code).toBe('REGISTER_NOT_FOUND');
});

describe('a payment', () => {
  test('at a register whose drawer is closed is recorded outside a session, or cash is refused', async () => {
    const warns = await newRegister();
    const orderId = await placed();
    expect((await pay(orderId, warns)).status).toBe(200);
    const rows = await tenantSql(
      service.context.database,
      shop.organizationId,
      'select session_id, amount_cents from drawer_movements where register_id = $1',
      warns,
    );
    expect(rows.map((row) => [row.session_id, Number(row.amount_cents)])).toEqual([[null, 3500]]);
    const refuses = await newRegister({ cashWithoutSession: 'refuse' });
    const refused = await placed();
    expect((await pay(refused, refuses)).error?.code).toBe('DRAWER_NOT_OPEN');
    expect((await pay(refused, refuses, [{ paymentTypeId: card.id, amount: 3500 }])).status).toBe(200);
    expect((await pay(await placed(), undefined)).status).toBe(200);
    expect((await pay(await placed(), 99)).error?.code).toBe('REGISTER_NOT_FOUND');
  });

  test('that is refunded or voided after the close belongs to the session in which that happens', async () => {
    const registerId = await newRegister();
    const { data: first } = await open(registerId);
    const orderId = await placed();
    await pay(orderId, registerId);
    const { data: z } = await close(first.id, 23_500);
    const { data: second } = await open(registerId, 1000);
    const { data: returned } = await refund(orderId, registerId);
    expect((await read(second.id)).payments).toMatchObject([{ sales: 0, refunds: -3500, expected: -2500 }]);
    const voided = { reason: 'Wrong order', registerId };
    expect((await manager.call('POST', `/staff/v1/order-returns/${returned.id}/void`, voided)).status).toBe(
      200,
    );
    expect((await read(second.id)).payments).toMatchObject([{ refunds: 0, expected: 1000 }]);
    expect(await read(first.id)).toEqual(z);
  });

  test('in flight while the drawer closes is in the session or outside it, and expected is the sum of what is in it', async () => {
    const registerId = await newRegister();
    const { data: session } = await open(registerId);
    const orders: string[] = [];
    for (let at = 0; at < 64; at += 1) orders.push(await placed());
    const sales = orders.map((orderId) => pay(orderId, registerId));
    await Promise.race(sales);
    const [z, ...sold] = await Promise.all([close(session.id, 0), ...sales]);
    expect(sold.map(({ status }) => status)).toEqual(sold.map(() => 200));
    const [row] = await tenantSql(
      service.context.database,
      shop.organizationId,
      `select sum(amount_cents) filter (where session_id is not null) as inside,
              count(*) filter (where kind = 'sale') as sales from drawer_movements where register_id = $1`,
      registerId,
    );
    expect(Number(row!.sales)).toBe(64);
    expect(z.data.payments[0].expected).toBe(Number(row!.inside));
    expect((await read(session.id)).payments).toEqual(z.data.payments);
  });
});
