import { afterAll, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { bearerHeader } from '../../../test/harness/test-staff.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { createStaff } from './create-staff.ts';
import { inviteOwner } from './invite-owner.ts';

const service = await startOwnTestService();
const { clock, call, context } = service;
const shop = await createTestShop(context);
const owner = await service.staff(shop);
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});

const password = 'lemon grove 77';
let count = 0;
const newcomer = (role = 'budtender') => ({
  email: `newcomer-${++count}@shop.example.com`,
  firstName: 'Ines',
  lastName: 'Marchetti',
  role,
});
async function invite(body = newcomer()) {
  const { status, data, error } = await owner.call('POST', '/staff/v1/staff', body);
  expect([status, error]).toEqual([201, undefined]);
  return data;
}
const accept = (token: string, chosen = password) =>
  call('POST', '/staff/v1/staff/accept-invite', { body: { token, password: chosen } });
const signIn = (email: string, tried = password) =>
  call('POST', '/staff/v1/sessions', { body: { email, password: tried } });
const me = (token: string) => call('GET', '/staff/v1/me', { headers: bearerHeader(token) });

test('an invited member sets a password with the link, once, and signs in with it', async () => {
  const body = newcomer();
  const { inviteToken, isMailed, ...member } = await invite(body);
  expect(isMailed).toBe(false);
  expect(member).toEqual({
    ...body,
    id: member.id,
    status: 'invited',
    hasSecondFactor: false,
    createdAt: new Date(clock.now()).toISOString(),
    updatedAt: new Date(clock.now()).toISOString(),
    disabledAt: null,
  });
  expect((await signIn(body.email)).status).toBe(401);
  const accepted = await accept(inviteToken);
  expect([accepted.status, accepted.data]).toEqual([200, { staff: { ...member, status: 'active' } }]);
  expect((await signIn(body.email)).data.staff.id).toBe(member.id);

  const bodies = new Set<string>();
  for (const token of [inviteToken, `${inviteToken.slice(0, -1)}!`, owner.token, 'x']) {
    const { status, text } = await accept(token, 'another password');
    bodies.add(`${status} ${text}`);
  }
  expect([...bodies]).toEqual([expect.stringMatching(/^401 .*INVALID_API_CREDENTIALS/)]);
  expect((await signIn(body.email)).status).toBe(201);
});

test('only digests of invitations are stored, and of two concurrent acceptances one succeeds', async () => {
  const { inviteToken } = await invite();
  for (const { text } of await witness.query('select t::text as text from staff_invitations t')) {
    expect(text).not.toContain(inviteToken.slice(9, 30));
  }
  const replies = await Promise.all([accept(inviteToken), accept(inviteToken)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('an invitation is valid for seven days; a new one replaces it, and ends sessions when it is accepted', async () => {
  const body = newcomer();
  const { id, inviteToken } = await invite(body);
  const again = async () => {
    const session = await service.staff(shop);
    return (await session.call('POST', `/staff/v1/staff/${id}/invite`)).data.inviteToken;
  };
  const second = await again();
  expect((await accept(inviteToken)).status).toBe(401);
  clock.advance(7 * 86_400_000);
  expect((await accept(second)).status).toBe(401);
  expect((await accept(await again())).status).toBe(200);
  const session = (await signIn(body.email)).data.token;
  expect((await accept(await again(), 'another password')).status).toBe(200);
  expect((await me(session)).status).toBe(401);
  expect([(await signIn(body.email)).status, (await signIn(body.email, 'another password')).status]).toEqual([
    401, 201,
  ]);
});

test('an open link ends when the member sets another password, and when the member is disabled', async () => {
  const boss = await service.staff(shop);
  const member = newcomer();
  const { id, inviteToken } = (await boss.call('POST', '/staff/v1/staff', member)).data;
  await accept(inviteToken);
  const again = async () =>
    (await boss.call('POST', `/staff/v1/staff/${id}/invite`)).data.inviteToken as string;
  const first = await again();
  const headers = bearerHeader((await signIn(member.email)).data.token);
  const body = { currentPassword: password, newPassword: 'quiet harbor 41' };
  expect((await call('POST', '/staff/v1/me/password', { body, headers })).status).toBe(204);
  expect((await accept(first, 'stolen password 1')).status).toBe(401);
  const second = await again();
  await boss.call('PATCH', `/staff/v1/staff/${id}`, { disabled: true });
  await boss.call('PATCH', `/staff/v1/staff/${id}`, { disabled: false });
  expect((await accept(second, 'stolen password 1')).status).toBe(401);
  expect((await signIn(member.email, 'quiet harbor 41')).status).toBe(201);
});

test('an email belongs to one member of staff, also under concurrent invitations', async () => {
  const boss = await service.staff(shop);
  const body = newcomer();
  const both = await Promise.all(
    [body, { ...body, email: ` ${body.email.toUpperCase()}`.trim() }].map((it) =>
      boss.call('POST', '/staff/v1/staff', it),
    ),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
  const refused = both.find(({ status }) => status === 400)!;
  expect([refused.error!.code, refused.error!.message]).toEqual([
    'INVALID_PARAMS',
    expect.stringMatching(/^email/),
  ]);
  for (const email of ['nobody', 'a@b@c', 'a b@c']) {
    const { error } = await boss.call('POST', '/staff/v1/staff', { ...newcomer(), email });
    expect([error?.code, error?.message]).toEqual(['INVALID_PARAMS', expect.stringContaining('email')]);
  }
});

test('a disabled member is refused at once, and returns without the earlier sessions', async () => {
  const boss = await service.staff(shop);
  const member = await service.staff(shop, 'manager');
  const patch = (body: object) => boss.call('PATCH', `/staff/v1/staff/${member.staffId}`, body);
  expect((await me(member.token)).status).toBe(200);
  const { data } = await patch({ disabled: true });
  expect([data.status, data.disabledAt]).toEqual(['disabled', new Date(clock.now()).toISOString()]);
  expect((await me(member.token)).status).toBe(401);
  const invited = await boss.call('POST', `/staff/v1/staff/${member.staffId}/invite`);
  expect(invited.error?.code).toBe('STAFF_DISABLED');
  expect((await patch({ disabled: false })).data.disabledAt).toBeNull();
  clock.advance(1000);
  expect((await me(member.token)).status).toBe(401);
});

test('role and name can be changed; equal values are no change', async () => {
  const boss = await service.staff(shop);
  const member = await service.staff(shop, 'budtender');
  const patch = (body: object) => boss.call('PATCH', `/staff/v1/staff/${member.staffId}`, body);
  const { data } = await patch({ role: 'inventory', firstName: 'Io' });
  expect([data.role, data.firstName, data.lastName]).toEqual(['inventory', 'Io', 'Castellan']);
  clock.advance(1000);
  expect((await me(member.token)).data.staff).toMatchObject({ role: 'inventory', firstName: 'Io' });
  const before = await witness.contents(shop.organizationId);
  expect((await patch({ role: 'inventory', disabled: false })).status).toBe(200);
  expect(await witness.contents(shop.organizationId)).toEqual(before);
});

test('an edit of a member that has changed meanwhile is refused, also if the member has just joined', async () => {
  const boss = await service.staff(shop);
  const { id, inviteToken, updatedAt } = (await boss.call('POST', '/staff/v1/staff', newcomer())).data;
  const rename = (lastName: string, seen: string) =>
    boss.call('PATCH', `/staff/v1/staff/${id}`, { lastName }, { headers: { 'if-match': `"${seen}"` } });
  clock.advance(1000);
  const joined = (await accept(inviteToken)).data.staff;
  expect(joined.updatedAt).not.toBe(updatedAt);
  expect((await rename('Early', updatedAt)).error).toMatchObject({
    code: 'STALE_EDIT',
    meta: { updatedAt: joined.updatedAt },
  });
  clock.advance(1000);
  const replies = await Promise.all(['One', 'Other'].map((name) => rename(name, joined.updatedAt)));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const { data } = await boss.call('GET', '/staff/v1/staff');
  const won = replies.find(({ status }) => status === 200)!.data;
  expect(data.find((member: { id: number }) => member.id === id)).toEqual(won);
});

test('the last owner who can sign in stays owner and enabled, also when two demote each other concurrently', async () => {
  const own = await createTestShop(context);
  const ids = await createStaff(
    context,
    testOrigin,
    own.organizationId,
    [1, 2].map((n) => ({
      email: `owner-${n}@own.example.com`,
      firstName: 'O',
      lastName: 'W',
      role: 'owner' as const,
      password,
    })),
  );
  // Without a password: an owner who cannot sign in does not count.
  const boss = await service.staff(own);
  const patch = (id: number, body: object) => boss.call('PATCH', `/staff/v1/staff/${id}`, body);
  const both = await Promise.all(ids.map((id) => patch(id, { role: 'manager' })));
  expect(both.map(({ status, error }) => error?.code ?? status).sort()).toEqual([200, 'LAST_OWNER']);
  const last = ids[both.findIndex(({ error }) => error !== undefined)]!;
  expect((await patch(last, { disabled: true })).error?.code).toBe('LAST_OWNER');
  expect((await patch(last, { firstName: 'Only' })).data.firstName).toBe('Only');
});

test('changing your own password requires the current one and ends every other session', async () => {
  const body = newcomer('inventory');
  const boss = await service.staff(shop);
  const { data } = await boss.call('POST', '/staff/v1/staff', body);
  await accept(data.inviteToken);
  const [here, there] = [(await signIn(body.email)).data.token, (await signIn(body.email)).data.token];
  const change = (currentPassword: string, newPassword: string) =>
    call('POST', '/staff/v1/me/password', {
      body: { currentPassword, newPassword },
      headers: bearerHeader(here),
    });
  const wrong = await change('lemon grove 78', 'quiet harbor 41');
  expect([wrong.status, wrong.error!.code, wrong.error!.message]).toEqual([
    400,
    'INVALID_PARAMS',
    expect.stringMatching(/^currentPassword/),
  ]);
  const short = await change(password, 'too short');
  expect([short.error!.code, short.error!.message]).toEqual([
    'INVALID_PARAMS',
    expect.stringContaining('newPassword'),
  ]);
  expect((await me(there)).status).toBe(200);
  expect((await change(password, 'quiet harbor 41')).status).toBe(204);
  expect([(await me(here)).status, (await me(there)).status]).toEqual([200, 401]);
  expect([(await signIn(body.email)).status, (await signIn(body.email, 'quiet harbor 41')).status]).toEqual([
    401, 201,
  ]);
});

test('a weak password is refused with its rule at an invitation and a change, and the link stays open', async () => {
  const boss = await service.staff(shop);
  const body = { ...newcomer(), email: 'marisol.vega@shop.example.com', firstName: 'Marisol' };
  const { data } = await boss.call('POST', '/staff/v1/staff', body);
  const refusals = [
    ['password123', 'common'],
    ['aaaaaaaaaaaa', 'pattern'],
    ['Marisol-Vega-1987', 'own-words'],
    ['test shop 2026', 'own-words'],
  ] as const;
  for (const [weak, rule] of refusals) {
    const { status, error } = await accept(data.inviteToken, weak);
    expect([status, error?.code, error?.meta]).toEqual([422, 'PASSWORD_REFUSED', { rule }]);
  }
  // Who has no good link learns nothing of the person.
  expect((await accept(`${data.inviteToken.slice(0, -1)}_`, 'Marisol-Vega-1987')).status).toBe(401);
  expect((await accept(data.inviteToken)).status).toBe(200);
  const headers = bearerHeader((await signIn(body.email)).data.token);
  for (const [newPassword, rule] of refusals) {
    const change = { currentPassword: password, newPassword };
    const { error } = await call('POST', '/staff/v1/me/password', { body: change, headers });
    expect([error?.code, error?.meta]).toEqual(['PASSWORD_REFUSED', { rule }]);
  }
  expect((await signIn(body.email)).status).toBe(201);
});

test('the operator can invite a new or an existing owner, and no other member of staff', async () => {
  const inviteAs = (email: string) =>
    inviteOwner(context, 'production', testOrigin, shop.organizationId, email);
  const first = await inviteAs('founder@shop.example.com');
  const again = await inviteAs('Founder@Shop.example.com');
  expect([again.row.id, again.row.role]).toEqual([first.row.id, 'owner']);
  expect((await accept(first.inviteToken)).status).toBe(401);
  expect((await accept(again.inviteToken)).data.staff).toMatchObject({ role: 'owner', status: 'active' });
  const present = await service.staff(shop);
  const { email } = newcomer();
  await present.call('POST', '/staff/v1/staff', { ...newcomer('manager'), email });
  await expect(inviteAs(email)).rejects.toThrow(
    'must not be that of a member of staff with the role manager',
  );
  const left = await inviteAs('partner@shop.example.com');
  await present.call('PATCH', `/staff/v1/staff/${left.row.id}`, { disabled: true });
  await expect(inviteAs('partner@shop.example.com')).rejects.toMatchObject({ code: 'STAFF_DISABLED' });
});
