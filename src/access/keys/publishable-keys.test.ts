import { afterAll, afterEach, expect, test } from 'vitest';
import { startOwnTestService, startTestService } from '../../../test/harness/test-service.ts';
import { createTestKeys, createTestShop } from '../../../test/harness/test-shop.ts';

/* The life of a key of web pages (D67). What it may call: test/contract/page-key-operations.test.ts. */

const service = await startTestService();
const limited = await startOwnTestService({ database: service.database, rateLimits: 'on' });
const { clock, context } = service;
const shop = await createTestShop(context);
const owner = await service.staff(shop);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(async () => {
  await limited.close();
  await service.close();
});

const origin = 'https://shop.example';
const body = {
  integratorId: shop.integrator.id,
  name: 'Page',
  permissions: ['create-orders', 'menu'],
  publishable: true,
  origins: [origin],
};

async function make(changes: object = {}) {
  const { status, data, error } = await owner.call('POST', '/staff/v1/client-keys', { ...body, ...changes });
  expect([status, error]).toEqual([201, undefined]);
  return data;
}
const menu = (clientKey: string, from = origin) =>
  service.call('GET', '/api/v1/menu', { address: 'menu', keys: { clientKey }, headers: { origin: from } });

test('a publishable key shows its origins, works alone, and its text is shown once', async () => {
  const made = await make({ origins: [origin, 'http://localhost:3000', origin] });
  expect(made).toMatchObject({ publishable: true, origins: [origin, 'http://localhost:3000'] });
  expect(made.clientKey).toMatch(/^dcp_live_/);
  for (const from of made.origins) expect((await menu(made.clientKey, from)).status).toBe(200);
  const list = await owner.call('GET', '/staff/v1/client-keys');
  expect(list.text).not.toContain(made.clientKey);
  expect(list.data).toContainEqual(
    expect.objectContaining({ id: made.id, keyPrefix: made.clientKey.slice(0, 13) }),
  );
  // The consumer key is no secret of a page's, and makes no difference.
  const both = { consumerKey: shop.integrator.consumerKey, clientKey: made.clientKey };
  expect((await service.call('GET', '/api/v1/menu', { address: 'menu', keys: both })).status).toBe(403);
  const other = shop.keys.clientKey.replace(/^dck/, 'dcp');
  expect((await menu(other)).status).toBe(401);
});

test('a rotated one works beside its former text for the overlap, a revoked one ends within a second', async () => {
  const made = await make();
  expect((await menu(made.clientKey)).status).toBe(200);
  const path = `/staff/v1/client-keys/${made.id}`;
  const rotated = await owner.call('POST', `${path}/rotate`, { overlapHours: 1 });
  expect(rotated.data).toMatchObject({ publishable: true, origins: [origin] });
  const both = [made.clientKey, rotated.data.clientKey];
  clock.advance(1_000);
  for (const key of both) expect((await menu(key)).status).toBe(200);
  clock.advance(3_600_000);
  expect((await menu(made.clientKey)).status).toBe(401);
  await owner.call('POST', `${path}/revoke`);
  clock.advance(1_000);
  expect((await menu(rotated.data.clientKey)).status).toBe(401);
});

test('one with menu alone places no order', async () => {
  const { clientKey } = await make({ permissions: ['menu'] });
  const reply = await service.call('POST', '/api/v1/orders/pricing', {
    keys: { clientKey },
    headers: { origin },
    body: {},
  });
  expect([reply.status, reply.error?.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS']);
});

test.each([
  [{ origins: [] }, 'origins'],
  [{ origins: ['*'] }, 'origins[0]'],
  [{ origins: [origin, 'https://*.shop.example'] }, 'origins[1]'],
  [{ origins: ['https://shop.example/'] }, 'origins[0]'],
  [{ origins: ['https://Shop.example'] }, 'origins[0]'],
  [{ origins: ['https://shop.example/checkout'] }, 'origins[0]'],
  [{ origins: ['http://shop.example'] }, 'origins[0]'],
  [{ origins: ['null'] }, 'origins[0]'],
  [{ origins: ['https://user@shop.example'] }, 'origins[0]'],
  [{ origins: ['https://shop.example:443'] }, 'origins[0]'],
  [{ permissions: ['menu', 'customers'] }, 'permissions'],
  [{ publishable: false }, 'origins'],
  [{ publishable: undefined }, 'origins'],
])('%j makes no publishable key', async (changes, field) => {
  const reply = await owner.call('POST', '/staff/v1/client-keys', { ...body, ...changes });
  expect([reply.status, reply.error?.code]).toEqual([400, 'INVALID_PARAMS']);
  expect(reply.error?.message).toContain(field);
});

test('limits count for each visitor, and a visitor who asks too much costs the others nothing', async () => {
  const { clientKey } = await make();
  const ask = (address: string) =>
    limited.call('GET', '/api/v1/menu', {
      address: 'menu',
      keys: { clientKey },
      headers: { origin, 'x-forwarded-for': address },
    });
  const first = await ask('198.51.100.1');
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '8', 'ratelimit-remaining': '7' });
  for (let count = 0; count < 7; count++) expect((await ask('198.51.100.1')).status).toBe(200);
  const refused = await ask('198.51.100.1');
  expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([429, origin]);
  expect(refused.headers['access-control-expose-headers']).toContain('Retry-After');
});

test('the request log shows its prefix, and what was refused, to the organization', async () => {
  const { id, clientKey } = await make();
  await menu(clientKey);
  await menu(clientKey, 'https://other.example');
  await service.apiRequests.write();
  const log = await owner.call('GET', `/staff/v1/api-requests?clientKeyId=${id}`);
  expect(
    log.data.map((row: { status: number; keyProblem: string | null }) => [row.status, row.keyProblem]),
  ).toEqual([
    [403, 'other-origin'],
    [200, null],
  ]);
  expect(log.text).not.toContain(clientKey.slice(13));
});

test('a key that an operator made for another integrator is no other one', async () => {
  const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, {
    permissions: ['menu'],
    origins: [origin],
  });
  expect((await menu(keys.clientKey)).status).toBe(200);
});
