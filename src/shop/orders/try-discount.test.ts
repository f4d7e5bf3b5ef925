import { afterAll, afterEach, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';

const service = await startOwnTestService();
const witness = await openWitness(service.database);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(async () => {
  await witness.end();
  await service.close();
});

async function openDesk() {
  const shop = await createTestShop(service.context, { taxes: [{ description: 'City', rate: '5' }] });
  const manager = await service.staff(shop, 'manager');
  const cart = {
    type: 'in-store',
    lineItems: [
      { productOptionId: shop.optionId('eighth'), quantity: 3 },
      { productOptionId: shop.optionId('tray'), quantity: 1 },
    ],
  };
  const attempt = async (discount: object, others: object = {}) =>
    manager.call('POST', '/staff/v1/discounts/try', { discount, cart, ...others });
  const price = async (asked: object = {}) =>
    manager.call('POST', '/staff/v1/orders/pricing', { ...cart, ...asked });
  return { shop, manager, cart, attempt, price };
}

/** A pricing without its key and the ids of its discounts, which differ each time. */
function amountsOf({ idempotencyKey: _, ...pricing }: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(pricing), (_name, value) =>
    value?.amountUsed === undefined ? value : { ...value, id: 0 },
  );
}

const base = { name: 'Tried', kind: 'order', type: 'percent', amount: '10' };

test.each([
  ['automatic, on the order', base, () => ({})],
  ['on lines, up to a maximum', { ...base, kind: 'line', maximumAmount: 500 }, () => ({})],
  ['for each unit', { ...base, kind: 'line', type: 'flat', amount: 333, perUnit: true }, () => ({})],
  [
    'buy two get one',
    { ...base, kind: 'buy-x-get-y', amount: '100', buyQuantity: 2, getQuantity: 1 },
    () => ({}),
  ],
  [
    'behind a code',
    { ...base, trigger: 'code', codes: ['Harbor 10', 'other'] },
    () => ({ discountCodes: ['harbor 10'] }),
  ],
  ['by hand', { ...base, trigger: 'manual', usesTotal: 1 }, (id: number) => ({ discountIds: [id] })],
  ['better alone', { ...base, amount: '40', stackable: false, priority: -1 }, () => ({})],
  ['for more than is in the cart', { ...base, minimumSubtotal: 1_000_000 }, () => ({})],
] as const)(
  'a tried discount that is %s has the same effect once it is saved, and the trial writes nothing',
  async (_, discount, ask) => {
    const { shop, manager, attempt, price } = await openDesk();
    await manager.call('POST', '/staff/v1/discounts', { ...base, name: 'There before', amount: '5' });
    const before = await witness.contents(shop.organizationId);
    const tried = await attempt(discount);
    expect([tried.status, tried.error]).toEqual([200, undefined]);
    expect(await witness.contents(shop.organizationId)).toEqual(before);
    const { data: saved } = await manager.call('POST', '/staff/v1/discounts', discount);
    const priced = await price(ask(saved.id));
    expect(priced.error).toBeUndefined();
    expect(amountsOf(tried.data.pricing)).toEqual(amountsOf(priced.data));
    const used = [
      ...priced.data.lineItems.flatMap((line: { discounts: object[] }) => line.discounts),
      ...priced.data.discounts,
    ].filter(({ id }) => id === saved.id);
    expect(tried.data.amountUsed).toBe(used.reduce((sum, { amountUsed }) => sum + amountUsed, 0));
  },
);

test('a tried change of a saved discount has the same effect once it is saved, with its uses counted', async () => {
  const { shop, manager, attempt, price } = await openDesk();
  const { data: saved } = await manager.call('POST', '/staff/v1/discounts', base);
  const changed = { ...base, amount: '25' };
  const tried = await attempt(changed, { replaces: saved.id });
  expect(tried.data.discountId).toBe(saved.id);
  const body = pickupBody(shop, { lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 2 }] });
  expect((await service.call('POST', '/api/v1/orders', { keys: shop.keys, body })).status).toBe(201);
  expect((await attempt({ ...changed, usesTotal: 1 }, { replaces: saved.id })).data.amountUsed).toBe(0);
  expect((await attempt({ ...changed, usesTotal: 2 }, { replaces: saved.id })).data).toEqual({
    ...tried.data,
    pricing: { ...tried.data.pricing, idempotencyKey: expect.any(String) },
  });
  await manager.call('PATCH', `/staff/v1/discounts/${saved.id}`, { amount: '25' });
  expect(amountsOf((await price()).data)).toEqual(amountsOf(tried.data.pricing));
});

test('a trial is refused with the messages of saving and of pricing', async () => {
  const { manager, attempt } = await openDesk();
  const { manager: stranger } = await openDesk();
  const { data: theirs } = await stranger.call('POST', '/staff/v1/discounts', base);
  const contradiction = await attempt({ ...base, amount: '101' });
  const unsaved = await manager.call('POST', '/staff/v1/discounts', { ...base, amount: '101' });
  expect([contradiction.status, contradiction.error]).toEqual([400, unsaved.error]);
  for (const replaces of [theirs.id, 999]) {
    const { status, error } = await attempt(base, { replaces });
    expect([status, error?.code, error?.message]).toEqual([
      404,
      'DISCOUNT_NOT_FOUND',
      `replaces names no discount: ${replaces}.`,
    ]);
  }
  const coming = { ...base, trigger: 'code', codes: ['SOON'], startsAt: '2036-01-01T00:00:00.000Z' };
  expect((await attempt(coming)).error).toMatchObject({ code: 'DISCOUNT_CODE_INVALID' });
  const withoutCustomer = await manager.call('POST', '/staff/v1/discounts/try', {
    discount: base,
    cart: { type: 'in-store', lineItems: [], customer: { firstName: 'A', lastName: 'B' } },
  });
  expect([withoutCustomer.error?.code, withoutCustomer.error?.message]).toEqual([
    'MISSING_PARAMS',
    expect.stringContaining('cart.customer.email or cart.customer.phone'),
  ]);
});
