import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type Oddity, SoftPasskey } from '../../../test/harness/soft-passkey.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { bearerHeader } from '../../../test/harness/test-staff.ts';
import { startSession } from '../sessions/sessions.ts';
import { hashPassword } from '../staff/passwords.ts';
import { createStaff } from '../staff/staff.ts';
import { handleOf } from './passkey-ceremony.ts';

/** Passkeys of staff (D72), as their people use them, and as others try to. */

const publicUrl = 'https://shop.example.com';
const service = await startOwnTestService({ rateLimits: 'on', publicUrl });
const { context, call, clock } = service;
const shop = await createTestShop(context);
const other = await createTestShop(context);
const sql = (of: TestShop, text: string, ...values: (string | number)[]) =>
  tenantSql(context.database, of.organizationId, text, ...values);
afterEach(() => {
  expect(service.faults.filter((line) => ['error', 'fatal'].includes(JSON.parse(line).level))).toEqual([]);
  clock.advance(3_600_000);
});
afterAll(() => service.close());

const password = 'quiet harbor lantern 41';
const passwordHash = await hashPassword(password);
let count = 0;

const as = (token: string) => (method: string, path: string, body?: unknown) =>
  call(method, `/staff/v1${path}`, { headers: bearerHeader(token), ...(body !== undefined && { body }) });

async function member(of: TestShop = shop, role: 'owner' | 'budtender' = 'budtender') {
  const email = `person-${++count}@shop.example.com`;
  const [id] = await createStaff(context, testOrigin, of.organizationId, [
    { email, firstName: 'Ines', lastName: 'Marchetti', role, password: null },
  ]);
  await sql(of, 'update staff_members set password_hash = $1 where id = $2', passwordHash, id!);
  const { token } = await startSession(context, 'production', testOrigin, of.organizationId, id!);
  return { id: id!, email, token, ask: as(token) };
}

type Person = Awaited<ReturnType<typeof member>>;

async function register(
  person: Person,
  passkey = new SoftPasskey(),
  origin = publicUrl,
  oddity: Oddity = {},
) {
  const { data } = await person.ask('POST', '/me/passkeys/challenges');
  const body = { name: 'Phone', ...passkey.register(data, origin, oddity) };
  return { passkey, body, reply: await person.ask('POST', '/me/passkeys', body) };
}

async function memberWithPasskey(of: TestShop = shop, role: 'owner' | 'budtender' = 'budtender') {
  const person = await member(of, role);
  const { passkey, reply } = await register(person);
  expect([reply.status, reply.error]).toEqual([201, undefined]);
  return { ...person, passkey, passkeyId: reply.data.id as number };
}

const challengeOf = async () => (await call('POST', '/staff/v1/passkey-challenges')).data;
const send = (body: object) => call('POST', '/staff/v1/sessions/passkey', { body });
const answer = (
  passkey: SoftPasskey,
  challenge: { challenge: string; rpId: string },
  oddity: Oddity = {},
) => ({
  ...passkey.assert(challenge, publicUrl, oddity),
  userHandle: passkey.userHandle,
});
const signIn = async (passkey: SoftPasskey, oddity: Oddity = {}) =>
  send(answer(passkey, await challengeOf(), oddity));

test('a passkey signs in without a password, and its session is that of both factors', async () => {
  await sql(
    shop,
    `insert into staff_sign_in_rules (organization_id, second_factor_roles, updated_at)
    values (current_organization_id(), '{owner}', now())`,
  );
  const person = await member(shop, 'owner');
  expect((await person.ask('GET', '/staff')).error?.code).toBe('SECOND_FACTOR_NOT_SET_UP');
  const { passkey } = await register(person);
  expect((await person.ask('GET', '/staff')).status).toBe(200);
  const { status, data } = await signIn(passkey);
  expect([status, data.staff.id]).toEqual([201, person.id]);
  const ask = as(data.token);
  // Signing in is a recent proof as well.
  expect((await ask('PATCH', '/sign-in-rules', { secondFactorRoles: [] })).status).toBe(200);
  const { data: listed } = await ask('GET', '/me/passkeys');
  expect(listed).toMatchObject([{ name: 'Phone', lastUsedAt: expect.any(String) }]);
  const { data: staff } = await ask('GET', '/staff');
  expect(staff.find(({ id }: { id: number }) => id === person.id).hasSecondFactor).toBe(true);
});

test('after the password a passkey takes the place of a code, of this person only', async () => {
  const person = await memberWithPasskey();
  const stranger = await memberWithPasskey();
  const half = async () => {
    const body = { email: person.email, password };
    const { error } = await call('POST', '/staff/v1/sessions', { body });
    expect([error?.code, error?.meta]).toEqual([
      'SECOND_FACTOR_REQUIRED',
      { signInToken: expect.any(String), expiresAt: expect.any(String), passkey: true },
    ]);
    return (error!.meta as { signInToken: string }).signInToken;
  };
  const signInToken = await half();
  const theirs = await send({ ...answer(stranger.passkey, await challengeOf()), signInToken });
  expect(theirs.status).toBe(401);
  // A key that names no account is enough here.
  const { userHandle: _, ...bare } = answer(person.passkey, await challengeOf());
  expect((await send({ ...bare, signInToken })).data.staff.id).toBe(person.id);
  const again = answer(person.passkey, await challengeOf());
  expect((await send({ ...again, signInToken })).status).toBe(401);
});

test('a passkey proves who uses a session, and only its own member', async () => {
  const person = await memberWithPasskey(shop, 'owner');
  const stranger = await memberWithPasskey();
  clock.advance(600_000);
  const rules = { refundProofAbove: 5_000 };
  const { error } = await person.ask('PATCH', '/sign-in-rules', rules);
  expect([error?.code, error?.meta]).toEqual([
    'RECENT_PROOF_REQUIRED',
    { needs: 'password-and-code', passkey: true },
  ]);
  const begin = async () => (await person.ask('POST', '/me/proof/passkey-challenges')).data;
  const begun = await begin();
  expect(begun.credentials).toEqual([person.passkey.id]);
  const prove = (body: object) => person.ask('POST', '/me/proof/passkey', body);
  const refused = [
    await prove(stranger.passkey.assert(begun, publicUrl)),
    // Used up by the first answer.
    await prove(person.passkey.assert(begun, publicUrl)),
    // Challenges of signing in are for signing in.
    await prove(person.passkey.assert(await challengeOf(), publicUrl)),
    await prove(person.passkey.assert(await begin(), 'https://evil.example.com')),
    await prove(person.passkey.assert(await begin(), publicUrl, { unverified: true })),
  ];
  expect(refused.map(({ error }) => error?.code)).toEqual(refused.map(() => 'PASSKEY_REFUSED'));
  expect((await person.ask('PATCH', '/sign-in-rules', rules)).error?.code).toBe('RECENT_PROOF_REQUIRED');
  expect((await prove(person.passkey.assert(await begin(), publicUrl))).status).toBe(200);
  expect((await person.ask('PATCH', '/sign-in-rules', rules)).status).toBe(200);
});

test('a challenge is answered once, also by two requests at once, within five minutes', async () => {
  const { passkey } = await memberWithPasskey();
  const challenge = await challengeOf();
  const body = answer(passkey, challenge);
  const replies = await Promise.all([send(body), send(body)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 401]);
  expect((await send(body)).status).toBe(401);
  expect((await send(answer(passkey, challenge))).status).toBe(401);
  const late = await challengeOf();
  clock.advance(300_000);
  expect((await send(answer(passkey, late))).status).toBe(401);
  const made = { challenge: randomBytes(32).toString('base64url'), rpId: 'shop.example.com' };
  expect((await send(answer(passkey, made))).status).toBe(401);
});

test('an answer for another page or domain, of an unverified person or of another kind opens nothing', async () => {
  const { passkey, id } = await memberWithPasskey();
  const evil = async () => {
    const challenge = await challengeOf();
    return { ...passkey.assert(challenge, 'https://evil.example.com'), userHandle: passkey.userHandle };
  };
  const statuses = [
    await send(await evil()),
    await send(answer(passkey, { ...(await challengeOf()), rpId: 'evil.example.com' })),
    await signIn(passkey, { unverified: true }),
    await signIn(passkey, { type: 'webauthn.create' }),
    await signIn(passkey, { crossOrigin: true }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([401, 401, 401, 401, 401]);
  const failed = "select 1 from audit_entries where action = 'staff.sign_in_failed' and subject_id = $1";
  await expect.poll(async () => (await sql(shop, failed, String(id))).length).toBe(4);
  expect((await signIn(passkey)).status).toBe(201);
});

test('a counter that does not rise is that of a copy', async () => {
  const { passkey } = await memberWithPasskey();
  expect((await signIn(passkey, { counter: 7 })).status).toBe(201);
  expect((await signIn(passkey, { counter: 7 })).status).toBe(401);
  expect((await signIn(passkey, { counter: 6 })).status).toBe(401);
  expect((await signIn(passkey, { counter: 8 })).status).toBe(201);
});

test("another organization's credential opens nothing here, whichever account it names", async () => {
  const here = await memberWithPasskey();
  const there = await memberWithPasskey(other);
  const named = Buffer.from(handleOf(shop.organizationId, here.id)).toString('base64url');
  const forged = { ...answer(there.passkey, await challengeOf()), userHandle: named };
  expect((await send(forged)).status).toBe(401);
  const crossed = Buffer.from(handleOf(shop.organizationId, there.id)).toString('base64url');
  expect((await send({ ...answer(there.passkey, await challengeOf()), userHandle: crossed })).status).toBe(
    401,
  );
  expect((await here.ask('DELETE', `/me/passkeys/${there.passkeyId}`)).error?.code).toBe('PASSKEY_NOT_FOUND');
  const colleague = await memberWithPasskey();
  expect((await here.ask('DELETE', `/me/passkeys/${colleague.passkeyId}`)).error?.code).toBe(
    'PASSKEY_NOT_FOUND',
  );
  expect((await signIn(there.passkey)).data.staff.id).toBe(there.id);
});

test('a disabled member, a removed passkey and one that an owner has reset sign in no more', async () => {
  const person = await memberWithPasskey();
  await sql(shop, 'update staff_members set disabled_at = now() where id = $1', person.id);
  expect((await signIn(person.passkey)).status).toBe(401);
  await sql(shop, 'update staff_members set disabled_at = null where id = $1', person.id);
  const { data } = await signIn(person.passkey);
  expect((await as(data.token)('DELETE', `/me/passkeys/${person.passkeyId}`)).status).toBe(204);
  expect((await signIn(person.passkey)).status).toBe(401);
  // The password alone signs in again.
  const body = { email: person.email, password };
  expect((await call('POST', '/staff/v1/sessions', { body })).status).toBe(201);

  const lost = await memberWithPasskey();
  const owner = await service.staff(shop);
  expect((await owner.call('DELETE', `/staff/v1/staff/${lost.id}/second-factor`)).status).toBe(204);
  expect((await signIn(lost.passkey)).status).toBe(401);
});

test('adding one ends other sessions, is told by mail and in the audit log, and is refused for wrong answers', async () => {
  const person = await member();
  const elsewhere = await startSession(context, 'production', testOrigin, shop.organizationId, person.id);
  const { passkey, body } = await register(person);
  expect((await as(elsewhere.token)('GET', '/me')).status).toBe(401);
  const refused = [
    // Replayed; registered twice; for another page; by an unverified person.
    await person.ask('POST', '/me/passkeys', body),
    (await register(person, passkey)).reply,
    (await register(person, new SoftPasskey(), 'https://evil.example.com')).reply,
    (await register(person, new SoftPasskey(), publicUrl, { unverified: true })).reply,
  ];
  expect(refused.map(({ error }) => error?.code)).toEqual(refused.map(() => 'PASSKEY_REFUSED'));
  const { data: begun } = await person.ask('POST', '/me/passkeys/challenges');
  const stolen = { name: 'Mine', ...new SoftPasskey().register(begun, publicUrl) };
  expect((await (await member()).ask('POST', '/me/passkeys', stolen)).error?.code).toBe('PASSKEY_REFUSED');
  expect((await person.ask('GET', '/me/passkeys')).data).toHaveLength(1);
  const told = await sql(
    shop,
    `select (select count(*) from mails where recipient = $1 and kind = 'second-factor')::integer as mails,
            (select count(*) from audit_entries where action = 'staff.passkey_added' and subject_id = $2)::integer as entries`,
    person.email,
    String(person.id),
  );
  expect(told).toEqual([{ mails: 1, entries: 1 }]);
});

test('recovery codes stand for a lost passkey', async () => {
  const person = await memberWithPasskey();
  const { data } = await person.ask('POST', '/me/recovery-codes');
  const body = { email: person.email, password };
  const { error } = await call('POST', '/staff/v1/sessions', { body });
  const { signInToken } = error!.meta as { signInToken: string };
  const code = data.recoveryCodes[0];
  const done = await call('POST', '/staff/v1/sessions/second-factor', { body: { signInToken, code } });
  expect(done.status).toBe(201);
});

test('what is not base64url, and what is but says nothing, is refused without a fault', async () => {
  const { passkey } = await memberWithPasskey();
  const good = answer(passkey, await challengeOf());
  for (const field of ['credential', 'clientDataJSON', 'authenticatorData', 'signature', 'userHandle']) {
    for (const value of ['é', '١٢٣', 'a b', '💳']) {
      expect((await send({ ...good, [field]: value })).status).toBe(400);
    }
  }
  const texts = ['null', '[]', '"é"', '{"challenge":{}}', '{"challenge":"é٣"}', '{', '\u0000'];
  for (const text of texts) {
    const clientDataJSON = Buffer.from(text).toString('base64url');
    expect((await send({ ...good, clientDataJSON })).status).toBe(401);
  }
  for (const field of ['credential', 'authenticatorData', 'signature', 'userHandle']) {
    clock.advance(60_000);
    const fresh = answer(passkey, await challengeOf());
    expect((await send({ ...fresh, [field]: 'AAAA' })).status).toBe(401);
  }
});

test('failures are limited by network address', async () => {
  const { passkey } = await memberWithPasskey();
  const body = answer(passkey, { challenge: 'AAAA', rpId: 'shop.example.com' });
  const statuses: number[] = [];
  for (let tries = 0; tries < 51; tries++) statuses.push((await send(body)).status);
  expect(statuses.slice(0, 50).every((status) => status === 401)).toBe(true);
  expect(statuses[50]).toBe(429);
});
