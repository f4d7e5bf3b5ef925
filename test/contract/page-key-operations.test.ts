import { afterAll, afterEach, expect, test } from 'vitest';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { mailedCode } from '../harness/test-mails.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { createTestKeys, pickupBody, type TestKeys } from '../harness/test-shop.ts';
import { openWitness } from '../harness/witness.ts';
import { type ContractRequest, createTenant, send, validRequest } from './contract-world.ts';

/* What a visitor can do with the key of a web page, over every operation (D67). */

const service = await startOwnTestService();
const { context, endpoints } = service;
const home = await createTenant(service);
const stranger = await createTenant(service);
const witness = await openWitness(service.database);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(async () => {
  await witness.end();
  await service.close();
});

const origin = 'https://shop.example';
const local = 'http://localhost:3000';
const publishable = await publishableKeyOf(home);
const ofStranger = await publishableKeyOf(stranger);

async function publishableKeyOf({ shop: { organizationId, integrator } }: typeof home): Promise<TestKeys> {
  const settings = { permissions: ['create-orders', 'menu'], origins: [origin, local] } as const;
  const { keys } = await createTestKeys(context, organizationId, integrator, settings);
  return { clientKey: keys.clientKey };
}

/** Written down by hand: an operation that is not here is refused. Each says what its request needs besides. */
const allowed: Readonly<Record<string, 'key' | 'token'>> = {
  getMenu: 'key',
  listTags: 'key',
  getShop: 'key',
  listPaymentTypes: 'key',
  priceCart: 'key',
  placeOrder: 'key',
  getOrderStatus: 'token',
  getPageOrder: 'token',
  listPageOrders: 'token',
  cancelPageOrder: 'token',
  requestCustomerCode: 'key',
  startCustomerSession: 'key',
  endCustomerSession: 'key',
};

const tokens = {
  home: await placed(publishable, home),
  stranger: await placed(ofStranger, stranger),
};

/** Signs the customer of the placed orders in, by the code in the mail. */
async function signedIn(): Promise<string> {
  const email = 'ida@example.com';
  const send = (path: string, body: object) =>
    service.call('POST', `/api/v1/customer-sessions${path}`, {
      keys: publishable,
      body,
      headers: { origin },
    });
  await send('', { email });
  const code = await mailedCode(service.context, home.shop.organizationId, email);
  return (await send('/verify', { email, code })).data.token;
}

async function placed(keys: TestKeys, { shop }: typeof home): Promise<{ id: string; token: string }> {
  const body = pickupBody(shop, {
    customer: { firstName: 'Ida', lastName: 'Voss', email: 'ida@example.com' },
  });
  const reply = await service.call('POST', '/api/v1/orders', { keys, body, headers: { origin } });
  expect([reply.status, reply.error]).toEqual([201, undefined]);
  return { id: reply.data.id, token: reply.data.orderToken };
}

/** A request that a page may send: for the order of the token, without a fee of its own. */
function pageRequest(endpoint: Endpoint): ContractRequest {
  const request = validRequest(endpoint, home);
  const {
    deliveryFee: _,
    deliveryFeeDescription: __,
    ...body
  } = (request.body ?? {}) as Record<string, unknown>;
  return {
    ...request,
    params: 'orderId' in request.params ? { ...request.params, orderId: tokens.home.id } : request.params,
    body: request.body && body,
  };
}

function ask(endpoint: Endpoint, keys: TestKeys, headers: Record<string, string> = {}) {
  return send(service, endpoint, pageRequest(endpoint), { keys, headers });
}

const cors = (reply: { headers: Readonly<Record<string, string | undefined>> }) =>
  Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'));

test('a publishable key calls the operations of this list, and is refused by every other one', async () => {
  const customerToken = await signedIn();
  expect(Object.keys(allowed).filter((id) => !endpoints.some((endpoint) => endpoint.id === id))).toEqual([]);
  for (const endpoint of endpoints) {
    const isAllowed = endpoint.id in allowed;
    expect([endpoint.id, endpoint.publishableKey]).toEqual([endpoint.id, isAllowed ? 'allowed' : 'refused']);
    const before = isAllowed ? null : await witness.contents();
    const headers = {
      ...{ origin, 'x-order-token': tokens.home.token },
      ...(endpoint.id === 'listPageOrders' && { 'x-customer-token': customerToken }),
    };
    const reply = await ask(endpoint, publishable, headers);
    if (isAllowed) {
      expect([endpoint.id, reply.status, reply.error]).toEqual([
        endpoint.id,
        endpoint.success.status,
        undefined,
      ]);
    } else {
      expect([endpoint.id, reply.status, reply.error]).toEqual([
        endpoint.id,
        403,
        { code: 'INSUFFICIENT_PERMISSIONS', message: 'A publishable key cannot call this operation.' },
      ]);
      expect(await witness.contents()).toEqual(before);
    }
    expect(reply.headers['access-control-allow-origin']).toBe(origin);
    expect(reply.headers.vary).toContain('Origin');
  }
});

test('on another page, or on none, no operation serves it, and no page can read the refusal', async () => {
  const before = await witness.contents();
  const elsewhere: Record<string, string>[] = [
    {},
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'https://shop.example.evil.example' },
    { origin: 'http://shop.example' },
    { origin: 'https://shop.example:8443' },
  ];
  for (const endpoint of endpoints) {
    for (const headers of elsewhere) {
      const reply = await ask(endpoint, publishable, { ...headers, 'x-order-token': tokens.home.token });
      const code = endpoint.id in allowed ? 'ORIGIN_NOT_ALLOWED' : 'INSUFFICIENT_PERMISSIONS';
      expect([endpoint.id, headers, reply.status, reply.error?.code]).toEqual([
        endpoint.id,
        headers,
        403,
        code,
      ]);
      expect(cors(reply)).toEqual([]);
    }
  }
  expect(await witness.contents()).toEqual(before);
});

test("the key and the tokens of another organization open nothing of this organization's", async () => {
  for (const endpoint of endpoints.filter(({ id, params }) => id in allowed && params !== undefined)) {
    for (const token of [tokens.home.token, tokens.stranger.token]) {
      const reply = await ask(endpoint, ofStranger, { origin, 'x-order-token': token });
      expect([endpoint.id, reply.status, reply.error?.code]).toEqual([endpoint.id, 404, 'ORDER_NOT_FOUND']);
    }
  }
});

test('an order of a page is read with the token of its reply, and with no other', async () => {
  const second = await placed(publishable, home);
  const status = (id: string, token?: string) =>
    service.call('GET', `/api/v1/orders/${id}`, {
      keys: publishable,
      headers: { origin, ...(token !== undefined && { 'x-order-token': token }) },
    });
  expect(await status(second.id, second.token)).toMatchObject({ status: 200, data: { id: second.id } });
  const flipped = second.token.slice(0, -1) + (second.token.endsWith('0') ? '1' : '0');
  const [day = '', code = ''] = second.token.slice('dco_live_'.length).split('x');
  const longer = `dco_live_${Number(day) + 1}x${code}`;
  for (const token of [undefined, '', 'dco_live_', tokens.home.token, flipped, longer, `${second.token}0`]) {
    expect([token, (await status(second.id, token)).error?.code]).toEqual([token, 'ORDER_NOT_FOUND']);
  }
  // Orders that were not placed by a page neither.
  expect((await status(String(home.ids.orderId), second.token)).status).toBe(404);
  service.clock.advance(91 * 86_400_000);
  expect((await status(second.id, second.token)).status).toBe(404);
});

test('a replay answers the order with a token, and nothing about the customer', async () => {
  const body = pickupBody(home.shop);
  const sent = { keys: publishable, body, headers: { origin } };
  const first = await service.call('POST', '/api/v1/orders', sent);
  const again = await service.call('POST', '/api/v1/orders', sent);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.data).toMatchObject({ id: first.data.id, customer: null, orderToken: expect.any(String) });
  expect(again.text).not.toContain('Marisol');
});

test('secret keys and staff get no CORS headers, whatever the origin', async () => {
  for (const endpoint of endpoints.filter(({ kind }) => kind === 'read')) {
    expect(cors(await ask(endpoint, home.shop.keys, { origin }))).toEqual([]);
  }
  const { call } = await service.staff(home.shop);
  expect(cors(await call('GET', '/staff/v1/client-keys', undefined, { origin } as never))).toEqual([]);
  for (const path of ['/openapi.json', '/healthz', '/staff/v1/client-keys']) {
    expect(cors(await service.call('GET', path, { headers: { origin }, keys: publishable }))).toEqual([]);
  }
});

test('a page may ask in advance for exactly these operations, and never send a consumer key', async () => {
  const preflight = (address: 'base' | 'menu', path: string, method: string) =>
    service.call('OPTIONS', path, {
      address,
      headers: { origin: local, 'access-control-request-method': method },
    });
  for (const endpoint of endpoints) {
    const { params } = pageRequest(endpoint);
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
    const reply = await preflight(endpoint.address, path, endpoint.method);
    const isShadow = endpoint.path === '/api/v1/orders/statuses';
    if (endpoint.id in allowed || isShadow) {
      expect([endpoint.id, reply.status]).toEqual([endpoint.id, 204]);
      expect(reply.headers['access-control-allow-origin']).toBe(local);
      expect(reply.headers['access-control-allow-headers']).not.toMatch(/consumer/i);
      expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    } else {
      expect([endpoint.id, reply.status]).toEqual([endpoint.id, 405]);
      expect(cors(reply)).toEqual([]);
    }
  }
  const plain = await service.call('OPTIONS', '/api/v1/orders/pricing', { address: 'base' });
  expect([plain.status, plain.headers.allow]).toEqual([405, 'POST']);
});

test('a page cannot set the delivery fee', async () => {
  const before = await witness.contents();
  for (const path of ['/api/v1/orders', '/api/v1/orders/pricing']) {
    for (const extra of [{ deliveryFee: 0 }, { deliveryFeeDescription: 'Free' }]) {
      const body = pickupBody(home.shop, extra);
      const reply = await service.call('POST', path, { keys: publishable, body, headers: { origin } });
      expect([reply.status, reply.error?.code]).toEqual([400, 'INVALID_PARAMS']);
      expect(reply.error?.message).toContain(Object.keys(extra)[0]);
    }
  }
  expect(await witness.contents()).toEqual(before);
});
