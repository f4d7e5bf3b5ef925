import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { openPlainShop } from '../../../test/harness/test-trade.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { stepReportSums } from '../reports/keep-report-sums.ts';
import { findReportDrift } from '../reports/reports.ts';
import { salesGroups } from '../reports/sales-report.ts';

const service = await startTestService();
afterAll(() => service.close());

const shop = await openPlainShop(service);
const manager = await service.staff(shop, 'manager');
const budtender = await service.staff(shop, 'budtender');
const cash = shop.paymentTypeId('Cash');
const { organizationId } = shop;
const { context } = service;

await manager.call('PUT', '/staff/v1/loyalty-program', { pointsPerDollar: 2 });
const discount = await manager.call('POST', '/staff/v1/discounts', {
  ...{
    name: 'Welcome',
    kind: 'order',
    type: 'percent',
    amount: 10,
    trigger: 'code',
    codes: ['HELLO'],
    usesTotal: 3,
  },
});
expect(discount.error).toBeUndefined();
const { data: customer } = await manager.call('POST', '/staff/v1/customers', {
  ...{ firstName: 'Wren', lastName: 'Castellan', email: 'wren@example.com', birthday: '1990-04-02' },
});
await manager.call('POST', `/staff/v1/customers/${customer.id}/credits`, {
  ...{ type: 'store-credit', amount: 500, description: 'Sorry' },
});
const { data: register } = await manager.call('POST', '/staff/v1/registers', {
  ...{ name: 'Counter', inventoryLocationId: shop.locationId('Storefront') },
});
const open = async () =>
  (await budtender.call('POST', `/staff/v1/registers/${register.id}/drawer-sessions`, { float: 20_000 }))
    .data;

const body = {
  ...{ type: 'in-store', customerId: customer.id, discountCodes: ['HELLO'] },
  lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 2 }],
  payments: [{ paymentTypeId: cash, remaining: true }],
};

/** A sale at the register, by the budtender. */
async function sell(): Promise<string> {
  const placed = await budtender.call('POST', '/staff/v1/orders', { ...body, idempotencyKey: randomUUID() });
  expect(placed.error).toBeUndefined();
  const paid = await budtender.call('POST', `/staff/v1/orders/${placed.data.id}/fulfill`, {
    registerId: register.id,
  });
  expect(paid.error).toBeUndefined();
  return placed.data.id;
}

const voidSale = (orderId: string, by = manager) =>
  by.call('POST', `/staff/v1/orders/${orderId}/void`, { reason: 'Rung up twice' });

/** All that a sale moves. */
async function world(sessionId: number) {
  const sql = (text: string) => tenantSql(service.context.database, organizationId, text);
  const reports = [];
  const range = { query: { from: '2026-03-01', to: '2026-03-31' } };
  for (const by of salesGroups.filter((it) => !['hour', 'payment', 'staff'].includes(it))) {
    const { data } = await manager.call('GET', '/staff/v1/reports/sales', undefined, {
      query: { ...range.query, by },
    });
    reports.push([by, data.rows, data.total]);
  }
  const { payments } = (await manager.call('GET', `/staff/v1/drawer-sessions/${sessionId}`)).data;
  const person = (await manager.call('GET', `/staff/v1/customers/${customer.id}`)).data;
  const preview = await budtender.call('POST', '/staff/v1/orders/pricing', body);
  return {
    shelves: await sql(
      'select product_option_id, package_id, trim_scale(on_hand) as on_hand from stock_balances order by 1, 2',
    ),
    credits: await sql('select remaining_cents from customer_credits order by id'),
    uses: await sql('select used from discount_uses'),
    spent: await sql('select spent_cents from customer_sums'),
    points: person.loyalty?.pointsAmount ?? 0,
    limits: preview.data.purchaseLimits,
    reports,
    taxes: (await manager.call('GET', '/staff/v1/reports/taxes', undefined, range)).data.rows,
    drawer: payments.map(({ expected, orders, sales }: Record<string, number>) => [expected, orders, sales]),
  };
}

test('a voided sale leaves stock, points, credit, discount uses, limits, drawer and reports as if it had not been', async () => {
  const session = await open();
  // The first sale stays: the rows of reports are there.
  await sell();
  await stepReportSums(context, organizationId);
  const before = await world(session.id);
  const waiting = await sell();
  expect(await world(session.id)).not.toEqual(before);
  const { status, data } = await voidSale(waiting);
  expect([status, data.status, data.fulfilledAt, data.cancelationReason]).toEqual([
    200,
    'canceled',
    null,
    'Rung up twice',
  ]);
  expect(data.allowedActions).toEqual([]);
  expect(await world(session.id)).toEqual(before);
  const counted = await sell();
  await stepReportSums(context, organizationId);
  expect((await voidSale(counted)).status).toBe(200);
  expect(await world(session.id)).toEqual(before);
  await stepReportSums(context, organizationId);
  expect(await world(session.id)).toEqual(before);
  const { sales } = (await manager.call('GET', `/staff/v1/drawer-sessions/${session.id}`)).data;
  // Two eighths with 10% off; the credit of $5 was used by the sale that stays.
  expect(sales).toEqual({
    ...{ orders: 1, gross: 7000, discounts: 700, net: 6300, tax: 0, total: 5800 },
    ...{ returns: 0, refunds: 0, voids: 2, priceOverrides: 0, cashRounding: 0 },
  });
  expect((await voidSale(counted)).error).toMatchObject({ code: 'INVALID_ORDER_TRANSITION' });
  expect(await brokenRules(context.database, organizationId)).toEqual([]);
  await budtender.call('POST', `/staff/v1/drawer-sessions/${session.id}/close`, {
    counts: [{ paymentTypeId: null, counted: 20_000 }],
  });
});

test('a manager corrects how a sale was paid: the drawer, its report, the sums by payment and the audit follow, and a void takes all back', async () => {
  const session = await open();
  const debit = shop.paymentTypeId('Debit');
  await manager.call('PATCH', `/staff/v1/payment-types/${cash}`, { cashRounding: 'symmetric' });
  const paid = async () => {
    const { data } = await manager.call('GET', '/staff/v1/reports/sales', undefined, {
      query: { from: '2026-03-01', to: '2026-03-31', by: 'payment' },
    });
    return Object.fromEntries(data.rows.map((row: { name: string; paid: number }) => [row.name, row.paid]));
  };
  const drawer = async () => {
    const { data } = await manager.call('GET', `/staff/v1/drawer-sessions/${session.id}`);
    const sums = data.payments.map(({ name, ...it }: Record<string, unknown>) => [name, it.orders, it.sales]);
    return [sums, data.sales.total, data.sales.cashRounding, data.sales.orders];
  };
  const correct = (orderId: string, paymentId: number, paymentTypeId: number, by = manager) =>
    by.call('POST', `/staff/v1/orders/${orderId}/payments/${paymentId}/correct`, {
      ...{ paymentTypeId, reason: ' It was the other one ' },
    });
  const sellForOddCents = async () => {
    const adjustments = [{ amount: -2, description: 'Dented box' }];
    const placed = await manager.call('POST', '/staff/v1/orders', {
      ...{ ...body, discountCodes: [], adjustments, idempotencyKey: randomUUID() },
    });
    expect(placed.error).toBeUndefined();
    const { data } = await manager.call('POST', `/staff/v1/orders/${placed.data.id}/fulfill`, {
      registerId: register.id,
    });
    return data;
  };
  const before = await paid();
  // One is in the sums when it is corrected, one waits.
  const [counted, waiting] = [await sellForOddCents(), await sellForOddCents()];
  expect(counted.payments[0]).toMatchObject({ finalAmount: 6998, cashRounding: 2 });
  expect(await drawer()).toEqual([[['Cash', 2, 14_000]], 13_996, 4, 2]);
  for (const [order, fold] of [
    [counted, true],
    [waiting, false],
  ] as const) {
    if (fold) await stepReportSums(context, organizationId);
    const [payment] = order.payments;
    expect((await correct(order.id, payment.id, debit, budtender)).error?.code).toBe(
      'INSUFFICIENT_PERMISSIONS',
    );
    const { data } = await correct(order.id, payment.id, debit);
    expect(data.payments).toEqual([
      expect.objectContaining({ id: payment.id, name: 'Debit', finalAmount: 6998, cashRounding: 0 }),
    ]);
    expect(data.customerGrandTotal).toBe(order.customerGrandTotal);
  }
  expect(await drawer()).toEqual([
    [
      ['Cash', 0, 0],
      ['Debit', 2, 13_996],
    ],
    13_996,
    0,
    2,
  ]);
  const after = { ...before, Debit: (before.Debit ?? 0) + 13_996 };
  expect(await paid()).toEqual(after);
  await stepReportSums(context, organizationId);
  expect(await paid()).toEqual(after);
  // Back again, twice, and with the second under way in the sums.
  await correct(counted.id, counted.payments[0].id, cash);
  await correct(counted.id, counted.payments[0].id, debit);
  await stepReportSums(context, organizationId);
  expect(await paid()).toEqual(after);
  await correct(counted.id, counted.payments[0].id, cash);
  expect(await drawer()).toEqual([
    [
      ['Cash', 1, 7_000],
      ['Debit', 1, 6_998],
    ],
    13_996,
    2,
    2,
  ]);
  expect((await findReportDrift(context, organizationId)).length).toBe(0);
  const trail = await tenantSql(
    context.database,
    organizationId,
    `select actor, details from audit_entries where subject_id = '${waiting.id}' and action = 'order.updated'`,
  );
  expect(trail).toEqual([
    {
      actor: expect.stringMatching(/^staff:/),
      details: {
        ...{ orderId: waiting.id, reason: 'It was the other one' },
        payments: {
          from: [{ paymentTypeId: cash, amount: 6998 }],
          to: [{ paymentTypeId: debit, amount: 6998 }],
        },
      },
    },
  ]);
  for (const { id } of [counted, waiting]) expect((await voidSale(id)).error).toBeUndefined();
  expect(await drawer()).toEqual([
    [
      ['Cash', 0, 0],
      ['Debit', 0, 0],
    ],
    0,
    0,
    0,
  ]);
  expect(await paid()).toEqual(before);
  await stepReportSums(context, organizationId);
  expect(await paid()).toEqual(before);
  expect(await findReportDrift(context, organizationId)).toEqual([]);
  expect(await brokenRules(context.database, organizationId)).toEqual([]);
  const late = await sellForOddCents();
  const refused = async (paymentTypeId: number) =>
    (await correct(late.id, late.payments[0].id, paymentTypeId)).error;
  expect((await refused(999_999))?.code).toBe('PAYMENT_TYPE_NOT_FOUND');
  expect((await correct(late.id, 999_999, debit)).error?.code).toBe('ORDER_PAYMENT_NOT_FOUND');
  await budtender.call('POST', `/staff/v1/drawer-sessions/${session.id}/close`, {
    counts: [{ paymentTypeId: null, counted: 27_000 }],
  });
  expect(await refused(debit)).toMatchObject({
    ...{ code: 'PAYMENT_NOT_CORRECTABLE', meta: { reason: 'drawer-is-closed' } },
    message: expect.stringContaining('drawer of this sale is closed'),
  });
});

test('a sale with a return, of a counted drawer or of an earlier day is not voided, and a budtender voids none', async () => {
  const session = await open();
  const [plain, returned] = [await sell(), await sell()];
  expect((await voidSale(plain, budtender)).error?.code).toBe('INSUFFICIENT_PERMISSIONS');
  const { data } = await manager.call('GET', `/staff/v1/orders/${returned}`);
  expect(data.allowedActions).toEqual(['void', 'return']);
  const back = await manager.call('POST', `/staff/v1/orders/${returned}/returns`, {
    ...{ refundType: 'none', idempotencyKey: randomUUID() },
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
  expect(back.status).toBe(201);
  const refused = async (orderId: string) => (await voidSale(orderId)).error;
  expect(await refused(returned)).toMatchObject({
    code: 'SALE_NOT_VOIDABLE',
    meta: { reason: 'has-returns' },
  });
  await budtender.call('POST', `/staff/v1/drawer-sessions/${session.id}/close`, {
    counts: [{ paymentTypeId: null, counted: 20_000 }],
  });
  expect(await refused(plain)).toMatchObject({
    code: 'SALE_NOT_VOIDABLE',
    meta: { reason: 'drawer-is-closed' },
  });
  service.clock.advance(24 * 3_600_000);
  const again = await service.staff(shop, 'manager');
  const late = await voidSale(plain, again);
  expect(late.error).toMatchObject({ code: 'SALE_NOT_VOIDABLE', meta: { reason: 'day-is-over' } });
});
