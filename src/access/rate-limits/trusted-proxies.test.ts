import { request as httpRequest } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { keyHeaders, startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { updateSignInRules } from '../sign-in/staff-sign-in.ts';
import { createStaff } from '../staff/staff.ts';

/* One service behind a trusted loopback proxy, one without trusted proxies. */

const service = await startOwnTestService({ trustedProxies: ['127.0.0.1'], rateLimits: 'on' });
const plain = await startOwnTestService({ database: service.database, rateLimits: 'on' });
const shop = await createTestShop(service.context);
const owner = await service.staff(shop);
afterAll(async () => {
  await plain.close();
  await service.close();
});
const { consumerKey } = shop.integrator;

async function keyFrom(...allowedAddresses: string[]): Promise<string> {
  const { integrator } = shop;
  const body = { integratorId: integrator.id, name: 'Web shop', permissions: ['menu'], allowedAddresses };
  return (await owner.call('POST', '/staff/v1/client-keys', body)).data.clientKey;
}

const whoAmI = async (clientKey: string, forwarded: string, of = service) =>
  (
    await of.call('GET', '/api/v1/whoami', {
      keys: { consumerKey, clientKey },
      headers: { 'x-forwarded-for': forwarded },
    })
  ).status;

test('a key with an address list is valid from a listed address behind a trusted proxy', async () => {
  const clientKey = await keyFrom('203.0.113.0/24', '2001:db8::/32');
  expect(await whoAmI(clientKey, '203.0.113.7')).toBe(200);
  expect(await whoAmI(clientKey, '2001:db8::9')).toBe(200);
  expect(await whoAmI(clientKey, '198.51.100.1')).toBe(401);
  // The sender's entries come before the proxy's.
  expect(await whoAmI(clientKey, '203.0.113.7, 198.51.100.1')).toBe(401);
  expect(await whoAmI(clientKey, 'junk')).toBe(401);
});

test('the header of an untrusted address is ignored', async () => {
  const clientKey = await keyFrom('203.0.113.7');
  expect(await whoAmI(clientKey, '203.0.113.7', plain)).toBe(401);
  expect(await whoAmI(await keyFrom('127.0.0.1'), '203.0.113.7', plain)).toBe(200);
});

test('several headers form one list, in their order', async () => {
  const { baseUrl } = await service.listen();
  const clientKey = await keyFrom('203.0.113.7');
  const ask = (...forwarded: string[]) =>
    new Promise<number>((resolve, reject) => {
      const headers = { ...keyHeaders({ consumerKey, clientKey }), 'x-forwarded-for': forwarded };
      const asking = httpRequest(`${baseUrl}/api/v1/whoami`, {
        headers: { ...headers, connection: 'close' },
      });
      asking.on('response', (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      asking.on('error', reject).end();
    });
  expect(await ask('198.51.100.1', '203.0.113.7')).toBe(200);
  expect(await ask('203.0.113.7', '198.51.100.1')).toBe(401);
});

test('wrong keys count for their sender, not for the proxy, and cannot count for another address', async () => {
  const wrong = (forwarded: string, of = service) => whoAmI('dck_live_wrong', forwarded, of);
  // Requests of other tests no longer count.
  for (const { clock } of [service, plain]) clock.advance(60_000);
  for (let at = 0; at < 20; at++) expect(await wrong('203.0.113.50')).toBe(401);
  expect(await wrong('203.0.113.50')).toBe(429);
  expect(await wrong('203.0.113.51, 203.0.113.50')).toBe(429);
  expect(await wrong('203.0.113.50:4711')).toBe(429);
  expect(await wrong('203.0.113.51')).toBe(401);
  for (let at = 0; at < 20; at++) expect(await wrong(`203.0.113.${at}`, plain)).toBe(401);
  expect(await wrong('203.0.113.99', plain)).toBe(429);
});

test('staff sign in and act from the addresses of their organization only, and no owner locks themself out', async () => {
  for (const { clock } of [service, plain]) clock.advance(600_000);
  const guarded = await createTestShop(service.context);
  const boss = await service.staff(guarded);
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const [office, home] = ['203.0.113.7', '198.51.100.1'];
  const set = (allowedAddresses: string[], address = office) =>
    boss.call('PATCH', '/staff/v1/sign-in-rules', { allowedAddresses }, from(address));
  const wrong = await set(['203.0.113.0/33']);
  expect([wrong.status, wrong.error?.code]).toEqual([400, 'INVALID_PARAMS']);
  const lockedOut = await set(['203.0.113.0/24'], home);
  expect([lockedOut.status, lockedOut.error?.code, lockedOut.error?.meta]).toEqual([
    ...[422, 'OWN_ADDRESS_MISSING', { address: home }],
  ]);
  expect((await set(['203.0.113.0/24', '2001:db8::/32'])).data.allowedAddresses).toHaveLength(2);
  service.clock.advance(1_000);
  const read = (address: string) => boss.call('GET', '/staff/v1/me', undefined, from(address));
  expect((await read(office)).status).toBe(200);
  expect((await read('2001:db8::9')).status).toBe(200);
  for (const address of [home, `${office}, ${home}`, 'junk']) {
    const reply = await read(address);
    expect([address, reply.status, reply.error?.code]).toEqual([address, 403, 'ADDRESS_NOT_ALLOWED']);
  }

  const [email, password] = ['guarded@shop.example.com', 'quiet harbor lantern 41'];
  await createStaff(service.context, testOrigin, guarded.organizationId, [
    { email, firstName: 'Ines', lastName: 'Marchetti', role: 'budtender', password },
  ]);
  const signIn = (address: string, typed = password) =>
    service.call('POST', '/staff/v1/sessions', { body: { email, password: typed }, ...from(address) });
  expect((await signIn(office)).status).toBe(201);
  expect((await signIn(home, 'wrong')).status).toBe(401);
  expect((await signIn(home)).error?.code).toBe('ADDRESS_NOT_ALLOWED');
  const failed = () =>
    tenantSql(
      service.context.database,
      guarded.organizationId,
      "select details from audit_entries where action = 'staff.sign_in_failed'",
    );
  await expect.poll(async () => (await failed()).length).toBe(2);

  // As the command of the operator does.
  await updateSignInRules(service.context, testOrigin, guarded.organizationId, { allowedAddresses: [] });
  expect((await read(home)).status).toBe(200);
});
