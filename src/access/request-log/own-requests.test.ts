import { afterAll, beforeEach, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  deliveryBody,
} from '../../../test/harness/test-shop.ts';
import { healthOf } from './api-health.ts';
import { loggedMessage } from './logged-message.ts';

const service = await startTestService();
const { context, clock, apiRequests, call } = service;
const shop = await createTestShop(context);
const other = await createTestShop(context);
const owner = await service.staff(shop);
const { keys } = shop;
afterAll(() => service.close());
beforeEach(() => clock.advance(1000));

const listed = async (query: Record<string, string | number> = {}) => {
  await apiRequests.write();
  const { data } = await owner.call('GET', '/staff/v1/api-requests', undefined, { query });
  return data as Record<string, unknown>[];
};

test('shows the message of a refusal without what was sent, and where its operation is explained', async () => {
  const address = { street1: '1 Alder Street', city: 'Oakland', state: 'CA', postalCode: '99999' };
  await call('POST', '/api/v1/orders', { keys, body: deliveryBody(shop, { address }) });
  const [row] = await listed();
  expect(row).toMatchObject({
    code: 'DELIVERY_AREA_NOT_SERVED',
    message: 'postalCode … is outside every delivery zone.',
    operation: 'placeOrder',
    referencePath: '/docs/#tag/orders/POST/api/v1/orders',
  });
  for (const [sent, kept] of [
    ['amount must be a number, not "4 Alder Street".', 'amount must be a number, not ….'],
    ['person.email marisol@customers.example.com is known', 'person.email … is known'],
    ['phone must differ from (415) 555-0123 and +14155550123', 'phone must differ from … and …'],
    ['Over the purchase limit: 28 g of 28.5 g', 'Over the purchase limit'],
    ['x'.repeat(400), `${'x'.repeat(299)}…`],
  ] as const) {
    expect(loggedMessage(sent)).toBe(kept);
  }
});

test('a key that was refused is shown to its organization, with the reason; an unknown one is in no log', async () => {
  const made = await createTestKeys(context, shop.organizationId, shop.integrator, {
    expiresAtMs: clock.now() + 60_000,
  });
  const revoked = await createTestKeys(context, shop.organizationId, shop.integrator);
  await owner.call('POST', `/staff/v1/client-keys/${revoked.id}/revoke`);
  const ask = (with_: object) => call('GET', '/api/v1/whoami', { keys: with_ });
  const text = made.keys.clientKey!;
  const unknown = { ...keys, clientKey: `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}` };
  const replies = [
    await ask({ ...made.keys, consumerKey: (await createTestIntegrator(context)).consumerKey }),
    await ask(revoked.keys),
    await ask(unknown),
  ];
  clock.advance(60_000);
  replies.push(await ask(made.keys));
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(replies[0]!.status).toBe(401);
  const rows = await listed({ status: '401' });
  expect(rows.map(({ keyProblem }) => keyProblem).sort()).toEqual([
    'expired',
    'other-consumer-key',
    'revoked',
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({ code: 'INVALID_API_CREDENTIALS', integratorId: shop.integrator.id });
    expect([text.slice(0, 13), revoked.keys.clientKey!.slice(0, 13)]).toContain(row.keyPrefix);
    expect(JSON.stringify(row)).not.toContain(text.slice(13));
  }
});

test('an integrator reads its own requests of seven days, with operation and message', async () => {
  const own = async (with_ = keys, query = {}) => {
    await apiRequests.write();
    return (await call('GET', '/api/v1/requests', { keys: with_, query })).data as Record<string, unknown>[];
  };
  const day = 24 * 3_600_000;
  await call('GET', '/api/v1/whoami', { keys });
  await apiRequests.write();
  clock.advance(7 * day + 1);
  const headers = { 'x-request-id': 'web-4712' };
  await call('GET', '/api/v1/orders/4711', { keys, headers });
  const neighbour = await createTestIntegrator(context);
  const theirs = await createTestKeys(context, shop.organizationId, neighbour);
  await call('GET', '/api/v1/organization', { keys: theirs.keys });
  await call('GET', '/api/v1/organization', { keys: other.keys });
  expect(await own()).toEqual([
    {
      id: expect.stringMatching(/^\d+-\d+-\d+$/),
      at: new Date(clock.now()).toISOString(),
      operation: 'getOrderStatus',
      method: 'GET',
      path: '/api/v1/orders/4711',
      status: 404,
      code: 'ORDER_NOT_FOUND',
      message: 'There is no such order.',
      ms: expect.any(Number),
      requestId: 'web-4712',
    },
  ]);
  expect((await own(theirs.keys)).map(({ operation }) => operation)).toEqual(['getOrganization']);
  expect((await own(keys, { status: '2xx' })).map(({ operation }) => operation)).toEqual(['listOwnRequests']);
  expect((await own(keys, { code: 'ORDER_NOT_FOUND' })).length).toBe(1);
  const [last] = await own();
  expect((await own(keys, { startingAfter: String(last!.id) })).length).toBeGreaterThan(0);
});

test.each([
  [{ requests: 0, refused: 0, failed: 0 }, 'silent'],
  [{ requests: 1000, refused: 99, failed: 0 }, 'healthy'],
  [{ requests: 1000, refused: 100, failed: 0 }, 'disturbed'],
  [{ requests: 1000, refused: 0, failed: 9 }, 'disturbed'],
  [{ requests: 1000, refused: 500, failed: 0 }, 'failing'],
  [{ requests: 1000, refused: 0, failed: 10 }, 'failing'],
  [{ requests: 1, refused: 1, failed: 0 }, 'failing'],
] as const)('the health of %j is %s', (counts, state) => {
  expect(healthOf(counts)).toBe(state);
});
