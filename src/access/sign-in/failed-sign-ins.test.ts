import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { startOwnTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { bearerHeader } from '../../../test/harness/test-staff.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { createStaff } from '../staff/staff.ts';
import { signIn } from './sign-in.ts';

const service = await startOwnTestService({ rateLimits: 'on' });
const { clock, context, call } = service;
const shop = await createTestShop(context);
const witness = await openWitness(service.database);
afterEach(() => {
  expect(service.faults).toEqual([]);
  // Earlier attempts no longer count.
  clock.advance(3_600_000);
});
afterAll(async () => {
  await witness.end();
  await service.close();
});

const password = 'lemon grove 7';
let count = 0;
async function member() {
  const email = `member.${++count}@shop.example.com`;
  const [id] = await createStaff(context, testOrigin, shop.organizationId, [
    { email, firstName: 'Wilhelmina', lastName: 'Adair', role: 'manager', password },
  ]);
  return { id: id!, email };
}

const page = { host: 'localhost', origin: 'http://localhost' };
const attempt = (email: string, given = password, headers: Readonly<Record<string, string>> = {}) =>
  call('POST', '/staff/v1/sessions', { body: { email, password: given }, headers });
/** Signs in on a page of the console, with the browser's cookies. */
const browse = (email: string, given = password, device?: string) =>
  attempt(email, given, { ...page, ...(device !== undefined && { cookie: `a=b; ${device}` }) });
const cookiesOf = ({ headers }: TestReply) => [headers['set-cookie'] ?? []].flat().map(String);
const deviceOf = (reply: TestReply) =>
  cookiesOf(reply)
    .find((cookie) => cookie.startsWith('dispensary_device='))
    ?.split(';')[0];

/** Guesses from other addresses, until all further ones are refused. */
async function guess(email: string) {
  for (let tries = 0; tries < 10; tries++) expect((await attempt(email, 'wrong')).status).toBe(401);
  expect((await attempt(email)).status).toBe(429);
}

test('guesses by others block neither a sign-in from a known browser nor a password change', async () => {
  const { email } = await member();
  const first = await browse(email);
  expect(cookiesOf(first)[1]).toMatch(
    /^dispensary_device=dcv_live_[0-9A-Za-z]{38}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=34560000$/,
  );
  const device = deviceOf(first);
  const signedIn = bearerHeader(first.data.token);
  await guess(email);
  expect((await browse(email)).status).toBe(429);
  const again = await browse(email, password, device);
  expect([again.status, deviceOf(again)]).toEqual([201, undefined]);

  // The password change has a limit per session.
  const change = (currentPassword: string) =>
    call('POST', '/staff/v1/me/password', {
      body: { currentPassword, newPassword: password },
      headers: signedIn,
    });
  expect((await change(password)).status).toBe(204);
  for (let tries = 0; tries < 10; tries++) expect((await change('wrong')).status).toBe(400);
  expect((await change(password)).status).toBe(429);
});

test('guesses from a known browser are limited too, and it is known for its own accounts only', async () => {
  const [one, other, stranger] = [await member(), await member(), await member()];
  const device = deviceOf(await browse(one.email))!;
  // Two people share it: it stays one device.
  expect(deviceOf(await browse(other.email, password, device))).toBeUndefined();
  await guess(one.email);
  for (const { email } of [one, other]) expect((await browse(email, password, device)).status).toBe(201);
  const ofStranger = deviceOf(await browse(stranger.email));
  expect((await browse(one.email, password, ofStranger)).status).toBe(429);
  for (let tries = 0; tries < 10; tries++) {
    expect((await browse(one.email, 'wrong', device)).status).toBe(401);
  }
  expect((await browse(one.email, password, device)).status).toBe(429);
  expect((await browse(other.email, password, device)).status).toBe(201);
});

test('only browsers get a device token, and only issued tokens count', async () => {
  const { email } = await member();
  expect(deviceOf(await attempt(email))).toBeUndefined();
  const device = deviceOf(await browse(email))!;
  const forged = device.slice(0, -1) + (device.endsWith('0') ? '1' : '0');
  await guess(email);
  for (const wrong of [
    forged,
    'dispensary_device=',
    `dispensary_device=${device.slice(18).replace('dcv', 'dcs')}`,
  ]) {
    expect([wrong, (await browse(email, password, wrong)).status]).toEqual([wrong, 429]);
  }
  const stored = await witness.query('select t::text as text from staff_devices t');
  expect(JSON.stringify(stored)).not.toContain(device.slice(27, 50));
});

test('devices are deleted when the password changes, and when the member is disabled', async () => {
  const { id, email } = await member();
  const owner = await service.staff(shop);
  const known = async () => {
    const rows = await witness.query('select 1 from staff_devices where staff_id = $1', [id]);
    return rows.length;
  };
  const device = deviceOf(await browse(email))!;
  await browse(email);
  const { token } = (await browse(email, password, device)).data;
  expect(await known()).toBe(2);
  await call('POST', '/staff/v1/me/password', {
    body: { currentPassword: password, newPassword: password },
    headers: { ...bearerHeader(token), cookie: device },
  });
  // The device of the password change stays.
  expect([await known(), deviceOf(await browse(email, password, device))]).toEqual([1, undefined]);
  await owner.call('PATCH', `/staff/v1/staff/${id}`, { disabled: true });
  expect(await known()).toBe(0);
  await owner.call('PATCH', `/staff/v1/staff/${id}`, { disabled: false });
  expect(deviceOf(await browse(email, password, device))).toBeDefined();
  const { inviteToken } = (await owner.call('POST', `/staff/v1/staff/${id}/invite`)).data;
  await call('POST', '/staff/v1/staff/accept-invite', { body: { token: inviteToken, password } });
  expect(await known()).toBe(0);
});

test('an account keeps its last twenty devices, for 400 days', async () => {
  const { id, email } = await member();
  const device = deviceOf(await browse(email))!;
  await witness.query(
    `insert into staff_devices select sha256(n::text::bytea), $1, $2, used_at + n * interval '1 s'
       from staff_devices, generate_series(1, 30) n where staff_id = $2`,
    [shop.organizationId, id],
  );
  clock.advance(600_000);
  await browse(email, password, device);
  const [{ kept }] = await witness.query(
    'select count(*)::int as kept from staff_devices where staff_id = $1',
    [id],
  );
  expect(kept).toBe(20);
  clock.advance(400 * 86_400_000);
  expect(deviceOf(await browse(email, password, device))).toBeDefined();
});

test('a failed sign-in is in the audit log of the account, with the client address', async () => {
  const { id, email } = await member();
  const service2 = await startOwnTestService({
    database: service.database,
    clock,
    trustedProxies: ['127.0.0.1'],
  });
  for (const tried of [email, 'unknown@shop.example.com']) {
    await service2.call('POST', '/staff/v1/sessions', {
      body: { email: tried, password: 'wrong' },
      headers: { 'x-forwarded-for': '2001:db8::9', 'x-request-id': 'failed-sign-in' },
    });
  }
  const owner = await service.staff(shop);
  const entries = () =>
    owner.call('GET', '/staff/v1/audit-log', undefined, { query: { actor: 'visitor:not-signed-in' } });
  // It is written after the reply.
  await vi.waitFor(async () =>
    expect((await entries()).data[0]).toMatchObject({
      actor: 'visitor:not-signed-in',
      actorName: 'Not signed in',
      action: 'staff.sign_in_failed',
      subjectType: 'staff',
      subjectId: String(id),
      details: { staffId: id, networkAddress: '2001:db8::9' },
      requestId: 'failed-sign-in',
    }),
  );
  await service2.close();
});

test('a failed sign-in is logged with address and accounts, without the typed text', async () => {
  const { id, email } = await member();
  const lines: unknown[][] = [];
  const log = { warn: (...line: unknown[]) => lines.push(line) } as never;
  const requester = {
    ...{ requestId: 'r', log, clientAddress: '192.0.2.7', userAgent: null, isFromOwnPage: false },
    cookie: () => undefined,
    countAttempt: async () => ({ giveBack: () => {} }),
    tryToCount: async () => ({ giveBack: () => {} }),
  };
  for (const tried of [email, 'unknown@shop.example.com']) {
    const failing = signIn(context, 'production', { email: tried, password: 'wrong' }, requester);
    await expect(failing).rejects.toMatchObject({ code: 'INVALID_API_CREDENTIALS' });
  }
  expect(lines).toEqual([
    [{ from: '192.0.2.7', staffIds: [id] }, 'sign-in failed'],
    [{ from: '192.0.2.7', staffIds: [] }, 'sign-in failed'],
  ]);
});
