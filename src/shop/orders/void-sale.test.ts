import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { openPlainShop } from '../../../test/harness/test-trade.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { stepReportSums } from '../reports/keep-report-sums.ts';
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
    ...{ returns: 0, refunds: 0, voids: 2, cashRounding: 0 },
  });
  expect((await voidSale(counted)).error).toMatchObject({ code: 'INVALID_ORDER_TRANSITION' });
  expect(await brokenRules(context.database, organizationId)).toEqual([]);
  await budtender.call('POST', `/staff/v1/drawer-sessions/${session.id}/close`, {
    counts: [{ paymentTypeId: null, counted: 20_000 }],
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
