import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createStaff } from '../../src/access/staff/staff.ts';
import { makeKey } from '../../src/kernel/api-keys.ts';
import { ManualClock } from '../../src/kernel/clock.ts';
import { type FailureLimit, failureLimits, RateLimits } from '../../src/platform/http/rate-limits.ts';
import { guessedCodes } from '../../src/shop/customers/code-limits.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { mailsOf } from '../harness/test-mails.ts';
import { startOwnTestService, type TestReply } from '../harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  pickupBody,
  testOrigin,
} from '../harness/test-shop.ts';
import { bearerHeader } from '../harness/test-staff.ts';
import { callFrom, everywhere, heard, inManyNetworks, inOneNetwork, letPass } from './attackers.ts';

/*
 * Brute force and lock-out: what is guessed, from one network and from many, and that the guessing takes the service from
 * no other person. Each number is a promise.
 */

const service = await startOwnTestService({ rateLimits: 'on', trustedProxies: ['127.0.0.1'] });
const { context, clock } = service;
const shop = await createTestShop(context);
afterEach(() => {
  expect(service.faults).toEqual([]);
  letPass(clock);
});
afterAll(() => service.close());

const origin = 'https://shop.example';
const madeKey = await createTestKeys(context, shop.organizationId, shop.integrator, {
  permissions: ['create-orders', 'menu'],
  origins: [origin],
});
const pageKeys = { clientKey: madeKey.keys.clientKey };
const password = 'quiet harbor lantern 41';
let count = 0;

async function member(): Promise<string> {
  const email = `member-${++count}@shop.example.com`;
  const person = { firstName: 'Ines', lastName: 'Marchetti', role: 'budtender', email, password } as const;
  await createStaff(context, testOrigin, shop.organizationId, [person]);
  return email;
}

type Attempt = (address: string, at: number) => Promise<TestReply>;
const staffPost = (address: string, path: string, body: object, headers: Record<string, string> = {}) =>
  callFrom(service, address, 'POST', `/staff/v1/${path}`, { body, headers });
/** A page waits a moment between its requests, so that these have no part in what is counted. */
const page = (address: string, path: string, body: object) => {
  clock.advance(20);
  return callFrom(service, address, 'POST', `/api/v1/${path}`, { keys: pageKeys, body, headers: { origin } });
};
const token = (prefix: 'dch' | 'dci' | 'dcr' | 'dcs' | 'dcu') => makeKey(prefix, 'production', randomBytes);
const someone = (at: number) => `someone-${at}@people.example.com`;

const signIn = (address: string, email: string, tried = password, headers: Record<string, string> = {}) =>
  staffPost(address, 'sessions', { email, password: tried }, headers);
const askCode = (address: string, email: string) => page(address, 'customer-sessions', { email });
const tryCode = (address: string, email: string, code = '000000') =>
  page(address, 'customer-sessions/verify', { email, code });
const askReset = (address: string, email: string) => staffPost(address, 'password-resets', { email });

const halfSignIn: Attempt = (address) =>
  staffPost(address, 'sessions/second-factor', { signInToken: token('dch'), code: '000000' });
const secretKeys: Attempt = (address) =>
  callFrom(service, address, 'GET', '/api/v1/whoami', {
    keys: { consumerKey: shop.keys.consumerKey, clientKey: `${shop.keys.clientKey.slice(0, -4)}0000` },
  });

/** What shares a count: the first way uses it up, by a new target each time, then the others are refused too. */
const families: readonly {
  readonly of: string;
  readonly inNetwork: number;
  readonly inLarger: number;
  readonly ways: Readonly<Record<string, Attempt>>;
}[] = [
  {
    of: 'passwords, and links and tokens that stand for them',
    inNetwork: 50,
    inLarger: 200,
    ways: {
      'the token between the steps of signing in': halfSignIn,
      'a password of any account': (address, at) => signIn(address, someone(at)),
      'the link of an invitation': (address) =>
        staffPost(address, 'staff/accept-invite', { token: token('dci'), password }),
      'the link for a new password': (address) =>
        staffPost(address, 'password-resets/redeem', { token: token('dcr'), password }),
      'a challenge of passkeys': (address) => staffPost(address, 'passkey-challenges', {}),
    },
  },
  {
    of: 'keys and tokens of sessions',
    inNetwork: 20,
    inLarger: 80,
    ways: {
      'secret keys': secretKeys,
      'secret keys at the address of menus': (address) =>
        callFrom(service, address, 'GET', '/api/v1/menu', { address: 'menu', keys: { clientKey: 'x' } }),
      'the token of a session': (address) =>
        callFrom(service, address, 'GET', '/staff/v1/me', { headers: bearerHeader(token('dcs')) }),
      'the cookie of a session': (address) =>
        callFrom(service, address, 'GET', '/staff/v1/me', {
          headers: { cookie: `dispensary_session=${token('dcs')}` },
        }),
    },
  },
  {
    of: 'codes of customers',
    inNetwork: 20,
    inLarger: 80,
    ways: { 'a code of any customer': (address, at) => tryCode(address, someone(at)) },
  },
  {
    of: 'mails with codes',
    inNetwork: 10,
    inLarger: 40,
    ways: { 'a code for any customer': (address, at) => askCode(address, someone(at)) },
  },
  {
    of: 'mails with links',
    inNetwork: 20,
    inLarger: 80,
    ways: { 'a new password for any account': (address, at) => askReset(address, someone(at)) },
  },
];

describe.each(families)('of $of', ({ inNetwork, inLarger, ways }) => {
  const [first, ...others] = Object.values(ways);
  test(`one network of 2^64 addresses gets ${inNetwork} attempts, ${inLarger} with its neighbors, by all ways together`, async () => {
    expect(await heard(inNetwork + 3, (at) => first!(inOneNetwork(at), at))).toBe(inNetwork);
    for (const [at, other] of others.entries()) {
      expect((await other(inOneNetwork(at + 500), at)).status).toBe(429);
    }
    const neighbors = inLarger - inNetwork;
    expect(await heard(neighbors + 3, (at) => first!(inManyNetworks(at), at))).toBe(neighbors);
    for (const [at, other] of others.entries()) {
      expect((await other(inManyNetworks(at + 500), at)).status).toBe(429);
    }
    // All other people are heard.
    expect((await first!('198.51.100.7', 600)).status).not.toBe(429);
    expect((await first!(everywhere(1), 601)).status).not.toBe(429);
  });
});

test('from any number of networks, one account gets ten passwords, and three links for a new one', async () => {
  const email = await member();
  const tries = await Promise.all(
    Array.from({ length: 14 }, (_, at) => signIn(everywhere(at), email, `guess ${at}`)),
  );
  expect(tries.map(({ status }) => status).filter((status) => status === 401)).toHaveLength(10);
  const refused: TestReply[] = [];
  expect(
    await heard(
      2,
      (at) => signIn(everywhere(at), email),
      (reply) => refused.push(reply),
    ),
  ).toBe(0);
  expect(refused[0]).toMatchObject({ headers: { 'retry-after': '30' } });
  expect(await heard(8, (at) => askReset(everywhere(at), email))).toBe(3);
});

test('from any number of networks, one customer gets five codes and ten tries an hour', async () => {
  const email = 'ada@customers.example.com';
  expect(await heard(8, (at) => askCode(everywhere(at), email))).toBe(5);
  expect(await heard(13, (at) => tryCode(everywhere(at), email))).toBe(10);
});

test('by keys of two integrators of one shop, a customer gets no more codes and tries than by one', async () => {
  const other = await createTestIntegrator(context);
  const { keys } = await createTestKeys(context, shop.organizationId, other, {
    permissions: ['create-orders'],
  });
  const third = await createTestIntegrator(context);
  const further = await createTestKeys(context, shop.organizationId, third, {
    permissions: ['create-orders'],
  });
  const all = [shop.keys, keys, further.keys];
  const by = (at: number, path: string, body: object) => {
    clock.advance(20);
    return callFrom(service, everywhere(at), 'POST', `/api/v1/${path}`, { keys: all[at % 3]!, body });
  };
  const verify = 'customer-sessions/verify';
  const [lin, may] = ['lin@customers.example.com', 'may@customers.example.com'];
  expect(await heard(10, (at) => by(at, 'customer-sessions', { email: lin }))).toBe(5);
  expect(await heard(20, (at) => by(at, verify, { email: lin, code: '000000' }))).toBe(10);
  // Also at once, when each integrator has tried before.
  for (const at of [0, 1, 2]) await by(at, verify, { email: may, code: '000000' });
  const replies = await Promise.all(
    Array.from({ length: 15 }, (_, at) => by(at, verify, { email: may, code: '111111' })),
  );
  expect(replies.filter(({ status }) => status !== 429)).toHaveLength(7);
  // Another contact is heard, and an hour later this one is, too.
  expect((await by(1, 'customer-sessions', { email: 'other@customers.example.com' })).status).toBeLessThan(
    300,
  );
  clock.advance(3_700_000);
  expect((await by(2, 'customer-sessions', { email: lin })).status).toBeLessThan(300);
});

test('from any number of networks, a page gets 300 tries of the codes of any customers', async () => {
  // The seconds that the page waits give back some.
  const before = clock.now();
  const tries = await heard(320, (at) => tryCode(everywhere(at), someone(at)));
  expect(tries).toBeLessThanOrEqual(300 + Math.ceil((clock.now() - before) / 2_000));
});

test('within a stolen session, ten passwords are tried', async () => {
  const thief = await service.staff(shop, 'budtender', 'of signing in');
  const attempt = (at: number) =>
    callFrom(service, everywhere(at), 'POST', '/staff/v1/me/proof', {
      body: { password: `guess ${at}` },
      headers: bearerHeader(thief.token),
    });
  const change = (at: number) =>
    callFrom(service, everywhere(at), 'POST', '/staff/v1/me/password', {
      body: { currentPassword: `guess ${at}`, newPassword: password },
      headers: bearerHeader(thief.token),
    });
  expect(await heard(9, attempt)).toBe(9);
  expect(await heard(3, change)).toBe(1);
  expect(await heard(1, attempt)).toBe(0);
});

/** The attempts of a day that a kind allows, and how many possibilities there are: for a password, those of a modest one. */
const aDay: readonly (readonly [kind: string, FailureLimit, attempts: number, of: number])[] = [
  ['signInsOfAccount', failureLimits.signInsOfAccount, 2_890, 1e10],
  ['factorsOfAccount', failureLimits.factorsOfAccount, 293, 1e6 / 3],
  ['guessesOfKey', guessedCodes.ofKey, 43_500, 1e6],
];

test.each(aDay)(
  '%s: an attacker who never rests gets the attempts of its limit a day',
  (_, limit, attempts, of) => {
    const resting = new ManualClock(0);
    const limits = new RateLimits(resting);
    let allowed = 0;
    const stepMs = 1_000 / limit.perSecond;
    while (limits.takeFailures([limit, 'one']) === null) allowed += 1;
    for (; resting.now() + stepMs <= 86_400_000; resting.advance(stepMs)) {
      if (limits.takeFailures([limit, 'one']) === null) allowed += 1;
    }
    expect(Math.abs(allowed - attempts)).toBeLessThanOrEqual(2);
    expect(allowed / of).toBeLessThan(0.05);
  },
);

describe('an owner of another organization, with an account there under the email of the victim,', () => {
  const browser = { host: 'localhost', origin: 'http://localhost' };
  const cookieOf = (reply: TestReply) =>
    [reply.headers['set-cookie'] ?? []]
      .flat()
      .map(String)
      .find((cookie) => cookie.startsWith('dispensary_device='))!
      .split(';')[0]!;
  /** The victim, an account of the same email that the attacker opens, and browsers that have opened it. */
  async function attacked(browsers: number) {
    const email = await member();
    const own = await createTestShop(context);
    const person = { firstName: 'Ines', lastName: 'Marchetti', role: 'budtender', email } as const;
    const chosen = 'attackers own choice 77';
    await createStaff(context, testOrigin, own.organizationId, [{ ...person, password: chosen }]);
    const sign = (at: number, tried: string, organizationId?: number, cookie?: string) =>
      staffPost(
        everywhere(at),
        'sessions',
        { email, password: tried, organizationId },
        { ...browser, ...(cookie !== undefined && { cookie }) },
      );
    const cookies: string[] = [];
    for (let at = 0; at < browsers; at += 1) {
      const opened = await sign(at, chosen, own.organizationId);
      expect(opened.status).toBe(201);
      cookies.push(cookieOf(opened));
    }
    return { email, own, chosen, cookies, sign };
  }

  test('gets no more tries at the account of the victim than a stranger, with any number of browsers', async () => {
    const { own, chosen, cookies, sign } = await attacked(12);
    const guess = (named: boolean) => (at: number) =>
      sign(at, `guess ${at}`, named ? shop.organizationId : undefined, cookies[at % cookies.length]!);
    expect(await heard(40, guess(true))).toBe(10);
    // What is left is tries at the own account: the refusal says so, and the victim's password is not among what is tried.
    expect((await sign(3, password, undefined, cookies[3])).status).toBe(429);
    expect((await sign(3, password, shop.organizationId, cookies[3])).status).toBe(429);
    expect((await sign(3, chosen, undefined, cookies[3])).status).toBe(201);
    expect((await sign(3, chosen, own.organizationId, cookies[3])).status).toBe(201);
  });

  test('cannot try passwords at the account of the victim by making each the own one', async () => {
    const { chosen, cookies, sign } = await attacked(1);
    // Each opens the own account; at the victim's it is a wrong guess, and counts as one.
    for (let at = 0; at < 12; at += 1) {
      expect((await sign(at, chosen, undefined, cookies[0])).status).toBe(201);
    }
    expect((await sign(50, password, shop.organizationId)).status).toBe(429);
    const failed = await tenantSql(
      context.database,
      shop.organizationId,
      `select count(*)::int as failed from audit_entries where action = 'staff.sign_in_failed' and subject_id =
         (select id::text from staff_members order by id desc limit 1)`,
    );
    expect(failed[0]!.failed).toBe(10);
  });
});

test('from all browsers that have opened an account, it gets thirty passwords, and then those of any caller', async () => {
  const browser = { host: 'localhost', origin: 'http://localhost' };
  const open = async (email: string) => {
    const { headers } = await signIn('198.51.100.7', email, password, browser);
    const cookies = [headers['set-cookie'] ?? []].flat().map(String);
    return { ...browser, cookie: cookies.find((it) => it.startsWith('dispensary_device='))!.split(';')[0]! };
  };
  const email = await member();
  const browsers = await Promise.all(Array.from({ length: 6 }, () => open(email)));
  // A browser that has used up its own tries is one like any other: its tries count for the email.
  const tries = await heard(70, (at) => signIn(everywhere(at), email, `guess ${at}`, browsers[at % 6]));
  expect(tries).toBe(30 + 10);
});

test('one network gets a hundred wrong proofs of people who are known, of any number of members and sessions', async () => {
  const { browser, email } = {
    email: await member(),
    browser: { host: 'localhost', origin: 'http://localhost' },
  };
  const members = await Promise.all(
    Array.from({ length: 12 }, () => service.staff(shop, 'budtender', 'of signing in')),
  );
  const assertion = {
    credential: 'AAAA',
    clientDataJSON: 'AAAA',
    authenticatorData: 'AAAA',
    signature: 'AAAA',
  };
  const tries = await heard(105, (at) =>
    callFrom(service, inOneNetwork(at), 'POST', '/staff/v1/me/proof/passkey', {
      body: assertion,
      headers: { ...bearerHeader(members[at % 12]!.token), ...browser },
    }),
  );
  expect(tries).toBe(100);
  expect((await signIn(inOneNetwork(200), email)).status).toBe(201);
});

test('within all sessions of a member, thirty passwords are tried', async () => {
  const email = await member();
  const sessions: string[] = [];
  for (let at = 0; at < 5; at += 1) sessions.push((await signIn(everywhere(at), email)).data.token);
  const tries = await heard(60, (at) =>
    callFrom(service, everywhere(at), 'POST', '/staff/v1/me/proof', {
      body: { password: `guess ${at}` },
      headers: bearerHeader(sessions[at % 5]!),
    }),
  );
  expect(tries).toBe(30);
});

describe('while an attacker guesses,', () => {
  test('a member of staff works on, signs in from a known browser, and gets in by a link that was mailed', async () => {
    const email = await member();
    const browser = { host: 'localhost', origin: 'http://localhost' };
    const first = await signIn('198.51.100.7', email, password, browser);
    const cookies = [first.headers['set-cookie'] ?? []].flat().map(String);
    const device = cookies.find((cookie) => cookie.startsWith('dispensary_device='))!.split(';')[0]!;
    await heard(14, (at) => signIn(everywhere(at), email, `guess ${at}`));
    await heard(5, (at) => askReset(everywhere(at), email));
    expect((await signIn('198.51.100.7', email)).status).toBe(429);
    const headers = bearerHeader(first.data.token);
    expect((await callFrom(service, '198.51.100.7', 'GET', '/staff/v1/me', { headers })).status).toBe(200);
    const known = { ...browser, cookie: device };
    expect((await signIn('198.51.100.7', email, password, known)).status).toBe(201);
    // A new link ends those before it: of the three that the attacker had sent, one works, and the member only has it.
    const mails = async () =>
      (await mailsOf(context, shop.organizationId, email)).filter(({ kind }) => kind === 'password-reset');
    await expect.poll(async () => (await mails()).length).toBe(3);
    const redeemed: number[] = [];
    for (const { text } of await mails()) {
      const link = /new-password#(\S+)/.exec(text)![1]!;
      const chosen = { token: link, password: 'winter orchard 58 lamp' };
      redeemed.push((await staffPost('198.51.100.7', 'password-resets/redeem', chosen)).status);
    }
    expect(redeemed.filter((status) => status === 200)).toHaveLength(1);
  });

  test('good keys are served, also from the address of the attacker', async () => {
    expect(await heard(25, (at) => secretKeys(inOneNetwork(at), at))).toBe(20);
    const good = await callFrom(service, inOneNetwork(1), 'GET', '/api/v1/whoami', { keys: shop.keys });
    expect(good.status).toBe(200);
    const { token: session } = await service.staff(shop);
    const headers = bearerHeader(session);
    expect((await callFrom(service, inOneNetwork(1), 'GET', '/staff/v1/me', { headers })).status).toBe(200);
  });

  test('a customer whose codes are used up orders without one, and gets one an hour later', async () => {
    const email = `noor-${randomUUID()}@customers.example.com`;
    await heard(6, (at) => askCode(everywhere(at), email));
    await heard(11, (at) => tryCode(everywhere(at), email));
    expect((await askCode('198.51.100.7', email)).status).toBe(429);
    const customer = { firstName: 'Noor', lastName: 'Sandoval', email };
    const order = await page('198.51.100.7', 'orders', pickupBody(shop, { customer }));
    expect(order.status).toBe(201);
    clock.advance(3_600_000);
    expect((await askCode('198.51.100.7', email)).status).toBe(202);
  });
});
