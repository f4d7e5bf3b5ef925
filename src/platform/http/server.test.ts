import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { failure } from '../../kernel/failure.ts';
import { type Endpoint, reply } from './endpoint.ts';
import {
  ask,
  brokenError,
  createToyServer,
  goodKeys,
  toyCaller,
  toyEndpoints,
} from './toy-server.test-support.ts';

const server = createToyServer();
afterAll(() => server.close());

const noKeys = { 'x-consumer-key': '', 'x-client-key': '' };
const json = { 'content-type': 'application/json' };
const basket = { lineItems: [{ productOptionId: 7, quantity: 2 }], type: 'pickup' };
const place = (payload: string | object, headers = {}) =>
  ask(server, { method: 'POST', url: '/api/v1/toys', payload, headers: { ...json, ...headers } });

describe('precedence of refusals (D13)', () => {
  const badBody = { payload: '{', headers: { 'content-type': 'text/plain' } };

  it('an unknown path is a 404, whatever else is wrong', async () => {
    const reply = await ask(server, {
      method: 'POST',
      url: '/api/v1/nothing',
      payload: '{',
      headers: noKeys,
    });
    expect([reply.status, reply.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
  });

  it.each([
    ['GET', '/api/v1/toys/'],
    ['DELETE', '/api/v1/toys/?force=1'],
    ['PUT', '/api/v1/toys/'],
  ] as const)('a path with an empty parameter is a 404: %s %s', async (method, url) => {
    const reply = await ask(server, { method, url, headers: noKeys });
    expect([reply.status, reply.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
  });

  it('a path of the menu is served at both addresses, any other path at the base address only', async () => {
    const menu = createToyServer({ address: 'menu' });
    for (const address of [server, menu]) {
      expect((await ask(address, { url: '/api/v1/toy-menu' })).json).toEqual({ data: ['ball'] });
    }
    expect((await ask(menu, { url: '/api/v1/toys' })).code).toBe('ROUTE_NOT_FOUND');
    await menu.close();
  });

  it('a path of the base address is a 404 at the menu address, even if a path with parameters matches it', async () => {
    const toy = toyEndpoints.find(({ path }) => path === '/api/v1/toys/{toyId}')!;
    const all = toyEndpoints.find(({ address }) => address === 'menu')!;
    const endpoints: Endpoint[] = [
      { ...toy, address: 'menu' },
      { ...all, id: 'listAllToys', path: '/api/v1/toys/all', address: 'base' },
    ];
    const menu = createToyServer({ endpoints, address: 'menu' });
    for (const method of ['GET', 'DELETE', 'PUT'] as const) {
      const reply = await ask(menu, { method, url: '/api/v1/toys/all', headers: noKeys });
      expect([method, reply.status, reply.code]).toEqual([method, 404, 'ROUTE_NOT_FOUND']);
    }
    expect((await ask(menu, { url: '/api/v1/toys/7' })).status).toBe(200);
    await menu.close();
  });

  it('a wrong method is a 405 with the allowed ones, before the keys are checked', async () => {
    for (const method of ['PATCH', 'OPTIONS', 'PUT'] as const) {
      const reply = await ask(server, { method, url: '/api/v1/toys/7', headers: noKeys, payload: '{' });
      expect([reply.status, reply.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(reply.headers.allow).toBe('GET, HEAD, DELETE');
    }
  });

  it('missing and wrong keys get the same 401, before the body is read', async () => {
    const replies = await Promise.all(
      [noKeys, { 'x-client-key': 'dck_test_other' }, { 'x-consumer-key': 'dcc_test_other' }].map((keys) =>
        ask(server, {
          method: 'POST',
          url: '/api/v1/toys',
          ...badBody,
          headers: { ...badBody.headers, ...keys },
        }),
      ),
    );
    for (const reply of replies) expect([reply.status, reply.text]).toEqual([401, replies[0]!.text]);
    expect(replies[0]!.code).toBe('INVALID_API_CREDENTIALS');
  });

  it('a key without the permission gets 403 before the body is read', async () => {
    const limited = createToyServer({ caller: { permissions: new Set(['menu']) } });
    const reply = await ask(limited, { method: 'POST', url: '/api/v1/toys', ...badBody });
    expect([reply.status, reply.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS']);
    await limited.close();
  });

  it('a body of another type is a 415, even if it is too large and not JSON', async () => {
    for (const type of ['text/plain', 'application/jsonx', 'application/json; charset=latin1', '', 'x']) {
      const reply = await place('{'.repeat(2_000_001), { 'content-type': type });
      expect([reply.status, reply.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
    expect((await place(basket, { 'content-encoding': 'gzip' })).code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['', '; version=1', ';', ' ;charset=utf8', '; charset="UTF-8"; q=1', ';charset = utf-8 ;'])(
    'JSON with parameters that have no effect is accepted: application/json%s',
    async (parameters) => {
      const reply = await place(basket, { 'content-type': `APPLICATION/json${parameters}` });
      expect(reply.status).toBe(201);
    },
  );

  it.each(['; charset=latin1', ';charset="utf-16"', '; version=1; charset=utf-8x', '; charset='])(
    'JSON in another charset is a 415 that names the charset: application/json%s',
    async (parameters) => {
      const { code, message } = await place(basket, { 'content-type': `application/json${parameters}` });
      expect([code, message]).toEqual([
        'UNSUPPORTED_MEDIA_TYPE',
        'The charset of Content-Type must be utf-8 or left out.',
      ]);
    },
  );

  it('a body over the limit is a 413, even if it is not JSON', async () => {
    const reply = await place('{'.repeat(2_000_001));
    expect([reply.status, reply.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await place('{'.repeat(2_000_000))).code).toBe('INVALID_JSON');
  });

  it('malformed JSON comes before missing fields', async () => {
    for (const text of ['{', '', '{"a":}', 'undefined', "{'a':1}", '{"a":1}x', '\u0000', '{"a":01}']) {
      const reply = await place(text);
      expect([reply.status, reply.code], text).toEqual([400, 'INVALID_JSON']);
    }
  });

  it('missing fields of query and body come before wrong ones', async () => {
    const reply = await place({ type: 'nowhere', lineItems: [{ quantity: 0 }, 5, { productOptionId: 1 }] });
    expect([reply.status, reply.code]).toEqual([400, 'MISSING_PARAMS']);
    expect(reply.json.error?.meta).toEqual({
      missing: ['lineItems[0].productOptionId', 'lineItems[2].quantity'],
    });
    const listed = await ask(server, { url: '/api/v1/toys' });
    expect([listed.code, listed.json.error?.meta]).toEqual(['MISSING_PARAMS', { missing: ['kind'] }]);
  });

  it('a wrong query comes before a path value that cannot be an id', async () => {
    expect((await ask(server, { url: '/api/v1/toys/x?deep=maybe' })).code).toBe('INVALID_PARAMS');
    expect((await ask(server, { url: '/api/v1/toys/x?deep=true' })).code).toBe('PRODUCT_NOT_FOUND');
  });
});

describe('a repeated URL', () => {
  const listToys = toyEndpoints.find(({ id }) => id === 'listToys')!;
  const again = async <Answered>(answer: () => Promise<Answered>) => [
    await answer(),
    await answer(),
    await answer(),
  ];

  it('gets the same reply each time, valid or refused', async () => {
    for (const [url, status, message] of [
      ['/api/v1/toys?kind=soft', 200, ''],
      ['/api/v1/toys?kind=wooden', 400, 'kind must be one of soft, hard.'],
      ['/api/v1/toys', 400, 'Required but absent: kind.'],
    ] as const) {
      const replies = await again(() => ask(server, { url }));
      expect(replies.map((reply) => [reply.status, reply.message])).toEqual(Array(3).fill([status, message]));
    }
  });

  it('is checked for each caller: keys, permission and strictness', async () => {
    const url = '/api/v1/toys?kind=soft&colour=red';
    let caller = toyCaller();
    const of = createToyServer({
      authenticate: async (key) => (key === goodKeys['x-consumer-key'] ? caller : null),
    });
    const codeFor = async (changes: Parameters<typeof toyCaller>[0], headers = {}) => {
      caller = toyCaller(changes);
      const { status, code } = await ask(of, { url, headers });
      return code ?? status;
    };
    for (let time = 0; time < 2; time++) {
      expect(await codeFor({})).toBe(200);
      expect(await codeFor({ strict: true })).toBe('INVALID_PARAMS');
      expect(await codeFor({ permissions: new Set() })).toBe('INSUFFICIENT_PERMISSIONS');
      expect(await codeFor({}, noKeys)).toBe('INVALID_API_CREDENTIALS');
    }
    await of.close();
  });

  it('is not affected by a handler that changes its values', async () => {
    const seen: unknown[] = [];
    const handle: Endpoint['handle'] = async ({ params, query }) => {
      seen.push(structuredClone({ params, query }));
      for (const values of [params, query]) Reflect.set(values as object, 'kind', 'changed');
      return reply([]);
    };
    const of = createToyServer({ endpoints: [{ ...listToys, handle }] });
    await again(() => ask(of, { url: '/api/v1/toys?kind=soft' }));
    expect(seen).toEqual(Array(3).fill({ params: {}, query: { kind: 'soft' } }));
    await of.close();
  });
});

describe('replies', () => {
  it('success is data, with meta if declared, and nothing else', async () => {
    expect((await ask(server, { url: '/api/v1/toys/7?deep=true&search=red+car' })).json).toEqual({
      data: { id: 7, search: 'red car' },
      meta: { deep: true },
    });
    const placed = await place(basket);
    expect([placed.status, placed.json]).toEqual([
      201,
      { data: { lineCount: 1, lines: basket.lineItems, key: null } },
    ]);
    const removed = await ask(server, { method: 'DELETE', url: '/api/v1/toys/7' });
    expect([removed.status, removed.text]).toEqual([204, '']);
  });

  it('a path value that cannot be an id gets the same reply as an unknown id', async () => {
    const missing = await ask(server, { url: '/api/v1/toys/404' });
    expect(missing.status).toBe(404);
    for (const id of [
      'x',
      '0',
      '-1',
      '1e2',
      '0x10',
      '1.5',
      '9'.repeat(400),
      '%zz',
      '%ff',
      '%00',
      '7%20',
      '٣',
      '9007199254740993',
    ]) {
      const reply = await ask(server, { url: `/api/v1/toys/${id}` });
      expect([reply.status, reply.text], id).toEqual([404, missing.text]);
    }
  });

  it('a valid request id is returned, another is replaced, on errors too', async () => {
    const idOf = async (id: string, url = '/api/v1/toys/7') =>
      (await ask(server, { url, headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await idOf('order:7_a.b-C')).toBe('order:7_a.b-C');
    expect(await idOf('sane', '/nowhere')).toBe('sane');
    for (const id of ['a b', 'a'.repeat(101), 'é', '<x>']) expect(await idOf(id)).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(await idOf('')).not.toBe(await idOf(''));
  });

  it('a reply is neither sniffed nor cached unless the endpoint allows it', async () => {
    const { headers } = await ask(server, { url: '/api/v1/toys/7' });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cache-control']).toBe('no-store');
    expect((await ask(server, { url: '/api/v1/toys?kind=soft' })).headers['cache-control']).toBe(
      'private, max-age=5',
    );
  });

  it('a matching entity tag gets 304 without a body', async () => {
    const list = (held: string) =>
      ask(server, { url: '/api/v1/toys?kind=soft', headers: { 'if-none-match': held } });
    for (const held of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) {
      const reply = await list(held);
      expect([reply.status, reply.text, reply.headers.etag]).toEqual([304, '', '"v1"']);
    }
    expect((await list('"v2"')).text).toBe('{"data":["ball"]}');
  });

  it('HEAD is answered as GET without the body', async () => {
    const listening = createToyServer();
    const { port } = await listening.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect(port, '127.0.0.1');
    const keys = Object.entries(goodKeys).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HEAD /api/v1/toys/7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${keys.join('')}\r\n`);
    const sent = await text(socket);
    expect(sent).toMatch(/^HTTP\/1\.1 200 .*\r\ncontent-length: [1-9]\d+\r\n.*\r\n\r\n$/is);
    expect(sent).not.toContain('"data"');
    await listening.close();
  });

  it('an unexpected body is ignored', async () => {
    expect(
      (await ask(server, { method: 'GET', url: '/api/v1/toys/7', payload: '{', headers: json })).status,
    ).toBe(200);
    expect((await ask(server, { method: 'DELETE', url: '/api/v1/toys/7', payload: '{' })).status).toBe(204);
  });

  it('a missing body counts as an empty object if no field is required', async () => {
    expect((await ask(server, { method: 'POST', url: '/api/v1/toys/broken' })).status).toBe(500);
  });

  it('an unknown error is a plain 500 without internal details', async () => {
    brokenError.message = 'relation "secrets" does not exist';
    const reply = await ask(server, { method: 'POST', url: '/api/v1/toys/broken', payload: {} });
    expect(reply.status).toBe(500);
    expect(reply.json).toEqual({
      error: { message: 'Something went wrong on our side.', code: 'INTERNAL_ERROR' },
    });
  });

  it('a reply that does not match its schema is a 500', async () => {
    const lying = createToyServer({
      endpoints: toyEndpoints.map((it) => ({
        ...it,
        handle: async () => ({ kind: 'json' as const, data: {} }),
      })),
    });
    expect((await ask(lying, { url: '/api/v1/toys/7' })).code).toBe('INTERNAL_ERROR');
    await lying.close();
  });

  it('SERVICE_UNAVAILABLE comes with Retry-After', async () => {
    const down = createToyServer({
      authenticate: async () => {
        throw failure('SERVICE_UNAVAILABLE', 'The database cannot be reached.');
      },
    });
    const reply = await ask(down, { url: '/api/v1/toys/7' });
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2']);
    await down.close();
  });
});

describe('paths of the frame', () => {
  it('healthz is always alive, readyz follows the service, at both addresses', async () => {
    const menu = createToyServer({ address: 'menu' });
    for (const address of [server, menu]) {
      expect((await ask(address, { url: '/healthz' })).json).toEqual({ data: { status: 'alive' } });
      expect((await ask(address, { url: '/readyz' })).json).toEqual({ data: { status: 'ready' } });
    }
    await menu.close();
    const starting = createToyServer({ readiness: async () => false });
    expect((await ask(starting, { url: '/readyz' })).code).toBe('SERVICE_UNAVAILABLE');
    await starting.close();
  });

  it('a wrong method on them is a 405', async () => {
    expect((await ask(server, { method: 'POST', url: '/healthz' })).headers.allow).toBe('GET, HEAD');
  });

  it('the metrics are not reachable through a public address', async () => {
    expect((await ask(server, { url: '/metrics' })).status).toBe(404);
  });
});
