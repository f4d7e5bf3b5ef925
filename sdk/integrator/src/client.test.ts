import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient } from './client.ts';
import type { ClientOptions, Query } from './client-options.ts';
import type { CommerceError } from './commerce-error.ts';
import type { ListId } from './operation-types.ts';

type Answering = (request: {
  readonly url: string;
  readonly init: RequestInit;
}) => Response | Promise<Response>;

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const ok = (data: unknown) => json(200, { data, meta: { cursor: 'c1' } });
const refusal = (status: number, code: string, headers?: Record<string, string>) =>
  json(status, { error: { message: `Refused: ${code}`, code, meta: { field: 'limit' } } }, headers);
const unreachable = () => Promise.reject(new TypeError('fetch failed'));

type KeyName = 'consumerKey' | 'clientKey' | 'publishableKey';

/** A client of a service that gives these answers, one for each request; the last one again and again. */
function clientOf(answers: readonly Answering[], options: Partial<Omit<ClientOptions, KeyName>> = {}) {
  const sent: { readonly url: string; readonly init: RequestInit; readonly atMs: number }[] = [];
  const fetch = (async (url: URL, init: RequestInit) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)]!;
    sent.push({ url: url.href, init, atMs: Date.now() });
    return answer({ url: url.href, init });
  }) as typeof globalThis.fetch;
  const keys = { consumerKey: 'dc_a', clientKey: 'dk_b' };
  const client = createClient({ baseUrl: 'https://shop.example.com/', ...keys, fetch, ...options });
  const header = (at: number, name: string) => new Headers(sent[at]!.init.headers).get(name);
  const pausesMs = () => sent.slice(1).map(({ atMs }, at) => atMs - sent[at]!.atMs);
  return { client, sent, header, pausesMs };
}

/** A request that is cut off is what the platform throws then. */
const silent: Answering = ({ init }) =>
  new Promise((_, reject) => init.signal!.addEventListener('abort', () => reject(init.signal!.reason)));

/** Lets all pauses pass; resolves to the outcome. */
async function settled<Data>(asked: Promise<Data>): Promise<Data | CommerceError> {
  const outcome = asked.catch((error: CommerceError) => error);
  await vi.runAllTimersAsync();
  return outcome;
}

describe('with the clock in hand', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each([429, 502, 503, 504])('a read that is answered %i is sent again', async (status) => {
    const { client, sent } = clientOf([() => refusal(status, 'LATER'), () => ok([1])]);
    expect(await settled(client.get('/api/v1/orders'))).toMatchObject({ data: [1], meta: { cursor: 'c1' } });
    expect(sent).toHaveLength(2);
  });

  test('what a proxy answers for a service that is away is sent again, and named after the last try', async () => {
    const page = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
    const { client, sent } = clientOf([page], { retries: 2 });
    expect(await settled(client.get('/api/v1/orders'))).toMatchObject({
      code: 'UNEXPECTED_REPLY',
      status: 502,
    });
    expect(sent).toHaveLength(3);
  });

  test('pauses grow from a quarter of a second to half a minute, and are never longer', async () => {
    const { client, pausesMs } = clientOf([unreachable], { retries: 10 });
    expect(await settled(client.get('/api/v1/orders'))).toMatchObject({ code: 'NO_CONNECTION', status: 0 });
    expect(pausesMs()).toHaveLength(10);
    for (const [tries, ms] of pausesMs().entries()) {
      const most = Math.min(30_000, 250 * 2 ** tries);
      expect(ms).toBeGreaterThanOrEqual(Math.floor(most / 2));
      expect(ms).toBeLessThanOrEqual(most);
    }
  });

  describe('in a page', () => {
    beforeEach(() => void vi.stubGlobal('location', { origin: 'https://elsewhere.example.com' }));
    afterEach(() => void vi.unstubAllGlobals());
    /** What a browser shows of a reply without the headers for this page: nothing, but of a request that asks for nothing. */
    const hidden: Answering = ({ init }) =>
      init.mode === 'no-cors' ? new Response(null) : Promise.reject(new TypeError('Failed to fetch'));
    const pageClient = (fetch: Answering) => {
      const sent: string[] = [];
      const client = createClient({
        baseUrl: 'https://shop.example.com/',
        publishableKey: 'dcp_live_1',
        fetch: (async (url: URL | string, init: RequestInit) => {
          sent.push(String(url));
          return fetch({ url: String(url), init });
        }) as typeof globalThis.fetch,
      });
      return { client, sent };
    };

    test('that the key does not list, the first try says so', async () => {
      const { client, sent } = pageClient(hidden);
      expect(await settled(client.call('getMenu', { query: { type: 'pickup' } }))).toMatchObject({
        ...{ code: 'ORIGIN_NOT_ALLOWED', status: 403 },
        message: expect.stringContaining('does not list https://elsewhere.example.com among its origins'),
      });
      expect(sent).toEqual([expect.stringContaining('/api/v1/menu'), 'https://shop.example.com/healthz']);
    });

    test('an operation that is for servers is refused without a request', async () => {
      const { client, sent } = pageClient(hidden);
      expect(await settled(client.call('listOrders'))).toMatchObject({
        ...{ code: 'INSUFFICIENT_PERMISSIONS', status: 403 },
        message: 'Web pages may not call listOrders: it needs the secret keys of a server.',
      });
      expect(sent).toEqual([]);
    });

    test('secret keys are named as the likely cause', async () => {
      const keys = { consumerKey: 'dcc_live_1', clientKey: 'dck_live_1' };
      const client = createClient({
        ...{ baseUrl: 'https://shop.example.com', ...keys },
        fetch: (async (url: URL, init: RequestInit) => hidden({ url: url.href, init })) as typeof fetch,
      });
      expect(await settled(client.call('listOrders'))).toMatchObject({
        message: expect.stringContaining('Use a publishable key'),
      });
    });

    test('a service that is away is tried again, and cannot be reached', async () => {
      const { client } = pageClient(unreachable);
      expect(await settled(client.call('getMenu', { query: { type: 'pickup' } }))).toMatchObject({
        code: 'NO_CONNECTION',
      });
    });
  });

  test('Retry-After says how long to wait, in seconds or as a date', async () => {
    const until = new Date(Date.now() + 60_000).toUTCString();
    const { client, pausesMs } = clientOf([
      () => refusal(429, 'RATE_LIMITED', { 'retry-after': '7' }),
      () => refusal(503, 'OVERLOADED', { 'retry-after': until }),
      () => ok([]),
    ]);
    await settled(client.get('/api/v1/orders'));
    expect(pausesMs()[0]).toBe(7_000);
    // A date has whole seconds.
    expect(pausesMs()[1]).toBeGreaterThan(51_000);
    expect(pausesMs()[1]).toBeLessThanOrEqual(53_000);
  });

  test('a refusal is thrown at once, with code, facts and the id of the request', async () => {
    const { client, sent } = clientOf([() => refusal(400, 'VALIDATION_FAILED', { 'x-request-id': 'r-1' })]);
    expect(await settled(client.get('/api/v1/orders'))).toMatchObject({
      name: 'CommerceError',
      message: 'Refused: VALIDATION_FAILED',
      ...{ code: 'VALIDATION_FAILED', status: 400, meta: { field: 'limit' }, requestId: 'r-1' },
    });
    expect(sent).toHaveLength(1);
  });

  test('a write that is sent again has the key of its first try, and another write has another one', async () => {
    const { client, sent, header } = clientOf([unreachable, () => ok({ id: 1 })]);
    const body = { orderType: 'pickup' };
    await settled(client.send('POST', '/api/v1/orders', { body }));
    await settled(client.send('POST', '/api/v1/orders', { body }));
    const keys = [0, 1, 2].map((at) => header(at, 'idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false]);
    expect(sent.map(({ init }) => init.body)).toEqual(Array(3).fill(JSON.stringify(body)));
    await settled(client.send('POST', '/api/v1/orders', { body, idempotencyKey: 'mine' }));
    expect(header(3, 'idempotency-key')).toBe('mine');
  });

  test('a read has no key, and its keys, query and menu host are the ones of the client', async () => {
    const { client, sent, header } = clientOf([() => ok([])], { menuUrl: 'https://menu.example.com' });
    await settled(client.get('/api/v1/orders', { query: { status: 'new', limit: 5, after: undefined } }));
    await settled(client.get('/api/v1/menu'));
    expect(sent.map(({ url }) => url)).toEqual([
      'https://shop.example.com/api/v1/orders?status=new&limit=5',
      'https://menu.example.com/api/v1/menu',
    ]);
    const names = ['x-consumer-key', 'x-client-key', 'idempotency-key'];
    expect(names.map((name) => header(0, name))).toEqual(['dc_a', 'dk_b', null]);
  });

  test('a request without an answer is given up after the time-out, to which the asked wait is added', async () => {
    const { client, pausesMs } = clientOf([silent], { timeoutMs: 2_000, retries: 1 });
    expect(await settled(client.get('/api/v1/changes', { query: { wait: 25 } }))).toMatchObject({
      code: 'TIMED_OUT',
      status: 0,
    });
    const [ms] = pausesMs();
    expect(ms).toBeGreaterThanOrEqual(27_000 + 125);
    expect(ms).toBeLessThanOrEqual(27_000 + 250);
  });

  test('an aborted signal ends the request or the pause with its reason, and nothing is sent any more', async () => {
    for (const answer of [silent, unreachable]) {
      const end = new AbortController();
      const { client, sent } = clientOf([answer]);
      const outcome = client.get('/api/v1/orders', { signal: end.signal }).catch((error) => error);
      await vi.advanceTimersByTimeAsync(10);
      const reason = new Error('The program ends.');
      end.abort(reason);
      expect(await outcome).toBe(reason);
      await vi.runAllTimersAsync();
      expect(sent).toHaveLength(1);
    }
  });

  test('a list is read page by page, until a page is empty', async () => {
    const { client, sent } = clientOf([
      () => ok([{ id: 9 }, { id: 7 }]),
      () => ok([{ id: 4 }]),
      () => ok([]),
    ]);
    const ids: number[] = [];
    for await (const { id } of client.list<{ id: number }>('/api/v1/customers')) ids.push(id);
    expect(ids).toEqual([9, 7, 4]);
    expect(sent.map(({ url }) => new URL(url).searchParams.get('startingAfter'))).toEqual([null, '7', '4']);
  });

  test('each list continues in its own way, and keeps its filters', async () => {
    const queriesOf = async (id: ListId, answers: readonly Answering[], query: Query = {}) => {
      const { client, sent } = clientOf(answers);
      const rows: unknown[] = [];
      for await (const row of client.each(id as 'listOrders', { query })) rows.push(row);
      return { rows: rows.length, queries: sent.map(({ url }) => decodeURIComponent(new URL(url).search)) };
    };
    const page = (data: unknown, meta: object = {}) => json(200, { data, meta });
    expect(
      await queriesOf('listPackages', [
        () => page([{ id: 7, updatedAt: '2026-01-02T03:04:05.678901Z' }]),
        () => ok([]),
      ]),
    ).toEqual({
      rows: 1,
      queries: ['', '?startingAfterUpdatedAt=2026-01-02T03:04:05.678901Z&startingAfterId=7'],
    });
    expect(
      await queriesOf(
        'listChanges',
        [
          () => page([{ id: 'a' }], { cursor: 'b', hasMore: true }),
          () => page([{ id: 'c' }], { cursor: 'c', hasMore: false }),
        ],
        { limit: 1 },
      ),
    ).toEqual({ rows: 2, queries: ['?limit=1', '?limit=1&after=b'] });
    expect(await queriesOf('listOrderRecords', [() => page([{ id: 'x' }]), () => ok([])])).toEqual({
      rows: 1,
      queries: ['', '?after=x'],
    });
    expect(await queriesOf('listTags', [() => page([{ id: 1 }, { id: 2 }])])).toEqual({
      rows: 2,
      queries: [''],
    });
    expect(await queriesOf('listOrders', [() => ok([])], { startingAfter: 'y' })).toEqual({
      rows: 0,
      queries: ['?startingAfter=y'],
    });
  });

  test('an operation is called by its name, with its ids escaped', async () => {
    const { client, sent } = clientOf([() => ok({})]);
    await settled(client.call('getPackage', { params: { label: '1A4/0 ?' } }));
    expect(sent[0]!.url).toBe('https://shop.example.com/api/v1/packages/1A4%2F0%20%3F');
    expect(() => client.call('getPackage', { params: {} } as never)).toThrow('params.label is missing');
  });

  test('a web page sends its publishable key alone, and the tokens that it was given', async () => {
    const { sent, header } = clientOf([]);
    const client = createClient({
      baseUrl: 'https://shop.example.com',
      publishableKey: 'dcp_a',
      fetch: (async (url: URL, init: RequestInit) => {
        sent.push({ url: url.href, init, atMs: 0 });
        return ok({});
      }) as typeof globalThis.fetch,
    });
    const tokens = { orderToken: 'o', customerToken: 'c' };
    await client.call('getPageOrder', { params: { orderId: '1' }, ...tokens });
    const names = ['x-consumer-key', 'x-client-key', 'x-order-token', 'x-customer-token'];
    expect(names.map((name) => header(0, name))).toEqual([null, 'dcp_a', 'o', 'c']);
  });

  test('a wait that is longer than the client waits is thrown at once', async () => {
    const { client, sent } = clientOf([() => refusal(429, 'RATE_LIMITED', { 'retry-after': '61' })]);
    expect(await settled(client.get('/api/v1/orders'))).toMatchObject({ retryAfterMs: 61_000 });
    expect(sent).toHaveLength(1);
  });

  test('a write that collided is sent again; what counts each try only if the service did nothing', async () => {
    const { client, sent } = clientOf([() => refusal(409, 'TRANSACTION_RETRY_EXCEEDED'), () => ok({})]);
    await settled(client.call('addLoyaltyEvent', { body: {} as never }));
    expect(sent).toHaveLength(2);
    const verifying = clientOf([
      () => refusal(429, 'RATE_LIMITED', { 'retry-after': '1' }),
      () => refusal(503, 'SERVICE_UNAVAILABLE'),
      unreachable,
    ]);
    const outcome = verifying.client.customerSessions.verify('ada@customers.example.com', '402913');
    expect(await settled(outcome)).toMatchObject({ code: 'NO_CONNECTION' });
    expect(verifying.sent).toHaveLength(3);
  });

  test('the error of a write has its key, with which it can be sent again', async () => {
    const { client, header } = clientOf([unreachable], { retries: 0 });
    const error = await settled(client.send('POST', '/api/v1/webhook-endpoints', { body: {} }));
    expect(error).toMatchObject({ idempotencyKey: header(0, 'idempotency-key') });
    expect(await settled(client.get('/api/v1/orders'))).toMatchObject({ idempotencyKey: null });
  });

  test('a reply without content has no data; anything that is not the reply of the service is an error', async () => {
    const empty = clientOf([() => new Response(null, { status: 204 })]);
    expect(await settled(empty.client.send('DELETE', '/api/v1/webhook-endpoints/1'))).toMatchObject({
      data: null,
      meta: {},
    });
    const portal = clientOf([() => new Response('<h1>Welcome</h1>', { status: 200 })]);
    expect(await settled(portal.client.get('/api/v1/orders'))).toMatchObject({ code: 'UNEXPECTED_REPLY' });
    expect(portal.sent).toHaveLength(1);
  });
});

test('over a real connection: cut off, silent, then answered', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers['idempotency-key'] as string);
    if (seen.length === 1) request.socket.destroy();
    else if (seen.length === 2) response.writeHead(200).write('{"data":');
    else response.writeHead(201).end('{"data":{"id":1}}');
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    ...{ consumerKey: 'dc_a', clientKey: 'dk_b', timeoutMs: 300 },
  });
  const { data } = await client.send('POST', '/api/v1/orders', { body: {} });
  expect([data, seen.length, new Set(seen).size]).toEqual([{ id: 1 }, 3, 1]);
  server.closeAllConnections();
  server.close();
});
