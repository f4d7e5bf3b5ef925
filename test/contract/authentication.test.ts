import { afterAll, describe, expect, test } from 'vitest';
import { createClientKey, revokeClientKey } from '../../src/access/keys/keys.ts';
import {
  isKeyPermission,
  type KeyPermission,
  namesEnough,
  type Permission,
  permissions,
  wholeOf,
} from '../../src/kernel/permission-catalog.ts';
import { startOwnTestService, testNowMs } from '../harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  type TestKeys,
  testOrigin,
} from '../harness/test-shop.ts';
import { openWitness } from '../harness/witness.ts';
import { createTenant, makeRoom, send, validRequest } from './contract-world.ts';

const service = await startOwnTestService();
const { context, clock, endpoints } = service;
const tenant = await createTenant(service);
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});

const { organizationId, integrator, keys } = tenant.shop;
const other = await createTenant(service);
const trading = await createTestShop(context, { integrator });
const staging = await createTestKeys(context, trading.organizationId, integrator, { environment: 'staging' });
const stagingIntegrator = await createTestIntegrator(context, 'staging');
const revoked = await createTestKeys(context, organizationId, integrator);
const usedThenRevoked = await createTestKeys(context, organizationId, integrator);
const expired = await createTestKeys(context, organizationId, integrator, { expiresAtMs: testNowMs - 1 });
const anyEndpoint = endpoints.find(({ kind, body }) => kind === 'read' && !body)!;
await send(service, anyEndpoint, validRequest(anyEndpoint, tenant), { keys: usedThenRevoked.keys });
for (const { id } of [revoked, usedThenRevoked]) {
  await revokeClientKey(context, testOrigin, organizationId, id);
}
// D9: a revoked key ends everywhere within a second.
clock.advance(1000);

const lastChanged = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
const badKeys: Readonly<Record<string, TestKeys>> = {
  'no keys': {},
  'only the consumer key': { consumerKey: keys.consumerKey },
  'only the client key': { clientKey: keys.clientKey },
  'empty keys': { consumerKey: '', clientKey: '' },
  'text that is no key': { consumerKey: 'x'.repeat(4000), clientKey: 'dck_live_' },
  'the keys exchanged': { consumerKey: keys.clientKey, clientKey: keys.consumerKey },
  'a client key of the other environment': staging.keys,
  'a consumer key of the other environment': { ...keys, consumerKey: stagingIntegrator.consumerKey },
  'an unknown client key': { ...keys, clientKey: lastChanged(keys.clientKey) },
  'an unknown consumer key': { ...keys, consumerKey: lastChanged(keys.consumerKey) },
  'a revoked client key': revoked.keys,
  'a client key that was revoked a second ago': usedThenRevoked.keys,
  'an expired client key': expired.keys,
  "another integrator's consumer key": { ...keys, consumerKey: other.shop.integrator.consumerKey },
};

async function keysWith(granted: readonly KeyPermission[]): Promise<{ readonly keys: TestKeys }> {
  const { clientKey } = await createClientKey(context, 'production', testOrigin, organizationId, {
    ...{ integratorId: integrator.id, name: 'Parts', expiresAtMs: null, strict: false, vouches: true },
    permissions: granted,
  });
  return { keys: { consumerKey: integrator.consumerKey, clientKey } };
}

/** They show or move the events of the key that made the webhook endpoint, here one with all permissions. */
const needsKeyOfEndpoint = new Set(['updateWebhookEndpoint', 'listWebhookDeliveries', 'sendWebhookAgain']);

/** What does not suffice: reading to write, writing to read. */
const otherPart = (kind: 'read' | 'write', permission: Permission): readonly KeyPermission[] =>
  namesEnough(kind === 'read' ? 'write' : 'read', permission).filter((name) => wholeOf(name) !== name);

test('permissions that write have a part for each, and every operation belongs to one of them by what it does', () => {
  for (const { id, method, kind, permission } of endpoints) {
    if (method === 'GET') expect([id, kind]).toEqual([id, 'read']);
    if (permission === null || kind === 'read') continue;
    const parts = [`${permission}:read`, `${permission}:write`];
    expect([id, parts.filter(isKeyPermission)]).toEqual([id, parts]);
  }
});

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test('answers every kind of bad keys with the same 401, and writes nothing', async () => {
    const before = await witness.contents();
    const bodies = new Set<string>();
    for (const [kind, bad] of Object.entries(badKeys)) {
      const reply = await send(service, endpoint, validRequest(endpoint, tenant), { keys: bad });
      expect([kind, reply.status]).toEqual([kind, 401]);
      bodies.add(reply.text);
    }
    expect([...bodies]).toEqual([
      JSON.stringify({
        error: {
          message: 'X-Consumer-Key and X-Client-Key must be valid and belong together.',
          code: 'INVALID_API_CREDENTIALS',
        },
      }),
    ]);
    expect(await witness.contents()).toEqual(before);
  });

  test('serves a key with only the needed part of its permission, and answers 403 to one with all others', async () => {
    const needed = endpoint.permission;
    const only = await keysWith(
      needsKeyOfEndpoint.has(endpoint.id)
        ? permissions
        : needed === null
          ? []
          : [namesEnough(endpoint.kind, needed).at(-1)!],
    );
    if (needed !== null) {
      const enough = [needed, endpoint.permissionForLess].filter((permission) => permission !== undefined);
      const others = await keysWith([
        ...permissions.filter((permission) => !enough.includes(permission)),
        ...enough.flatMap((permission) => otherPart(endpoint.kind, permission)),
      ]);
      const before = await witness.contents();
      const refused = await send(service, endpoint, validRequest(endpoint, tenant), { keys: others.keys });
      expect(refused).toMatchObject({ status: 403, error: { code: 'INSUFFICIENT_PERMISSIONS' } });
      expect(refused.error!.message).toContain(needed);
      expect(await witness.contents()).toEqual(before);
    }

    await makeRoom(service, endpoint, tenant);
    const served = await send(service, endpoint, validRequest(endpoint, tenant), { keys: only.keys });
    expect(served.status).toBe(endpoint.success.status);
  });
});

test('a key works until its expiry and not after, also while its look-up is cached', async () => {
  const { keys } = await createTestKeys(context, organizationId, integrator, {
    expiresAtMs: clock.now() + 500,
  });
  const ask = () => send(service, anyEndpoint, validRequest(anyEndpoint, tenant), { keys });
  expect((await ask()).status).toBe(200);
  clock.advance(499);
  expect((await ask()).status).toBe(200);
  clock.advance(1);
  expect((await ask()).status).toBe(401);
});
