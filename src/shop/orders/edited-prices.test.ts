import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';

/** An edit prices again only what it touches (D88): the table of cases of docs/PRICING.md, one by one. */

// biome-ignore lint/suspicious/noExplicitAny: what the service answers; a test reads what it expects
type Data = any;
const service = await startTestService();
let shop: TestShop;
let owner: TestStaff;

beforeEach(async () => {
  const option = { amount: '1' };
  const product = (key: string, priceCents: number) => ({
    ...{ key, category: 'Accessories', stock: [{ option: key, amount: '50' }] },
    options: [{ key, priceCents, ...option }],
  });
  shop = await createTestShop(service.context, {
    taxes: [{ description: 'Sales tax', rate: '10', tier: '1', appliesToFees: true }],
    products: [product('tee', 3333), product('mug', 2000), product('cap', 1000)],
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
const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
const later = (hours = 1) => service.clock.advance(hours * 3_600_000);
const line = (key: string, quantity: number) => ({ productOptionId: shop.optionId(key), quantity });
const place = (lineItems: object[], changes: object = {}): Promise<Data> =>
  ok('POST', 'orders', {
    ...{ type: 'pickup', lineItems, idempotencyKey: randomUUID() },
    customer: { firstName: 'Wren', lastName: 'Alder', email: 'wren@example.com' },
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    ...changes,
  });
const edit = async (order: Data, change: object): Promise<Data> => {
  later();
  return ok('PATCH', `orders/${order.id}`, change);
};
const discount = (changes: object): Promise<Data> =>
  ok('POST', 'discounts', {
    ...{ name: 'Deal', kind: 'line', type: 'percent', amount: '30', trigger: 'automatic' },
    ...changes,
  });
const of = (key: string) => ({ targets: { optionIds: [shop.optionId(key)] } });
const end = (id: number) => ok('DELETE', `discounts/${id}`);
const saleOf = (key: string, cents: number | null) =>
  sql(`update product_options set sales_price_cents = ${cents} where id = ${shop.optionId(key)}`);
/** By option, what a line costs after its discounts. */
const finals = (order: Data) =>
  Object.fromEntries(
    order.lineItems.map((it: Data) => [
      ['tee', 'mug', 'cap'].find((key) => shop.optionId(key) === it.optionId),
      it.finalPrice,
    ]),
  );
const uses = async (id: number) =>
  (await sql(`select coalesce(sum(used), 0)::int as n from discount_uses where discount_id = ${id}`))[0]!.n;

describe('a discount that ended', () => {
  test('stays on lines that the edit does not touch, also when others are added, changed and removed', async () => {
    const deal = await discount({ ...of('tee'), amount: '30.003' });
    const order = await place([line('tee', 1), line('mug', 1)]);
    expect(finals(order)).toEqual({ tee: 2333, mug: 2000 });
    later();
    await end(deal.id);
    const more = await edit(order, { lineItems: [line('tee', 1), line('mug', 3), line('cap', 1)] });
    expect(finals(more)).toEqual({ tee: 2333, mug: 6000, cap: 1000 });
    const fewer = await edit(order, { lineItems: [line('tee', 1)] });
    expect(finals(fewer)).toEqual({ tee: 2333 });
    expect(await uses(deal.id)).toBe(0);
  });

  test('stays on a line whose quantity changes, and is not for a line of another option', async () => {
    const deal = await discount({ amount: '50' });
    const order = await place([line('mug', 1)]);
    later();
    await end(deal.id);
    expect(finals(await edit(order, { lineItems: [line('mug', 2)] }))).toEqual({ mug: 2000 });
    expect(finals(await edit(order, { lineItems: [line('mug', 2), line('cap', 1)] }))).toEqual({
      ...{ mug: 2000, cap: 1000 },
    });
    // A line that is taken off and added again is a new line.
    await edit(order, { lineItems: [line('cap', 1)] });
    expect(finals(await edit(order, { lineItems: [line('cap', 1), line('mug', 1)] }))).toEqual({
      ...{ cap: 1000, mug: 2000 },
    });
  });

  test('on the order is taken again on the terms of the order', async () => {
    const deal = await discount({ kind: 'order', amount: '10' });
    const order = await place([line('mug', 1)]);
    expect(order.discounts).toMatchObject([{ amountUsed: 200 }]);
    later();
    await end(deal.id);
    const more = await edit(order, { lineItems: [line('mug', 1), line('cap', 1)] });
    expect(more.discounts).toMatchObject([{ amountUsed: 300 }]);
  });
});

test('a sale price that ended stays on lines that stay, for every unit of them', async () => {
  await saleOf('mug', 1500);
  const order = await place([line('mug', 1), line('cap', 1)]);
  await saleOf('mug', null);
  expect(finals(await edit(order, { lineItems: [line('mug', 1), line('cap', 2)] }))).toEqual({
    ...{ mug: 1500, cap: 2000 },
  });
  expect(finals(await edit(order, { lineItems: [line('mug', 2)] }))).toEqual({ mug: 3000 });
  await saleOf('cap', 700);
  const shown = await edit(order, { lineItems: [line('mug', 1), line('cap', 1)] });
  expect(shown.lineItems.map(({ unitPrice }: Data) => unitPrice)).toEqual([1500, 700]);
});

test('a sale or a discount that began since is for new lines only', async () => {
  const order = await place([line('mug', 1), line('tee', 1)]);
  later();
  await saleOf('mug', 100);
  await discount({ amount: '50' });
  await discount({ kind: 'order', amount: '5', name: 'Later' });
  const after = await edit(order, { lineItems: [line('mug', 1), line('tee', 2), line('cap', 1)] });
  expect(finals(after)).toEqual({ mug: 2000, tee: 6666, cap: 500 });
  expect(after.discounts).toEqual([]);
  // And the line that was new keeps it, when that ends.
  await sql(`update discounts set ends_at = now() + interval '1 year' where name = 'Nobody'`);
  const again = await edit(order, { lineItems: [line('mug', 1), line('cap', 1)] });
  expect(finals(again)).toEqual({ mug: 2000, cap: 500 });
});

test('a discount whose terms were changed keeps its former terms on lines that stay, and has the new ones on new lines', async () => {
  const deal = await discount({ amount: '10' });
  const order = await place([line('mug', 1)]);
  later();
  await ok('PATCH', `discounts/${deal.id}`, { amount: '50' });
  const after = await edit(order, { lineItems: [line('mug', 1), line('cap', 1)] });
  expect(finals(after)).toEqual({ mug: 1800, cap: 500 });
  expect(finals(await edit(order, { lineItems: [line('mug', 2), line('cap', 2)] }))).toEqual({
    ...{ mug: 3600, cap: 1000 },
  });
});

test('a discount of several lines counts old and new ones together, and goes when its condition does', async () => {
  await discount({
    ...{ kind: 'buy-x-get-y', amount: '100', buyQuantity: 1, getQuantity: 1, usesPerOrder: 1 },
    ...of('mug'),
    buyTargets: { optionIds: [shop.optionId('tee')] },
  });
  const order = await place([line('tee', 1)]);
  expect(finals(await edit(order, { lineItems: [line('tee', 1), line('mug', 1)] }))).toEqual({
    ...{ tee: 3333, mug: 0 },
  });
  // Taking off what was bought takes the free one as well.
  expect(finals(await edit(order, { lineItems: [line('mug', 1)] }))).toEqual({ mug: 2000 });
});

test('a threshold of the time of the order counts when an edit reaches it, and is lost when an edit falls below', async () => {
  const deal = await discount({ kind: 'order', amount: '10', minimumSubtotal: 4000 });
  const order = await place([line('mug', 1)]);
  expect(order.discounts).toEqual([]);
  later();
  await end(deal.id);
  const above = await edit(order, { lineItems: [line('mug', 2)] });
  expect(above.discounts).toMatchObject([{ amountUsed: 400 }]);
  const below = await edit(order, { lineItems: [line('mug', 1)] });
  expect(below.discounts).toEqual([]);
});

test('a code that was used up, ended or taken off its discount since stays with the order; a new code has its current terms', async () => {
  const deal = await discount({
    ...{ kind: 'order', amount: '10', trigger: 'code', codes: ['ONCE'], usesTotal: 2, usesPerCustomer: 1 },
  });
  const order = await place([line('mug', 1)], { discountCodes: ['once'] });
  later();
  await place([line('cap', 1)], {
    ...{
      discountCodes: ['ONCE'],
      customer: { firstName: 'Ash', lastName: 'Birch', email: 'ash@example.com' },
    },
  });
  await ok('PATCH', `discounts/${deal.id}`, { usesTotal: 1, codes: ['OTHER'] });
  await end(deal.id);
  const more = await edit(order, { lineItems: [line('mug', 2)] });
  expect(more.discounts).toMatchObject([{ amountUsed: 400 }]);
  expect(await uses(deal.id)).toBe(2);
  const other = await discount({ ...{ amount: '50', trigger: 'code', codes: ['NEW'] } });
  const both = await edit(order, { discountCodes: ['ONCE', 'NEW'] });
  expect(finals(both)).toEqual({ mug: 2000 });
  const { error } = await owner.call('PATCH', `/staff/v1/orders/${order.id}`, { discountCodes: ['OTHER'] });
  expect(error?.code).toBe('DISCOUNT_CODE_INVALID');
  expect(other.id).toBeGreaterThan(0);
  const without = await edit(order, { discountCodes: [] });
  expect([without.discounts, finals(without)]).toEqual([[], { mug: 4000 }]);
  expect(await uses(deal.id)).toBe(1);
  // Given up, it is not there any more.
  const back = await owner.call('PATCH', `/staff/v1/orders/${order.id}`, { discountCodes: ['ONCE'] });
  expect(back.error?.code).toBe('DISCOUNT_CODE_INVALID');
});

test("a first order's discount stays when the customer orders again before the edit", async () => {
  await discount({ kind: 'order', amount: '20', firstOrder: true });
  const order = await place([line('mug', 1)]);
  expect(order.discounts).toMatchObject([{ amountUsed: 400 }]);
  later();
  await place([line('cap', 1)]);
  const after = await edit(order, { lineItems: [line('mug', 1), line('cap', 1)] });
  expect(after.discounts).toMatchObject([{ amountUsed: 600 }]);
});

test('a manual discount, a new price and a reduction that an edit gives touch only what they name', async () => {
  const deal = await discount({ amount: '25' });
  const manual = await discount({
    kind: 'order',
    type: 'flat',
    amount: '100',
    trigger: 'manual',
    name: 'Dented',
  });
  const order = await place([line('mug', 1), line('cap', 1)]);
  later();
  await end(deal.id);
  const given = await edit(order, { discountIds: [manual.id] });
  expect([finals(given), given.discounts.map((it: Data) => it.amountUsed)]).toEqual([
    { mug: 1500, cap: 750 },
    [100],
  ]);
  const priced = await edit(order, {
    priceOverrides: [{ productOptionId: shop.optionId('cap'), unitPrice: 800, reason: 'Last one' }],
  });
  expect(finals(priced)).toEqual({ mug: 1500, cap: 600 });
});

test('taxes, the delivery fee and fees of payments stay as they were while nothing touches them', async () => {
  const card = await ok('POST', 'payment-types', { name: 'Debit', method: 'debit', feePercent: '2' });
  const order = await place([line('mug', 1)], { payments: [{ paymentTypeId: card.id, remaining: true }] });
  expect([order.taxes[0].amount, order.customerGrandTotal]).toEqual([200, 2244]);
  later();
  const at = new Date(service.clock.now()).toISOString();
  await sql(`update taxes set ends_at = '${at}'`);
  await sql(`update payment_types set fee_percent = 9, archived_at = '${at}' where id = ${card.id}`);
  const after = await edit(order, { lineItems: [line('mug', 1), line('cap', 1)] });
  expect([after.taxes[0].amount, after.customerGrandTotal]).toEqual([300, 3366]);
});

test('goods that are off the menu or deleted stay in the order, and no more of them come in', async () => {
  const order = await place([line('mug', 2), line('cap', 1)]);
  await ok('PATCH', `products/${shop.productId('mug')}`, { isActive: false });
  expect(finals(await edit(order, { lineItems: [line('mug', 2), line('cap', 2)] }))).toEqual({
    ...{ mug: 4000, cap: 2000 },
  });
  expect(finals(await edit(order, { lineItems: [line('mug', 1), line('cap', 2)] }))).toEqual({
    ...{ mug: 2000, cap: 2000 },
  });
  const { error } = await owner.call('PATCH', `/staff/v1/orders/${order.id}`, {
    lineItems: [line('mug', 3)],
  });
  expect(error?.code).toBe('PRODUCT_IS_INACTIVE');
});

test('notes, payments and the same lines again change no amount, whatever ended or began since', async () => {
  const deal = await discount({ amount: '30' });
  await saleOf('cap', 900);
  const order = await place([line('mug', 1), line('cap', 1)]);
  later();
  await end(deal.id);
  await saleOf('cap', null);
  await discount({ amount: '90', name: 'Later' });
  const amounts = ({ totalPrice, netPrice, lineItems, discounts, taxes }: Data) => ({
    ...{ totalPrice, netPrice, discounts },
    lines: lineItems.map(({ unitPrice, finalPrice, discounts: own }: Data) => [
      unitPrice,
      finalPrice,
      own.length,
    ]),
    taxes: taxes.map(({ amount }: Data) => amount),
  });
  for (const change of [
    { internalNotes: 'Called' },
    { payments: [{ paymentTypeId: shop.paymentTypeId('Bank'), remaining: true }] },
    { lineItems: [line('mug', 1), line('cap', 1)] },
    { lineItems: [line('cap', 1), line('mug', 1)] },
  ]) {
    const after = await edit(order, change);
    expect([change, { ...amounts(after), lines: amounts(after).lines.sort() }]).toEqual([
      ...[change, { ...amounts(order), lines: amounts(order).lines.sort() }],
    ]);
  }
});

test('everything gets current prices by an action of its own, whose preview changes nothing', async () => {
  const deal = await discount({ amount: '50', usesTotal: 10 });
  const order = await place([line('mug', 1), line('cap', 1)]);
  later();
  await end(deal.id);
  await saleOf('cap', 400);
  const preview = await ok('POST', `orders/${order.id}/reprice/preview`);
  expect(preview.customerGrandTotalBefore).toBe(order.customerGrandTotal);
  expect(preview.difference).toBe(preview.order.customerGrandTotal - order.customerGrandTotal);
  expect(finals(preview.order)).toEqual({ mug: 2000, cap: 400 });
  expect(finals(await ok('GET', `orders/${order.id}`))).toEqual({ mug: 1000, cap: 500 });
  expect(await uses(deal.id)).toBe(1);
  const done = await ok('POST', `orders/${order.id}/reprice`);
  expect(finals(done)).toEqual({ mug: 2000, cap: 400 });
  expect(await uses(deal.id)).toBe(0);
  // From then on these are its terms.
  await saleOf('cap', null);
  expect(finals(await edit(order, { lineItems: [line('mug', 2), line('cap', 1)] }))).toEqual({
    ...{ mug: 4000, cap: 400 },
  });
  await ok('POST', `orders/${order.id}/fulfill`, {});
  const { error } = await owner.call('POST', `/staff/v1/orders/${order.id}/reprice`);
  expect(error?.code).toBe('INVALID_ORDER_TRANSITION');
});
