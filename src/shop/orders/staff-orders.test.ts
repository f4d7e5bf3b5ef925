import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';

const service = await startTestService();
let shop: TestShop;
let owner: TestStaff;
let clerk: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context, {
    budtenderDiscountPercent: '10',
    managerDiscountPercent: '25',
  });
  owner = await service.staff(shop);
  clerk = await service.staff(shop, 'budtender');
});
afterEach(async () => {
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

const lineItems = (quantity = 2) => [{ productOptionId: shop.optionId('eighth'), quantity }];

/** At the counter, without a customer: two eighths, paid in cash. */
function counterBody(changes: object = {}) {
  return {
    type: 'in-store',
    lineItems: lineItems(),
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    idempotencyKey: randomUUID(),
    ...changes,
  };
}

const place = (changes: object = {}, by = clerk) => by.call('POST', '/staff/v1/orders', counterBody(changes));
const price = (changes: object = {}, by = clerk) => {
  const { idempotencyKey: _, ...body } = counterBody(changes);
  return by.call('POST', '/staff/v1/orders/pricing', body);
};

async function manualDiscount(percent: string): Promise<number> {
  const { data } = await owner.call('POST', '/staff/v1/discounts', {
    name: `${percent} by hand`,
    kind: 'order',
    type: 'percent',
    amount: percent,
    trigger: 'manual',
  });
  return data.id;
}

test('an order at the counter without a customer takes its stock at once and is fulfilled', async () => {
  const placed = await place({ customerName: ' Ana ', shiftName: 'Morning', internalNotes: 'Regular' });
  expect([placed.status, placed.error]).toEqual([201, undefined]);
  const placedBy = { id: clerk.staffId, email: clerk.email, firstName: 'Robin', lastName: 'Castellan' };
  expect(placed.data).toMatchObject({
    type: 'in-store',
    source: 'in-store',
    status: 'new',
    customer: {},
    customerName: 'Ana',
    shift: { name: 'Morning' },
    internalNotes: 'Regular',
    placedBy,
    apiConsumerName: null,
    lineItems: [{ fulfillAs: [{ optionSum: -2 }] }],
  });
  expect(placed.data.userId).toBeUndefined();
  const sold = await clerk.call('POST', `/staff/v1/orders/${placed.data.id}/fulfill`, {});
  expect(sold.data).toMatchObject({ status: 'fulfilled', fulfilledBy: placedBy, change: 0 });
  // Integrators read it like any other order, without the staff's fields.
  const detail = await service.call('GET', `/api/v1/orders/${placed.data.id}/detail`, { keys: shop.keys });
  expect(detail.data).toMatchObject({ source: 'in-store', placedBy, shift: { name: 'Morning' } });
  expect(detail.text).not.toContain('Regular');
});

test('a preview shows what the order costs, with every field of staff', async () => {
  const discountId = await manualDiscount('5');
  const ways = [
    {},
    { type: 'pickup' },
    { discountIds: [discountId] },
    {
      adjustments: [
        { amount: 250, description: 'Bag' },
        { amount: -100, description: 'Dent' },
      ],
    },
    { taxExempt: { exempt: true, reason: 'Card shown' } },
    { deliveryFee: 300, deliveryFeeDescription: 'Courier' },
  ];
  for (const way of ways) {
    const preview = await price(way, owner);
    expect([preview.status, preview.error]).toEqual([200, undefined]);
    const { customerGrandTotal: expectedCustomerGrandTotal, netPrice, discountsTotal } = preview.data;
    const { data, error } = await place({ ...way, expectedCustomerGrandTotal }, owner);
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ customerGrandTotal: expectedCustomerGrandTotal, netPrice, discountsTotal });
  }
  const { error } = await place({ expectedCustomerGrandTotal: 1 });
  expect(error?.code).toBe('PRICE_CHANGED');
});

test('an adjustment is added after taxes, shows who gave it, and never exceeds the total', async () => {
  const plain = (await price()).data;
  const adjustments = [
    { amount: 500, description: 'Rush' },
    { amount: -10_000_000, description: 'On the house' },
  ];
  const { data } = await place({ adjustments }, owner);
  expect(data).toMatchObject({
    netPrice: 0,
    customerGrandTotal: 0,
    taxes: plain.taxes.map(({ amount }: { amount: number }) => ({ amount })),
    adjustments: [
      { amount: 500, description: 'Rush', isTaxExemption: false, taxId: null },
      { amount: -plain.netPrice - 500, description: 'On the house', isTaxExemption: false, taxId: null },
    ],
  });
  const rows = await tenantSql(
    service.context.database,
    shop.organizationId,
    'select admin_id from order_adjustments where order_id = $1',
    data.id,
  );
  expect(rows.map((row) => row.admin_id)).toEqual([owner.staffId, owner.staffId]);
});

test("an exemption by staff overrides the customer's own status, and keeps its reason", async () => {
  const { data } = await place({ taxExempt: { exempt: true, reason: 'Card shown' } }, owner);
  expect(data).toMatchObject({ taxExempt: true, isMedical: false, taxExemptReason: 'Card shown' });
  expect(data.taxes.find((tax: { exemptable: boolean }) => tax.exemptable)).toMatchObject({ amount: 0 });
  const refused = await place({ taxExempt: { exempt: true, reason: '  ' } });
  expect([refused.status, refused.error?.code]).toEqual([400, 'INVALID_PARAMS']);
  expect(refused.error?.message).toContain('taxExempt.reason');
});

test('only managers and owners exempt an order from taxes, and the taxes count against the limit of the role', async () => {
  const taxExempt = { exempt: true, reason: 'Card shown' };
  const manager = await service.staff(shop, 'manager');
  const refusalOf = async (way: object, by: TestStaff) => {
    const [placed, priced] = [await place(way, by), await price(way, by)];
    expect(priced.error).toEqual(placed.error);
    return placed.error?.code ?? placed.data;
  };
  expect(await refusalOf({ taxExempt }, clerk)).toBe('INSUFFICIENT_PERMISSIONS');
  // Charging an exempt customer reduces nothing.
  expect(await refusalOf({ taxExempt: { ...taxExempt, exempt: false } }, clerk)).toMatchObject({
    taxExempt: false,
  });
  const order = await refusalOf({ taxExempt }, manager);
  const exempted = order.taxes.reduce(
    (sum: number, tax: { amountExempted: number }) => sum + tax.amountExempted,
    0,
  );
  expect(exempted).toBeGreaterThan(0);
  const dent = (amount: number) => ({ adjustments: [{ amount, description: 'Dent' }] });
  const restCents = 1750 - exempted;
  expect(await refusalOf({ taxExempt, ...dent(-restCents) }, manager)).toMatchObject({ taxExempt: true });
  expect(await refusalOf({ taxExempt, ...dent(-restCents - 1) }, manager)).toBe('INSUFFICIENT_PERMISSIONS');

  // Earlier reductions stay, and do not bypass either rule.
  const path = `/staff/v1/orders/${order.id}`;
  expect((await clerk.call('PATCH', path, { taxExempt, lineItems: lineItems(3) })).status).toBe(200);
  expect((await clerk.call('PATCH', path, { taxExempt: null })).data.taxExempt).toBe(false);
  expect((await clerk.call('PATCH', path, { taxExempt })).error?.code).toBe('INSUFFICIENT_PERMISSIONS');
  await owner.call('PATCH', '/staff/v1/organization', {
    discountLimits: { budtenderPercent: '1', managerPercent: '1' },
  });
  expect((await manager.call('PATCH', path, { taxExempt })).error?.code).toBe('INSUFFICIENT_PERMISSIONS');
});

describe('a manual reduction', () => {
  test('stays within the limit of the role; an owner has no limit', async () => {
    const [manager, ten, eleven, twentySix] = [
      await service.staff(shop, 'manager'),
      await manualDiscount('10'),
      await manualDiscount('11'),
      await manualDiscount('26'),
    ];
    for (const [by, way, allowed] of [
      [clerk, { discountIds: [ten] }, true],
      [clerk, { discountIds: [eleven] }, false],
      [manager, { discountIds: [eleven] }, true],
      [manager, { discountIds: [twentySix] }, false],
      [owner, { discountIds: [twentySix] }, true],
      [clerk, { adjustments: [{ amount: -700, description: 'Dent' }] }, true],
      [clerk, { adjustments: [{ amount: -701, description: 'Dent' }] }, false],
      [clerk, { discountIds: [ten], adjustments: [{ amount: -1, description: 'Dent' }] }, false],
      [clerk, { adjustments: [{ amount: 5000, description: 'Bag' }] }, true],
    ] as const) {
      for (const reply of [await place(way, by), await price(way, by)]) {
        if (allowed) expect([by.role, way, reply.error]).toEqual([by.role, way, undefined]);
        else {
          expect([by.role, way, reply.status, reply.error?.code]).toEqual([
            by.role,
            way,
            403,
            'INSUFFICIENT_PERMISSIONS',
          ]);
          expect(reply.error?.message).toMatch(/(10|25)% of 7000 cents.* \d+ cents/);
        }
      }
    }
  });

  test('must be a manual discount that applies', async () => {
    const { error } = await place({ discountIds: [999] });
    expect([error?.code, error?.message]).toEqual([
      'DISCOUNT_NOT_FOUND',
      expect.stringContaining('discountIds[0]'),
    ]);
    const zero = await place({ adjustments: [{ amount: 0, description: 'Nothing' }] });
    expect([zero.status, zero.error?.code]).toEqual([400, 'INVALID_PARAMS']);
  });
});

describe('the customer of a staff order', () => {
  test('may have a profile, be new, or be absent; only one of these', async () => {
    const customer = { firstName: 'Ana', lastName: 'Ruiz', email: `${randomUUID()}@mail.example.com` };
    const first = await place({ customer });
    const { userId } = first.data;
    expect(first.data.customer).toMatchObject({ id: userId, firstName: 'Ana' });
    expect((await place({ customerId: userId })).data).toMatchObject({ userId, customer: { id: userId } });
    const gone = await clerk.call('POST', '/staff/v1/customers', {
      firstName: 'Ben',
      lastName: 'Gone',
      email: `${randomUUID()}@mail.example.com`,
    });
    expect((await owner.call('DELETE', `/staff/v1/customers/${gone.data.id}`)).status).toBe(200);
    expect((await place({ customerId: gone.data.id })).error?.code).toBe('USER_NOT_FOUND');
    const unknown = await place({ customerId: 999 });
    expect([unknown.status, unknown.error?.code]).toEqual([404, 'USER_NOT_FOUND']);
    for (const two of [
      { customer, customerId: userId },
      { customerId: userId, customerName: 'Ana' },
    ]) {
      const refused = await place(two);
      expect([refused.status, refused.error?.code]).toEqual([400, 'INVALID_PARAMS']);
    }
  });

  test('has the same purchase limits, by id or by email', async () => {
    const limited = await createTestShop(service.context, { state: 'CA' });
    const staff = await service.staff(limited, 'budtender');
    const customer = { firstName: 'Ana', lastName: 'Ruiz', email: `${randomUUID()}@mail.example.com` };
    const buy = (who: object, quantity: number) =>
      staff.call('POST', '/staff/v1/orders', {
        type: 'in-store',
        lineItems: [{ productOptionId: limited.optionId('eighth'), quantity }],
        idempotencyKey: randomUUID(),
        ...who,
      });
    const first = await buy({ customer }, 8);
    expect(first.status).toBe(201);
    const { userId: customerId } = first.data;
    for (const who of [{ customer }, { customerId }]) {
      expect((await buy(who, 1)).error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
    }
    // The limit counts the day: it cannot be kept for a buyer whom the order does not name.
    expect((await buy({}, 1)).error?.code).toBe('BUYER_REQUIRED');
  });

  test('uses credits unless staff say otherwise, and points that staff choose', async () => {
    const customer = { firstName: 'Ana', lastName: 'Ruiz', email: `${randomUUID()}@mail.example.com` };
    const { userId: customerId } = (await place({ customer })).data;
    const issued = await owner.call('POST', `/staff/v1/customers/${customerId}/credits`, {
      type: 'store-credit',
      amount: 1000,
      description: 'Sorry',
    });
    expect(issued.status).toBe(201);
    expect((await price({ customerId, applyCredits: false })).data.credits).toEqual([]);
    expect((await place({ customerId })).data.credits).toMatchObject([{ amountUsed: 1000 }]);
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
    expect(reward.error).toBeUndefined();
    const loyaltyRewards = [{ rewardId: reward.data.id }];
    const { data: preview } = await price({ customerId, loyaltyRewards });
    const redeemed = await place({ customerId, loyaltyRewards });
    expect(preview.loyaltyRedemptions).toEqual(redeemed.data.loyaltyRedemptions);
    expect(preview.loyaltyRedemptions).toHaveLength(1);
    expect(redeemed.data.loyaltyRedemptions).toMatchObject([{ amountUsed: 500, pointsAmount: '-60' }]);
    expect((await place({ customerId, loyaltyRewards })).error?.code).toBe('INVALID_ORDER');
  });
});

describe('a key', () => {
  test('places one order, also when it is sent many times at once', async () => {
    const body = counterBody();
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => clerk.call('POST', '/staff/v1/orders', body)),
    );
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(replies.map(({ data }) => data.id)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(3);
  });

  test("is separate from an integrator's key", async () => {
    const { data } = await place();
    const theirs = await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop, { idempotencyKey: data.idempotencyKey }),
    });
    expect(theirs.status).toBe(201);
    expect(theirs.data.id).not.toBe(data.id);
  });
});

test('a given location is the only one to draw from', async () => {
  const lines = [{ productOptionId: shop.optionId('quarter'), quantity: 1 }];
  const [storefront, vault] = ['Storefront', 'Vault'].map((name) => shop.locationId(name));
  const short = await place({ lineItems: lines, inventoryLocationId: storefront });
  expect(short.error?.code).toBe('OUT_OF_STOCK');
  const served = await place({ lineItems: lines, inventoryLocationId: vault });
  expect(served.status).toBe(201);
  const nowhere = await place({ lineItems: lines, inventoryLocationId: 999 });
  expect([nowhere.status, nowhere.error?.code]).toEqual([404, 'INVENTORY_LOCATION_NOT_FOUND']);
});

test('a delivery needs an address, and has its own source', async () => {
  const missing = await place({ type: 'delivery' });
  expect(missing.error).toMatchObject({ code: 'MISSING_PARAMS', meta: { missing: ['address'] } });
  const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' };
  const { data } = await place({ type: 'delivery', address });
  expect(data).toMatchObject({
    status: 'draft',
    source: 'web-admin',
    address: { ...address, street2: null },
  });
});

test('orders have their own numbers', async () => {
  const numbers = [];
  for (let count = 0; count < 3; count++) numbers.push((await place()).data.number);
  expect(new Set(numbers).size).toBe(3);
  for (const number of numbers) expect(number).toBeGreaterThan(0);
});

test('the list filters by local days and by stock location, page by page, with every other filter', async () => {
  const [storefront, vault] = ['Storefront', 'Vault'].map((name) => shop.locationId(name));
  const quarter = { lineItems: [{ productOptionId: shop.optionId('quarter'), quantity: 1 }] };
  const before = service.clock.now();
  const placeAt = async (at: string, changes: object) => {
    service.clock.set(Date.parse(at));
    const by = await service.staff(shop, 'budtender');
    const { status, data } = await place(changes, by);
    expect(status).toBe(201);
    return data.id as string;
  };
  // The day has 25 hours in California: from 07:00 to 08:00 UTC on the next day.
  const late = await placeAt('2026-11-01T06:59:59.999Z', { inventoryLocationId: storefront });
  const first = await placeAt('2026-11-01T07:00:00.000Z', { inventoryLocationId: storefront });
  const other = await placeAt('2026-11-01T18:00:00.000Z', { ...quarter, inventoryLocationId: vault });
  const last = await placeAt('2026-11-02T07:59:59.999Z', { inventoryLocationId: storefront });
  const next = await placeAt('2026-11-02T08:00:00.000Z', { inventoryLocationId: storefront });
  const reader = await service.staff(shop, 'budtender');
  const list = async (query: object): Promise<string[]> => {
    const { status, data, error } = await reader.call('GET', '/staff/v1/orders', undefined, {
      query: { ...query },
    });
    expect([status, error]).toEqual([200, undefined]);
    return data.map(({ id }: { id: string }) => id);
  };
  const day = { from: '2026-11-01', to: '2026-11-01' };
  expect(await list({})).toEqual([next, last, other, first, late]);
  expect(await list(day)).toEqual([last, other, first]);
  expect(await list({ from: '2026-11-01' })).toEqual([next, last, other, first]);
  expect(await list({ to: '2026-10-31' })).toEqual([late]);
  expect(await list({ ...day, inventoryLocationId: storefront })).toEqual([last, first]);
  expect(await list({ inventoryLocationId: vault })).toEqual([other]);
  expect(await list({ inventoryLocationId: 999 })).toEqual([]);
  expect(await list({ inventoryLocationId: storefront, type: 'in-store' })).toEqual([
    next,
    last,
    first,
    late,
  ]);
  expect(await list({ inventoryLocationId: storefront, type: 'pickup' })).toEqual([]);
  expect(await list({ ...day, type: 'in-store', status: 'new', startingAfter: other })).toEqual([first]);
  // A cursor from outside the days counts as their edge.
  expect(await list({ ...day, startingAfter: next })).toEqual([last, other, first]);
  expect(await list({ ...day, startingAfter: first })).toEqual([]);
  expect(await list({ from: '0001-01-01', to: '9999-12-31' })).toHaveLength(5);

  await (await service.staff(shop)).call('POST', `/staff/v1/orders/${other}/cancel`, { reason: 'Moved' });
  expect(await list({ inventoryLocationId: vault })).toEqual([]);
  expect(await list({ inventoryLocationId: vault, status: 'canceled' })).toEqual([]);
  expect(await list({ status: 'canceled' })).toEqual([other]);
  const turned = await reader.call('GET', '/staff/v1/orders', undefined, {
    query: { from: '2026-11-02', to: '2026-11-01' },
  });
  expect([turned.status, turned.error]).toEqual([
    400,
    { code: 'INVALID_PARAMS', message: 'from must not be after to.' },
  ]);
  service.clock.set(before);
});

test('an order and the list offer a return as long as a unit of any line can be returned', async () => {
  const lines = [lineItems(2)[0]!, { productOptionId: shop.optionId('tray'), quantity: 1 }];
  const { data: order } = await place({ lineItems: lines });
  await owner.call('POST', `/staff/v1/orders/${order.id}/fulfill`, {});
  const offered = async (): Promise<boolean[]> => {
    const { data: alone } = await owner.call('GET', `/staff/v1/orders/${order.id}`);
    const { data: list } = await owner.call('GET', '/staff/v1/orders');
    const listed = list.find(({ id }: { id: string }) => id === order.id);
    return [alone, listed].map(({ allowedActions }) => allowedActions.includes('return'));
  };
  const takeBack = async (line: number, quantity: number): Promise<number> => {
    const unit = { type: 'return', inventoryAction: 'inventory', reason: 'Changed their mind' };
    const { data } = await owner.call('POST', `/staff/v1/orders/${order.id}/returns`, {
      refundType: 'payment-method',
      paymentTypeId: shop.paymentTypeId('Cash'),
      lineItems: [{ ...unit, orderLineItemId: order.lineItems[line].id, quantity }],
    });
    return data.id;
  };
  expect(await offered()).toEqual([true, true]);
  await takeBack(0, 2);
  expect(await offered()).toEqual([true, true]);
  const last = await takeBack(1, 1);
  expect(await offered()).toEqual([false, false]);
  await owner.call('POST', `/staff/v1/order-returns/${last}/void`, { reason: 'Rung up twice' });
  expect(await offered()).toEqual([true, true]);
});
