import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { createClientKey } from './create-client-key.ts';
import { createIntegrator } from './create-integrator.ts';
import { listIntegrators } from './list-integrators.ts';
import { revokeIntegrator } from './revoke-integrator.ts';
import { rotateConsumerKey } from './rotate-consumer-key.ts';

const service = await startTestService();
const { clock, context } = service;
const shop = await createTestShop(context);
const other = await createTestShop(context);
const organizations = [shop.organizationId, other.organizationId];
afterAll(() => service.close());

/** An integrator with a key of each shop. */
async function register(name: string) {
  const { id, consumerKey } = await createIntegrator(context, 'production', name);
  const clientKeys = [];
  for (const organization of organizations) {
    const settings = {
      integratorId: id,
      name: 'Web shop',
      permissions: ['menu'],
      expiresAtMs: null,
    } as const;
    clientKeys.push(await createClientKey(context, 'production', testOrigin, organization, settings));
  }
  return { id, name, consumerKey, clientKeys };
}

type Registered = Awaited<ReturnType<typeof register>>;

async function works({ clientKeys }: Registered, consumerKey: string): Promise<boolean> {
  const keys = { consumerKey, clientKey: clientKeys[0]!.clientKey };
  return (await service.call('GET', '/api/v1/whoami', { keys })).status === 200;
}

const listed = async (id: number) => (await listIntegrators(context)).find((row) => row.id === id);

test('after a rotation both consumer keys work until the overlap ends, and then only the new one', async () => {
  const integrator = await register('Corner Cart');
  const { id, consumerKey: first } = integrator;
  const rotate = (overlapHours: number) => rotateConsumerKey(context, 'production', id, overlapHours);
  const madeAt = new Date(clock.now()).toISOString();
  expect(await listed(id)).toEqual({
    ...{ id, name: 'Corner Cart', keyPrefix: first.slice(0, 13), keyCreatedAt: madeAt, createdAt: madeAt },
    ...{ previousEndsAt: null, revokedAt: null },
  });
  clock.advance(60_000);
  const { consumerKey: second, previousEndsAt } = await rotate(1);
  const rotatedAt = new Date(clock.now()).toISOString();
  expect(previousEndsAt).toBe(new Date(clock.now() + 3_600_000).toISOString());
  expect(await listed(id)).toMatchObject({
    ...{ keyPrefix: second.slice(0, 13), keyCreatedAt: rotatedAt, createdAt: madeAt, previousEndsAt },
  });
  expect([await works(integrator, first), await works(integrator, second)]).toEqual([true, true]);

  // A lost key is rotated again: the longer overlap neither extends nor shortens the first key.
  const { consumerKey: third } = await rotate(2);
  clock.advance(3_600_000 - 1);
  const working = () => Promise.all([first, second, third].map((key) => works(integrator, key)));
  expect(await working()).toEqual([true, true, true]);
  clock.advance(1);
  expect(await working()).toEqual([false, true, true]);
  clock.advance(3_600_000);
  expect(await working()).toEqual([false, false, true]);

  const { consumerKey: fourth } = await rotate(0);
  clock.advance(1_000);
  expect([await works(integrator, third), await works(integrator, fourth)]).toEqual([false, true]);
});

test('two concurrent rotations both return a working consumer key, and one of them stays', async () => {
  const integrator = await register('Side Cart');
  const rotated = await Promise.all(
    [1, 2].map(() => rotateConsumerKey(context, 'production', integrator.id, 1)),
  );
  const working = () => Promise.all(rotated.map(({ consumerKey }) => works(integrator, consumerKey)));
  expect(await working()).toEqual([true, true]);
  clock.advance(3_600_000);
  expect((await working()).toSorted()).toEqual([false, true]);
});

test('revoking an integrator ends its keys within a second, and shows in the keys and the audit of each organization', async () => {
  const integrator = await register('Late Cart');
  const { id, consumerKey: first, clientKeys } = integrator;
  const bystander = await register('Calm Cart');
  const { consumerKey: second } = await rotateConsumerKey(context, 'production', id, 24);
  expect([await works(integrator, first), await works(integrator, second)]).toEqual([true, true]);
  const revoked = await revokeIntegrator(context, testOrigin, organizations, id);
  expect(revoked).toEqual({
    revokedAt: new Date(clock.now()).toISOString(),
    clientKeys: clientKeys.map((key, at) => ({ organizationId: organizations[at], id: key.id })),
  });
  clock.advance(1_000);
  expect([await works(integrator, first), await works(integrator, second)]).toEqual([false, false]);
  expect(await works(bystander, bystander.consumerKey)).toBe(true);
  for (const [at, place] of [shop, other].entries()) {
    const owner = await service.staff(place);
    const { data } = await owner.call('GET', '/staff/v1/client-keys');
    expect(data.find((key: { id: number }) => key.id === clientKeys[at]!.id)).toMatchObject({
      revokedAt: revoked.revokedAt,
    });
    const query = { subjectType: 'client_key', subjectId: String(clientKeys[at]!.id) };
    const { data: entries } = await owner.call('GET', '/staff/v1/audit-log', undefined, { query });
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'client_key.revoked',
      'client_key.created',
    ]);
    expect((await owner.call('GET', '/staff/v1/integrators')).text).not.toContain('Late Cart');
  }

  // Revoking again changes nothing and cannot be undone.
  expect(await revokeIntegrator(context, testOrigin, organizations, id)).toEqual({
    ...revoked,
    clientKeys: [],
  });
  await expect(rotateConsumerKey(context, 'production', id, 1)).rejects.toThrow('is unknown');
  expect(await listed(id)).toMatchObject({ name: 'Late Cart', revokedAt: revoked.revokedAt });
});

test('an unknown integrator cannot be rotated or revoked', async () => {
  const unknownId = 9_007_199_254_740_000;
  await expect(rotateConsumerKey(context, 'production', unknownId, 1)).rejects.toThrow('is unknown');
  await expect(revokeIntegrator(context, testOrigin, organizations, unknownId)).rejects.toThrow('is unknown');
});
