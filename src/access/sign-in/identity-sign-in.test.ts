import inject from 'light-my-request';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { bearerHeader } from '../../../test/harness/test-staff.ts';
import { allStaffEndpoints } from '../../app/app.ts';
import { idsOfPeople } from '../../app/fields-of-people.ts';
import { createLogger } from '../../platform/http/logging.ts';
import { createMetrics } from '../../platform/http/metrics.ts';
import { createServer } from '../../platform/http/server.ts';
import { createIdempotentRunner } from '../../platform/idempotency/kept-replies.ts';
import { StaffSessions } from '../sessions/sessions.ts';
import { createStaff } from '../staff/staff.ts';
import { providerClient, startProvider } from './identity-provider.test-support.ts';
import { identityCookie, redirectPath } from './identity-sign-in.ts';

/** Signing in by the identity provider of an organization, against a provider of npm on the loopback (D72). */

const service = await startTestService();
const { context, clock, documentFiles, photoBlobs } = service;
const shop = await createTestShop(context);
const other = await createTestShop(context);
const redirectUrl = `http://shop.example.com${redirectPath}`;

const provider = await startProvider(redirectUrl);
const { issuer } = provider;
const client = providerClient;

/* The service, which may ask hosts of the loopback. */

const sessions = new StaffSessions(context, 'production');
const access = { sessions, environment: 'production', publicUrl: undefined } as const;
let failuresCounted = 0;
const server = createServer({
  endpoints: [],
  address: 'base',
  isByTls: false,
  authenticate: async () => null,
  runIdempotently: createIdempotentRunner(context, idsOfPeople),
  rateLimits: {
    takeRequest: () => ({ allowed: true, limit: 1, remaining: 1, resetSeconds: 0, retryAfterSeconds: 0 }),
    takeFailures: () => {
      failuresCounted += 1;
      return null;
    },
    giveBackFailures: () => {
      failuresCounted -= 1;
    },
  },
  trustedProxies: [],
  clock,
  logger: createLogger({ level: 'error', destination: { write: () => {} } }),
  metrics: createMetrics(),
  openApi: () => ({}),
  staff: {
    endpoints: allStaffEndpoints(
      context,
      { ...access, signInHostsAllowed: ['127.0.0.1'], pageUrl: (path) => `http://shop.example.com${path}` },
      (location) => location,
      documentFiles,
      photoBlobs,
    ),
    authenticate: sessions.authenticate,
    publicUrl: undefined,
    openApi: () => ({}),
  },
} as unknown as Parameters<typeof createServer>[0]);
afterAll(async () => {
  await server.close();
  provider.close();
  await service.close();
});

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const reply = await inject(server.handle, {
    ...{ method: method as 'GET', url: `/staff/v1${path}`, headers },
    ...(body && { payload: body }),
  });
  const json = reply.payload === '' ? {} : JSON.parse(reply.payload);
  return { status: reply.statusCode, headers: reply.headers, data: json.data, error: json.error };
}

const sql = (of: TestShop, text: string, ...values: (string | number)[]) =>
  tenantSql(context.database, of.organizationId, text, ...values);
const actionsOf = async (of: TestShop) =>
  (
    await sql(of, "select action, details->>'reason' as reason from audit_entries order by id desc limit 2")
  ).map(({ action, reason }) => [action, reason]);

const settings = {
  ...{ issuer, client: client.client_id, clientSecret: client.client_secret },
  ...{ emailDomains: ['Shop.example.com'], secondFactor: 'never' },
};
const ownerOf = async (of: TestShop) => bearerHeader((await service.staff(of)).token);
const setProvider = async (of: TestShop, changed: object = {}) =>
  call('PUT', '/identity-provider', { ...settings, ...changed }, await ownerOf(of));

let count = 0;
async function member(of: TestShop = shop, email = `person-${++count}@shop.example.com`) {
  const [id] = await createStaff(context, testOrigin, of.organizationId, [
    { email, firstName: 'Ines', lastName: 'Marchetti', role: 'manager', password: null },
  ]);
  return { id: id!, email };
}

interface Begun {
  readonly cookie: string;
  readonly url: string;
}
async function begin(of: TestShop = shop, body: object = {}): Promise<Begun> {
  const { status, headers, data, error } = await call('POST', '/identity-sign-ins', {
    ...{ organizationId: of.organizationId, ...body },
  });
  expect([status, error]).toEqual([201, undefined]);
  return { cookie: String(headers['set-cookie']).split(';')[0]!, url: data.url };
}

/** Walks the pages of the provider as a browser does; resolves to what it sends back to the console. */
async function atProvider(url: string): Promise<Record<string, string>> {
  const jar = new Map<string, string>();
  for (let at = url, hop = 0; hop < 10; hop++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      jar.set(name!, value!);
    }
    const location = reply.headers.get('location');
    if (location === null) throw new Error(`the provider answers ${reply.status}: ${await reply.text()}`);
    at = new URL(location, at).href;
    if (at.startsWith(redirectUrl)) return Object.fromEntries(new URL(at).searchParams);
  }
  throw new Error('the provider leads nowhere');
}

const finish = (cookie: string, answer: object) => call('POST', '/sessions/identity', answer, { cookie });
async function signIn(of: TestShop = shop) {
  const { cookie, url } = await begin(of);
  return finish(cookie, await atProvider(url));
}
const reasonOf = ({ status, error }: Awaited<ReturnType<typeof finish>>) => [
  status,
  error?.code,
  error?.meta?.reason,
];
const refusedFor = (reason: string) => [403, 'IDENTITY_REFUSED', reason];

beforeEach(async () => {
  provider.told = {};
  provider.isDown = false;
  expect((await setProvider(shop)).status).toBe(200);
});

test('an owner sets the provider; its secret is never shown, and goes to no other issuer', async () => {
  const owner = await ownerOf(shop);
  const { data } = await call('GET', '/identity-provider', undefined, owner);
  expect(data).toEqual({
    provider: { issuer, client: 'console', emailDomains: ['shop.example.com'], secondFactor: 'never' },
    redirectUrl,
  });
  const [row] = await sql(
    shop,
    "select encode(client_secret, 'escape') as text from staff_identity_providers",
  );
  expect(row!.text).not.toContain(client.client_secret);
  const said = await sql(shop, 'select details::text as text from audit_entries');
  expect(said.filter(({ text }) => String(text).includes(client.client_secret))).toEqual([]);
  const { clientSecret: _, ...withoutSecret } = settings;
  const ask = (body: object) => call('PUT', '/identity-provider', body, owner);
  expect((await ask(withoutSecret)).status).toBe(200);
  for (const wrong of [
    { ...withoutSecret, issuer: 'https://login.example.com' },
    { ...settings, issuer: 'http://login.example.com' },
    { ...settings, issuer: 'https://a:b@login.example.com' },
    { ...settings, emailDomains: [] },
  ]) {
    const reply = await ask(wrong);
    expect([wrong, reply.status, reply.error.code]).toEqual([wrong, 400, 'INVALID_PARAMS']);
  }
  expect((await call('DELETE', '/identity-provider', undefined, owner)).status).toBe(204);
  const begun = await call('POST', '/identity-sign-ins', { organizationId: shop.organizationId });
  expect(begun.error.code).toBe('IDENTITY_PROVIDER_NOT_FOUND');
});

test('the first sign-in links by the verified email, later ones by issuer and subject', async () => {
  const { id, email } = await member();
  provider.person = { sub: 'sub-1', email: email.toUpperCase(), email_verified: true };
  const first = await signIn();
  expect([first.status, first.data.staff.id]).toEqual([201, id]);
  expect(await actionsOf(shop)).toContainEqual(['staff.identity_linked', null]);
  const me = await call('GET', '/me', undefined, bearerHeader(first.data.token));
  expect(me.data.staff.email).toBe(email);
  // The provider has another email by now, which is a colleague's.
  provider.person = { ...provider.person, email: (await member()).email };
  expect((await signIn()).data.staff.id).toBe(id);
  // An account that took over the email is not the member's.
  provider.person = { sub: 'sub-2', email, email_verified: true };
  expect(reasonOf(await signIn())).toEqual(refusedFor('other-identity'));
  await call('DELETE', `/staff/${id}/identity`, undefined, await ownerOf(shop));
  expect((await signIn()).data.staff.id).toBe(id);
});

test('an answer to another request, another browser, and a used one are refused', async () => {
  const { email } = await member();
  provider.person = { sub: 'sub-3', email, email_verified: true };
  const { cookie, url } = await begin();
  const answer = await atProvider(url);
  expect(reasonOf(await call('POST', '/sessions/identity', answer))).toEqual(refusedFor('other-browser'));
  expect(reasonOf(await finish(cookie, { ...answer, state: 'another' }))).toEqual(refusedFor('answer'));
  expect(await actionsOf(shop)).toContainEqual(['staff.identity_sign_in_failed', 'answer']);
  expect(reasonOf(await finish(cookie, answer))).toEqual(refusedFor('other-browser'));

  // The code of another request: its nonce and verifier are not those of this browser.
  const [mine, theirs] = [await begin(), await begin()];
  const { state } = await atProvider(mine.url);
  const mixed = { ...(await atProvider(theirs.url)), state };
  expect(reasonOf(await finish(mine.cookie, mixed))).toEqual(refusedFor('answer'));
  // The nonce alone is another one.
  const nonced = await begin();
  const forged = new URL(nonced.url);
  forged.searchParams.set('nonce', 'another');
  expect(reasonOf(await finish(nonced.cookie, await atProvider(forged.href)))).toEqual(refusedFor('answer'));
  const late = await begin();
  const lateAnswer = await atProvider(late.url);
  clock.advance(600_001);
  expect(reasonOf(await finish(late.cookie, lateAnswer))).toEqual(refusedFor('other-browser'));
  expect(late.cookie).toMatch(new RegExp(`^${identityCookie}=dco_live_`));
  const denied = await begin();
  const deniedState = new URL(denied.url).searchParams.get('state')!;
  expect(reasonOf(await finish(denied.cookie, { state: deniedState, error: 'access_denied' }))).toEqual(
    refusedFor('denied'),
  );
});

test('only active members of the organization itself are signed in, by a verified email of its domains', async () => {
  const before = await sql(shop, 'select count(*)::int as n from staff_members');
  const refused = async (sub: string, email: string, isVerified = true) => {
    provider.person = { sub, email, email_verified: isVerified };
    return reasonOf(await signIn());
  };
  const known = await member();
  expect(await refused('sub-5', known.email, false)).toEqual(refusedFor('email-not-verified'));
  expect(await refused('sub-6', 'unknown@shop.example.com')).toEqual(refusedFor('no-account'));
  const elsewhere = await member(shop, 'person@elsewhere.example.com');
  expect(await refused('sub-7', elsewhere.email)).toEqual(refusedFor('email-domain'));
  const stranger = await member(other);
  expect(await refused('sub-8', stranger.email)).toEqual(refusedFor('no-account'));
  const gone = await member();
  provider.person = { sub: 'sub-9', email: gone.email, email_verified: true };
  expect((await signIn()).status).toBe(201);
  await sql(shop, 'update staff_members set disabled_at = now() where id = $1', gone.id);
  expect(await refused('sub-9', gone.email)).toEqual(refusedFor('no-account'));
  expect(await actionsOf(shop)).toContainEqual(['staff.identity_sign_in_failed', 'no-account']);
  expect(await sql(other, "select 1 from audit_entries where action like 'staff.identity%'")).toEqual([]);
  const after = await sql(shop, 'select count(*)::int as n from staff_members');
  expect(after[0]!.n).toBe(Number(before[0]!.n) + 3);

  // The same account may be of people of two organizations: each links its own.
  await setProvider(other);
  provider.person = { sub: 'sub-8', email: stranger.email, email_verified: true };
  expect((await signIn(other)).data.staff.id).toBe(stranger.id);
  expect(reasonOf(await signIn(shop))).toEqual(refusedFor('no-account'));
});

test('it is a second factor only if the owner says so', async () => {
  await sql(
    shop,
    `insert into staff_sign_in_rules (organization_id, second_factor_roles, updated_at)
      values (current_organization_id(), '{manager}', now())`,
  );
  const { email } = await member();
  provider.person = { sub: 'sub-10', email, email_verified: true };
  const mustSetUp = async () => {
    const { data } = await signIn();
    return (await call('GET', '/me', undefined, bearerHeader(data.token))).data.mustSetUpFactor;
  };
  expect(await mustSetUp()).toBe(true);
  await setProvider(shop, { secondFactor: 'when-told' });
  for (const [amr, isAsked] of [
    [undefined, true],
    [['pwd'], true],
    [['pwd', 'otp'], false],
    [['hwk'], false],
  ] as const) {
    provider.told = amr === undefined ? {} : { amr };
    expect([amr, await mustSetUp()]).toEqual([amr, isAsked]);
  }
  await setProvider(shop);
  expect(await mustSetUp()).toBe(true);
  provider.told = {};
  await setProvider(shop, { secondFactor: 'always' });
  expect(await mustSetUp()).toBe(false);
  await sql(shop, 'delete from staff_sign_in_rules');
  // Who has a factor is asked for it, unless the provider stands for it.
  await sql(
    shop,
    `insert into staff_passkeys (organization_id, staff_id, id, credential_id, public_key, counter, transports, name, created_at)
     select current_organization_id(), id, id, 'a', 'b', 0, '{}', 'Phone', now() from staff_members where email = $1`,
    email,
  );
  expect((await signIn()).status).toBe(201);
  await setProvider(shop);
  const half = await signIn();
  expect([half.status, half.error.code]).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
});

test('a good sign-in does not count as a failed one of its address, whether or not a second factor follows', async () => {
  const { id, email } = await member();
  provider.person = { sub: 'sub-13', email, email_verified: true };
  const counted = async () => {
    const { cookie, url } = await begin();
    const answer = await atProvider(url);
    const before = failuresCounted;
    const { error } = await finish(cookie, answer);
    return [error?.code, failuresCounted - before];
  };
  expect(await counted()).toEqual([undefined, 0]);
  await sql(
    shop,
    `insert into staff_passkeys (organization_id, staff_id, id, credential_id, public_key, counter, transports, name, created_at)
     values (current_organization_id(), $1, $1, 'c', 'b', 0, '{}', 'Phone', now())`,
    id,
  );
  expect(await counted()).toEqual(['SECOND_FACTOR_REQUIRED', 0]);
  provider.person = { sub: 'sub-14', email: 'stranger@shop.example.com', email_verified: true };
  expect(await counted()).toEqual(['IDENTITY_REFUSED', 1]);
});

test('its session is as recent a proof as the one at the provider', async () => {
  const { id, email } = await member();
  provider.person = { sub: 'sub-12', email, email_verified: true };
  for (const seconds of [0, 300]) {
    provider.told = { authTime: Math.floor(Date.now() / 1000) - seconds };
    expect((await signIn()).status).toBe(201);
    const [session] = await sql(
      shop,
      `select extract(epoch from created_at - proven_at)::float8 as age from staff_sessions
        where staff_id = $1 order by id desc limit 1`,
      id,
    );
    expect(Number(session!.age)).toBeGreaterThanOrEqual(seconds);
    expect(Number(session!.age)).toBeLessThan(seconds + 60);
  }
});

test('a provider that is down is named, and the secret of a failed sign-in goes nowhere', async () => {
  const { email } = await member();
  provider.person = { sub: 'sub-11', email, email_verified: true };
  const { cookie, url } = await begin(shop, { isFresh: true });
  expect(new URL(url).searchParams.get('prompt')).toBe('login');
  const answer = await atProvider(url);
  provider.isDown = true;
  const begun = await call('POST', '/identity-sign-ins', { organizationId: shop.organizationId });
  expect([begun.status, begun.error.code]).toEqual([409, 'IDENTITY_PROVIDER_UNAVAILABLE']);
  const reply = await finish(cookie, answer);
  expect([reply.status, reply.error.code]).toEqual([409, 'IDENTITY_PROVIDER_UNAVAILABLE']);
  // The program's own guard: without the setting no host of the loopback is asked.
  const plain = await service.call('POST', '/staff/v1/identity-sign-ins', {
    body: { organizationId: shop.organizationId },
  });
  expect(plain.error?.code).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
});
