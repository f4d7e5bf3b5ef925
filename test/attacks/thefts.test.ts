import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { hashPassword } from '../../src/access/staff/passwords.ts';
import { createStaff } from '../../src/access/staff/staff.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { mailsOf } from '../harness/test-mails.ts';
import { startOwnTestService, type TestReply } from '../harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  pickupBody,
  type TestKeys,
  testOrigin,
} from '../harness/test-shop.ts';
import { bearerHeader, type TestStaff } from '../harness/test-staff.ts';

/* Stolen sessions and tokens, and what is sent a second time: how far a thief gets, and for how long. */

const lines: string[] = [];
const service = await startOwnTestService({ onLogged: (line) => lines.push(line) });
const { context, clock, call } = service;
const [shop, stranger] = [await createTestShop(context), await createTestShop(context)];
const owner = await service.staff(shop);
afterEach(() => {
  expect(service.faults.filter((line) => ['error', 'fatal'].includes(JSON.parse(line).level))).toEqual([]);
});
afterAll(() => service.close());

const password = 'quiet harbor lantern 41';
const passwordHash = await hashPassword(password);
const origin = 'https://shop.example';
const page = async (of = shop, integrator = of.integrator) => {
  const settings = { permissions: ['create-orders'], origins: [origin] } as const;
  const { keys } = await createTestKeys(context, of.organizationId, integrator, settings);
  return { clientKey: keys.clientKey };
};
const pageKeys = await page();
const sql = (text: string, ...values: (string | number)[]) =>
  tenantSql(context.database, shop.organizationId, text, ...values);
let count = 0;

const asPage = (path: string, body: object, keys: TestKeys = pageKeys) =>
  call('POST', `/api/v1/${path}`, { keys, headers: { origin }, body });
const me = (token: string) => call('GET', '/staff/v1/me', { headers: bearerHeader(token) });

/** A member with a password and an authenticator app, not signed in. */
async function memberWithApp() {
  const email = `member-${++count}@shop.example.com`;
  const person = { email, firstName: 'Ines', lastName: 'Marchetti', role: 'budtender' } as const;
  const [id] = await createStaff(context, testOrigin, shop.organizationId, [{ ...person, password: null }]);
  await sql('update staff_members set password_hash = $1 where id = $2', passwordHash, id!);
  const { data } = await call('POST', '/staff/v1/sessions', { body: { email, password } });
  const as = { headers: bearerHeader(data.token) };
  const { secret } = (await call('POST', '/staff/v1/me/totp', as)).data;
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() });
  const confirmed = await call('POST', '/staff/v1/me/totp/confirm', { ...as, body: { code: code() } });
  clock.advance(30_000);
  return { id: id!, email, code, recoveryCodes: confirmed.data.recoveryCodes as string[] };
}

async function halfSignIn(email: string): Promise<string> {
  const { error } = await call('POST', '/staff/v1/sessions', { body: { email, password } });
  return (error!.meta as { readonly signInToken: string }).signInToken;
}
const secondStep = (signInToken: string, code: string) =>
  call('POST', '/staff/v1/sessions/second-factor', { body: { signInToken, code } });

async function mailed(kind: string, to: string): Promise<string> {
  const found = async () =>
    (await mailsOf(service.context, shop.organizationId, to)).findLast((mail) => mail.kind === kind);
  await expect.poll(found).toBeDefined();
  return (await found())!.text;
}

async function customerCode(email: string): Promise<string> {
  expect((await asPage('customer-sessions', { email })).status).toBe(202);
  return /^\d{6}$/m.exec(await mailed('customer-code', email))![0];
}

/** What is good for one use: a way to make it, and to use it. */
const onceOnly: Readonly<Record<string, () => Promise<(at: number) => Promise<TestReply>>>> = {
  'the code of a customer': async () => {
    const email = `customer-${++count}@customers.example.com`;
    const code = await customerCode(email);
    return () => asPage('customer-sessions/verify', { email, code });
  },
  'the code of an authenticator app': async () => {
    const { email, code } = await memberWithApp();
    const tokens = await Promise.all([1, 2, 3, 4].map(() => halfSignIn(email)));
    const shown = code();
    return (at) => secondStep(tokens[at]!, shown);
  },
  'a recovery code': async () => {
    const { email, recoveryCodes } = await memberWithApp();
    const tokens = await Promise.all([1, 2, 3, 4].map(() => halfSignIn(email)));
    return (at) => secondStep(tokens[at]!, recoveryCodes[0]!);
  },
  'the token between the steps of signing in': async () => {
    const { email, recoveryCodes } = await memberWithApp();
    const token = await halfSignIn(email);
    return (at) => secondStep(token, recoveryCodes[at]!);
  },
  'the link of an invitation': async () => {
    const person = { firstName: 'Bo', lastName: 'Lind', role: 'budtender' };
    const email = `invited-${++count}@shop.example.com`;
    const { inviteToken } = (await owner.call('POST', '/staff/v1/staff', { ...person, email })).data;
    return () => call('POST', '/staff/v1/staff/accept-invite', { body: { token: inviteToken, password } });
  },
  'the link for a new password': async () => {
    const { email } = await memberWithApp();
    await call('POST', '/staff/v1/password-resets', { body: { email } });
    const token = /new-password#(\S+)/.exec(await mailed('password-reset', email))![1]!;
    return () => call('POST', '/staff/v1/password-resets/redeem', { body: { token, password } });
  },
};

test.each(Object.entries(onceOnly))(
  '%s is good once: of three uses at once one succeeds, and none after it',
  async (_, make) => {
    const use = await make();
    const replies = await Promise.all([0, 1, 2].map((at) => use(at)));
    const good = replies.filter(({ status }) => status < 300);
    expect(good).toHaveLength(1);
    for (const { status } of replies) expect([200, 201, 401, 422]).toContain(status);
    expect([401, 422]).toContain((await use(3)).status);
  },
);

describe('a stolen session of staff', () => {
  /** What ends it. Other processes follow within a second. */
  const ends: Readonly<Record<string, (stolen: TestStaff) => Promise<unknown>>> = {
    'its member signs out': ({ call }) => call('DELETE', '/staff/v1/sessions/current'),
    'an owner ends it': ({ sessionId }) => owner.call('DELETE', `/staff/v1/staff-sessions/${sessionId}`),
    'an owner disables the member': ({ staffId }) =>
      owner.call('PATCH', `/staff/v1/staff/${staffId}`, { disabled: true }),
    'the member gets another password by a link': async ({ email, staffId }) => {
      await sql('update staff_members set password_hash = $1 where id = $2', passwordHash, staffId);
      await call('POST', '/staff/v1/password-resets', { body: { email } });
      const token = /new-password#(\S+)/.exec(await mailed('password-reset', email))![1]!;
      await call('POST', '/staff/v1/password-resets/redeem', { body: { token, password } });
    },
    'twelve hours pass without use': async () => clock.advance(12 * 3_600_000),
  };

  test.each(Object.entries(ends))('ends within a second after %s', async (_, end) => {
    const stolen = await service.staff(shop, 'manager');
    expect((await me(stolen.token)).status).toBe(200);
    await end(stolen);
    clock.advance(1_000);
    expect((await me(stolen.token)).status).toBe(401);
  });

  test('ends after 30 days, however much it is used', async () => {
    const stolen = await service.staff(shop, 'manager');
    const statuses: number[] = [];
    for (let halfDays = 0; halfDays < 65; halfDays += 1) {
      clock.advance(11 * 3_600_000);
      statuses.push((await me(stolen.token)).status);
    }
    expect(statuses).toEqual([...Array<number>(65).fill(200)]);
    clock.advance(5 * 3_600_000 + 1_000);
    expect((await me(stolen.token)).status).toBe(401);
  });

  test('ten minutes old, without the password, it makes no key, exports no one and lets no one in', async () => {
    const stolen = await service.staff(shop, 'owner', 'of signing in');
    clock.advance(600_000);
    const tries: readonly (readonly [string, string, object?])[] = [
      ['POST', '/staff/v1/client-keys', { integratorId: 1, name: 'Mine', permissions: ['customers'] }],
      ['GET', '/staff/v1/customers/1/export'],
      [
        'POST',
        '/staff/v1/staff',
        { email: 'thief@example.com', firstName: 'T', lastName: 'H', role: 'owner' },
      ],
      ['PATCH', `/staff/v1/staff/${owner.staffId}`, { disabled: true }],
      ['PUT', '/staff/v1/identity-provider', {}],
      ['DELETE', `/staff/v1/staff/${owner.staffId}/second-factor`],
    ];
    for (const [method, path, body] of tries) {
      const { status, error } = await stolen.call(method, path, body);
      expect([path, status, error?.code]).toEqual([path, 403, 'RECENT_PROOF_REQUIRED']);
    }
    const guess = await stolen.call('POST', '/staff/v1/me/proof', { password: 'no idea' });
    expect([guess.status, guess.data]).toEqual([guess.status, undefined]);
    expect(guess.status).toBeGreaterThanOrEqual(400);
  });

  test('is nothing but a session: no key, no token of a customer or of another step, and none of another organization', async () => {
    const { token } = await service.staff(shop, 'owner');
    expect(
      (
        await call('GET', '/api/v1/whoami', {
          keys: { consumerKey: shop.keys.consumerKey, clientKey: token },
        })
      ).status,
    ).toBe(401);
    expect((await secondStep(token, '000000')).status).toBe(401);
    for (const path of ['staff/accept-invite', 'password-resets/redeem']) {
      expect((await call('POST', `/staff/v1/${path}`, { body: { token, password } })).status).toBe(401);
    }
    const customer = { firstName: 'Ada', lastName: 'Moreno', token };
    const asCustomer = await asPage('orders/pricing', pickupBody(shop, { customer }));
    expect([asCustomer.status, asCustomer.error?.code]).toEqual([401, 'CUSTOMER_SESSION_ENDED']);
    const foreign = await service.staff(stranger);
    const ended = await call('DELETE', `/staff/v1/staff-sessions/${foreign.sessionId}`, {
      headers: bearerHeader(token),
    });
    expect([ended.status, (await me(foreign.token)).status]).toEqual([404, 200]);
  });

  test('cannot be put into a browser before its person signs in: signing in makes a new one', async () => {
    const planted = await service.staff(shop, 'budtender');
    const email = `member-${++count}@shop.example.com`;
    const person = { email, firstName: 'Ines', lastName: 'Marchetti', role: 'budtender' } as const;
    const [id] = await createStaff(context, testOrigin, shop.organizationId, [{ ...person, password: null }]);
    await sql('update staff_members set password_hash = $1 where id = $2', passwordHash, id!);
    const reply = await call('POST', '/staff/v1/sessions', {
      body: { email, password },
      headers: {
        host: 'localhost',
        origin: 'http://localhost',
        cookie: `dispensary_session=${planted.token}`,
      },
    });
    expect([reply.status, reply.data.staff.id]).toEqual([201, id]);
    expect(reply.data.token).not.toBe(planted.token);
    expect(String(reply.headers['set-cookie'])).toContain(reply.data.token);
    expect((await me(planted.token)).data.staff.id).toBe(planted.staffId);
  });
});

describe('a stolen token of a customer', () => {
  async function tokenOf(email: string): Promise<string> {
    const code = await customerCode(email);
    return (await asPage('customer-sessions/verify', { email, code })).data.token;
  }
  const priced = async (token: string, keys: TestKeys = pageKeys, of = shop) => {
    const customer = { firstName: 'Ada', lastName: 'Moreno', token };
    const { status, error } = await asPage('orders/pricing', pickupBody(of, { customer }), keys);
    return [status, error?.code];
  };
  const over = [401, 'CUSTOMER_SESSION_ENDED'];

  test('is good at one shop and one integrator, for 30 days, until the customer signs out', async () => {
    const token = await tokenOf('ada@customers.example.com');
    expect(await priced(token)).toEqual([200, undefined]);
    expect(await priced(token, await page(stranger), stranger)).toEqual(over);
    expect(await priced(token, await page(shop, await createTestIntegrator(context)))).toEqual(over);
    const ended = await asPage('customer-sessions/end', { token }, await page(stranger));
    expect([ended.status, await priced(token)]).toEqual([401, [200, undefined]]);
    expect((await asPage('customer-sessions/end', { token })).status).toBe(204);
    expect(await priced(token)).toEqual(over);
    const old = await tokenOf('ada@customers.example.com');
    clock.advance(30 * 86_400_000);
    expect(await priced(old)).toEqual(over);
  });
});

test('what a thief could use is in no line of the log', async () => {
  const secrets = [owner.token, pageKeys.clientKey, shop.keys.clientKey, shop.keys.consumerKey, password];
  await call('GET', `/staff/v1/orders?search=${owner.token}`, { headers: bearerHeader(owner.token) });
  await call('GET', `/api/v1/products/${shop.keys.clientKey}`, { keys: shop.keys });
  const random = randomBytes(8).toString('hex');
  await call('POST', '/staff/v1/sessions', { body: { email: `${random}@people.example.com`, password } });
  const log = lines.join('\n');
  expect(log).toContain('sign-in failed');
  for (const secret of [...secrets, random]) expect(log.includes(secret)).toBe(false);
});
