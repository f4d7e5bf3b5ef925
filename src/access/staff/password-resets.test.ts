import { afterAll, afterEach, expect, test } from 'vitest';
import { mailsOf } from '../../../test/harness/test-mails.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { bearerHeader } from '../../../test/harness/test-staff.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { createStaff } from './create-staff.ts';

/* Links that set a password, by mail (D70). */

const service = await startOwnTestService({ publicUrl: 'https://shop.example.com' });
const { context, clock, call } = service;
const witness = await openWitness(service.database);
const shop = await createTestShop(context);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(async () => {
  await witness.end();
  await service.close();
});

const password = 'lemon grove 77';
let count = 0;

async function member(of: TestShop = shop, email = `member-${++count}@shop.example.com`) {
  const person = { email, firstName: 'Ines', lastName: 'Marchetti', role: 'budtender', password } as const;
  await createStaff(context, testOrigin, of.organizationId, [person]);
  return email;
}

const ask = (email: string) => call('POST', '/staff/v1/password-resets', { body: { email } });
const redeem = (token: string, chosen = 'quiet harbor 41') =>
  call('POST', '/staff/v1/password-resets/redeem', { body: { token, password: chosen } });
const signIn = (email: string, tried = password) =>
  call('POST', '/staff/v1/sessions', { body: { email, password: tried } });

const mailsTo = (email: string, of: TestShop = shop) => mailsOf(service.context, of.organizationId, email);

/** The token of the newest of `mails` mails. The reply does not wait for the mail. */
async function mailedToken(email: string, mails = 1, of: TestShop = shop): Promise<string> {
  await expect.poll(async () => (await mailsTo(email, of)).length, { timeout: 20_000 }).toBe(mails);
  const { text } = (await mailsTo(email, of)).at(-1)!;
  return /https:\/\/shop\.example\.com\/console\/(?:new-password|invitation)#(\S+)/.exec(text)![1]!;
}

test('a member who forgot the password gets a link by mail, sets a new one once, and all sessions end', async () => {
  const email = await member();
  const session = (await signIn(email)).data.token;
  const { status, data } = await ask(` ${email.toUpperCase()} `);
  expect([status, data]).toEqual([202, { expiresInSeconds: 3_600 }]);
  const token = await mailedToken(email);
  expect(await mailsTo(email)).toMatchObject([
    { kind: 'password-reset', subject: 'A new password for the staff console of Test Shop' },
  ]);
  expect((await signIn(email)).status).toBe(201);
  const weak = await redeem(token, 'marchetti 1987');
  expect([weak.status, weak.error?.code, weak.error?.meta]).toEqual([
    422,
    'PASSWORD_REFUSED',
    { rule: 'own-words' },
  ]);
  expect((await redeem(token)).status).toBe(200);
  expect((await call('GET', '/staff/v1/me', { headers: bearerHeader(session) })).status).toBe(401);
  expect([(await signIn(email)).status, (await signIn(email, 'quiet harbor 41')).status]).toEqual([401, 201]);
  expect((await redeem(token, 'another password')).status).toBe(401);
  const owner = await service.staff(shop);
  const { data: entries } = await owner.call('GET', '/staff/v1/audit-log');
  const types = entries.map(({ action }: { action: string }) => action);
  expect(types).toEqual(expect.arrayContaining(['staff.password_reset_requested', 'staff.password_reset']));
});

test('the link is stored as a digest, is valid for an hour, and a newer one ends it', async () => {
  const email = await member();
  await ask(email);
  const first = await mailedToken(email);
  for (const { text } of await witness.query('select t::text as text from staff_invitations t')) {
    expect(text).not.toContain(first.slice(9, 30));
  }
  await ask(email);
  const second = await mailedToken(email, 2);
  expect((await redeem(first)).status).toBe(401);
  clock.advance(3_600_000);
  expect((await redeem(second)).status).toBe(401);
  await ask(email);
  expect((await redeem(await mailedToken(email, 3))).status).toBe(200);
});

test('the reply is the same for every email, and for none but an active member there is a mail', async () => {
  const known = await member();
  const owner = await service.staff(shop);
  const invited = `invited-${++count}@shop.example.com`;
  const person = { email: invited, firstName: 'Bo', lastName: 'Lind', role: 'budtender' };
  const { data } = await owner.call('POST', '/staff/v1/staff', person);
  const disabled = await member();
  const { data: staff } = await owner.call('GET', '/staff/v1/staff');
  const { id } = staff.find(({ email }: { email: string }) => email === disabled);
  await owner.call('PATCH', `/staff/v1/staff/${id}`, { disabled: true });
  const replies = new Set<string>();
  for (const email of ['stranger@shop.example.com', 'x', invited, disabled, known]) {
    const { status, text } = await ask(email);
    replies.add(`${status} ${text}`);
  }
  expect(replies.size).toBe(1);
  await mailedToken(known);
  expect([await mailsTo('stranger@shop.example.com'), await mailsTo(disabled)]).toEqual([[], []]);
  // The invitation, which stays valid.
  expect(await mailsTo(invited)).toMatchObject([{ kind: 'invitation' }]);
  const accepted = { token: data.inviteToken, password };
  expect((await call('POST', '/staff/v1/staff/accept-invite', { body: accepted })).status).toBe(200);
});

test('each organization of an email sends a link of its own', async () => {
  const other = await createTestShop(context);
  const email = await member();
  await member(other, email);
  await ask(email);
  expect((await redeem(await mailedToken(email, 1, other), 'only for this one')).status).toBe(200);
  expect((await signIn(email, 'only for this one')).data.staff.email).toBe(email);
  expect((await signIn(email)).status).toBe(201);
});

test('an invited person gets the link by mail, and a link for one purpose serves no other', async () => {
  const owner = await service.staff(shop);
  const email = `invited-${++count}@shop.example.com`;
  const person = { email, firstName: 'Bo', lastName: 'Lind', role: 'budtender' };
  const { data } = await owner.call('POST', '/staff/v1/staff', person);
  const token = await mailedToken(email);
  expect([token, data.isMailed]).toEqual([data.inviteToken, false]);
  expect((await redeem(token)).status).toBe(401);
  const again = await owner.call('POST', `/staff/v1/staff/${data.id}/invite`);
  expect(await mailedToken(email, 2)).toBe(again.data.inviteToken);
  const body = { token: again.data.inviteToken, password };
  expect((await call('POST', '/staff/v1/staff/accept-invite', { body })).status).toBe(200);
});

test('asking often is refused: three times for an email, whether it has an account or not', async () => {
  const limited = await startOwnTestService({ rateLimits: 'on', database: service.database });
  for (const email of [await member(), 'stranger@shop.example.com']) {
    const statuses: number[] = [];
    for (let tried = 0; tried < 4; tried++) {
      const body = { email };
      statuses.push((await limited.call('POST', '/staff/v1/password-resets', { body })).status);
    }
    expect(statuses).toEqual([202, 202, 202, 429]);
  }
  await limited.close();
});
