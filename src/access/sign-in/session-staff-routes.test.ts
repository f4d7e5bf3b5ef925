import { afterAll, expect, test } from 'vitest';
import { startOwnTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { bearerHeader } from '../../../test/harness/test-staff.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import { createStaff } from '../staff/staff.ts';

const service = await startOwnTestService();
const { clock, context, call } = service;
const [shop, otherShop] = [await createTestShop(context), await createTestShop(context)];
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
let count = 0;

/** A member of staff who can sign in. */
async function member(
  password: string | null,
  role: StaffRole = 'manager',
  organization = shop.organizationId,
) {
  const email = `Member.${++count}@Shop.example.com`;
  const [id] = await createStaff(context, testOrigin, organization, [
    { email, firstName: 'Wilhelmina', lastName: 'Adair', role, password },
  ]);
  return { id: id!, email };
}

const signIn = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  call('POST', '/staff/v1/sessions', { body, headers });
const me = (headers: Readonly<Record<string, string>>) => call('GET', '/staff/v1/me', { headers });
const cookieOf = ({ headers }: TestReply) => String(headers['set-cookie']).split(';')[0]!;
const refusalOf = ({ status, error }: TestReply) => `${status} ${error?.code}`;

test('email and password sign in, by token and by cookie, until signing out', async () => {
  const { id, email } = await member('lemon grove 7');
  const signedIn = await signIn({ email: `  ${email.toUpperCase()} `, password: 'lemon grove 7' });
  const staff = { id, email, firstName: 'Wilhelmina', lastName: 'Adair', role: 'manager' };
  expect(signedIn).toMatchObject({ status: 201, data: { staff } });
  const { token } = signedIn.data;
  expect(token).toMatch(/^dcs_live_[0-9A-Za-z]{38}$/);
  expect(signedIn.headers['set-cookie']).toBe(`dispensary_session=${token}; Path=/; HttpOnly; SameSite=Lax`);

  const { organizationId } = shop;
  const organization = {
    id: organizationId,
    name: 'Test Shop',
    state: expect.any(String),
    tz: 'America/Los_Angeles',
    businessDayStartsAt: '00:00',
    suspension: null,
  };
  for (const headers of [bearerHeader(token), { cookie: `a=b; ${cookieOf(signedIn)}; c=d` }]) {
    expect((await me(headers)).data).toEqual({ staff, organization, mustSetUpFactor: false });
  }
  const out = await call('DELETE', '/staff/v1/sessions/current', { headers: bearerHeader(token) });
  expect([out.status, out.text]).toEqual([204, '']);
  expect(out.headers['set-cookie']).toContain(
    'dispensary_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
  );
  // At once, although the clock stands still since the last use of the session.
  expect(refusalOf(await me(bearerHeader(token)))).toBe('401 INVALID_API_CREDENTIALS');
});

test('with TLS the cookie is restricted to TLS and this host, and browsers get HSTS', async () => {
  const { email } = await member('x');
  const behindTls = await startOwnTestService({
    database: service.database,
    publicUrl: 'https://shop.example.com',
  });
  const reply = await behindTls.call('POST', '/staff/v1/sessions', { body: { email, password: 'x' } });
  const { token } = reply.data;
  const rest = 'Path=/; HttpOnly; Secure; SameSite=Lax';
  expect(reply.headers['set-cookie']).toBe(`__Host-dispensary_session=${token}; ${rest}`);
  expect(reply.headers['strict-transport-security']).toBe('max-age=31536000');
  const headers = { cookie: cookieOf(reply), origin: 'https://shop.example.com' };
  const out = await behindTls.call('DELETE', '/staff/v1/sessions/current', { headers });
  expect([out.status, out.headers['set-cookie']]).toEqual([
    204,
    `__Host-dispensary_session=; ${rest}; Max-Age=0`,
  ]);
  expect((await me({})).headers['strict-transport-security']).toBeUndefined();
  // The same database stays open for the others.
  await behindTls.close();
});

test('an unknown email, a wrong password, no password and a disabled account get the same 401', async () => {
  const [known, without, disabled] = [await member('right'), await member(null), await member('right')];
  await witness.query(
    'update staff_members set disabled_at = now() where id = $1',
    [disabled.id],
    shop.organizationId,
  );
  const contents = async () =>
    Object.fromEntries(
      Object.entries(await witness.contents()).filter(([table]) => !/^(audit|outbox)/.test(table)),
    );
  const before = await contents();
  const bodies = new Set<string>();
  for (const body of [
    { email: 'unknown@shop.example.com', password: 'right' },
    { email: known.email, password: 'Right' },
    { email: known.email, password: 'right', organizationId: otherShop.organizationId },
    { email: known.email, password: 'right', organizationId: 9_007_199_254_740_000 },
    { email: without.email, password: 'right' },
    { email: disabled.email, password: 'right' },
  ]) {
    const reply = await signIn(body);
    expect(reply.headers['set-cookie']).toBeUndefined();
    bodies.add(`${reply.status} ${reply.text}`);
  }
  expect([...bodies]).toEqual([expect.stringMatching(/^401 .*INVALID_API_CREDENTIALS/)]);
  expect(await contents()).toEqual(before);
});

test('the password selects among accounts with the same email; if it matches several, organizationId is required', async () => {
  const email = 'both@shops.example.com';
  const add = async (organization: typeof shop.organizationId, password: string) => {
    const person = { email, firstName: 'Bo', lastName: 'Th', role: 'owner' as const, password };
    return (await createStaff(context, testOrigin, organization, [person]))[0]!;
  };
  const here = await add(shop.organizationId, 'same');
  const there = await add(otherShop.organizationId, 'same');
  const third = await createTestShop(context);
  const elsewhere = await add(third.organizationId, 'another');

  expect((await signIn({ email, password: 'another' })).data.staff.id).toBe(elsewhere);
  const asked = await signIn({ email, password: 'same' });
  expect(refusalOf(asked)).toBe('400 INVALID_PARAMS');
  expect(asked.error!.message).toContain(
    `organizationId must be given, one of ${shop.organizationId}, ${otherShop.organizationId}`,
  );
  for (const [organizationId, id] of [
    [shop.organizationId, here],
    [otherShop.organizationId, there],
  ]) {
    const { data } = await signIn({ email, password: 'same', organizationId });
    expect(data.staff.id).toBe(id);
    const { data: seen } = await me(bearerHeader(data.token));
    expect([seen.staff.id, seen.organization.id]).toEqual([id, organizationId]);
  }
});

test('only digests of tokens and emails are stored', async () => {
  const { token, email } = await service.staff(shop);
  for (const table of ['staff_sessions', 'staff_session_digests', 'staff_email_digests']) {
    const rows = await witness.query(`select t::text as text from ${table} t`, [], shop.organizationId);
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) {
      expect(text).not.toContain(token.slice(9, 30));
      expect(text).not.toContain(email);
    }
  }
});

test('a session ends after 12 hours without use, and its use is written at most once a minute', async () => {
  const { token, sessionId } = await service.staff(shop);
  const lastUsed = async () => {
    const [row] = await witness.query(
      'select last_used_at from staff_sessions where id = $1',
      [sessionId],
      shop.organizationId,
    );
    return row.last_used_at.getTime();
  };
  const begunAtMs = clock.now();
  clock.advance(minuteMs - 1);
  await me(bearerHeader(token));
  expect(await lastUsed()).toBe(begunAtMs);
  clock.advance(minuteMs);
  await me(bearerHeader(token));
  expect(await lastUsed()).toBe(clock.now());
  clock.advance(12 * hourMs - 1);
  expect((await me(bearerHeader(token))).status).toBe(200);
  clock.advance(12 * hourMs - 500);
  expect((await me(bearerHeader(token))).status).toBe(200);
  // The cached result contains its own end.
  const { token: idle } = await service.staff(shop);
  await me(bearerHeader(idle));
  clock.advance(12 * hourMs);
  expect((await me(bearerHeader(idle))).status).toBe(401);
});

test('a session ends 30 days after signing in, in spite of use; the next sign-in deletes it', async () => {
  const { id, email } = await member('x');
  const { data } = await signIn({ email, password: 'x' });
  const endsAtMs = clock.now() + 30 * dayMs;
  while (clock.now() < endsAtMs - 11 * hourMs) {
    clock.advance(11 * hourMs);
    expect((await me(bearerHeader(data.token))).status).toBe(200);
  }
  clock.advance(endsAtMs - 1 - clock.now());
  expect((await me(bearerHeader(data.token))).status).toBe(200);
  clock.advance(1);
  expect((await me(bearerHeader(data.token))).status).toBe(401);
  clock.advance(1000);
  await signIn({ email, password: 'x' });
  const sessions = await witness.query(
    'select id from staff_sessions where staff_id = $1',
    [id],
    shop.organizationId,
  );
  expect(sessions).toHaveLength(1);
});

test('a member who is disabled, or signed out by another process, is refused within one second', async () => {
  const elsewhere = await startOwnTestService({ database: service.database, clock });
  const disabled = await service.staff(shop);
  const signedOut = await service.staff(shop);
  for (const { token } of [disabled, signedOut]) expect((await me(bearerHeader(token))).status).toBe(200);
  await witness.query(
    'update staff_members set disabled_at = now() where id = $1',
    [disabled.staffId],
    shop.organizationId,
  );
  const headers = bearerHeader(signedOut.token);
  await elsewhere.call('DELETE', '/staff/v1/sessions/current', { headers });
  clock.advance(999);
  for (const { token } of [disabled, signedOut]) expect((await me(bearerHeader(token))).status).toBe(401);
  await elsewhere.close();
});

test('a token is valid in its own environment only, and only unchanged', async () => {
  const staging = await startOwnTestService({ database: service.database, environment: 'staging', clock });
  const { token } = await service.staff(shop);
  const { token: ofStaging } = await staging.staff(shop);
  expect(ofStaging).toMatch(/^dcs_test_/);
  const statuses = async (given: string) => [
    (await me(bearerHeader(given))).status,
    (await staging.call('GET', '/staff/v1/me', { headers: bearerHeader(given) })).status,
  ];
  expect(await statuses(token)).toEqual([200, 401]);
  expect(await statuses(ofStaging)).toEqual([401, 200]);
  const lastChanged = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
  for (const wrong of [lastChanged, `${token}0`, token.slice(0, -1), shop.keys.clientKey, 'x'.repeat(4000)]) {
    expect(await statuses(wrong)).toEqual([401, 401]);
  }
  await staging.close();
});
