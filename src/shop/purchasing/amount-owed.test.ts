import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
let shop: TestShop;
let staff: TestStaff;
let serial = 0;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  staff = await service.staff(shop, 'inventory');
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const path = '/staff/v1/purchase-orders';
const label = () => `1A4FC${String(++serial).padStart(19, '0')}`;
const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
/** Ten at $5.00. */
const line = (changes: object = {}) => ({
  productId: shop.productId('Moonlit Grove'),
  productOptionId: shop.optionId('sold out'),
  amount: '10',
  costPerUnit: '5',
  ...changes,
});
const order = async (changes: object = {}) => {
  const body = { lineItems: [line()], inventoryVendor: { name: 'Tidewater' }, ...changes };
  const { status, data, text } = await staff.call('POST', path, body);
  expect([status, text]).toEqual([201, text]);
  return data as { id: number; lineItems: { id: number }[] };
};
type Order = Awaited<ReturnType<typeof order>>;
const came = async ({ id, lineItems }: Order, amount: string, changes: object = {}) => {
  const where = { lineItemId: lineItems[0]!.id, inventoryLocationId: shop.locationId('Vault') };
  const reply = await staff.call('POST', `${path}/${id}/receptions`, [{ ...where, amount, ...changes }]);
  expect([reply.status, reply.text]).toEqual([201, reply.text]);
  return reply.data;
};
const pay = ({ id }: Order, amount: number) => staff.call('POST', `${path}/${id}/payments`, { amount });
const credit = ({ id }: Order, body: object) => staff.call('POST', `${path}/${id}/credits`, body);
const turn = async ({ id }: Order, how: 'close' | 'reopen') =>
  (await staff.call('POST', `${path}/${id}/${how}`)).data;
const edit = ({ id }: Order, body: object) => staff.call('PUT', `${path}/${id}`, body);
/** Owed, paid, outstanding, what the vendor owes, and the status: the same for staff and integrators. */
const books = async ({ id }: Order) => {
  const { data } = await staff.call('GET', `${path}/${id}`);
  const { data: listed } = await service.call('GET', '/api/v1/purchase-orders', { keys: shop.keys });
  expect(listed.find((it: { id: number }) => it.id === id)).toEqual(data);
  const { amountOwed, amountPaid, amountOutstanding, creditBalance, paymentStatus } = data;
  return [amountOwed, amountPaid, amountOutstanding, creditBalance, paymentStatus];
};

describe('a line is owed for what came', () => {
  test('12 of 10 are owed, paid and closed as 12', async () => {
    const made = await order();
    expect(await books(made)).toEqual([5000, 0, 5000, 0, 'unpaid']);
    await came(made, '12');
    expect(await books(made)).toEqual([6000, 0, 6000, 0, 'unpaid']);
    expect((await pay(made, 6001)).error?.code).toBe('INVALID_PARAMS');
    expect((await pay(made, 6000)).status).toBe(201);
    expect(await books(made)).toEqual([6000, 6000, 0, 0, 'paid']);
    // Another edit is no reason to complain of what was paid.
    expect((await edit(made, { notes: 'Two more than we asked for' })).status).toBe(200);
    await turn(made, 'close');
    expect(await books(made)).toEqual([6000, 6000, 0, 0, 'paid']);
  });

  test('4 of 10 are owed as 4 once the order is closed, whether paid before or after', async () => {
    const before = await order();
    await came(before, '4');
    expect(await books(before)).toEqual([5000, 0, 5000, 0, 'unpaid']);
    expect((await pay(before, 2000)).status).toBe(201);
    await turn(before, 'close');
    expect(await books(before)).toEqual([2000, 2000, 0, 0, 'paid']);

    const after = await order();
    await came(after, '4');
    await turn(after, 'close');
    expect(await books(after)).toEqual([2000, 0, 2000, 0, 'unpaid']);
    expect((await pay(after, 2001)).error?.code).toBe('INVALID_PARAMS');
    expect((await pay(after, 500)).data).toMatchObject({ paymentStatus: 'partial', amountOutstanding: 1500 });
    expect((await pay(after, 1500)).status).toBe(201);
    expect(await books(after)).toEqual([2000, 2000, 0, 0, 'paid']);
    expect((await pay(after, 1)).error?.code).toBe('PURCHASE_ORDER_CLOSED');
  });

  test('of which nothing came is owed nothing once the order is closed, nor shipping', async () => {
    const made = await order({ shippingHandlingFee: 700 });
    expect(await books(made)).toEqual([5700, 0, 5700, 0, 'unpaid']);
    await turn(made, 'close');
    expect(await books(made)).toEqual([0, 0, 0, 0, 'paid']);
    await turn(made, 'reopen');
    expect(await books(made)).toEqual([5700, 0, 5700, 0, 'unpaid']);
  });

  test('what was paid ahead and never came is a credit of the vendor', async () => {
    const made = await order();
    expect((await pay(made, 5000)).status).toBe(201);
    await came(made, '4');
    expect(await books(made)).toEqual([5000, 5000, 0, 0, 'paid']);
    await turn(made, 'close');
    expect(await books(made)).toEqual([2000, 5000, 0, 3000, 'paid']);
  });

  test('with the excise of what came, rounded as one', async () => {
    const made = await order({
      lineItems: [line({ amount: '3', costPerUnit: '1.115', caExcisePerUnit: '0.335' })],
    });
    // 3.345 and 1.005 dollars.
    expect(await books(made)).toEqual([435 + 1, 0, 436, 0, 'unpaid']);
    for (const amount of ['1', '1', '1']) await came(made, amount);
    expect(await books(made)).toEqual([436, 0, 436, 0, 'unpaid']);
    await turn(made, 'close');
    expect(await books(made)).toEqual([436, 0, 436, 0, 'unpaid']);
  });
});

describe('the price of the invoice', () => {
  test('of a delivery counts for what came with it, and for the average cost', async () => {
    const made = await order();
    await came(made, '4', { costPerUnit: '6' });
    // 4 × $6.00, and 6 × $5.00 to come.
    expect(await books(made)).toEqual([5400, 0, 5400, 0, 'unpaid']);
    await came(made, '6');
    expect(await books(made)).toEqual([5400, 0, 5400, 0, 'unpaid']);
    const [option] = await sql(
      `select moving_average_cost_per_unit::text as cost from product_options where id = ${shop.optionId('sold out')}`,
    );
    expect(option!.cost).toBe('5.4');
  });

  test('comes later, also for a line that was received, and may leave a credit', async () => {
    const made = await order();
    await came(made, '10');
    expect((await pay(made, 5000)).status).toBe(201);
    const [{ id }] = made.lineItems as [{ id: number }];
    const dearer = await edit(made, { lineItems: [{ id, invoicedCostPerUnit: '5.5' }] });
    expect(dearer.data).toMatchObject({
      finalTotal: 5000,
      lineItems: [{ costPerUnit: '5', invoicedCostPerUnit: '5.5', amountOwed: 5500 }],
    });
    expect(await books(made)).toEqual([5500, 5000, 500, 0, 'partial']);
    await edit(made, { lineItems: [{ id, invoicedCostPerUnit: '4.25' }] });
    expect(await books(made)).toEqual([4250, 5000, 0, 750, 'paid']);
    // Left out, it stays; null is the price as ordered.
    await edit(made, { lineItems: [{ id }] });
    expect(await books(made)).toEqual([4250, 5000, 0, 750, 'paid']);
    await edit(made, { lineItems: [{ id, invoicedCostPerUnit: null }] });
    expect(await books(made)).toEqual([5000, 5000, 0, 0, 'paid']);
    const told = await sql(
      `select details from audit_entries where action = 'purchase_order.updated' and subject_id = '${made.id}' order by id`,
    );
    expect(told).toHaveLength(3);
    // What was ordered stays, once it came.
    const other = await edit(made, { lineItems: [{ id, costPerUnit: '4' }] });
    expect(other.error?.code).toBe('PURCHASE_ORDER_LINE_ITEM_RECEIVED');
  });

  test('stays as it is when an integrator edits the line', async () => {
    const made = await order();
    const [{ id }] = made.lineItems as [{ id: number }];
    await service.call('PUT', `/api/v1/purchase-orders/${made.id}`, {
      keys: shop.keys,
      body: { lineItems: [{ id, invoicedCostPerUnit: '1' }] },
    });
    expect(await books(made)).toEqual([5000, 0, 5000, 0, 'unpaid']);
  });
});

describe('a credit of the vendor', () => {
  test('is a row with its reason, and lowers what is outstanding', async () => {
    const made = await order();
    await came(made, '10');
    const given = await credit(made, { amount: 1000, reason: ' Two jars were broken ' });
    expect(given).toMatchObject({
      status: 201,
      data: {
        amountOwed: 5000,
        amountCredited: 1000,
        amountOutstanding: 4000,
        vendorCredits: [{ amount: 1000, reason: 'Two jars were broken', packageId: null }],
      },
    });
    expect((await pay(made, 4001)).error?.code).toBe('INVALID_PARAMS');
    expect((await pay(made, 4000)).data).toMatchObject({ amountPaid: 4000, paymentStatus: 'paid' });
    const [told] = await sql(
      `select details from audit_entries where action = 'purchase_order.credited' and subject_id = '${made.id}'`,
    );
    expect(told!.details).toMatchObject({ amount: 1000, reason: 'Two jars were broken' });
  });

  test('for a rejected package takes from what is still to come, and is not counted twice', async () => {
    const made = await order();
    const pack = (
      await staff.call('POST', '/staff/v1/packages', { label: label(), unit: 'Each', initialAmount: '6' })
    ).data;
    const body = { amount: 3000, reason: 'The seal was broken', packageId: pack.id };
    expect((await credit(made, body)).error?.code).toBe('INVALID_PACKAGE_TRANSITION');
    expect((await credit(made, { ...body, packageId: 5 })).error?.code).toBe('PACKAGE_NOT_FOUND');
    await staff.call('POST', `/staff/v1/packages/${pack.id}/reject`, { reason: 'The seal was broken' });
    await came(made, '4');
    expect((await credit(made, body)).status).toBe(201);
    expect(await books(made)).toEqual([2000, 0, 2000, 0, 'unpaid']);
    await turn(made, 'close');
    expect(await books(made)).toEqual([2000, 0, 2000, 0, 'unpaid']);
  });
});

test('ten pounds of a line of ten grams are asked about before they are owed', async () => {
  const made = await order({
    lineItems: [{ productId: shop.productId('Counter Jar'), amount: '10', costPerUnit: '150' }],
  });
  const [{ id: lineItemId }] = made.lineItems as [{ id: number }];
  const body = [
    {
      ...{ lineItemId, inventoryLocationId: shop.locationId('Vault'), amount: '10' },
      package: { label: label(), unit: 'lb' },
    },
  ];
  const refused = await staff.call('POST', `${path}/${made.id}/receptions`, body);
  expect(refused.error).toMatchObject({
    code: 'MORE_THAN_ANNOUNCED',
    meta: { announced: '10', received: '0', amount: '4535.9237' },
  });
  const meant = await staff.call('POST', `${path}/${made.id}/receptions`, [
    { ...body[0], confirmExcess: true },
  ]);
  expect(meant.data.lineItems[0]).toMatchObject({ amountReceived: '4535.9237', amountOwed: 68_038_856 });
});

describe('an edit', () => {
  test('keeps a line of which a delivery was undone, and says so', async () => {
    const made = await order({ lineItems: [line(), line({ amount: '3' })] });
    const { lineItems } = await came(made, '4');
    const undone = await staff.call('POST', `${path}/${made.id}/undo-reception`, {
      receivedAt: lineItems[0].receptions[0].createdAt,
    });
    expect(undone.status).toBe(200);
    expect((await edit(made, { lineItems: [{ id: made.lineItems[1]!.id }] })).error).toMatchObject({
      code: 'PURCHASE_ORDER_LINE_ITEM_RECEIVED',
      message: `lineItems must contain line ${made.lineItems[0]!.id}: some of it was received, and taken back.`,
    });
    expect((await edit(made, { lineItems: [{ id: made.lineItems[0]!.id, amount: '1' }] })).status).toBe(200);
  });

  test('owes a new line at its own price, whatever the invoice of another says', async () => {
    const made = await order({ lineItems: [line(), line()] });
    const [one, other] = made.lineItems;
    const invoiced = [{ id: one!.id, invoicedCostPerUnit: '1' }, { id: other!.id }];
    expect((await edit(made, { lineItems: invoiced })).status).toBe(200);
    expect((await pay(made, 6000)).status).toBe(201);
    expect(
      (await edit(made, { lineItems: [{ id: one!.id }, line({ amount: '11' })] })).error,
    ).toBeUndefined();
    expect(await books(made)).toEqual([6500, 6000, 500, 0, 'partial']);
  });
});

test('goods whose invoice came later are taken back at the cost that they came with', async () => {
  const cost = async () =>
    (
      await sql(
        `select moving_average_cost_per_unit::text as cost from product_options where id = ${shop.optionId('sold out')}`,
      )
    )[0]!.cost;
  await came(await order({ lineItems: [line({ costPerUnit: '4' })] }), '10');
  const before = await cost();
  service.clock.advance(60_000);
  const made = await order();
  const { lineItems } = await came(made, '10');
  expect((await edit(made, { lineItems: [{ id: lineItems[0].id, invoicedCostPerUnit: '7' }] })).status).toBe(
    200,
  );
  await staff.call('POST', `${path}/${made.id}/undo-reception`, {
    receivedAt: lineItems[0].receptions[0].createdAt,
  });
  expect(await cost()).toBe(before);
});
