import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';

/** Returns that break a condition, and points that are owed (D89). */

// biome-ignore lint/suspicious/noExplicitAny: what the service answers; a test reads what it expects
type Data = any;
const service = await startTestService();
let shop: TestShop;
let owner: TestStaff;

beforeEach(async () => {
  const product = (key: string, priceCents: number) => ({
    ...{ key, category: 'Accessories', stock: [{ option: key, amount: '50' }] },
    options: [{ key, priceCents, amount: '1' }],
  });
  shop = await createTestShop(service.context, {
    taxes: [{ description: 'Sales tax', rate: '10', tier: '1' }],
    products: [product('tee', 3000), product('mug', 2000), product('cap', 1000)],
  });
  owner = await service.staff(shop);
});
afterEach(async () => {
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

const ok = async (method: string, path: string, body?: object): Promise<Data> => {
  const { data, error } = await owner.call(method, `/staff/v1/${path}`, body);
  expect([path, error]).toEqual([path, undefined]);
  return data;
};
const discount = (changes: object): Promise<Data> =>
  ok('POST', 'discounts', {
    ...{ name: 'Deal', kind: 'line', type: 'percent', amount: '30', trigger: 'automatic' },
    ...changes,
  });
const targets = (key: string) => ({ optionIds: [shop.optionId(key)] });
const pair = () =>
  discount({
    ...{ name: 'Mug with a tee', kind: 'buy-x-get-y', amount: '100', buyQuantity: 1, getQuantity: 1 },
    ...{ targets: targets('mug'), buyTargets: targets('tee') },
  });

async function sell(units: Readonly<Record<string, number>>): Promise<Data> {
  const placed = await place(units);
  if (placed.status === 'draft') await ok('POST', `orders/${placed.id}/accept`, {});
  return ok('POST', `orders/${placed.id}/fulfill`, {});
}

const place = (units: Readonly<Record<string, number>>): Promise<Data> =>
  ok('POST', 'orders', {
    ...{ type: 'in-store', idempotencyKey: randomUUID() },
    lineItems: Object.entries(units).map(([key, quantity]) => ({
      productOptionId: shop.optionId(key),
      quantity,
    })),
    customer: { firstName: 'Wren', lastName: 'Alder', email: 'wren@example.com' },
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
  });

const bodyOf = (order: Data, units: Readonly<Record<string, number>>, changes: object = {}) => ({
  ...{ refundType: 'payment-method', paymentTypeId: shop.paymentTypeId('Cash') },
  lineItems: Object.entries(units).map(([key, quantity]) => ({
    orderLineItemId: order.lineItems.find((it: Data) => it.optionId === shop.optionId(key)).id,
    ...{ quantity, inventoryAction: 'waste' },
  })),
  ...changes,
});
const preview = (order: Data, units: Readonly<Record<string, number>>, changes: object = {}) =>
  ok('POST', `orders/${order.id}/returns/preview`, bodyOf(order, units, changes));
/** The return is what its preview says. */
async function takeBack(
  order: Data,
  units: Readonly<Record<string, number>>,
  changes: object = {},
): Promise<Data> {
  const seen = await preview(order, units, changes);
  const { lineItems, ...body } = bodyOf(order, units, changes);
  const made = await ok('POST', `orders/${order.id}/returns`, {
    ...body,
    lineItems: lineItems.map((line) => ({ ...line, type: 'return', reason: 'Too small' })),
  });
  expect([made.refundTotal, made.adjustmentAmount]).toEqual([seen.refundTotal, seen.adjustmentAmount]);
  return made;
}
const points = async () =>
  (
    await tenantSql(
      service.context.database,
      shop.organizationId,
      'select sum(points)::int as n from loyalty_balances',
    )
  )[0]!.n;

test('the return of the paid half of a pair says so with the amount; staff keep the reward or take it back', async () => {
  const deal = await pair();
  const order = await sell({ tee: 1, mug: 1 });
  expect(order.netPrice).toBe(3300);
  const seen = await preview(order, { tee: 1 });
  expect(seen).toMatchObject({
    brokenRewards: [{ discountId: deal.id, description: 'Mug with a tee', amount: 2000 }],
    ...{ refundTotal: -3300, rewardTakenBack: 0 },
  });
  const kept = await takeBack(order, { tee: 1 });
  expect(kept.refundTotal).toBe(-3300);
  await ok('POST', `order-returns/${kept.id}/void`, { reason: 'Changed their mind' });
  const taken = await takeBack(order, { tee: 1 }, { brokenRewards: 'take-back' });
  expect(taken).toMatchObject({
    ...{
      refundTotal: -1300,
      adjustmentAmount: 2000,
      adjustmentDescription: 'Reward taken back: Mug with a tee',
    },
  });
  // When the other half comes back as well, so does what was taken for it.
  expect(await preview(order, { mug: 1 })).toMatchObject({ brokenRewards: [], rewardTakenBack: -2000 });
  const rest = await takeBack(order, { mug: 1 });
  expect(taken.refundTotal + rest.refundTotal).toBe(-order.netPrice);
});

test('a void of a return that took a reward back undoes it, and the next return asks anew', async () => {
  await pair();
  const order = await sell({ tee: 1, mug: 1 });
  const taken = await takeBack(order, { tee: 1 }, { brokenRewards: 'take-back' });
  expect(taken.refundTotal).toBe(-1300);
  await ok('POST', `order-returns/${taken.id}/void`, { reason: 'Wrong order' });
  const whole = await takeBack(order, { tee: 1, mug: 1 }, { brokenRewards: 'take-back' });
  expect(whole.refundTotal).toBe(-order.netPrice);
});

test('a threshold that the goods that stay do not reach is a broken reward; what goes by each unit is none', async () => {
  const deal = await discount({ name: '10 % from $50', kind: 'order', amount: '10', minimumSubtotal: 5000 });
  await discount({ name: 'Caps', amount: '33', targets: targets('cap') });
  const order = await sell({ tee: 1, mug: 1, cap: 3 });
  expect((await preview(order, { cap: 1 })).brokenRewards).toEqual([]);
  const { brokenRewards: broken } = await preview(order, { tee: 1, cap: 1 });
  expect(broken).toMatchObject([{ discountId: deal.id, description: '10 % from $50' }]);
  // A tenth of the mug and of two caps at a third off.
  expect(broken[0].amount).toBeGreaterThanOrEqual(333);
  expect(broken[0].amount).toBeLessThanOrEqual(335);
  const first = await takeBack(order, { tee: 1, cap: 1 }, { brokenRewards: 'take-back' });
  expect(first.adjustmentAmount).toBe(broken[0].amount);
  const rest = await takeBack(order, { mug: 1, cap: 2 }, { brokenRewards: 'take-back' });
  expect(first.refundTotal + rest.refundTotal).toBe(-order.netPrice);
});

test("a patients' discount is no broken reward, and an edit keeps it, also after the patient's card has ended", async () => {
  await ok('POST', 'customers', {
    ...{ firstName: 'Wren', lastName: 'Alder', email: 'wren@example.com', birthday: '1980-01-01' },
    medicalExpiration: '2027-01-01',
  });
  for (const kind of ['line', 'order']) {
    await discount({ kind, amount: '10', conditions: { customerType: 'medical' } });
  }
  const sold = await sell({ tee: 1, mug: 2 });
  expect(sold.netPrice).toBe(sold.customerGrandTotal);
  expect(sold.discountsTotal).toBe(700 + 630);
  expect((await preview(sold, { mug: 1 })).brokenRewards).toEqual([]);
  const placed = await place({ tee: 1, mug: 2 });
  service.clock.advance(400 * 86_400_000);
  owner = await service.staff(shop);
  const lineItems = placed.lineItems.map(({ optionId, quantity }: Data) => ({
    ...{ productOptionId: optionId, quantity },
  }));
  for (const change of [{ notes: 'At the door' }, { lineItems }]) {
    const edited = await ok('PATCH', `orders/${placed.id}`, change);
    expect([edited.discountsTotal, edited.netPrice]).toEqual([1330, placed.netPrice]);
  }
});

test('a discount for goods with a tag is no broken reward', async () => {
  const tag = await ok('POST', 'tags', { name: 'Summer', productIds: [shop.productId('tee')] });
  await discount({ amount: '10', targets: { tagIds: [tag.id] } });
  const order = await sell({ tee: 2, cap: 1 });
  expect(order.discountsTotal).toBe(600);
  for (const units of [{ cap: 1 }, { tee: 1 }]) {
    expect((await preview(order, units)).brokenRewards).toEqual([]);
  }
});

test('a reward for buying goods with a tag is broken when these go back, and not before, whatever became of the tag', async () => {
  const tag = await ok('POST', 'tags', {
    name: 'Summer',
    productIds: [shop.productId('tee'), shop.productId('cap')],
  });
  const deal = await discount({
    ...{ name: 'Mug with summer', kind: 'buy-x-get-y', amount: '100', buyQuantity: 1, getQuantity: 1 },
    ...{ targets: targets('mug'), buyTargets: { tagIds: [tag.id] } },
  });
  const order = await sell({ tee: 2, mug: 2 });
  const two = await sell({ tee: 1, cap: 1, mug: 1 });
  expect(order.discountsTotal).toBe(4000);
  await ok('PATCH', `tags/${tag.id}`, { productIds: [] });
  expect((await preview(order, { mug: 1 })).brokenRewards).toEqual([]);
  expect((await preview(order, { mug: 1, tee: 1 })).brokenRewards).toEqual([]);
  expect((await preview(two, { cap: 1 })).brokenRewards).toEqual([]);
  expect((await preview(order, { tee: 1 })).brokenRewards).toMatchObject([
    { discountId: deal.id, amount: 2000 },
  ]);
  expect((await preview(order, { tee: 2 })).brokenRewards).toMatchObject([
    { discountId: deal.id, amount: 4000 },
  ]);
});

test('a discount on the order that goes by a tag is no broken reward', async () => {
  const tag = await ok('POST', 'tags', { name: 'Summer', productIds: [shop.productId('tee')] });
  await discount({ kind: 'order', amount: '10', targets: { tagIds: [tag.id] } });
  const order = await sell({ tee: 2, cap: 1 });
  expect((await preview(order, { cap: 1 })).brokenRewards).toEqual([]);
});

test('a threshold that counts no goods on sale does not count them for the goods that stay', async () => {
  await tenantSql(
    service.context.database,
    shop.organizationId,
    `update product_options set sales_price_cents = 1900 where id = ${shop.optionId('mug')}`,
  );
  const conditions = { minimumSubtotal: 4000, excludeSaleItems: true };
  const deal = await discount({ amount: '10', conditions });
  const order = await sell({ tee: 1, cap: 1, mug: 2 });
  expect(order.discountsTotal).toBe(400);
  expect((await preview(order, { mug: 1 })).brokenRewards).toEqual([]);
  const { brokenRewards: broken } = await preview(order, { cap: 1 });
  expect(broken).toMatchObject([{ discountId: deal.id, amount: 300 }]);
});

test('a reward is taken back up to the refund, never beyond', async () => {
  await discount({
    ...{ name: 'Tee with a cap', kind: 'buy-x-get-y', amount: '100', buyQuantity: 1, getQuantity: 1 },
    ...{ targets: targets('tee'), buyTargets: targets('cap') },
  });
  const order = await sell({ cap: 1, tee: 1 });
  expect(order.netPrice).toBe(1100);
  const seen = await preview(order, { cap: 1 }, { brokenRewards: 'take-back' });
  expect(seen).toMatchObject({ brokenRewards: [{ amount: 3000 }], rewardTakenBack: 1100, refundTotal: 0 });
  const first = await takeBack(order, { cap: 1 }, { brokenRewards: 'take-back' });
  expect(first.refundTotal).toBe(0);
  expect((await takeBack(order, { tee: 1 })).refundTotal).toBe(-1100);
});

test('without a refund no reward is taken back', async () => {
  await pair();
  const order = await sell({ tee: 1, mug: 1 });
  const changes = { refundType: 'none', paymentTypeId: undefined, brokenRewards: 'take-back' };
  expect(await takeBack(order, { tee: 1 }, changes)).toMatchObject({ refundTotal: 0, adjustmentAmount: 0 });
  const { error } = await owner.call('POST', `/staff/v1/orders/${order.id}/returns/preview`, {
    ...bodyOf(order, { mug: 1 }),
    brokenRewards: 'maybe',
  });
  expect([error?.code, error?.message]).toEqual(['INVALID_PARAMS', expect.stringContaining('brokenRewards')]);
});

test('points of returned goods that were spent take the balance below zero, and only new points raise it', async () => {
  await ok('PUT', 'loyalty-program', { pointsPerDollar: '1' });
  const order = await sell({ tee: 2 });
  const customerId = order.customer.id;
  expect(await points()).toBe(60);
  await ok('POST', `customers/${customerId}/loyalty-adjustments`, { pointsAmount: -50, reason: 'Spent' });
  const seen = await preview(order, { tee: 1 });
  expect(seen).toMatchObject({ pointsTakenBack: '30', pointsCharged: 0, refundTotal: -3300 });
  const back = await takeBack(order, { tee: 1 });
  expect(await points()).toBe(-20);
  const { error } = await owner.call('POST', `/staff/v1/customers/${customerId}/loyalty-adjustments`, {
    ...{ pointsAmount: -1, reason: 'No' },
  });
  expect(error).toBeDefined();
  expect(await points()).toBe(-20);
  // Less than is owed may be given, by staff and by programs.
  await ok('POST', `customers/${customerId}/loyalty-adjustments`, { pointsAmount: 3, reason: 'A gift' });
  const event = await service.call('POST', '/api/v1/loyalty-events', {
    keys: shop.keys,
    body: { customerId, pointsAmount: 2, reason: 'A visit', idempotencyKey: randomUUID() },
  });
  expect(event, event.error?.message).toMatchObject({ status: 200 });
  expect(await points()).toBe(-15);
  await sell({ cap: 1 });
  expect(await points()).toBe(-5);
  await ok('POST', `order-returns/${back.id}/void`, { reason: 'Wrong order' });
  expect(await points()).toBe(25);
});

test('or they come off the refund, if the shop says what a point is worth', async () => {
  await ok('PUT', 'loyalty-program', { pointsPerDollar: '1' });
  await ok('PATCH', 'organization', { owedPointCents: 5 });
  const order = await sell({ tee: 2 });
  await ok('POST', `customers/${order.customer.id}/loyalty-adjustments`, {
    pointsAmount: -50,
    reason: 'Spent',
  });
  const seen = await preview(order, { tee: 1 });
  expect(seen).toMatchObject({
    pointsTakenBack: '10',
    pointsCharged: 100,
    refundTotal: -3200,
    adjustmentAmount: 100,
  });
  const back = await takeBack(order, { tee: 1 });
  expect([await points(), back.adjustmentDescription]).toEqual([0, 'Points that were spent']);
  await ok('POST', `order-returns/${back.id}/void`, { reason: 'Wrong order' });
  expect(await points()).toBe(10);
});
