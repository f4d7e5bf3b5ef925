import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import {
  createTestIntegrator,
  createTestShop,
  pickupBody,
  testOrigin,
} from '../../../test/harness/test-shop.ts';
import { termsLease } from '../settings/terms-of-sale.ts';
import { createSandbox } from './sandbox.ts';
import type { SpecialCase } from './special-cases.ts';

/** With the lease and the caches of a serving process. */
const service = await startOwnTestService({ lease: termsLease });
const { context, clock } = service;
const integrator = await createTestIntegrator(context);
const sandbox = await createSandbox(context, testOrigin, integrator);
const keys = { consumerKey: sandbox.consumerKey, clientKey: sandbox.clientKey };
const { data: shown } = await service.call('GET', '/api/v1/sandbox', { keys });
const daySeconds = 86_400;
afterAll(() => service.close());
beforeEach(() => set({ now: null }));

const caseOf = (name: string): SpecialCase =>
  shown.specialCases.find((one: SpecialCase) => one.case === name);

async function set(body: object) {
  const reply = await service.call('PUT', '/api/v1/sandbox/clock', { keys, body });
  expect(reply.error).toBeUndefined();
  return reply.data.clock;
}

function cart(product: string, customer: string) {
  return {
    type: 'pickup',
    lineItems: [{ productOptionId: caseOf(product).productOptionId, quantity: 1 }],
    customer: { firstName: 'Any', lastName: 'Name', email: caseOf(customer).email },
  };
}

const price = async (product = 'product', customer = 'customer') =>
  (await service.call('POST', '/api/v1/orders/pricing', { keys, body: cart(product, customer) })).data;
const place = (product: string, customer = 'customer') =>
  service.call('POST', '/api/v1/orders', {
    keys,
    body: { ...cart(product, customer), idempotencyKey: randomUUID() },
  });
const salesTaxOf = (priced: { taxes: { description: string; rate: string }[] }) =>
  priced.taxes.filter(({ description }) => description === 'Sales tax');

test('it is set, moved, stopped, started and given back', async () => {
  const now = '2027-07-04T12:00:00.000Z';
  expect(await set({ now })).toEqual({ now, stands: false, isMoved: true });
  clock.advance(5_000);
  expect((await set({ moveSeconds: 60 })).now).toBe('2027-07-04T12:01:05.000Z');
  await set({ stands: true });
  clock.advance(5_000);
  expect(await set({ moveSeconds: -5 })).toEqual({
    now: '2027-07-04T12:01:00.000Z',
    stands: true,
    isMoved: true,
  });
  expect((await set({ stands: false })).stands).toBe(false);
  clock.advance(1_000);
  expect((await set({ moveSeconds: 0 })).now).toBe('2027-07-04T12:01:01.000Z');
  expect(await set({ now: null })).toEqual({
    now: new Date(clock.now()).toISOString(),
    stands: false,
    isMoved: false,
  });
});

test('taxes follow: the rate rises on its day, and is the former one before', async () => {
  const before = await price();
  await set({ moveSeconds: 91 * daySeconds });
  const after = await price();
  expect([salesTaxOf(before).length, salesTaxOf(after).length]).toEqual([1, 1]);
  expect(after.customerGrandTotal).toBeGreaterThan(before.customerGrandTotal);
  await set({ now: null });
  expect((await price()).customerGrandTotal).toBe(before.customerGrandTotal);
});

test('scheduled discounts follow, in carts and on the menu', async () => {
  const specialOf = async () => {
    const { data } = await service.call('GET', '/api/v1/menu', { keys, query: { type: 'pickup' } });
    const product = data.find(({ id }: { id: number }) => id === caseOf('product').productId);
    return product.options[0].specialPrice;
  };
  const [usual, usualOnMenu] = [await price(), await specialOf()];
  await set({ moveSeconds: 15 * daySeconds });
  const [onSale, onMenu] = [await price(), await specialOf()];
  expect(onSale.customerGrandTotal).toBeLessThan(usual.customerGrandTotal);
  expect([usualOnMenu, onMenu]).not.toEqual([onMenu, onMenu]);
  await set({ moveSeconds: 8 * daySeconds });
  expect((await price()).customerGrandTotal).toBe(usual.customerGrandTotal);
});

test('ages, windows of limits and expiries follow', async () => {
  const codeOf = async (...of: Parameters<typeof place>) => (await place(...of)).error?.code;
  const exemptBefore = await price('product', 'medical');
  expect(await codeOf('product', 'under-age')).toBe('CUSTOMER_UNDERAGE');
  expect(await codeOf('limited', 'at-the-limit')).toBe('PURCHASE_LIMIT_EXCEEDED');
  expect(await codeOf('expiring')).toBeUndefined();
  await set({ moveSeconds: 31 * daySeconds });
  expect(await codeOf('product', 'under-age')).toBeUndefined();
  expect(await codeOf('limited', 'at-the-limit')).toBeUndefined();
  expect(await codeOf('expiring')).toBe('OUT_OF_STOCK');
  await set({ moveSeconds: 31 * daySeconds });
  expect((await price('product', 'medical')).customerGrandTotal).toBeGreaterThan(
    exemptBefore.customerGrandTotal,
  );
});

test('what is written has its time; keys, sessions and idempotency keys do not', async () => {
  await set({ now: '2031-01-01T00:00:00.000Z', stands: true });
  const { data: order } = await place('product');
  expect(order.createdAt).toBe('2031-01-01T00:00:00.000Z');
  const who = await service.call('GET', '/api/v1/whoami', { keys });
  expect(who.data.sandbox).toBe(true);
  const headers = { 'idempotency-key': randomUUID() };
  const path = `/api/v1/sandbox/orders/${order.id}/play`;
  const sent = { keys, headers, body: { action: 'accept' } };
  expect((await service.call('POST', path, sent)).status).toBe(200);
  await set({ now: null });
  const again = await service.call('POST', path, sent);
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
});

test('no other organization has its time, also when both are asked at once', async () => {
  const shop = await createTestShop(context, { integrator });
  const other = await createSandbox(context, testOrigin, integrator);
  await set({ now: '2031-01-01T00:00:00.000Z', stands: true });
  const otherKeys = { consumerKey: other.consumerKey, clientKey: other.clientKey };
  const placedAt = async (as: object, body: object) => {
    const reply = await service.call('POST', '/api/v1/orders', { keys: as, body });
    return reply.data.createdAt as string;
  };
  const real = new Date(clock.now()).toISOString();
  const inOther = (await service.call('GET', '/api/v1/sandbox', { keys: otherKeys })).data;
  const optionId = inOther.specialCases.find((one: SpecialCase) => one.case === 'product').productOptionId;
  const times = await Promise.all(
    Array.from({ length: 4 }, () => [
      placedAt(keys, { ...cart('product', 'customer'), idempotencyKey: randomUUID() }),
      placedAt(shop.keys, pickupBody(shop)),
      placedAt(otherKeys, {
        ...cart('product', 'customer'),
        lineItems: [{ productOptionId: optionId, quantity: 1 }],
        idempotencyKey: randomUUID(),
      }),
    ]).flat(),
  );
  expect(times.filter((_, at) => at % 3 === 0)).toEqual(Array(4).fill('2031-01-01T00:00:00.000Z'));
  expect(times.filter((_, at) => at % 3 !== 0)).toEqual(Array(8).fill(real));
  expect(inOther.clock.isMoved).toBe(false);
});
