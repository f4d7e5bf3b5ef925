import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { mailsOf } from '../../../test/harness/test-mails.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { Database } from '../../platform/database/database.ts';
import { selectOrganizationsWithEndingKeys } from './client-key-queries.ts';
import { listClientKeys } from './list-client-keys.ts';
import { remindOfKeys } from './remind-of-keys.ts';

const service = await startOwnTestService();
const limited = await startOwnTestService({ database: service.database, rateLimits: 'on' });
const { clock } = service;
const shop = await createTestShop(service.context);
const stranger = await createTestShop(service.context);
afterAll(async () => {
  await limited.close();
  await service.close();
});

const { id: integratorId, name: integratorName, consumerKey } = shop.integrator;
const owner = await service.staff(shop);
const body = { integratorId, name: 'Web shop', permissions: ['create-orders'] };

async function make(changes: object = {}) {
  const { status, data, error } = await owner.call('POST', '/staff/v1/client-keys', { ...body, ...changes });
  expect([status, error]).toEqual([201, undefined]);
  return data;
}
const whoAmI = (clientKey: string) =>
  service.call('GET', '/api/v1/whoami', { keys: { consumerKey, clientKey } });
const listed = async (id: number) => {
  const { data } = await owner.call('GET', '/staff/v1/client-keys');
  return data.find((key: { id: number }) => key.id === id);
};

test('a new key can retrieve its identity (D57)', async () => {
  const { id, clientKey } = await make({ expiresAt: '2026-04-01T00:00:00.000Z', strict: true });
  const reply = await limited.call('GET', '/api/v1/whoami', { keys: { consumerKey, clientKey } });
  expect(reply.data).toEqual({
    organization: { id: shop.organizationId, name: 'Test Shop', tz: 'America/Los_Angeles', state: 'OK' },
    integrator: { id: integratorId, name: integratorName },
    environment: 'production',
    sandbox: false,
    key: {
      id,
      name: 'Web shop',
      permissions: ['create-orders'],
      strict: true,
      customers: 'proven',
      createdAt: new Date(clock.now()).toISOString(),
      expiresAt: '2026-04-01T00:00:00.000Z',
      previousEndsAt: null,
    },
    rateLimits: { menuRequestsPerSecond: 4, otherRequestsPerSecond: 15, otherRequestsLeft: 29 },
  });
  expect((await whoAmI(clientKey)).data.rateLimits.otherRequestsLeft).toBeNull();
  expect((await service.call('GET', '/api/v1/whoami')).status).toBe(401);
});

test('the requests of a key count at both addresses together (D1, D10)', async () => {
  const { clientKey } = await make({ permissions: ['menu'] });
  const left = async (address: 'base' | 'menu') => {
    const { headers } = await limited.call('GET', '/api/v1/menu', {
      keys: { consumerKey, clientKey },
      address,
    });
    return headers['ratelimit-remaining'];
  };
  expect([await left('base'), await left('menu'), await left('base')]).toEqual(['7', '6', '5']);
});

test('a key is shown when it is created and never again', async () => {
  const made = await make();
  expect(made.clientKey).toMatch(/^dck_live_/);
  const list = await owner.call('GET', '/staff/v1/client-keys');
  expect(list.text).not.toContain(made.clientKey);
  const { clientKey: _, ...shown } = made;
  expect(await listed(made.id)).toEqual({ ...shown, keyPrefix: made.clientKey.slice(0, 13) });
});

test('integrators can be chosen from a list without their keys', async () => {
  const { data } = await owner.call('GET', '/staff/v1/integrators');
  expect(data).toContainEqual({ id: integratorId, name: integratorName });
});

test('a key without permissions can only retrieve its identity', async () => {
  const { clientKey, permissions } = await make({ permissions: [] });
  expect(permissions).toEqual([]);
  expect((await whoAmI(clientKey)).data.key.permissions).toEqual([]);
  for (const path of ['/api/v1/orders', '/api/v1/menu', '/api/v1/product-categories']) {
    const reply = await service.call('GET', path, { keys: { consumerKey, clientKey } });
    expect([path, reply.status]).toEqual([path, 403]);
  }
});

test('a part of a permission is granted alone, and not beside its whole', async () => {
  const granted = async (...permissions: string[]) => (await make({ permissions })).permissions;
  expect(await granted('customers:read', 'menu')).toEqual(['customers:read', 'menu']);
  expect(await granted('customers:read', 'customers', 'customers')).toEqual(['customers']);
});

test('an invalid field is refused by its name, and no key is created', async () => {
  const before = (await owner.call('GET', '/staff/v1/client-keys')).text;
  for (const [changes, message] of [
    [{ expiresAt: new Date(clock.now()).toISOString() }, /^expiresAt/],
    [{ allowedAddresses: ['203.0.113.7', '203.0.113.0/40'] }, /^allowedAddresses\[1\]/],
    [{ permissions: Array<string>(12).fill('menu') }, /^permissions/],
    [{ permissions: ['menu:write'] }, /^permissions/],
    [{ permissions: ['everything'] }, /^permissions/],
    [{ integratorId: 9_007_199_254_740_000 }, /^integratorId/],
  ] as const) {
    const { status, error } = await owner.call('POST', '/staff/v1/client-keys', { ...body, ...changes });
    expect([changes, status, error?.code]).toEqual([changes, 400, 'INVALID_PARAMS']);
    expect(error!.message).toMatch(message);
  }
  expect((await owner.call('GET', '/staff/v1/client-keys')).text).toBe(before);
});

test('after a rotation both keys work until the overlap ends, and then only the new one', async () => {
  const { id, clientKey: first } = await make();
  expect((await whoAmI(first)).status).toBe(200);
  const rotate = async (overlapHours: number) =>
    (await owner.call('POST', `/staff/v1/client-keys/${id}/rotate`, { overlapHours })).data;
  const { clientKey: second, previousEndsAt } = await rotate(1);
  expect(previousEndsAt).toBe(new Date(clock.now() + 3_600_000).toISOString());
  expect((await whoAmI(first)).data.key).toEqual((await whoAmI(second)).data.key);
  expect((await whoAmI(second)).data.key.previousEndsAt).toBe(previousEndsAt);

  // A longer overlap of the next rotation does not extend the first key.
  const { clientKey: third } = await rotate(2);
  clock.advance(3_600_000 - 1);
  expect((await whoAmI(first)).status).toBe(200);
  clock.advance(1);
  const works = async () =>
    Promise.all([first, second, third].map(async (key) => (await whoAmI(key)).status === 200));
  expect(await works()).toEqual([false, true, true]);
  clock.advance(3_600_000);
  expect(await works()).toEqual([false, false, true]);

  const { clientKey: fourth } = await rotate(0);
  clock.advance(1000);
  expect([(await whoAmI(third)).status, (await whoAmI(fourth)).status]).toEqual([401, 200]);
});

test('two concurrent rotations both return a working key', async () => {
  const { id } = await make();
  const rotated = await Promise.all(
    [1, 2].map(() => owner.call('POST', `/staff/v1/client-keys/${id}/rotate`, { overlapHours: 1 })),
  );
  for (const { data } of rotated) expect((await whoAmI(data.clientKey)).status).toBe(200);
});

test('revoking ends a key and its previous text within a second, and a revoked key cannot be rotated', async () => {
  const { id, clientKey: first } = await make();
  const rotate = () => owner.call('POST', `/staff/v1/client-keys/${id}/rotate`, { overlapHours: 24 });
  const { clientKey: second } = (await rotate()).data;
  for (const key of [first, second]) expect((await whoAmI(key)).status).toBe(200);
  const revoked = await owner.call('POST', `/staff/v1/client-keys/${id}/revoke`);
  expect([revoked.status, revoked.data.revokedAt]).toEqual([200, new Date(clock.now()).toISOString()]);
  clock.advance(1000);
  for (const key of [first, second]) expect((await whoAmI(key)).status).toBe(401);
  expect((await rotate()).error?.code).toBe('CLIENT_KEY_ENDED');
  const again = await owner.call('POST', `/staff/v1/client-keys/${id}/revoke`);
  expect([again.status, again.data.revokedAt]).toEqual([200, revoked.data.revokedAt]);
});

test('a key is refused from other addresses with the 401 of an unknown key', async () => {
  const { clientKey: elsewhere } = await make({ allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'] });
  const { clientKey: here } = await make({ allowedAddresses: ['127.0.0.0/8'] });
  const refused = await whoAmI(elsewhere);
  const unknown = await whoAmI(`${here.slice(0, -1)}${here.endsWith('0') ? 1 : 0}`);
  expect([refused.status, refused.text]).toEqual([401, unknown.text]);
  expect((await whoAmI(here)).status).toBe(200);
});

test('the last use of a key is written in the background, and never goes back', async () => {
  const { id, clientKey } = await make();
  const usedAt = new Date(clock.now()).toISOString();
  await whoAmI(clientKey);
  expect((await listed(id)).lastUsedAt).toBeNull();
  await service.keyUses.write();
  expect((await listed(id)).lastUsedAt).toBe(usedAt);
  service.keyUses.note(shop.organizationId, id, clock.now() - 60_000);
  await service.keyUses.write();
  expect((await listed(id)).lastUsedAt).toBe(usedAt);
});

test('a key shows its last five addresses, the latest first, one of web pages none', async () => {
  const { id, clientKey } = await make();
  await whoAmI(clientKey);
  for (const end of [7, 8, 7, 9, 10]) {
    service.keyUses.note(shop.organizationId, id, clock.now(), `203.0.113.${end}`);
    if (end === 8) await service.keyUses.write();
  }
  await service.keyUses.write();
  const addresses = [10, 9, 7, 8].map((end) => `203.0.113.${end}`);
  expect((await listed(id)).lastAddresses).toEqual([...addresses, '127.0.0.1']);
  service.keyUses.note(shop.organizationId, id, clock.now());
  service.keyUses.note(shop.organizationId, id, clock.now(), '2001:db8::1');
  await service.keyUses.write();
  expect((await listed(id)).lastAddresses).toEqual(['2001:db8::1', ...addresses]);
});

test("the operator's list has every key of an organization with its state, without its text", async () => {
  const expiring = await make({ expiresAt: new Date(clock.now() + 60_000).toISOString() });
  const lasting = await make();
  const revoked = await make();
  await owner.call('POST', `/staff/v1/client-keys/${revoked.id}/revoke`);
  clock.advance(60_000);
  const keys = await listClientKeys(service.context, shop.organizationId);
  const made = [expiring, lasting, revoked];
  expect(keys.filter(({ id }) => made.some((key) => key.id === id))).toMatchObject([
    { id: expiring.id, integratorId, integratorName, name: 'Web shop', state: 'expired' },
    { id: lasting.id, permissions: ['create-orders'], keyPrefix: lasting.keyPrefix, state: 'active' },
    { id: revoked.id, state: 'revoked' },
  ]);
  for (const { clientKey } of made) expect(JSON.stringify(keys)).not.toContain(clientKey);
  expect(await listClientKeys(service.context, stranger.organizationId)).not.toContainEqual(
    expect.objectContaining({ id: lasting.id }),
  );
});

test('an owner is told two weeks before a key ends, and which keys nothing has used for 90 days', async () => {
  const dayMs = 86_400_000;
  const ending = await make({
    name: 'Ending soon',
    expiresAt: new Date(clock.now() + 114 * dayMs).toISOString(),
  });
  const [used, idle, revoked] = [await make(), await make(), await make()];
  await owner.call('POST', `/staff/v1/client-keys/${revoked.id}/revoke`);
  const attentions = async () => {
    // A session ends while nothing uses it.
    const { data } = await (await service.staff(shop)).call('GET', '/staff/v1/client-keys');
    const key = (id: number) => data.find((other: { id: number }) => other.id === id);
    return [ending, used, idle, revoked].map(({ id }) => key(id).attention);
  };
  const warned = async () =>
    (await (await service.staff(shop)).call('GET', '/staff/v1/organization')).data.warnings.filter(
      (line: string) => line.includes('Ending soon'),
    );
  expect([await attentions(), await warned()]).toEqual([[null, null, null, null], []]);
  clock.advance(91 * dayMs);
  await whoAmI(used.clientKey);
  await service.keyUses.write();
  expect(await attentions()).toEqual(['unused', null, 'unused', null]);
  clock.advance(10 * dayMs);
  expect(await attentions()).toEqual(['expires-soon', null, 'unused', null]);
  expect(await warned()).toEqual([expect.stringMatching(/^The client key Ending soon of .+ ends on \d{4}-/)]);
  clock.advance(14 * dayMs);
  expect((await attentions())[0]).toBeNull();
});

test('two weeks before a key ends each owner gets one mail, and the audit log an entry', async () => {
  const dayMs = 86_400_000;
  const other = await createTestShop(service.context);
  const theirs = await service.staff(other);
  await tenantSql(
    service.context.database,
    other.organizationId,
    "update staff_members set password_hash = 'x' where id = $1",
    theirs.staffId,
  );
  const issue = async (name: string, days: number) => {
    const expiresAt = new Date(clock.now() + days * dayMs).toISOString();
    const given = { ...body, integratorId: other.integrator.id, name, expiresAt };
    return (await theirs.call('POST', '/staff/v1/client-keys', given)).data.id as number;
  };
  const [ending] = [await issue('Web shop', 15), await issue('Later', 30), await issue('For a week', 7)];
  const remind = () => Promise.all([1, 2].map(() => remindOfKeys(service.context, other.organizationId)));
  const mails = async () =>
    (await mailsOf(service.context, other.organizationId)).filter(({ kind }) => kind === 'keys-ending');
  await remind();
  expect(await mails()).toEqual([]);
  clock.advance(dayMs + 1);
  const operator = new Database(service.database.owner, 1);
  const waiting = () => {
    const ending = { at: isoTimestamp(clock.now()), days: 14 };
    return operator.global(selectOrganizationsWithEndingKeys(ending));
  };
  expect(await waiting()).toContainEqual({ id: other.organizationId });
  await remind();
  await remind();
  expect(await waiting()).not.toContainEqual({ id: other.organizationId });
  await operator.close();
  expect(await mails()).toMatchObject([
    {
      recipient: theirs.email,
      subject: 'A key of Test Shop ends soon',
      text: expect.stringMatching(/The client key Web shop of .+ ends on \d{4}-\d\d-\d\d\./),
    },
  ]);
  const events = await tenantSql(
    service.context.database,
    other.organizationId,
    "select subject_id from audit_entries where action = 'client_key.reminded'",
  );
  expect(events).toEqual([{ subject_id: String(ending) }]);
});
