import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { addDiscount } from '../../../test/harness/test-promotions.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { createOpenReduction } from '../promotions/promotions.ts';

const service = await startTestService();
let shop: TestShop;
let clerk: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  clerk = await service.staff(shop, 'budtender');
});
afterEach(async () => {
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

/** Two eighths, paid in cash. */
const cartBody = (changes: object = {}) => ({
  type: 'in-store',
  lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 2 }],
  payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
  ...changes,
});
const price = (changes: object) => clerk.call('POST', '/staff/v1/orders/pricing', cartBody(changes));
const place = (changes: object) =>
  clerk.call('POST', '/staff/v1/orders', { ...cartBody(changes), idempotencyKey: randomUUID() });

describe('a cart with a line that cannot be sold', () => {
  const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);

  /** Every way in which staff price a cart: preview, trial of a discount, placing an order, editing an order. */
  async function refusals(lines: object) {
    const { data: order } = await place({ type: 'pickup' });
    const { type, ...cart } = { type: 'pickup', lineItems: lines };
    return [
      await price({ type, ...cart }),
      await place({ type, ...cart }),
      await clerk.call('POST', '/staff/v1/discounts/try', {
        discount: { name: 'Tried', kind: 'order', type: 'percent', amount: '10' },
        cart: { type, ...cart },
      }),
      await clerk.call('PATCH', `/staff/v1/orders/${order.id}`, cart),
    ];
  }

  test('is refused alike for a deleted product, and for a deleted option of one that is not', async () => {
    const [tray, eighth] = [shop.optionId('tray'), shop.optionId('eighth')];
    await sql(`update products set deleted_at = now() where id = ${shop.productId('Rolling Tray')}`);
    const lines = [tray, eighth].map((productOptionId) => ({ productOptionId, quantity: 1 }));
    for (const { status, error } of await refusals(lines)) {
      expect([status, error]).toEqual([
        422,
        {
          code: 'PRODUCT_IS_INACTIVE',
          message: expect.stringContaining('deleted'),
          meta: { productId: shop.productId('Rolling Tray') },
        },
      ]);
    }
    const halves = [tray, shop.optionId('half gram')].map((productOptionId) => ({
      productOptionId,
      quantity: 1,
    }));
    await sql(`update product_options set deleted_at = now() where id = ${shop.optionId('half gram')}`);
    for (const { status, error } of await refusals(halves)) {
      expect([status, error?.code]).toEqual([404, 'PRODUCT_OPTION_NOT_FOUND']);
      expect(error?.message).toMatch(/^lineItems\[1\]/);
    }
  });

  test('is refused alike for free cannabis on sale where the law bars it', async () => {
    await sql(`update organizations set state = 'CA', duty_settings = '{"isPractice": true}'`);
    await sql(`update product_options set sales_price_cents = 0 where id = ${shop.optionId('gummies')}`);
    for (const { status, error } of await refusals([
      { productOptionId: shop.optionId('gummies'), quantity: 1 },
    ])) {
      expect([status, error?.code]).toEqual([422, 'INVALID_ORDER']);
      expect(error?.message).toMatch(/^lineItems\[0\]: a unit of Citrus Gummies is on sale for 0 cents/);
    }
  });
});

test('blank names and addresses are refused with the name of the field', async () => {
  const customer = { firstName: 'Ada', lastName: 'Quill', email: 'ada@customers.example.com' };
  const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' };
  for (const name of ['firstName', 'lastName'] as const) {
    const blank = { customer: { ...customer, [name]: '  ' } };
    for (const { status, error } of [await place(blank), await price(blank)]) {
      expect([status, error?.code]).toEqual([400, 'INVALID_PARAMS']);
      expect(error?.message).toMatch(new RegExp(`^customer\\.${name} must be .* not all spaces`));
    }
  }
  const { data: order } = await place({ type: 'delivery', customer, address });
  for (const name of ['street1', 'city', 'state', 'postalCode'] as const) {
    const blank = { address: { ...address, [name]: '  ' } };
    const replies = [
      await place({ type: 'delivery', customer, ...blank }),
      await clerk.call('PATCH', `/staff/v1/orders/${order.id}`, blank),
    ];
    for (const { status, error } of replies) {
      expect([status, error?.code]).toEqual([400, 'INVALID_PARAMS']);
      expect(error?.message).toMatch(new RegExp(`^address\\.${name} must be .* not all spaces`));
    }
  }
});

test('unknown references are reported before other errors: locations, payment types, options', async () => {
  const nowhere = 999_999_999;
  const retired = [{ productOptionId: shop.optionId('retired'), quantity: 1 }];
  const unknown = [{ productOptionId: nowhere, quantity: 1 }];
  const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' };
  const giftCard = [{ paymentTypeId: shop.paymentTypeId('Gift card'), remaining: true }];
  const toUnknownCustomer = { type: 'delivery', customerId: nowhere, payments: giftCard };
  for (const ask of [price, (changes: object) => place({ address, ...changes })]) {
    const { status, error } = await ask(toUnknownCustomer);
    expect([status, error?.code]).toEqual([404, 'USER_NOT_FOUND']);
  }
  const placed = await place({ lineItems: retired, inventoryLocationId: nowhere });
  expect([placed.status, placed.error?.code]).toEqual([404, 'INVENTORY_LOCATION_NOT_FOUND']);
  const { data: order } = await place({ type: 'pickup' });
  const edited = await clerk.call('PATCH', `/staff/v1/orders/${order.id}`, { address, lineItems: unknown });
  expect([edited.status, edited.error?.code]).toEqual([404, 'PRODUCT_OPTION_NOT_FOUND']);
  const misplaced = await clerk.call('PATCH', `/staff/v1/orders/${order.id}`, { address });
  expect(misplaced).toMatchObject({ status: 422, error: { code: 'INVALID_ORDER' } });
  expect(misplaced.error?.message).toMatch(/^address is for deliveries/);
  const { data: delivery } = await place({ type: 'delivery', address });
  await clerk.call('POST', `/staff/v1/orders/${delivery.id}/accept`, {});
  const paid = await clerk.call('POST', `/staff/v1/orders/${delivery.id}/fulfill`, {
    payments: [
      { paymentTypeId: shop.paymentTypeId('Gift card'), amount: 1 },
      { paymentTypeId: nowhere, amount: 1 },
    ],
  });
  expect([paid.status, paid.error?.code]).toEqual([404, 'PAYMENT_TYPE_NOT_FOUND']);
  expect(paid.error?.message).toMatch(/^payments\[1\]/);
});

describe('a unit price by hand', () => {
  let owner: TestStaff;
  beforeEach(async () => {
    shop = await createTestShop(service.context, { managerDiscountPercent: '25' });
    clerk = await service.staff(shop, 'budtender');
    owner = await service.staff(shop);
  });
  const lineItems = (quantity: number) => [{ productOptionId: shop.optionId('eighth'), quantity }];
  const priceAs = (by: TestStaff, changes: object) =>
    by.call('POST', '/staff/v1/orders/pricing', cartBody(changes));
  const placeAs = (by: TestStaff, changes: object) =>
    by.call('POST', '/staff/v1/orders', { ...cartBody(changes), idempotencyKey: randomUUID() });
  const set = (unitPrice: number, reason = 'Torn bag') => ({
    priceOverrides: [{ productOptionId: shop.optionId('eighth'), unitPrice, reason }],
  });

  test('is what a cart and its order cost, with its reason, who set it, and the audit', async () => {
    const manager = await service.staff(shop, 'manager');
    const [priced, placed] = [await priceAs(manager, set(2999)), await placeAs(manager, set(2999))];
    expect([priced.error, placed.error]).toEqual([undefined, undefined]);
    const cost = { totalPrice: 5998, customerGrandTotal: priced.data.customerGrandTotal };
    expect(priced.data).toMatchObject(cost);
    expect(placed.data).toMatchObject({
      ...cost,
      lineItems: [{ quantity: 2, optionPrice: 3500, subtotalPrice: 5998, finalPrice: 5998 }],
      priceOverrides: [{ ...set(2999).priceOverrides[0], adminId: manager.staffId }],
    });
    const shown = await clerk.call('GET', `/staff/v1/orders/${placed.data.id}`);
    expect(shown.data.priceOverrides).toEqual(placed.data.priceOverrides);
    const { data: entries } = await owner.call('GET', '/staff/v1/audit-log', undefined, {
      query: { subjectType: 'order', subjectId: placed.data.id },
    });
    expect(entries[0].details.priceOverrides).toMatchObject([{ reason: 'Torn bag', unitPriceCents: 2999 }]);
    // A dearer price reduces nothing.
    expect((await placeAs(manager, set(4000))).data.totalPrice).toBe(8000);
  });

  test('is of owners and managers only, within the limit of their role, also with other reductions', async () => {
    const manager = await service.staff(shop, 'manager');
    const dent = { adjustments: [{ amount: -1, description: 'Dent' }] };
    for (const [by, way, code] of [
      [clerk, set(3499), 'INSUFFICIENT_PERMISSIONS'],
      [clerk, set(3500), 'INSUFFICIENT_PERMISSIONS'],
      // 25% of 3500 is 875.
      [manager, set(2625), undefined],
      [manager, set(2624), 'INSUFFICIENT_PERMISSIONS'],
      [manager, { ...set(2625), ...dent }, 'INSUFFICIENT_PERMISSIONS'],
      [owner, set(0), undefined],
      [owner, set(100, ' '), 'INVALID_PARAMS'],
      [owner, { priceOverrides: [...set(1).priceOverrides, ...set(2).priceOverrides] }, 'INVALID_PARAMS'],
      [
        owner,
        { priceOverrides: [{ ...set(1).priceOverrides[0], productOptionId: shop.optionId('gram') }] },
        'INVALID_ORDER',
      ],
    ] as const) {
      for (const reply of [await placeAs(by, way), await priceAs(by, way)]) {
        expect([by.role, way, reply.error?.code]).toEqual([by.role, way, code]);
      }
    }
  });

  test('stays while others edit the order, and goes with its line', async () => {
    const manager = await service.staff(shop, 'manager');
    const { data: order } = await placeAs(manager, set(2999));
    const edit = (change: object, by = clerk) => by.call('PATCH', `/staff/v1/orders/${order.id}`, change);
    const more = await edit({ lineItems: lineItems(3) });
    expect(more.data).toMatchObject({ totalPrice: 8997, priceOverrides: order.priceOverrides });
    expect((await edit(set(2998))).error?.code).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await edit(set(3100, 'Less torn'), owner)).data).toMatchObject({
      totalPrice: 9300,
      priceOverrides: [{ unitPrice: 3100, reason: 'Less torn', adminId: owner.staffId }],
    });
    expect((await edit({ priceOverrides: [] })).data).toMatchObject({
      totalPrice: 10_500,
      priceOverrides: [],
    });
    await edit(set(3100), owner);
    const other = await edit({ lineItems: [{ productOptionId: shop.optionId('gram'), quantity: 1 }] });
    expect(other.data).toMatchObject({ totalPrice: 1200, priceOverrides: [] });
  });

  test('may be a reduction of its line in percent or cents, by every role within its limit', async () => {
    await owner.call('PATCH', '/staff/v1/organization', {
      discountLimits: { budtenderPercent: '10', managerPercent: '25' },
    });
    const off = (way: object, key = 'eighth') => ({
      lineReductions: [{ productOptionId: shop.optionId(key), reason: 'Short dated', ...way }],
    });
    for (const [by, way, expected] of [
      // Of each unit, to the nearest cent: 43.05 and 0.35.
      [clerk, off({ percent: '1.23' }), 2 * (3500 - 43)],
      [clerk, off({ percent: '0.01' }), 2 * 3500],
      [clerk, off({ percent: '10' }), 2 * 3150],
      [clerk, off({ percent: '10.1' }), 'INSUFFICIENT_PERMISSIONS'],
      [clerk, off({ amount: 350 }), 2 * 3150],
      [clerk, off({ amount: 351 }), 'INSUFFICIENT_PERMISSIONS'],
      [owner, off({ amount: 9999 }), 0],
      [owner, off({ percent: '100.5' }), 'INVALID_PARAMS'],
      [owner, off({ percent: '5', amount: 5 }), 'INVALID_PARAMS'],
      [owner, off({}), 'INVALID_PARAMS'],
      [owner, { ...off({ percent: '5' }), ...set(3000) }, 'INVALID_PARAMS'],
      [owner, off({ percent: '5' }, 'gram'), 'INVALID_ORDER'],
    ] as const) {
      for (const reply of [await priceAs(by, way), await placeAs(by, way)]) {
        expect([by.role, way, reply.error?.code ?? reply.data.totalPrice]).toEqual([by.role, way, expected]);
      }
    }
    const { data: order } = await placeAs(clerk, off({ percent: '10' }));
    expect(order.lineReductions).toEqual([
      { ...off({ percent: '10' }).lineReductions[0], amount: null, adminId: clerk.staffId },
    ]);
    const edit = (change: object, by = clerk) => by.call('PATCH', `/staff/v1/orders/${order.id}`, change);
    expect((await edit({ lineItems: lineItems(3) })).data).toMatchObject({
      totalPrice: 3 * 3150,
      lineReductions: order.lineReductions,
    });
    // A price by hand takes the place of the reduction.
    expect((await edit(set(3200), owner)).data).toMatchObject({ totalPrice: 9600, lineReductions: [] });
    const { data: entries } = await owner.call('GET', '/staff/v1/audit-log', undefined, {
      query: { subjectType: 'order', subjectId: order.id },
    });
    expect(JSON.stringify(entries)).toContain('Short dated');
  });
});

describe('what staff give of a discount on the order', () => {
  const two = { lineItems: [] as object[] };
  const offer = (changes: object) =>
    addDiscount(service.context, shop.organizationId, {
      ...{ kind: 'order', type: 'percent', amount: '20', name: 'Goodwill', trigger: 'manual' },
      ...changes,
    });
  beforeEach(() => {
    two.lineItems = [
      { productOptionId: shop.optionId('eighth'), quantity: 2 },
      { productOptionId: shop.optionId('tray'), quantity: 1 },
    ];
  });
  const give = (discountId: number, given: object, more: object = {}) => ({
    ...{ ...two, discountIds: [discountId] },
    discountAmounts: [{ discountId, reason: 'Torn box', ...given }],
    ...more,
  });

  test('comes off before taxes, spread over the lines, with its reason on order, audit and reports, and stays in edits', async () => {
    const percent = await offer({});
    const whole = (await price(two)).data;
    const five = (await price(give(percent, { percent: '5' }))).data;
    const off = Math.round(whole.totalPrice * 0.05);
    expect(five.discounts).toMatchObject([
      { id: percent, amount: 5, amountUsed: off, description: 'Goodwill' },
    ]);
    const taxOf = ({ taxes }: { taxes: { amount: number }[] }) =>
      taxes.reduce((sum, { amount }) => sum + amount, 0);
    expect(taxOf(five)).toBeLessThan(taxOf(whole));
    const cents = (await price(give(percent, { amount: 301 }))).data;
    expect(cents.discounts).toMatchObject([{ amountUsed: 301, description: 'Goodwill' }]);
    expect(cents.netPrice).toBeLessThan(whole.netPrice - 300);

    const { data: order, error } = await place(give(percent, { amount: 301 }, { type: 'pickup' }));
    expect(error).toBeUndefined();
    expect(order.discounts).toMatchObject([{ amountUsed: 301, description: 'Goodwill' }]);
    expect(order.discountAmounts).toEqual([
      { discountId: percent, percent: null, amount: 301, reason: 'Torn box' },
    ]);
    const [entry] = await tenantSql(
      service.context.database,
      shop.organizationId,
      `select details from audit_entries where subject_id = $1 and action = 'order.placed'`,
      order.id,
    );
    expect(entry!.details).toMatchObject({
      discountAmounts: [{ discountId: percent, type: 'flat', cents: 301, reason: 'Torn box' }],
    });
    const path = `/staff/v1/orders/${order.id}`;
    const edited = await clerk.call('PATCH', path, { lineItems: two.lineItems.slice(0, 1) });
    expect(edited.data.discounts).toMatchObject([{ amountUsed: 301, description: 'Goodwill' }]);
    const without = await clerk.call('PATCH', path, { discountIds: [] });
    expect(without.data.discounts).toEqual([]);
  });

  test('is refused beyond the discount and the role, on lines, and without a choice', async () => {
    const [percent, flat, line] = [
      await offer({}),
      await offer({ type: 'flat', amount: '500' }),
      await offer({ kind: 'line' }),
    ];
    const owner = await service.staff(shop);
    const limits = { budtenderPercent: '10', managerPercent: null, maximumPercent: null };
    expect(
      (await owner.call('PATCH', '/staff/v1/organization', { discountLimits: limits })).error,
    ).toBeUndefined();
    for (const [body, code, message] of [
      [give(percent, { percent: '20.5' }), 'INVALID_ORDER', 'discountAmounts[0].percent must be at most 20'],
      [give(flat, { amount: 501 }), 'INVALID_ORDER', 'discountAmounts[0].amount must be at most 500'],
      [give(flat, { percent: '1' }), 'INVALID_ORDER', 'must be of a discount in percent'],
      [give(line, { percent: '1' }), 'INVALID_ORDER', 'must be a discount on the order'],
      [give(percent, { percent: '5' }, { discountIds: [] }), 'INVALID_ORDER', 'must be one of discountIds'],
      [give(percent, {}), 'INVALID_PARAMS', 'must have either percent or amount'],
      [give(percent, { percent: '5', reason: ' ' }), 'INVALID_PARAMS', 'reason must not be blank'],
      [give(percent, { percent: '15' }), 'INSUFFICIENT_PERMISSIONS', 'may give at most 10%'],
    ] as const) {
      const { error } = await price(body);
      expect([error?.code, error?.message]).toEqual([code, expect.stringContaining(message)]);
    }
    expect((await price(give(percent, { percent: '10' }))).error).toBeUndefined();
  });

  test('a new organization has a discount of which its staff give any part within their role', async () => {
    const open = await createOpenReduction(service.context, testOrigin, shop.organizationId);
    const whole = (await price(two)).data;
    const cents = (await price(give(open, { amount: 1 }))).data;
    const percent = (await price(give(open, { percent: '9.5' }))).data;
    expect(cents.discounts).toMatchObject([{ id: open, amountUsed: 1, description: 'Reduction by hand' }]);
    expect(percent.discounts).toMatchObject([{ amountUsed: Math.round(whole.totalPrice * 0.095) }]);
  });
});
