import Type from 'typebox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isLongSuite } from '../../../test/harness/long-suite.ts';
import { addressBlock } from './address-block.ts';
import { reply, signInEndpoint } from './endpoint.ts';
import { createMetrics } from './metrics.ts';
import { codeOf, getToy, head, listening, postToy } from './raw-connection.test-support.ts';
import { type ToyOptions, toyEndpoints } from './toy-server.test-support.ts';

const body = '{"lineItems":[{"productOptionId":7,"quantity":2}],"type":"pickup"}';
const halfSent = (...headers: string[]) => postToy(`Content-Length: ${body.length}\r\n`, ...headers);

const signIn = signInEndpoint({
  id: 'signIn',
  method: 'POST',
  path: '/staff/v1/sessions',
  kind: 'write',
  summary: 'Sign in',
  description: '',
  tag: 'Session',
  body: Type.Object({ email: Type.String() }),
  success: { status: 201, data: Type.Object({ email: Type.String() }), description: '' },
  failures: [],
  handle: async ({ body }) => reply({ email: body.email }),
});
const postSignIn = (...headers: string[]) =>
  head('POST /staff/v1/sessions', 'Content-Type: application/json\r\n', ...headers);

/** A server with an operation that needs no session, and its logs and metrics. */
async function doors(options: ToyOptions = {}) {
  const metrics = createMetrics();
  const lines: { msg: string; bound?: string; from?: string; count?: number }[] = [];
  const listener = await listening({
    staff: { endpoints: [signIn], authenticate: async () => null, publicUrl: undefined },
    metrics,
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
    ...options,
  });
  return {
    ...listener,
    closed: async () => {
      const { values } = await metrics.closedAtBound.get();
      return Object.fromEntries(values.map(({ labels, value }) => [labels.bound, value]));
    },
    told: () => lines.filter(({ msg }) => msg === 'connections closed at a bound'),
    /** A connection that the server has accepted. */
    used: async () => {
      const connection = await listener.open();
      connection.send(getToy);
      expect((await connection.next())?.status).toBe(200);
      return connection;
    },
  };
}

describe('a request with a pending body', () => {
  it.each([
    ['with keys', halfSent()],
    ['of a sign-in', postSignIn('Content-Length: 60\r\n')],
  ])(
    '%s is not in flight: others are answered, and so is it once its body is complete',
    async (_name, text) => {
      const { open, used } = await doors({ connectionBounds: { inFlightCountMax: 3 } });
      const waiting = await Promise.all(Array.from({ length: 8 }, () => open()));
      for (const connection of waiting) connection.send(text);
      await used();
      waiting[0]!.send(body.padEnd(60));
      expect((await waiting[0]!.next())?.status).not.toBe(503);
      await used();
    },
  );

  it('is in flight from then on', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const endpoints = toyEndpoints.map((it) => ({
      ...it,
      handle: async () => {
        await finished;
        return reply({ lineCount: 0, lines: [], key: null });
      },
    }));
    const { open } = await doors({ endpoints, connectionBounds: { inFlightCountMax: 1 } });
    const [first, second, third] = [await open(), await open(), await open()];
    for (const connection of [first, second]) connection.send(halfSent());
    for (const connection of [first, second]) connection.send(body);
    expect([(await second.next())?.status]).toEqual([503]);
    third.send(halfSent() + body);
    finish();
    expect((await first.next())?.status).toBe(201);
  });

  it('is refused without a session when it is slow or larger than 4 KB', async () => {
    const { open } = await doors({ connectionBounds: { openBodyTimeoutMs: 50 } });
    const [slow, large, good] = [await open(), await open(), await open()];
    slow.send(`${postSignIn('Content-Length: 60\r\n')}{"email":`);
    large.send(postSignIn('Content-Length: 4097\r\n'));
    const sent = '{"email":"a@shop.example.com"}';
    good.send(postSignIn(`Content-Length: ${sent.length}\r\n`) + sent);
    expect((await good.next())?.status).toBe(201);
    expect(codeOf(await large.next())).toBe('PAYLOAD_TOO_LARGE');
    const refused = await slow.next();
    expect([refused?.status, codeOf(refused)]).toEqual([400, 'INVALID_PARAMS']);
    await slow.ended();
  });

  it('is refused at the limit of its address when another arrives, the oldest first', async () => {
    const { open, closed, told } = await doors({
      connectionBounds: { pendingBodiesOfAddressMax: 2, pendingBodyGraceMs: 0 },
    });
    const [first, second, third] = [await open(), await open(), await open()];
    for (const connection of [first, second, third]) {
      connection.send(halfSent());
      await open();
    }
    const refused = await first.next();
    expect([refused?.status, codeOf(refused)]).toEqual([429, 'RATE_LIMITED']);
    await first.ended();
    for (const connection of [second, third]) {
      connection.send(body);
      expect((await connection.next())?.status).toBe(201);
    }
    expect(await closed()).toEqual({ 'bodies-of-address': 1 });
    expect(told()).toMatchObject([{ bound: 'bodies-of-address', from: '127.0.0.1', count: 1 }]);
  });

  it('counts for the caller behind a trusted proxy, not for the proxy; the total is limited, too', async () => {
    const { open, closed } = await doors({
      trustedProxies: ['127.0.0.1'],
      connectionBounds: { pendingBodiesOfAddressMax: 1, pendingBodyGraceMs: 0, pendingBodiesMax: 4 },
    });
    const from = async (address?: string) => {
      const connection = await open();
      connection.send(halfSent(...(address ? [`X-Forwarded-For: ${address}\r\n`] : [])));
      await open();
      return connection;
    };
    const [first, , second] = [
      await from('2001:db8:0:1::1'),
      await from(),
      await from('2001:db8:0:2::1'),
      await from(),
    ];
    const [again] = [await from('2001:db8:0:1:ffff::1')];
    expect((await first.next())?.status).toBe(429);
    expect(await closed()).toEqual({ 'bodies-of-address': 1 });
    await from('192.0.2.1');
    await open();
    expect(await closed()).toEqual({ 'bodies-of-address': 1, bodies: 1 });
    for (const connection of [second, again]) {
      connection.send(body);
      expect((await connection.next())?.status).toBe(201);
    }
  });
});

describe('connections of one address', () => {
  it('are closed at the limit to accept the next one, the least recently used first', async () => {
    const { open, used, closed, told } = await doors({ connectionBounds: { countOfAddressMax: 3 } });
    const [first, second, third] = [await used(), await used(), await open()];
    third.send('POST /api/v1/toys HTTP/1.1\r\nHos');
    first.send(getToy);
    await first.next();
    for (let count = 0; count < 3; count++) {
      const next = await used();
      next.destroy();
      await next.ended();
      first.send(getToy);
      expect((await first.next())?.status).toBe(200);
    }
    await second.ended();
    await used();
    await used();
    await third.ended();
    expect((await closed())['connections-of-address']).toBeGreaterThanOrEqual(2);
    expect(told()).toHaveLength(1);
  });

  it('are not closed while they answer a request; then the next one is refused', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let count = 0;
    const endpoints = toyEndpoints.map((it) => ({
      ...it,
      handle: async () => {
        count += 1;
        await finished;
        return reply({ id: 7, search: null }, { meta: { deep: false } });
      },
    }));
    onTestFinished(finish);
    const { open } = await doors({ endpoints, connectionBounds: { countOfAddressMax: 2 } });
    const busy = [await open(), await open()];
    for (const connection of busy) connection.send(getToy);
    while (count < 2) await new Promise(setImmediate);
    await (await open()).ended();
    finish();
    for (const connection of busy) expect((await connection.next())?.status).toBe(200);
  });

  it('of a trusted proxy are limited in total only', async () => {
    const { used, closed } = await doors({
      trustedProxies: ['127.0.0.0/8'],
      connectionBounds: { countOfAddressMax: 2, countMax: 5 },
    });
    const all = [];
    for (let count = 0; count < 5; count++) all.push(await used());
    expect(await closed()).toEqual({});
    await used();
    await all[0]!.ended();
    expect(await closed()).toEqual({ connections: 1 });
  });
});

const connectionsOfAddressMax = 512;

/** Every address of 127.0.0.0/8 is the loopback. */
describe.runIf(process.platform === 'linux')('with the bounds of the program', () => {
  it('1,100 heads without a body, of one address, hold up neither it nor another', async () => {
    // Or the first would be refused as slow before the bounds are reached.
    const { open, closed, told } = await doors({ connectionBounds: { openBodyTimeoutMs: 60_000 } });
    const attacker = '127.0.0.66';
    const used = async (localAddress: string) => {
      const connection = await open({ localAddress });
      connection.send(getToy);
      expect([localAddress, (await connection.next())?.status]).toEqual([localAddress, 200]);
      return connection;
    };
    const customer = await used('127.0.0.7');
    const heads = [];
    for (let count = 0; count < 1_100; count += 50) {
      const opened = await Promise.all(Array.from({ length: 50 }, () => open({ localAddress: attacker })));
      for (const connection of opened) connection.send(postSignIn('Content-Length: 60\r\n'));
      heads.push(...opened);
    }
    customer.send(getToy);
    expect((await customer.next())?.status).toBe(200);
    await used('127.0.0.8');
    await used(attacker);
    // The slowest are out; the newest is answered once its body is there.
    await heads[0]!.ended();
    heads.at(-1)!.send('{"email":"a@shop.example.com"}'.padEnd(60));
    expect((await heads.at(-1)!.next())?.status).toBe(201);
    const closedInAll = Object.values<number>(await closed()).reduce((sum, count) => sum + count, 0);
    expect(closedInAll).toBeGreaterThanOrEqual(1_100 - connectionsOfAddressMax);
    expect(told()[0]).toMatchObject({ from: attacker });
  });

  it.runIf(isLongSuite)('8,250 idle connections reset no other one', { timeout: 60_000 }, async () => {
    // Or the first would be closed as silent on a slow machine.
    const { open, closed } = await doors({ connectionBounds: { headersTimeoutMs: 60_000 } });
    const customer = await open({ localAddress: '127.0.0.7' });
    const asks = async () => {
      customer.send(getToy);
      return (await customer.next())?.status;
    };
    expect(await asks()).toBe(200);
    for (let count = 0; count < 8_250; count += 250) {
      const localAddress = `127.0.1.${1 + Math.floor(count / 500)}`;
      await Promise.all(Array.from({ length: 250 }, () => open({ localAddress })));
      expect(await asks()).toBe(200);
    }
    expect(await asks()).toBe(200);
    const another = await open({ localAddress: '127.0.0.8' });
    another.send(getToy);
    expect((await another.next())?.status).toBe(200);
    expect((await closed()).connections).toBeGreaterThan(0);
  });
});

it('an IPv6 address counts by its network in any spelling, an IPv4 address by itself', () => {
  expect(
    [
      '203.0.113.7',
      '2001:db8:12:34:56:78:9a:bc',
      '2001:DB8:12:34::',
      '2001:db8::1',
      '64:ff9b::192.0.2.1',
      'no address',
      '',
    ].map((address) => [addressBlock(address, 64), addressBlock(address, 48)]),
  ).toEqual([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:12:34::/64', '2001:db8:12::/48'],
    ['2001:db8:12:34::/64', '2001:db8:12::/48'],
    ['2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['64:ff9b:0:0::/64', '64:ff9b:0::/48'],
    ['no address', 'no address'],
    ['', ''],
  ]);
});
