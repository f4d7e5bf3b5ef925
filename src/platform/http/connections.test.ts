import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type FinishedRequest, reply, replyRawJson } from './endpoint.ts';
import { codeOf, getToy, head, keys, listening, postToy } from './raw-connection.test-support.ts';
import { type ToyOptions, toyCaller, toyEndpoints } from './toy-server.test-support.ts';

describe('an idle connection', () => {
  const connectionBounds = { headersTimeoutMs: 50, checkPeriodMs: 20 };

  it('is closed without a reply if no request was sent', async () => {
    const { open } = await listening({ connectionBounds });
    const ahead = await open();
    expect(await ahead.next()).toBeUndefined();
  });

  it('gets a 400 if a request is incomplete', async () => {
    const { open } = await listening({ connectionBounds });
    const slow = await open();
    slow.send('GET /api/v1/toys/7 HTTP/1.1\r\nHost: shop');
    const answer = await slow.next();
    expect([answer?.status, codeOf(answer)]).toEqual([400, 'INVALID_PARAMS']);
    await slow.ended();
  });

  const silence = { silenceTimeoutMs: 60, checkPeriodMs: 20 };

  it('is closed after its last reply and the announced keep-alive time', async () => {
    const { open } = await listening({ connectionBounds: { ...silence, silenceTimeoutMs: 1_010 } });
    const idle = await open();
    idle.send(getToy);
    expect((await idle.next())?.head).toContain('keep-alive: timeout=1\r\n');
    await idle.ended();
  });

  it('is kept while requests arrive', async () => {
    const { open } = await listening({ connectionBounds: { ...silence, silenceTimeoutMs: 500 } });
    const busy = await open();
    const startedAtMs = performance.now();
    while (performance.now() - startedAtMs < 600) {
      busy.send(getToy);
      expect((await busy.next())?.status).toBe(200);
    }
  });

  const byteCount = 40_000_000;
  const large = toyEndpoints.map((it) => ({ ...it, handle: () => replyRawJson('x'.repeat(byteCount)) }));

  it('is closed if its caller does not read the reply', async () => {
    const finished: FinishedRequest[] = [];
    const { open } = await listening({
      endpoints: large,
      connectionBounds: silence,
      onFinished: (request) => finished.push(request),
    });
    const deaf = await open();
    deaf.pause();
    deaf.send(getToy);
    while (finished.length === 0) await nextTurn();
    expect(finished).toMatchObject([{ status: 200 }]);
  });

  it('is kept while its caller reads the reply, however slowly', async () => {
    // The system buffers a megabyte or so: far less than a second's reading, and far more than one. Reading takes longer than that.
    const connectionBounds = { ...silence, silenceTimeoutMs: 1_000 };
    const { open } = await listening({ endpoints: large, connectionBounds });
    const slow = await open({ turnsBetweenReads: 300 });
    slow.send(head('GET /api/v1/toys/7', ...keys, 'Connection: close\r\n'));
    await slow.ended();
    expect((await slow.next())?.body.length).toBe(byteCount);
  });

  it('is closed after invalid bytes if its caller does not', { timeout: 5_000 }, async () => {
    const { server, open } = await listening({ connectionBounds: silence });
    const stubborn = await open({ allowHalfOpen: true });
    stubborn.send('hello\r\n\r\n');
    expect((await stubborn.next())?.status).toBe(400);
    await server.close();
  });
});

describe('closing', () => {
  it('drops no request of kept-alive connections that fire without a pause', async () => {
    const slow = toyEndpoints.map((it) => ({
      ...it,
      handle: async () => {
        for (let turns = 0; turns < 20; turns++) await nextTurn();
        return reply({ id: 7, search: null }, { meta: { deep: false } });
      },
    }));
    const { server, open } = await listening({ endpoints: slow });
    let [sent, answered, closing] = [0, 0, undefined as Promise<void> | undefined];
    const fire = async () => {
      const connection = await open();
      for (;;) {
        connection.send(getToy);
        sent += 1;
        const answer = await connection.next();
        if (answer?.status !== 200) return;
        answered += 1;
        if (answered === 100) closing = server.close();
        if (answer.head.includes('connection: close')) return;
      }
    };
    await Promise.all(Array.from({ length: 8 }, fire));
    await closing;
    expect(answered).toBeGreaterThanOrEqual(107);
    expect(answered).toBe(sent);
  });

  it('answers a request that arrives on an idle connection, with Connection: close', async () => {
    const { server, open } = await listening();
    const [busy, silent] = [await open(), await open()];
    busy.send(getToy);
    silent.send(getToy);
    await Promise.all([busy.next(), silent.next()]);
    const closing = server.close();
    busy.send(getToy);
    const last = await busy.next();
    expect(last?.status).toBe(200);
    expect(last?.head).toContain('connection: close');
    expect(last?.head).not.toContain('keep-alive');
    await Promise.all([closing, busy.ended(), silent.ended()]);
    await expect(open()).rejects.toThrow('ECONNREFUSED');
  });

  it('does not wait for connections that have sent nothing', { timeout: 10_000 }, async () => {
    const { server, open } = await listening();
    const silent = await open();
    // The server has accepted this connection by then: it accepts connections in order.
    const other = await open();
    other.send(getToy);
    expect((await other.next())?.status).toBe(200);
    await server.close();
    await silent.ended();
  });

  it('makes readiness fail at once', async () => {
    const { server, open } = await listening();
    const probe = await open();
    probe.send(head('GET /readyz'));
    expect((await probe.next())?.status).toBe(200);
    const closing = server.close();
    probe.send(head('GET /readyz'));
    expect((await probe.next())?.status).toBe(503);
    await closing;
  });

  it('waits for a request whose body is still arriving', async () => {
    const { server, open } = await listening();
    const connection = await open();
    const body = '{"lineItems":[{"productOptionId":7,"quantity":2}],"type":"pickup"}';
    connection.send(postToy(`Content-Length: ${body.length}\r\n`) + body.slice(0, 20));
    await nextTurn();
    const closing = server.close();
    connection.send(body.slice(20));
    expect((await connection.next())?.status).toBe(201);
    await closing;
  });
});

describe('bodies on the wire', () => {
  it('no body is awaited before the keys are checked', async () => {
    const { open } = await listening();
    const connection = await open();
    connection.send(
      head('POST /api/v1/toys', 'Content-Type: application/json\r\n', 'Content-Length: 1000000\r\n'),
    );
    expect((await connection.next())?.status).toBe(401);
  });

  it('a body announced as too large is refused before it arrives', async () => {
    const { open } = await listening();
    const connection = await open();
    connection.send(postToy('Content-Length: 2000001\r\n', 'Expect: 100-continue\r\n'));
    expect(codeOf(await connection.next())).toBe('PAYLOAD_TOO_LARGE');
  });

  it('a request with Expect gets 100 Continue after the keys are checked', async () => {
    const { open } = await listening();
    const connection = await open();
    connection.send(postToy('Content-Length: 2\r\n', 'Expect: 100-continue\r\n'));
    expect((await connection.next())?.status).toBe(100);
    connection.send('{}');
    expect(codeOf(await connection.next())).toBe('MISSING_PARAMS');
  });

  it('a chunked body over the limit is refused while it arrives, and the connection stays open', async () => {
    const { open } = await listening();
    const connection = await open();
    connection.send(postToy('Transfer-Encoding: chunked\r\n'));
    const chunk = `186a0\r\n${'x'.repeat(100_000)}\r\n`;
    for (let count = 0; count < 21; count++) connection.send(chunk);
    expect(codeOf(await connection.next())).toBe('PAYLOAD_TOO_LARGE');
    connection.send(`${chunk}0\r\n\r\n${getToy}`);
    expect((await connection.next())?.status).toBe(200);
  });

  it('a refused body that does not end is cut', async () => {
    const { open } = await listening();
    const connection = await open();
    connection.send(postToy('Transfer-Encoding: chunked\r\n'));
    const chunk = `f4240\r\n${'x'.repeat(1_000_000)}\r\n`;
    for (let count = 0; count < 25; count++) connection.send(chunk);
    expect(codeOf(await connection.next())).toBe('PAYLOAD_TOO_LARGE');
    await connection.ended();
  });

  it('a caller that disconnects during its body has no effect on the server', async () => {
    const { open } = await listening();
    const gone = await open();
    gone.send(postToy('Content-Length: 100\r\n'));
    gone.destroy();
    const next = await open();
    next.send(getToy);
    expect((await next.next())?.status).toBe(200);
  });

  it('pipelined requests are answered in their order', async () => {
    const { open } = await listening();
    const connection = await open();
    connection.send(getToy + head('GET /nowhere') + getToy);
    const statuses = [await connection.next(), await connection.next(), await connection.next()];
    expect(statuses.map((it) => it?.status)).toEqual([200, 404, 200]);
  });
});

describe('replies that are ready at once', () => {
  const instant = (options: ToyOptions = {}) =>
    listening({
      endpoints: toyEndpoints.map((it) => ({
        ...it,
        handle: () => reply({ id: 7, search: null }, { meta: { deep: false } }),
      })),
      authenticate: () => toyCaller(),
      ...options,
    });

  it('are sent in the order of their requests, with any others between them', async () => {
    const { open } = await instant();
    const connection = await open();
    connection.send(getToy + head('GET /nowhere') + getToy + getToy);
    const answers = [];
    for (let count = 0; count < 4; count++) answers.push(await connection.next());
    expect(answers.map((it) => it?.status)).toEqual([200, 404, 200, 200]);
    const ids = answers.map((it) => /x-request-id: (\S+)/.exec(it!.head)![1]);
    expect(new Set(ids).size).toBe(4);
  });

  it('are sent before a connection is cut for invalid bytes behind them', async () => {
    const { open } = await instant();
    const connection = await open();
    connection.send(`${getToy}hello\r\n\r\n`);
    expect((await connection.next())?.status).toBe(200);
    await connection.ended();
  });

  it('survive callers that disconnect, and closing', async () => {
    const { server, open } = await instant();
    const [gone, staying] = [await open(), await open()];
    gone.send(getToy);
    gone.destroy();
    staying.send(getToy);
    expect((await staying.next())?.status).toBe(200);
    const closing = server.close();
    staying.send(getToy + getToy);
    expect((await staying.next())?.head).toContain('connection: close');
    await Promise.all([closing, staying.ended()]);
  });

  it('are logged and measured as others are', async () => {
    const finished: FinishedRequest[] = [];
    const { open } = await instant({ onFinished: (request) => finished.push(request) });
    const connection = await open();
    connection.send(getToy + getToy);
    await connection.next();
    await connection.next();
    while (finished.length < 2) await nextTurn();
    expect(finished.map(({ status, routeId }) => [status, routeId])).toEqual([
      [200, 'getToy'],
      [200, 'getToy'],
    ]);
  });
});

describe('bytes that are not a request', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a header without colon', 'GET / HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n'],
    ['headers beyond 16 KB', head('GET /', `X: ${'x'.repeat(20_000)}\r\n`)],
    ['both lengths', head('POST /api/v1/toys', 'Content-Length: 3\r\n', 'Transfer-Encoding: chunked\r\n')],
    ['a broken chunk', `${postToy('Transfer-Encoding: chunked\r\n')}zz\r\n`],
  ])('%s: the error shape, and the connection ends', async (_name, bytes) => {
    const { open } = await listening();
    const connection = await open();
    connection.send(bytes);
    const answer = await connection.next();
    expect([answer?.status, codeOf(answer)]).toEqual([400, 'INVALID_PARAMS']);
    expect(answer?.head).toMatch(/\r\nx-request-id: [\w-]+\r\n/);
    await connection.ended();
  });
});

describe('requests that Node would answer with an empty reply', () => {
  it('HTTP/1.1 without Host: the error shape', async () => {
    const { open } = await listening();
    const connection = await open();
    connection.send(`GET /api/v1/toys/7 HTTP/1.1\r\n${keys.join('')}\r\n`);
    const answer = await connection.next();
    expect([answer?.status, codeOf(answer)]).toEqual([400, 'INVALID_PARAMS']);
    expect([answer?.body, answer?.head]).toEqual([
      expect.stringContaining('Host must be sent'),
      expect.stringContaining('x-request-id: '),
    ]);
  });

  it.each([
    ['a second Host, even the same one', head('GET /healthz', 'host: a\r\n'), 'Host must be sent once'],
    ['a target of another host', head('GET http://b/healthz'), 'Host must be the host in the request line'],
  ])('%s: the error shape', async (_name, bytes, words) => {
    const { open } = await listening();
    const connection = await open();
    connection.send(bytes);
    const answer = await connection.next();
    expect([answer?.status, codeOf(answer), answer?.body]).toEqual([
      400,
      'INVALID_PARAMS',
      expect.stringContaining(words),
    ]);
  });

  it('a target with its host, as written for a proxy, is answered', async () => {
    const { open } = await listening();
    const connection = await open();
    for (const target of ['http://a/healthz?x=1', 'HTTP://A:80/healthz', 'https://a/healthz']) {
      connection.send(head(`GET ${target}`));
      expect([target, (await connection.next())?.status]).toEqual([target, 200]);
    }
  });

  it('HTTP/1.0 without Host, as load balancers send it, is answered', async () => {
    const { open } = await listening();
    const connection = await open();
    connection.send('GET /healthz HTTP/1.0\r\n\r\n');
    expect((await connection.next())?.status).toBe(200);
  });

  it('an unknown expectation is ignored', async () => {
    const { open } = await listening();
    const connection = await open();
    connection.send(head('GET /api/v1/toys/7', ...keys, 'Expect: a-miracle\r\n'));
    const answer = await connection.next();
    expect([answer?.status, answer?.head]).toEqual([200, expect.stringContaining('x-request-id: ')]);
    connection.send(head('GET /api/v1/toys/7', 'Expect: a-miracle\r\n'));
    expect(codeOf(await connection.next())).toBe('INVALID_API_CREDENTIALS');
  });
});
