import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  pickupBody,
  testOrigin,
} from '../../../test/harness/test-shop.ts';
import { createAuthenticate, rotateConsumerKey } from '../../access/keys/keys.ts';
import { organizationId } from '../../kernel/ids.ts';
import type { Permission } from '../../kernel/permission-catalog.ts';
import { createSandbox } from './sandbox.ts';
import type { SpecialCase } from './special-cases.ts';

const service = await startOwnTestService();
const { context, clock } = service;
const integrator = await createTestIntegrator(context);
const sandbox = await createSandbox(context, testOrigin, integrator);
const keys = { consumerKey: sandbox.consumerKey, clientKey: sandbox.clientKey };
afterAll(() => service.close());

const { data: shown } = await service.call('GET', '/api/v1/sandbox', { keys });

function caseOf(name: string): SpecialCase {
  return shown.specialCases.find((one: SpecialCase) => one.case === name);
}

/** A cart of one unit, for a customer of the cases. */
function cart(product: string, customer = 'customer', quantity = 1) {
  return {
    type: 'pickup',
    lineItems: [{ productOptionId: caseOf(product).productOptionId, quantity }],
    customer: { firstName: 'Any', lastName: 'Name', email: caseOf(customer).email },
    idempotencyKey: randomUUID(),
  };
}

const place = (...of: Parameters<typeof cart>) =>
  service.call('POST', '/api/v1/orders', { keys, body: cart(...of) });
const price = (...of: Parameters<typeof cart>) => {
  const { idempotencyKey: _, ...body } = cart(...of);
  return service.call('POST', '/api/v1/orders/pricing', { keys, body });
};
const play = (orderId: string, action: string, more: object = {}) =>
  service.call('POST', `/api/v1/sandbox/orders/${orderId}/play`, { keys, body: { action, ...more } });

test('the keys are test keys, and the whole life of an order can be played', async () => {
  expect([keys.consumerKey.slice(0, 9), keys.clientKey.slice(0, 9)]).toEqual(['dcc_test_', 'dck_test_']);
  const placed = await place('product');
  expect([placed.status, placed.data.status]).toEqual([201, 'draft']);
  for (const [action, status] of [
    ['accept', 'new'],
    ['pack', 'packed'],
    ['fulfill', 'fulfilled'],
  ] as const) {
    const played = await play(placed.data.id, action);
    expect([action, played.status, played.data.status]).toEqual([action, 200, status]);
  }
  const refused = await play(placed.data.id, 'cancel');
  expect([refused.status, refused.error?.code]).toEqual([409, 'INVALID_ORDER_TRANSITION']);
  const { data } = await service.call('GET', '/api/v1/changes', {
    keys,
    query: { after: '0-0', types: 'order.*' },
  });
  const ofOrder = data.filter((event: { resource: { id: string } }) => event.resource.id === placed.data.id);
  expect(ofOrder.map(({ type }: { type: string }) => type)).toEqual([
    'order.placed',
    'order.accepted',
    'order.packed',
    'order.fulfilled',
  ]);
});

test('an order of another integrator is played by a key with analytics only', async () => {
  const other = await createTestIntegrator(context);
  const keysOf = async (permissions: readonly Permission[]) =>
    (await createTestKeys(context, organizationId(sandbox.organizationId), other, { permissions })).keys;
  const [narrow, wide] = [await keysOf(['create-orders']), await keysOf(['create-orders', 'analytics'])];
  const { data: theirs } = await place('product');
  const { data: own } = await service.call('POST', '/api/v1/orders', { keys: narrow, body: cart('product') });
  const accept = (by: object, id: string) =>
    service.call('POST', `/api/v1/sandbox/orders/${id}/play`, { keys: by, body: { action: 'accept' } });
  const refused = await accept(narrow, theirs.id);
  expect([refused.status, refused.error?.code]).toEqual([404, 'ORDER_NOT_FOUND']);
  expect((await service.call('GET', `/api/v1/orders/${theirs.id}/detail`, { keys })).data.status).toBe(
    'draft',
  );
  expect((await accept(narrow, own.id)).data.status).toBe('new');
  expect((await accept(wide, theirs.id)).data.status).toBe('new');
});

test('a delivery goes on its way and comes back, and each step that is repeated changes nothing', async () => {
  const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' };
  const body = { ...cart('product', 'customer', 2), type: 'delivery', address };
  const { data: placed } = await service.call('POST', '/api/v1/orders', { keys, body });
  const before = await service.call('GET', '/api/v1/changes/latest', { keys });
  const steps = [
    ['accept', {}, { status: 'new' }],
    ['dispatch', { dispatchStatus: 'assigned' }, { dispatchTask: { status: 'assigned' } }],
    ['dispatch', {}, { dispatchTask: { status: 'active', driverName: 'Sandbox Driver' } }],
    ['dispatch', { dispatchStatus: 'completed' }, { dispatchTask: { status: 'completed' } }],
    ['fulfill', {}, { status: 'fulfilled', refundTotal: 0 }],
    ['return', {}, { status: 'fulfilled', refundTotal: -placed.netPrice }],
    ['void-return', {}, { status: 'fulfilled', refundTotal: 0 }],
    ['return', {}, { refundTotal: -placed.netPrice }],
  ] as const;
  for (const [action, more, expected] of steps) {
    const played = await play(placed.id, action, more);
    expect([action, played.error]).toEqual([action, undefined]);
    expect(played.data).toMatchObject(expected);
    const repeated = await play(placed.id, action, more);
    expect([action, repeated.status, repeated.data]).toEqual([action, 200, played.data]);
  }
  const { data } = await service.call('GET', '/api/v1/changes', {
    keys,
    query: { after: before.data.cursor, types: 'order.*' },
  });
  expect(data.map(({ type }: { type: string }) => type)).toEqual([
    'order.accepted',
    'order.dispatched',
    'order.dispatched',
    'order.dispatched',
    'order.fulfilled',
    'order.returned',
    'order.return_voided',
    'order.returned',
  ]);
});

test('the same return played twice at once gives the goods back once', async () => {
  const { data: placed } = await place('product');
  for (const action of ['accept', 'fulfill']) await play(placed.id, action);
  const both = await Promise.all([play(placed.id, 'return'), play(placed.id, 'return')]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(both.map(({ data }) => data.returns.length)).toEqual([1, 1]);
});

test('every special case is what it says', async () => {
  const refusalOf = async (...of: Parameters<typeof cart>) => (await place(...of)).error?.code;
  expect(await refusalOf('product', 'under-age')).toBe('CUSTOMER_UNDERAGE');
  expect(await refusalOf('limited', 'at-the-limit')).toBe('PURCHASE_LIMIT_EXCEEDED');
  expect(await refusalOf('limited')).toBeUndefined();
  expect(await refusalOf('sold-out')).toBe('OUT_OF_STOCK');
  expect(await refusalOf('last-one', 'customer', 2)).toBe('OUT_OF_STOCK');
  expect(await refusalOf('off-the-menu')).toBe('PRODUCT_IS_INACTIVE');
  expect(await refusalOf('expiring')).toBeUndefined();
  const [adult, patient, sale, free] = await Promise.all([
    price('product'),
    price('product', 'medical'),
    price('on-sale'),
    price('free'),
  ]);
  const taxesOf = ({ data }: { data: { taxes: { description: string }[] } }) =>
    data.taxes.map(({ description }) => description);
  expect(taxesOf(adult as never)).toContain('Sales tax');
  expect(patient.data.customerGrandTotal).toBeLessThan(adult.data.customerGrandTotal);
  expect(sale.data.totalPrice).toBe(2_800);
  expect(free.data.customerGrandTotal).toBe(0);
});

test('an organization that trades has no sandbox, and its keys open none', async () => {
  const shop = await createTestShop(context, { integrator });
  const asked = await service.call('GET', '/api/v1/sandbox', { keys: shop.keys });
  expect([asked.status, asked.error?.code]).toEqual([403, 'NOT_A_SANDBOX']);
  const mixed = { consumerKey: sandbox.consumerKey, clientKey: shop.keys.clientKey };
  expect((await service.call('GET', '/api/v1/organization', { keys: mixed })).status).toBe(401);
  expect(
    (await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) })).status,
  ).toBe(201);
});

test('where the owner of the deployment allows no sandboxes, their keys open nothing', async () => {
  const from = { clientAddress: '127.0.0.1' };
  const ask = (allowsSandboxes: boolean) =>
    createAuthenticate(context, 'production', undefined, { allowsSandboxes })(
      keys.consumerKey,
      keys.clientKey,
      from,
    );
  expect(await ask(false)).toBeNull();
  expect(await ask(true)).toMatchObject({ organizationId: sandbox.organizationId });
  const page = (allowsSandboxes: boolean) =>
    createAuthenticate(context, 'production', undefined, { allowsSandboxes })(
      undefined,
      sandbox.publishableKey,
      from,
    );
  expect(await page(false)).toBeNull();
  expect(await page(true)).toMatchObject({ organizationId: sandbox.organizationId });
});

test('the rotation of the usual consumer key leaves that of the sandbox', async () => {
  await rotateConsumerKey(context, 'production', integrator.id, 0);
  clock.advance(1_000);
  expect((await service.call('GET', '/api/v1/whoami', { keys })).data.sandbox).toBe(true);
});

test('the clock is that of the service until it is set', async () => {
  const { data } = await service.call('GET', '/api/v1/sandbox', { keys });
  expect(data.clock).toEqual({ now: new Date(clock.now()).toISOString(), stands: false, isMoved: false });
});
