import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { bearerHeader } from '../../../test/harness/test-staff.ts';
import { organizationId } from '../../kernel/ids.ts';
import { hashPassword } from '../staff/passwords.ts';
import { createStaff } from '../staff/staff.ts';
import { resealStaffSecrets } from './reseal-staff-secrets.ts';

/** Second factors of staff (D72), as their people use them. */

const lines: string[] = [];
const masterKey = randomBytes(32);
const service = await startOwnTestService({
  rateLimits: 'on',
  documentMasterKeys: [masterKey],
  onLogged: (line) => lines.push(line),
});
const { context, call, clock } = service;
const shop = await createTestShop(context);
const sql = (text: string, ...values: (string | number)[]) =>
  tenantSql(context.database, shop.organizationId, text, ...values);
afterEach(() => {
  expect(service.faults.filter((line) => ['error', 'fatal'].includes(JSON.parse(line).level))).toEqual([]);
  clock.advance(3_600_000);
});
afterAll(() => service.close());

const password = 'quiet harbor lantern 41';
const passwordHash = await hashPassword(password);
let count = 0;

/** A member with the password, not signed in. */
async function member(role: 'owner' | 'budtender' = 'budtender') {
  const email = `person-${++count}@shop.example.com`;
  const [id] = await createStaff(context, testOrigin, shop.organizationId, [
    { email, firstName: 'Ines', lastName: 'Marchetti', role, password: null },
  ]);
  await sql('update staff_members set password_hash = $1 where id = $2', passwordHash, id!);
  return { id: id!, email };
}

const signIn = (email: string) => call('POST', '/staff/v1/sessions', { body: { email, password } });
const secondStep = (signInToken: string, code: string) =>
  call('POST', '/staff/v1/sessions/second-factor', { body: { signInToken, code } });
const as = (token: string) => (method: string, path: string, body?: unknown) =>
  call(method, `/staff/v1${path}`, { headers: bearerHeader(token), ...(body !== undefined && { body }) });

const codeOf = (secret: string, aheadSteps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() + aheadSteps * 30_000 });

/** A member with an authenticator app, signed in. */
async function memberWithApp(role: 'owner' | 'budtender' = 'budtender') {
  const person = await member(role);
  const first = await signIn(person.email);
  const ask = as(first.data.token);
  const { data: begun } = await ask('POST', '/me/totp');
  const confirmed = await ask('POST', '/me/totp/confirm', { code: codeOf(begun.secret) });
  expect([confirmed.status, confirmed.error]).toEqual([200, undefined]);
  clock.advance(30_000);
  return {
    ...person,
    ask,
    token: first.data.token as string,
    secret: begun.secret as string,
    uri: begun.uri as string,
    recoveryCodes: confirmed.data.recoveryCodes as string[],
  };
}

async function halfSignIn(email: string): Promise<string> {
  const { status, error } = await signIn(email);
  expect([status, error!.code]).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
  return (error!.meta as { readonly signInToken: string }).signInToken;
}

test('an app that is set up is asked for at the next sign-in, and its code opens the session', async () => {
  const { email, uri, id } = await memberWithApp();
  expect(uri).toMatch(/^otpauth:\/\/totp\/.*issuer=.*algorithm=SHA1&digits=6&period=30/);
  const token = await halfSignIn(email);
  const { secret } = TOTPof(uri);
  const { status, data } = await secondStep(token, codeOf(secret));
  expect([status, data.staff.id]).toEqual([201, id]);
  expect((await as(data.token)('GET', '/me')).status).toBe(200);
});

function TOTPof(uri: string) {
  return { secret: new URL(uri).searchParams.get('secret')! };
}

test('a secret that was never confirmed asks for nothing, and another one replaces it', async () => {
  const { email } = await member();
  const { data } = await signIn(email);
  const ask = as(data.token);
  const { data: former } = await ask('POST', '/me/totp');
  const { data: present } = await ask('POST', '/me/totp');
  expect((await signIn(email)).status).toBe(201);
  const refused = await ask('POST', '/me/totp/confirm', { code: codeOf(former.secret) });
  expect([refused.status, refused.error?.code]).toEqual([422, 'WRONG_SECOND_FACTOR']);
  const { data: before } = await ask('GET', '/me/second-factor');
  expect(before).toEqual({ totpAddedAt: null, recoveryCodesLeft: 0, mustSetUp: false });
  expect((await ask('POST', '/me/totp/confirm', { code: codeOf(present.secret) })).status).toBe(200);
  const { data: after } = await ask('GET', '/me/second-factor');
  expect(after).toEqual({ totpAddedAt: expect.any(String), recoveryCodesLeft: 10, mustSetUp: false });
  const again = await ask('POST', '/me/totp');
  expect([again.status, again.error?.code]).toEqual([409, 'SECOND_FACTOR_EXISTS']);
});

test('six characters that are not six digits are a wrong code', async () => {
  const { email } = await memberWithApp();
  const other = await member();
  const ask = as((await signIn(other.email)).data.token);
  await ask('POST', '/me/totp');
  for (const code of ['12345é', '１２３４５６', '12345 ', '1e2345']) {
    const confirmed = await ask('POST', '/me/totp/confirm', { code });
    expect([confirmed.status, confirmed.error?.code]).toEqual([422, 'WRONG_SECOND_FACTOR']);
  }
  const token = await halfSignIn(email);
  expect((await secondStep(token, '12345é')).error?.code).toBe('WRONG_SECOND_FACTOR');
});

test('setting up an app ends the other sessions of the person', async () => {
  const { email } = await member();
  const [here, there] = [(await signIn(email)).data.token, (await signIn(email)).data.token];
  const { data } = await as(here)('POST', '/me/totp');
  await as(here)('POST', '/me/totp/confirm', { code: codeOf(data.secret) });
  expect((await as(here)('GET', '/me')).status).toBe(200);
  expect((await as(there)('GET', '/me')).status).toBe(401);
});

test('a code is accepted once, also by two requests at once, and none of a step before it', async () => {
  const { email, secret } = await memberWithApp();
  const tokens = [await halfSignIn(email), await halfSignIn(email)];
  const code = codeOf(secret);
  const earlier = codeOf(secret, -1);
  const replies = await Promise.all(tokens.map((token) => secondStep(token, code)));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  const left = tokens[replies.findIndex(({ status }) => status === 422)]!;
  expect((await secondStep(left, earlier)).error?.code).toBe('WRONG_SECOND_FACTOR');
  clock.advance(30_000);
  expect((await secondStep(left, codeOf(secret))).status).toBe(201);
});

test('codes of the step before and the step after are accepted, and none further away', async () => {
  const { email, secret } = await memberWithApp();
  clock.advance(120_000);
  const token = await halfSignIn(email);
  expect((await secondStep(token, codeOf(secret, -2))).status).toBe(422);
  expect((await secondStep(token, codeOf(secret, 2))).status).toBe(422);
  expect((await secondStep(token, codeOf(secret, -1))).status).toBe(201);
  expect((await secondStep(await halfSignIn(email), codeOf(secret, 1))).status).toBe(201);
});

test('the token between the steps opens nothing else, works once, and ends after five minutes', async () => {
  const { email, secret, id } = await memberWithApp();
  const token = await halfSignIn(email);
  for (const headers of [bearerHeader(token), { cookie: `dispensary_session=${token}` }]) {
    expect((await call('GET', '/staff/v1/me', { headers })).status).toBe(401);
  }
  expect((await secondStep(token, codeOf(secret))).status).toBe(201);
  clock.advance(30_000);
  expect((await secondStep(token, codeOf(secret))).status).toBe(401);
  const late = await halfSignIn(email);
  clock.advance(300_000);
  expect((await secondStep(late, codeOf(secret))).status).toBe(401);
  const ofDisabled = await halfSignIn(email);
  await sql('update staff_members set disabled_at = now() where id = $1', id);
  expect((await secondStep(ofDisabled, codeOf(secret))).status).toBe(401);
});

test('wrong codes are limited by member over all tokens, and each is in the audit log', async () => {
  const { email, id, secret } = await memberWithApp();
  const statuses: number[] = [];
  for (let tries = 0; tries < 6; tries++) {
    statuses.push((await secondStep(await halfSignIn(email), '000000')).status);
  }
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  // The right code is refused too, until the time is over.
  expect((await secondStep(await halfSignIn(email), codeOf(secret))).status).toBe(429);
  clock.advance(300_000);
  expect((await secondStep(await halfSignIn(email), codeOf(secret))).status).toBe(201);
  const failed =
    "select details from audit_entries where action = 'staff.sign_in_failed' and subject_id = $1";
  await expect.poll(async () => (await sql(failed, String(id))).length).toBe(5);
});

test('each recovery code opens one session, typed with or without dashes and capitals, and new ones end the former', async () => {
  const { email, secret, recoveryCodes } = await memberWithApp();
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first, second, third] = recoveryCodes;
  const typed = ` ${first!.toLowerCase().replaceAll('-', ' ')}`;
  const opened = await secondStep(await halfSignIn(email), typed);
  expect(opened.status).toBe(201);
  const ask = as(opened.data.token);
  expect((await ask('GET', '/me/second-factor')).data.recoveryCodesLeft).toBe(9);
  expect((await secondStep(await halfSignIn(email), first!)).status).toBe(422);
  const tokens = [await halfSignIn(email), await halfSignIn(email)];
  const atOnce = await Promise.all(tokens.map((token) => secondStep(token, second!)));
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  const { data } = await ask('POST', '/me/recovery-codes');
  expect((await secondStep(await halfSignIn(email), third!)).status).toBe(422);
  expect((await secondStep(await halfSignIn(email), data.recoveryCodes[0])).status).toBe(201);
  expect((await secondStep(await halfSignIn(email), codeOf(secret))).status).toBe(201);
});

test('who removes the app signs in with the password alone, and learns of it by mail', async () => {
  const { email, ask } = await memberWithApp();
  expect((await ask('DELETE', '/me/totp')).status).toBe(204);
  expect((await ask('GET', '/me/second-factor')).data).toMatchObject({
    totpAddedAt: null,
    recoveryCodesLeft: 0,
  });
  expect((await signIn(email)).status).toBe(201);
  const mails = await sql('select subject from mails where recipient = $1 order by id', email);
  expect(mails.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Your sign-in has a second factor now/),
    expect.stringMatching(/^Your second factor was removed/),
  ]);
});

test("an owner resets a colleague's factor: sessions end, a mail tells of it, the audit names the owner", async () => {
  const owner = await service.staff(shop);
  const { email, id, token } = await memberWithApp();
  const half = await halfSignIn(email);
  const reset = await owner.call('DELETE', `/staff/v1/staff/${id}/second-factor`);
  expect([reset.status, reset.error]).toEqual([204, undefined]);
  expect((await as(token)('GET', '/me')).status).toBe(401);
  expect((await secondStep(half, '000000')).status).toBe(401);
  expect((await signIn(email)).status).toBe(201);
  const [mail] = await sql('select subject from mails where recipient = $1 order by id desc limit 1', email);
  expect(mail!.subject).toMatch(/^An owner removed your second factor/);
  const entries = await sql("select actor from audit_entries where action = 'staff.second_factor_reset'");
  expect(entries).toEqual([{ actor: `staff:${owner.staffId}` }]);
  const unknown = await owner.call('DELETE', '/staff/v1/staff/1/second-factor');
  expect([unknown.status, unknown.error?.code]).toEqual([404, 'STAFF_NOT_FOUND']);
});

test('people see where they are signed in, and end a session there; owners end those of all', async () => {
  const [person, other] = [await member(), await member()];
  const signInFrom = (email: string, userAgent: string) =>
    call('POST', '/staff/v1/sessions', { body: { email, password }, headers: { 'user-agent': userAgent } });
  const here = as((await signInFrom(person.email, 'Till')).data.token);
  clock.advance(60_000);
  const lost = (await signInFrom(person.email, 'Lost phone')).data.token as string;
  const { data: list, meta } = await here('GET', '/me/sessions');
  expect(list).toMatchObject([
    { userAgent: 'Lost phone', networkAddress: '127.0.0.1', isCurrent: false },
    { userAgent: 'Till', networkAddress: '127.0.0.1', isCurrent: true },
  ]);
  expect(meta).toMatchObject({ total: 2 });
  const stranger = as((await signIn(other.email)).data.token);
  const path = `/staff-sessions/${list[0].id}`;
  expect((await stranger('DELETE', path)).error?.code).toBe('STAFF_SESSION_NOT_FOUND');
  expect((await as(lost)('GET', '/me')).status).toBe(200);
  expect((await here('DELETE', path)).status).toBe(204);
  expect((await as(lost)('GET', '/me')).status).toBe(401);
  expect((await here('GET', '/me/sessions')).data).toHaveLength(1);
  const owner = await service.staff(shop);
  const ofPerson = `/staff/v1/staff/${person.id}/sessions`;
  expect((await owner.call('GET', ofPerson)).data).toMatchObject([{ userAgent: 'Till', isCurrent: false }]);
  expect((await stranger('GET', ofPerson.slice('/staff/v1'.length))).status).toBe(403);
  expect((await owner.call('DELETE', `/staff/v1/staff-sessions/${list[1].id}`)).status).toBe(204);
  expect((await here('GET', '/me')).status).toBe(401);
});

test('secrets and codes are in no row, log line, audit entry or event in plain', async () => {
  const { email, secret, recoveryCodes } = await memberWithApp();
  const half = await halfSignIn(email);
  await secondStep(half, codeOf(secret));
  const texts = await sql(
    `select coalesce(string_agg(t::text, ''), '') as text from (
       select details::text from audit_entries union all select payload::text from outbox_events
       union all select m::text from mails m union all select r::text from staff_recovery_codes r
       union all select s::text from staff_totp_secrets s union all select h::text from staff_half_sign_ins h) t`,
  );
  const stored = String(texts[0]!.text) + lines.join('\n');
  const hex = Buffer.from(Secret.fromBase32(secret).bytes).toString('hex');
  for (const plain of [secret, hex, half, recoveryCodes[0]!, recoveryCodes[0]!.replaceAll('-', '')]) {
    expect(stored).not.toContain(plain);
  }
});

test('secrets are sealed again with a new master key, and codes go on working', async () => {
  const { email, secret } = await memberWithApp();
  const newKey = randomBytes(32);
  const startWith = (...documentMasterKeys: Buffer[]) =>
    startOwnTestService({ database: service.database, clock, documentMasterKeys });
  const both = await startWith(newKey, masterKey);
  await resealStaffSecrets(both.context, both.documentFiles.keys, organizationId(shop.organizationId));
  await both.close();
  const present = await startWith(newKey);
  const half = await halfSignIn(email);
  const body = { signInToken: half, code: codeOf(secret) };
  expect((await present.call('POST', '/staff/v1/sessions/second-factor', { body })).status).toBe(201);
  await present.close();
});
