import Type from 'typebox';
import { afterAll, describe, expect, it } from 'vitest';
import { ManualClock } from '../../kernel/clock.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import { reply, replyEmpty, type StaffCaller, signInEndpoint, staffEndpoint } from './endpoint.ts';
import { Id, Text } from './schemas.ts';
import type { HttpServer } from './server.ts';
import { ask, createToyServer, goodKeys } from './toy-server.test-support.ts';

const shared = {
  kind: 'read',
  summary: 'Toy',
  description: 'Toy.',
  tag: 'Toys',
  failures: [],
} as const;
const Who = Type.Object({ id: Id() });
const done = { status: 200, data: Who, description: 'Done' } as const;

const endpoints = [
  staffEndpoint({
    ...shared,
    id: 'getStaffToy',
    method: 'GET',
    path: '/staff/v1/toys',
    roles: ['budtender'],
    success: done,
    handle: async ({ staff }) => reply({ id: staff.staffId }),
  }),
  staffEndpoint({
    ...shared,
    id: 'makeStaffToy',
    method: 'POST',
    path: '/staff/v1/toys',
    roles: ['budtender'],
    body: Who,
    success: done,
    handle: async ({ staff }) => reply({ id: staff.staffId }),
  }),
  staffEndpoint({
    ...shared,
    id: 'removeStaffToy',
    method: 'DELETE',
    path: '/staff/v1/toys/{toyId}',
    roles: ['budtender'],
    params: Type.Object({ toyId: Id() }),
    success: { status: 204, description: 'Gone' },
    handle: async () => replyEmpty({ headers: { 'X-Toy': 'gone' } }),
  }),
  signInEndpoint({
    ...shared,
    id: 'signInToToys',
    method: 'POST',
    path: '/staff/v1/toy-sessions',
    body: Type.Object({ account: Text({ max: 20 }), password: Text({ max: 20 }) }),
    success: done,
    handle: async ({ body, countAttempt }) => {
      const attempt = await countAttempt({ kind: 'account', name: body.account });
      if (body.password !== 'good') throw failure('INVALID_API_CREDENTIALS', 'No.');
      attempt.giveBack();
      return reply({ id: 7 });
    },
  }),
];

/** Tokens are names of roles. */
const authenticate = async (token: string): Promise<StaffCaller | null> =>
  ['owner', 'manager', 'budtender'].includes(token)
    ? {
        organizationId: 1001 as OrganizationId,
        staffId: 7,
        sessionId: 8,
        role: token as StaffRole,
        email: 'robin@shop.example.com',
        firstName: 'Robin',
        lastName: 'Castellan',
        standing: {
          provenAtMs: 0,
          hasSecondFactor: false,
          hasPasskey: false,
          mustSetUpFactor: false,
          isAllowedFrom: null,
          proofAboveCents: null,
        },
      }
    : null;

const clock = new ManualClock(0);
const staff = { endpoints, authenticate, publicUrl: 'https://shop.example.com/' };
const lines: string[] = [];
const server = createToyServer({ staff, destination: { write: (line: string) => lines.push(line) } });
const limited = createToyServer({ staff, clock, rateLimits: 'on' });
afterAll(() => Promise.all([server.close(), limited.close()]));

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const cookie = (token: string) => ({ cookie: `other=1; __Host-dispensary_session=${token}` });
const host = 'localhost:8080';
const get = (headers: object) => ask(server, { url: '/staff/v1/toys', headers: { host, ...headers } });
const post = (headers: object, body: unknown = { id: 1 }) =>
  ask(server, {
    method: 'POST',
    url: '/staff/v1/toys',
    headers: { host, 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('admission', () => {
  it('requires a session, by token or by cookie; the token takes precedence', async () => {
    for (const headers of [
      bearer('budtender'),
      { authorization: 'bearer  budtender ' },
      cookie('budtender'),
    ]) {
      expect((await get(headers)).status).toBe(200);
    }
    expect((await get({ ...bearer('budtender'), ...cookie('nobody') })).status).toBe(200);
    expect((await get({ ...bearer('nobody'), ...cookie('budtender') })).code).toBe('INVALID_API_CREDENTIALS');
    // Credentials for a proxy are not a token.
    expect((await get({ authorization: 'Basic YTpi', ...cookie('budtender') })).status).toBe(200);
  });

  it('refuses, with TLS, a cookie that a page without TLS could set', async () => {
    const plain = { cookie: 'dispensary_session=budtender' };
    expect((await get(plain)).code).toBe('INVALID_API_CREDENTIALS');
    const withoutTls = createToyServer({ staff: { ...staff, publicUrl: undefined } });
    const url = '/staff/v1/toys';
    expect((await ask(withoutTls, { url, headers: plain })).status).toBe(200);
    expect((await ask(withoutTls, { url, headers: cookie('budtender') })).status).toBe(401);
    await withoutTls.close();
  });

  it('refuses keys alone, and a session in place of keys', async () => {
    for (const headers of [{}, bearer(''), cookie(''), { authorization: 'Bearer' }, { cookie: ';;=;' }]) {
      expect(await get({ ...goodKeys, ...headers })).toMatchObject({
        status: 401,
        code: 'INVALID_API_CREDENTIALS',
      });
    }
    const noKeys = { 'x-consumer-key': '', 'x-client-key': '' };
    const v1 = await ask(server, { url: '/api/v1/toys', headers: { ...bearer('owner'), ...noKeys } });
    expect(v1.code).toBe('INVALID_API_CREDENTIALS');
  });

  it('accepts an owner, and the named roles', async () => {
    expect((await get(bearer('owner'))).status).toBe(200);
    expect(await get(bearer('manager'))).toMatchObject({
      status: 403,
      code: 'INSUFFICIENT_PERMISSIONS',
      message: 'The role must be one of owner, budtender.',
    });
  });

  it('refuses in the order of D13, and reads no body before session and role are checked', async () => {
    const form = { 'content-type': 'text/plain' };
    expect((await post(form, 'x')).code).toBe('INVALID_API_CREDENTIALS');
    expect((await post({ ...form, ...bearer('manager') }, 'x')).code).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await post({ ...form, ...bearer('owner') }, 'x')).code).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect((await post(bearer('owner'), 'x')).code).toBe('INVALID_JSON');
    expect((await post(bearer('owner'), {})).code).toBe('MISSING_PARAMS');
    expect((await post(bearer('owner'), { id: 'x' })).code).toBe('INVALID_PARAMS');
    // D5: unknown fields are ignored.
    expect((await post(bearer('owner'), { id: 1, more: 2 })).status).toBe(200);
  });

  it('logs the staff id, never a name or address', async () => {
    lines.length = 0;
    await get(bearer('budtender'));
    expect(JSON.parse(lines[0]!)).toMatchObject({ route: 'getStaffToy', organizationId: 1001, staffId: 7 });
    expect(lines.join()).not.toMatch(/robin|castellan|bearer/i);
  });
});

describe('a write by cookie', () => {
  const statusOf = async (headers: object) => (await post({ ...cookie('owner'), ...headers })).status;

  it('is accepted from pages of this service', async () => {
    for (const headers of [
      { origin: `http://${host}` },
      { origin: 'https://shop.example.com' },
      { referer: `http://${host}/console/orders?id=7` },
      { 'sec-fetch-site': 'same-origin' },
    ]) {
      expect([headers, await statusOf(headers)]).toEqual([headers, 200]);
    }
  });

  it('is refused from elsewhere, and without an origin', async () => {
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: 'https://evil.example.com' },
      { origin: 'https://shop.example.com.evil.example.com' },
      { origin: 'http://shop.example.com' },
      { origin: `http://${host}1` },
      { origin: 'https://evil.example.com', referer: `http://${host}/` },
      { origin: 'https://evil.example.com', 'sec-fetch-site': 'same-origin' },
      { referer: 'https://evil.example.com/?https://shop.example.com' },
      { referer: 'https://shop.example.com@evil.example.com/' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const reply = await post({ ...cookie('owner'), ...headers });
      expect([headers, reply.status, reply.code]).toEqual([headers, 403, 'CROSS_ORIGIN_REQUEST']);
    }
    // A name that an attacker points at this machine: to the browser, page and service have the same origin.
    const rebound = 'evil.example.com:8080';
    for (const headers of [{ origin: `http://${rebound}` }, { 'sec-fetch-site': 'same-origin' }]) {
      const reply = await post({ ...cookie('owner'), ...headers, host: rebound });
      expect([reply.status, reply.code, reply.message]).toEqual([
        403,
        'CROSS_ORIGIN_REQUEST',
        expect.stringContaining('Host must be that of PUBLIC_URL'),
      ]);
    }
    const gone = { method: 'DELETE', url: '/staff/v1/toys/1' } as const;
    expect((await ask(server, { ...gone, headers: cookie('owner') })).code).toBe('CROSS_ORIGIN_REQUEST');
    const removed = await ask(server, { ...gone, headers: bearer('owner') });
    expect([removed.status, removed.headers['x-toy']]).toEqual([204, 'gone']);
  });

  it('needs no origin for reads or with a token', async () => {
    const foreign = { origin: 'https://evil.example.com' };
    expect((await get({ ...cookie('owner'), ...foreign })).status).toBe(200);
    expect((await post({ ...bearer('owner'), ...cookie('owner'), ...foreign })).status).toBe(200);
  });
});

describe('signing in', () => {
  const attempt = (
    account: string,
    password: string,
    options: { address?: string; headers?: object; server?: HttpServer } = {},
  ) =>
    ask(options.server ?? limited, {
      method: 'POST',
      url: '/staff/v1/toy-sessions',
      headers: { 'content-type': 'application/json', ...options.headers },
      payload: JSON.stringify({ account, password }),
      remoteAddress: options.address ?? '192.0.2.1',
    });

  it('needs no session, and is refused for pages of other sites', async () => {
    expect((await attempt('a', 'good')).status).toBe(200);
    expect((await attempt('a', 'good', { headers: { origin: 'https://shop.example.com' } })).status).toBe(
      200,
    );
    for (const headers of [{ origin: 'https://evil.example.com' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await attempt('a', 'good', { headers })).code).toBe('CROSS_ORIGIN_REQUEST');
    }
    const rebound = { host: 'evil.example.com', origin: 'http://evil.example.com' };
    expect((await attempt('a', 'good', { headers: rebound })).code).toBe('CROSS_ORIGIN_REQUEST');
  });

  it('may fail ten times for an account, then once in 30 seconds, over all addresses', async () => {
    // Concurrent attempts: none is allowed because the others are not finished.
    const many = await Promise.all(
      Array.from({ length: 25 }, (_, at) => attempt('b', 'bad', { address: `192.0.2.${100 + (at % 5)}` })),
    );
    expect(many.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(10).fill(401),
      ...Array<number>(15).fill(429),
    ]);
    const right = await attempt('b', 'good', { address: '192.0.2.99' });
    expect(right).toMatchObject({ status: 429, code: 'RATE_LIMITED', headers: { 'retry-after': '30' } });
    expect((await attempt('c', 'good')).status).toBe(200);
    clock.advance(30_000);
    expect((await attempt('b', 'bad')).status).toBe(401);
    expect((await attempt('b', 'bad')).status).toBe(429);
    clock.advance(30_000);
    expect((await attempt('b', 'good')).status).toBe(200);
    expect((await attempt('b', 'good')).status).toBe(200);
  });

  it('counts an IPv6 address by its /64, and four times as much by its /48', async () => {
    let tried = 0;
    const outcomes = async (count: number, network: string) => {
      const statuses = [];
      for (let at = 0; at < count; at++) {
        const address = `2001:db8:5:${network}::${(++tried).toString(16)}`;
        statuses.push((await attempt(`six${tried}`, 'bad', { address })).status);
      }
      return [...new Set(statuses)];
    };
    expect(await outcomes(50, 'a')).toEqual([401]);
    expect(await outcomes(1, 'a')).toEqual([429]);
    for (const network of ['b', 'c', 'd']) expect(await outcomes(50, network)).toEqual([401]);
    expect(await outcomes(1, 'e')).toEqual([429]);
    expect((await attempt('six', 'bad', { address: '2001:db8:6:e::1' })).status).toBe(401);
  });

  it('may fail fifty times from an address, then once a second; successes do not count', async () => {
    const address = '198.51.100.7';
    for (let at = 0; at < 60; at++) expect((await attempt('d', 'good', { address })).status).toBe(200);
    const statuses = new Map<number, number>();
    for (let at = 0; at < 60; at++) {
      const { status } = await attempt(`e${at}`, 'bad', { address });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [401, 50],
      [429, 10],
    ]);
    expect((await attempt('f', 'good', { address: '198.51.100.8' })).status).toBe(200);
    expect((await attempt('f', 'good', { address: '2001:db8:7:1::1' })).status).toBe(200);
    clock.advance(1000);
    expect((await attempt('e99', 'bad', { address })).status).toBe(401);
  });

  it('counts for the address behind a trusted proxy, regardless of entries that the sender adds', async () => {
    const behind = createToyServer({
      ...{ staff, clock, trustedProxies: ['192.0.2.0/24'] },
      rateLimits: 'on',
    });
    const from = (account: string, forwarded: string, address = '192.0.2.1') =>
      attempt(account, 'bad', { address, headers: { 'x-forwarded-for': forwarded }, server: behind });
    for (let at = 0; at < 50; at++)
      expect((await from(`g${at}`, `10.0.0.${at}, 203.0.113.9`)).status).toBe(401);
    expect((await from('g50', '10.0.0.50, 203.0.113.9')).status).toBe(429);
    expect((await from('g51', '203.0.113.10')).status).toBe(401);
    for (let at = 0; at < 50; at++) await from(`h${at}`, `203.0.113.${at}`, '198.51.100.9');
    expect((await from('h50', '203.0.113.200', '198.51.100.9')).status).toBe(429);
    await behind.close();
  });
});

describe('a session', () => {
  it('may send 30 requests a second, and 60 at once', async () => {
    const send = () => ask(limited, { url: '/staff/v1/toys', headers: bearer('owner') });
    for (let left = 59; left >= 0; left--) {
      const { status, headers } = await send();
      expect([status, headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([
        200,
        '60',
        String(left),
      ]);
    }
    expect(await send()).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      headers: { 'retry-after': '1' },
    });
    clock.advance(1000);
    for (let at = 0; at < 30; at++) expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(429);
  });

  it('that is invalid counts as a failure of its address, like wrong keys', async () => {
    const send = (headers: object) =>
      ask(limited, { url: '/staff/v1/toys', headers: { ...headers }, remoteAddress: '203.0.113.5' });
    for (let at = 0; at < 30; at++) expect((await send({})).status).toBe(401);
    for (let at = 0; at < 20; at++) expect((await send(bearer('nobody'))).status).toBe(401);
    expect((await send(bearer('nobody'))).status).toBe(429);
    expect((await send(bearer('manager'))).code).toBe('INSUFFICIENT_PERMISSIONS');
  });
});

it('the staff document is served beside the other one, each with its own page', async () => {
  const openApi = { openapi: '3.1.0', info: { title: 'Toys', version: '1' }, paths: {} };
  const staffOpenApi = { openapi: '3.1.0', info: { title: 'Staff toys', version: '1' }, paths: {} };
  const both = createToyServer({
    openApi: () => openApi,
    staff: { ...staff, openApi: () => staffOpenApi },
  });
  for (const [prefix, document] of Object.entries({ '': openApi, '/staff': staffOpenApi })) {
    expect((await ask(both, { url: `${prefix}/openapi.json` })).json).toEqual(document);
    expect((await ask(both, { url: `${prefix}/docs` })).headers.location).toBe(`${prefix}/docs/`);
    expect((await ask(both, { url: `${prefix}/docs/` })).status).toBe(200);
    expect((await ask(both, { url: `${prefix}/docs/openapi.json` })).json).toEqual(document);
    expect((await ask(both, { url: `${prefix}/docs/js/scalar.js` })).status).toBe(200);
  }
  await both.close();
});
