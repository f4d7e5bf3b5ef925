import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { keyHeaders, startOwnTestService } from '../../../test/harness/test-service.ts';
import {
  createTestIntegrator,
  createTestShop,
  pickupBody,
  testOrigin,
} from '../../../test/harness/test-shop.ts';
import { systemClock } from '../../kernel/clock.ts';
import { Receiver, testWorker } from '../webhooks/webhooks.test-support.ts';
import { createSandbox } from './sandbox.ts';
import type { SpecialCase } from './special-cases.ts';

const service = await startOwnTestService({ clock: systemClock });
const { context } = service;
const { baseUrl } = await service.listen();
const integrator = await createTestIntegrator(context);
const sandbox = await createSandbox(context, testOrigin, integrator);
const keys = { consumerKey: sandbox.consumerKey, clientKey: sandbox.clientKey };
const { data: shown } = await service.call('GET', '/api/v1/sandbox', { keys });
afterAll(() => service.close());

const optionOf = (name: string): number =>
  shown.specialCases.find((one: SpecialCase) => one.case === name).productOptionId;

function cart(product: string) {
  return {
    type: 'pickup',
    lineItems: [{ productOptionId: optionOf(product), quantity: 1 }],
    customer: { firstName: 'Ada', lastName: 'Moreno', email: 'ada@customers.example.com' },
  };
}

const ask = (method: string, path: string, fault?: string, body?: object, as = keys) =>
  service.call(method, path, {
    keys: as,
    ...(body !== undefined && { body }),
    headers: { ...(fault !== undefined && { 'sandbox-fault': fault }) },
  });
const place = (product: string, fault?: string, changes: object = {}) =>
  ask('POST', '/api/v1/orders', fault, { ...cart(product), idempotencyKey: randomUUID(), ...changes });
const price = async (product: string, fault?: string) =>
  (await ask('POST', '/api/v1/orders/pricing', fault, cart(product))).data.customerGrandTotal as number;

test('status and rate-limit are the refusals of the service, and nothing is done', async () => {
  const body = { ...cart('product'), idempotencyKey: randomUUID() };
  const unavailable = await ask('POST', '/api/v1/orders', 'status=503', body);
  expect([unavailable.status, unavailable.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  const limited = await ask('POST', '/api/v1/orders', 'rate-limit', body);
  expect([limited.status, limited.error?.code, limited.headers['retry-after']]).toEqual([
    429,
    'RATE_LIMITED',
    '1',
  ]);
  const placed = await ask('POST', '/api/v1/orders', undefined, body);
  expect([placed.status, placed.headers['idempotent-replayed']]).toEqual([201, undefined]);
});

test('delay answers later', async () => {
  const beganMs = performance.now();
  expect((await ask('GET', '/api/v1/whoami', 'delay=40ms')).status).toBe(200);
  expect(performance.now() - beganMs).toBeGreaterThanOrEqual(39);
});

test('after drop-after-commit the order is there, and the retry gets it', async () => {
  const body = { ...cart('product'), idempotencyKey: randomUUID() };
  const send = (headers: Record<string, string> = {}) =>
    fetch(`${baseUrl}/api/v1/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...keyHeaders(keys), ...headers },
      body: JSON.stringify(body),
    });
  await expect(send({ 'sandbox-fault': 'drop-after-commit' })).rejects.toThrow();
  const retried = await send();
  expect([retried.status, retried.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  // What is refused commits nothing, so its answer is not dropped.
  const refused = await place('sold-out', 'drop-after-commit');
  expect([refused.status, refused.error?.code]).toEqual([409, 'OUT_OF_STOCK']);
});

test('price-change changes the price between preview and order', async () => {
  const expected = await price('on-sale');
  const changes = { expectedCustomerGrandTotal: expected };
  const refused = await place('on-sale', 'price-change', changes);
  expect([refused.status, refused.error?.code]).toEqual([409, 'PRICE_CHANGED']);
  // The preview that asks for it still shows the former price.
  const before = await price('on-sale');
  expect(before).toBeGreaterThan(expected);
  expect(await price('on-sale', 'price-change')).toBe(before);
  // It changes once the preview is answered.
  await expect.poll(() => price('on-sale')).toBeGreaterThan(before);
});

test('out-of-stock sells the goods to others first', async () => {
  const refused = await place('last-one', 'out-of-stock');
  expect([refused.status, refused.error?.code]).toEqual([409, 'OUT_OF_STOCK']);
  expect((await place('last-one')).error?.code).toBe('OUT_OF_STOCK');
});

test('webhook-late lets the webhooks of the sandbox wait, and no others', async () => {
  const [ofSandbox, ofShop] = [await Receiver.start(), await Receiver.start()];
  const shop = await createTestShop(context, { integrator });
  for (const [{ url }, as] of [
    [ofSandbox, keys],
    [ofShop, shop.keys],
  ] as const) {
    const made = await ask(
      'POST',
      '/api/v1/webhook-endpoints',
      undefined,
      { url, types: ['order.placed'] },
      as,
    );
    expect(made.status).toBe(201);
  }
  const worker = testWorker(service);
  expect((await place('product', 'webhook-late=60s')).status).toBe(201);
  await ask('POST', '/api/v1/orders', undefined, pickupBody(shop), shop.keys);
  await worker.pass(sandbox.organizationId);
  await worker.pass(shop.organizationId);
  expect([ofSandbox.received.length, ofShop.received.length]).toEqual([0, 1]);
  // A shorter wait takes the place of the longer one.
  expect((await place('product', 'webhook-late=0s')).status).toBe(201);
  await worker.pass(sandbox.organizationId);
  expect([ofSandbox.received.length, ofShop.received.length]).toEqual([2, 1]);
  await worker.stop();
  await Promise.all([ofSandbox.close(), ofShop.close()]);
});

test('a fault that does not exist, or does not fit, is refused with what there is', async () => {
  for (const fault of ['explode', 'delay', 'delay=61s', 'status=418', 'webhook-late=x', '']) {
    const { status, error } = await ask('GET', '/api/v1/whoami', fault);
    expect([fault, status, error?.code]).toEqual([fault, 400, 'INVALID_PARAMS']);
    expect(error?.message).toMatch(/^Sandbox-Fault must be some of delay=2s/);
  }
  const { error } = await ask('GET', '/api/v1/organization', 'price-change');
  expect(error?.message).toMatch(/^Sandbox-Fault: price-change and out-of-stock are for carts/);
});

test('an organization that trades is not touched by faults', async () => {
  const shop = await createTestShop(context, { integrator });
  const faults = 'status=503, rate-limit, drop-after-commit, price-change, out-of-stock, webhook-late';
  const placed = await ask('POST', '/api/v1/orders', faults, pickupBody(shop), shop.keys);
  expect(placed.status).toBe(201);
});
