import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { mailedCode } from '../../../test/harness/test-mails.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestKeys, createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import { ManualClock } from '../../kernel/clock.ts';
import { failuresOfAddress, RateLimits } from '../../platform/http/rate-limits.ts';
import { ordersOfVisitors } from './visitor-limits.ts';

/* How much stock the visitors of a page can take without saying who they are (D67). */

const service = await startOwnTestService({ rateLimits: 'on' });
const { context, clock } = service;
const shop = await createTestShop(context);
const origin = 'https://shop.example';
const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, {
  permissions: ['create-orders'],
  origins: [origin],
});
const secret = await createTestKeys(context, shop.organizationId, shop.integrator, {
  permissions: ['create-orders'],
  vouches: false,
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const email = 'ada@customers.example.com';
const cart = (changes: object = {}) => pickupBody(shop, { idempotencyKey: randomUUID(), ...changes });
const post = async (path: string, body: object, withKeys: object = { clientKey: keys.clientKey }) => {
  // The limits of requests for each second are others.
  clock.advance(1_000);
  const sent = { keys: withKeys as never, headers: { origin }, body };
  return service.call('POST', `/api/v1/${path}`, sent);
};

test('a visitor places ten orders, and no more within two hours; refused and repeated ones do not count', async () => {
  const first = cart();
  expect((await post('orders', first)).status).toBe(201);
  expect((await post('orders', first)).headers['idempotent-replayed']).toBe('true');
  expect((await post('orders', cart({ expectedCustomerGrandTotal: 1 }))).error?.code).toBe('PRICE_CHANGED');
  for (let count = 1; count < 10; count++) expect((await post('orders', cart())).status).toBe(201);
  const refused = await post('orders', cart());
  expect([refused.status, refused.error]).toEqual([
    429,
    { code: 'RATE_LIMITED', message: expect.stringContaining('sign in with a code') },
  ]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_600);
  // Whose answer was lost still hears of the order.
  expect((await post('orders', first)).headers['idempotent-replayed']).toBe('true');
  // An integrator with a secret key answers for its customers.
  expect((await post('orders', cart(), shop.keys)).status).toBe(201);
  // And who signs in is known.
  await post('customer-sessions', { email });
  const code = await mailedCode(context, shop.organizationId);
  const { token } = (await post('customer-sessions/verify', { email, code })).data;
  const customer = { firstName: 'Ada', lastName: 'Moreno', email, token };
  expect((await post('orders', cart({ customer }))).status).toBe(201);
  clock.advance(7_200_000);
  expect((await post('orders', cart())).status).toBe(201);
  expect((await post('orders', cart())).status).toBe(429);
});

test('all visitors of a key together place three hundred, then one a minute', () => {
  const manual = new ManualClock(0);
  const limits = new RateLimits(manual);
  let placed = 0;
  const order = (at: number) =>
    limits.takeFailures(...failuresOfAddress(ordersOfVisitors.ofAddress, `10.${at >> 8}.${at & 255}.1`), [
      ordersOfVisitors.ofKey,
      '7',
    ]) === null;
  for (let at = 0; at < 320; at++) placed += order(at) ? 1 : 0;
  expect(placed).toBe(300);
  manual.advance(60_000);
  expect([order(400), order(401)]).toEqual([true, false]);
});

test.each([
  ['a visitor of a page', () => ({ clientKey: keys.clientKey })],
  ['a key whose customers are proven', () => secret.keys],
])(
  '%s is refused ten orders of one contact, on file or not, and can still place good ones',
  async (_, keysOf) => {
    clock.advance(86_400_000);
    const known = `on-file-${randomUUID()}@customers.example.com`;
    const customerOf = (address: string) => ({ firstName: 'Ada', lastName: 'Moreno', email: address });
    await post('orders', cart({ customer: customerOf(known) }), shop.keys);
    for (const address of [known, `stranger-${randomUUID()}@customers.example.com`]) {
      const ask = (changes: object) =>
        post('orders', cart({ customer: customerOf(address), ...changes }), keysOf());
      for (let count = 0; count < 10; count++) {
        expect((await ask({ expectedCustomerGrandTotal: 1 })).error?.code).toBe('PRICE_CHANGED');
      }
      const refused = await ask({ expectedCustomerGrandTotal: 1 });
      expect([refused.status, refused.error]).toEqual([
        429,
        { code: 'RATE_LIMITED', message: expect.stringContaining('Too many refused orders') },
      ]);
      expect((await ask({})).status).toBe(201);
    }
    clock.advance(86_400_000);
  },
);

test('the refusals of a visitor are counted over all contacts', async () => {
  const statuses: number[] = [];
  for (let at = 0; at < 40; at++) {
    const customer = { firstName: 'Ada', lastName: 'Moreno', email: `${randomUUID()}@customers.example.com` };
    statuses.push((await post('orders', cart({ customer, expectedCustomerGrandTotal: 1 }))).status);
  }
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(409));
  expect(statuses.slice(31)).toEqual(Array(9).fill(429));
});
